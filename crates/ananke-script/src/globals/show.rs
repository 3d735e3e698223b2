//! Shows values to people: texts as they are, the rest much like JSON, with words for what JSON has none for. Bounded, whatever
//! a script hands over.

use std::fmt::Write as _;

use rquickjs::function::This;
use rquickjs::{Function, Object, Type, Value as JsValue};

use super::kinds::{coerced, is_error, kind, text_of};

/// How deep a value is shown, how many values of it, and how many bytes.
const DEPTH: usize = 32;
const NODES: usize = 10_000;
const BYTES: usize = 64 << 10;

/// Returns a value as people read it.
pub(crate) fn shown(value: &JsValue<'_>) -> String {
    if let Some(text) = value.as_string() {
        return text.to_string().unwrap_or_else(|_| {
            value.ctx().catch();
            "[text]".to_owned()
        });
    }
    let mut show = Show {
        text: String::new(),
        nodes: NODES,
        path: Vec::new(),
    };
    show.value(value);
    show.text
}

struct Show<'js> {
    text: String,
    nodes: usize,
    /// The objects that are being shown, outermost first.
    path: Vec<JsValue<'js>>,
}

impl<'js> Show<'js> {
    fn value(&mut self, value: &JsValue<'js>) {
        if self.nodes == 0 || self.text.len() > BYTES {
            self.text.push('…');
            return;
        }
        self.nodes -= 1;
        match value.type_of() {
            Type::String => {
                let text = shown(value);
                self.text
                    .push_str(&serde_json::Value::from(text).to_string());
            }
            Type::Null => self.text.push_str("null"),
            Type::Undefined | Type::Uninitialized => self.text.push_str("undefined"),
            Type::BigInt => {
                let text = coerced(value);
                self.text.push_str(&text);
                self.text.push('n');
            }
            Type::Symbol => {
                let about = value
                    .as_symbol()
                    .and_then(|symbol| symbol.description().ok());
                let about = about.map(|about| shown(&about)).unwrap_or_default();
                self.write(format_args!("Symbol({about})"));
            }
            Type::Function | Type::Constructor => {
                match value
                    .as_object()
                    .map(|it| text_of(it, "name"))
                    .unwrap_or_default()
                {
                    name if name.is_empty() => self.text.push_str("[Function]"),
                    name => self.write(format_args!("[Function: {name}]")),
                }
            }
            _ => match value.as_object() {
                Some(object) => self.object(object),
                None => {
                    let text = coerced(value);
                    self.text.push_str(&text);
                }
            },
        }
    }

    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        self.text.write_fmt(arguments).ok();
    }

    fn object(&mut self, object: &Object<'js>) {
        if self.path.contains(object.as_value()) {
            self.text.push_str("[Circular]");
            return;
        }
        if self.path.len() >= DEPTH {
            self.text.push_str("[…]");
            return;
        }
        self.path.push(object.as_value().clone());
        self.members(object);
        self.path.pop();
    }

    fn members(&mut self, object: &Object<'js>) {
        if is_error(object) {
            return self.error(object);
        }
        if let Some(array) = object.as_array() {
            let items = array.iter::<JsValue<'js>>();
            return self.list("[", "]", items.map(|item| (None, item)));
        }
        if object.as_value().is_promise() {
            return self.text.push_str("[Promise]");
        }
        let ctx = object.ctx().clone();
        match kind(&ctx, object).as_str() {
            "RegExp" => {
                let text = coerced(object.as_value());
                return self.text.push_str(&text);
            }
            "" => {}
            kind => {
                let entries = ctx
                    .eval::<Function<'js>, _>("(it) => [...it]")
                    .and_then(|spread| spread.call::<_, Vec<JsValue<'js>>>((object.clone(),)));
                if let Ok(entries) = entries {
                    return self.entries(kind, &entries);
                }
                ctx.catch();
            }
        }
        if let Ok(own) = object.get::<_, Function<'js>>("toJSON") {
            match own.call::<_, JsValue<'js>>((This(object.clone()), "")) {
                Ok(own) if !own.is_undefined() => return self.value(&own),
                Ok(_) => {}
                Err(_) => {
                    ctx.catch();
                }
            }
        }
        let mut members = Vec::new();
        for key in object.keys::<String>().take(self.nodes + 1) {
            match key {
                Ok(key) => {
                    let value = object.get::<_, JsValue<'js>>(key.as_str());
                    members.push((Some(key), value));
                }
                Err(_) => {
                    ctx.catch();
                }
            }
        }
        self.list("{", "}", members.into_iter());
    }

    fn list(
        &mut self,
        open: &str,
        close: &str,
        items: impl Iterator<Item = (Option<String>, rquickjs::Result<JsValue<'js>>)>,
    ) {
        self.text.push_str(open);
        for (n, (key, value)) in items.enumerate() {
            if n > 0 {
                self.text.push(',');
            }
            if self.nodes == 0 || self.text.len() > BYTES {
                self.text.push('…');
                break;
            }
            if let Some(key) = key {
                let key = serde_json::Value::from(key);
                self.write(format_args!("{key}:"));
            }
            match value {
                Ok(value) => self.value(&value),
                Err(_) => {
                    if let Some(holder) = self.path.last() {
                        holder.ctx().catch();
                    }
                    self.text.push_str("[threw]");
                }
            }
        }
        self.text.push_str(close);
    }

    fn entries(&mut self, kind: &str, entries: &[JsValue<'js>]) {
        self.write(format_args!("{kind}({}) {{", entries.len()));
        for (n, entry) in entries.iter().enumerate() {
            if n > 0 {
                self.text.push_str(", ");
            }
            if self.nodes == 0 {
                self.text.push('…');
                break;
            }
            let pair = entry.as_array().filter(|_| kind == "Map");
            match pair.map(|pair| (pair.get::<JsValue<'js>>(0), pair.get::<JsValue<'js>>(1))) {
                Some((Ok(key), Ok(value))) => {
                    self.value(&key);
                    self.text.push_str(" => ");
                    self.value(&value);
                }
                _ => self.value(entry),
            }
        }
        self.text.push('}');
    }

    fn error(&mut self, error: &Object<'js>) {
        let name = text_of(error, "name");
        let message = text_of(error, "message");
        let name = if name.is_empty() {
            "Error".to_owned()
        } else {
            name
        };
        match message.is_empty() {
            true => self.text.push_str(&name),
            false => self.write(format_args!("{name}: {message}")),
        }
        match error.get::<_, JsValue<'js>>("cause") {
            Ok(cause) if !cause.is_undefined() => {
                self.text.push_str(" (cause: ");
                self.value(&cause);
                self.text.push(')');
            }
            Ok(_) => {}
            Err(_) => {
                error.ctx().catch();
            }
        }
    }
}
