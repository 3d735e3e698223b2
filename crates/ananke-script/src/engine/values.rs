//! Values of the engine as JSON, and back. Whatever a script hands over is read without calling the script's own code more than
//! needed, and within limits.

use rquickjs::{Ctx, Object, Type, Value as JsValue};
use serde_json::{Map, Number, Value};

use super::limits::{DEPTH, NODES, TEXT};

/// Returns JSON as a value of the engine.
pub(crate) fn from_json<'js>(ctx: &Ctx<'js>, value: &Value) -> rquickjs::Result<JsValue<'js>> {
    ctx.json_parse(value.to_string())
}

/// Returns a value of the engine as JSON: what JSON has no word for becomes `null` or a text that names it, and what is nested
/// too deep, or holds itself, is cut.
pub(crate) fn to_json(value: &JsValue<'_>) -> Value {
    Walk {
        nodes: NODES,
        text: TEXT,
    }
    .value(value, 0)
}

struct Walk {
    nodes: usize,
    text: usize,
}

impl Walk {
    fn value(&mut self, value: &JsValue<'_>, depth: usize) -> Value {
        let Some(left) = self.nodes.checked_sub(1) else {
            return Value::String("[…]".to_owned());
        };
        self.nodes = left;
        match value.type_of() {
            Type::Bool => Value::Bool(value.as_bool().unwrap_or_default()),
            Type::Int => Value::from(value.as_int().unwrap_or_default()),
            Type::Float => number(value.as_float().unwrap_or_default()),
            Type::String => self.string(value),
            Type::BigInt | Type::Symbol => described(value),
            Type::Function | Type::Constructor => {
                let name = value
                    .as_object()
                    .and_then(|it| it.get::<_, String>("name").ok());
                let name = name.filter(|name| !name.is_empty());
                Value::String(name.map_or_else(
                    || "[Function]".to_owned(),
                    |name| format!("[Function: {name}]"),
                ))
            }
            Type::Uninitialized | Type::Undefined | Type::Null | Type::Module => Value::Null,
            _ if depth >= DEPTH => Value::String("[…]".to_owned()),
            Type::Array => {
                let Some(array) = value.as_array() else {
                    return Value::Null;
                };
                let mut list = Vec::new();
                for index in 0..array.len() {
                    if self.nodes == 0 {
                        list.push(Value::String("[…]".to_owned()));
                        break;
                    }
                    let item = array.get::<JsValue<'_>>(index);
                    list.push(self.caught(value, item, depth));
                }
                Value::Array(list)
            }
            _ => match value.as_object() {
                Some(object) => self.object(object, depth),
                None => Value::Null,
            },
        }
    }

    fn object(&mut self, object: &Object<'_>, depth: usize) -> Value {
        if let Some(own) = self.own_json(object, depth) {
            return own;
        }
        let mut members = Map::new();
        if object.is_error() {
            for name in ["name", "message"] {
                let text = object.get::<_, String>(name);
                members.extend(text.ok().map(|text| (name.to_owned(), Value::String(text))));
                object.ctx().catch();
            }
        }
        for key in object.keys::<String>() {
            let Ok(key) = key else {
                object.ctx().catch();
                continue;
            };
            if self.nodes == 0 {
                members.insert("…".to_owned(), Value::String("[…]".to_owned()));
                break;
            }
            let member = object.get::<_, JsValue<'_>>(key.as_str());
            if member.as_ref().is_ok_and(JsValue::is_undefined) {
                continue;
            }
            let member = self.caught(object.as_value(), member, depth);
            members.insert(key, member);
        }
        Value::Object(members)
    }

    /// Returns what an object says of itself by `toJSON`, as dates do.
    fn own_json(&mut self, object: &Object<'_>, depth: usize) -> Option<Value> {
        let own: JsValue<'_> = object.get("toJSON").ok()?;
        let own = own.into_function()?;
        match own.call::<_, JsValue<'_>>((rquickjs::function::This(object.clone()), "")) {
            Ok(value) => Some(self.value(&value, depth + 1)),
            Err(_) => {
                object.ctx().catch();
                None
            }
        }
    }

    fn caught(
        &mut self,
        holder: &JsValue<'_>,
        value: rquickjs::Result<JsValue<'_>>,
        depth: usize,
    ) -> Value {
        match value {
            Ok(value) => self.value(&value, depth + 1),
            Err(_) => {
                holder.ctx().catch();
                Value::String("[threw]".to_owned())
            }
        }
    }

    fn string(&mut self, value: &JsValue<'_>) -> Value {
        let text = value.as_string().and_then(|text| text.to_string().ok());
        let Some(mut text) = text else {
            // A lone surrogate: there is no such text outside the engine.
            value.ctx().catch();
            return described(value);
        };
        if text.len() > self.text {
            text.truncate(text.floor_char_boundary(self.text));
            text.push('…');
        }
        self.text = self.text.saturating_sub(text.len());
        Value::String(text)
    }
}

fn number(number: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole, and small enough"
        )]
        return Value::from(number as i64);
    }
    Number::from_f64(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
}

fn described(value: &JsValue<'_>) -> Value {
    let text = value.get::<rquickjs::Coerced<String>>();
    Value::String(match text {
        Ok(text) => text.0,
        Err(_) => {
            value.ctx().catch();
            format!("[{}]", value.type_name())
        }
    })
}
