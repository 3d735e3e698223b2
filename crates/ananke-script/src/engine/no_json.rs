//! What JSON has no word for in a value that a function returned.

use rquickjs::{Type, Value as JsValue};

use super::limits::{DEPTH, NODES};

/// Classes whose values JSON would show as empty objects.
const CLASSES: [&str; 7] = [
    "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "RegExp", "Promise",
];

/// How many names of a path are shown.
const MOST_NAMES: usize = 8;

/// Says what in a value cannot be said in JSON, and where: `a function`, `NaN at total`.
pub(super) fn no_json(value: &JsValue<'_>) -> Option<String> {
    let mut nodes = NODES;
    let (what, path) = found(value, 0, &mut nodes)?;
    Some(match path.is_empty() {
        true => what,
        false => {
            let shown: Vec<&str> = path
                .iter()
                .rev()
                .map(String::as_str)
                .take(MOST_NAMES)
                .collect();
            let ellipsis = if shown.len() < path.len() { "…" } else { "" };
            format!("{what} at {}{ellipsis}", shown.join("."))
        }
    })
}

/// Returns what was found, and the names that lead there, innermost first.
fn found(value: &JsValue<'_>, depth: usize, nodes: &mut usize) -> Option<(String, Vec<String>)> {
    *nodes = nodes.checked_sub(1)?;
    let plain = |what: &str| Some((what.to_owned(), Vec::new()));
    match value.type_of() {
        Type::Float => {
            let number = value.as_float().filter(|number| !number.is_finite())?;
            Some((number.to_string(), Vec::new()))
        }
        Type::Symbol => plain("a symbol"),
        Type::BigInt => plain("a BigInt"),
        Type::Function | Type::Constructor => plain("a function"),
        Type::Array if depth < DEPTH => {
            let array = value.as_array()?;
            (0..array.len()).find_map(|index| {
                let item = array.get::<JsValue<'_>>(index).ok()?;
                named(found(&item, depth + 1, nodes), &index.to_string())
            })
        }
        Type::Array => plain("something that holds itself, or is nested too deep"),
        _ => {
            let object = value.as_object()?;
            let has_own = object.get::<_, JsValue<'_>>("toJSON");
            if has_own.is_ok_and(|own| own.is_function()) || object.is_error() {
                return None;
            }
            if depth >= DEPTH {
                return plain("something that holds itself, or is nested too deep");
            }
            let class = object.get::<_, rquickjs::Object<'_>>("constructor");
            let class = class.and_then(|class| class.get::<_, String>("name"));
            object.ctx().catch();
            if let Some(class) = class.ok().filter(|class| CLASSES.contains(&class.as_str())) {
                return Some((format!("a {class}"), Vec::new()));
            }
            object.keys::<String>().find_map(|key| {
                let key = key.ok()?;
                let member = object.get::<_, JsValue<'_>>(key.as_str());
                let Ok(member) = member else {
                    object.ctx().catch();
                    return None;
                };
                named(found(&member, depth + 1, nodes), &key)
            })
        }
    }
}

fn named(found: Option<(String, Vec<String>)>, name: &str) -> Option<(String, Vec<String>)> {
    found.map(|(what, mut path)| {
        path.push(name.to_owned());
        (what, path)
    })
}
