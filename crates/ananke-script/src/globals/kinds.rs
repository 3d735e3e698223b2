//! What kind of object something is, asked without trusting it.

use rquickjs::{Coerced, Ctx, Object, Value as JsValue};

/// Objects whose members say nothing.
const KINDS: [&str; 14] = [
    "Map",
    "Set",
    "RegExp",
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "BigInt64Array",
    "BigUint64Array",
    "Float32Array",
    "Float64Array",
];

/// Tells whether an object is an error. Exceptions such as `AbortError` are, though not to the engine.
pub(crate) fn is_error(object: &Object<'_>) -> bool {
    let error = || object.ctx().globals().get::<_, JsValue<'_>>("Error").ok();
    object.is_error()
        || error().is_some_and(|error| error.is_constructor() && object.is_instance_of(&error))
}

/// Returns what kind of object it is, in the engine's words.
pub(super) fn kind<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> String {
    let constructor = object.get::<_, Object<'js>>("constructor");
    let name = constructor.map(|constructor| text_of(&constructor, "name"));
    let is_own = |name: &String| {
        let known = ctx.globals().get::<_, JsValue<'js>>(name.as_str());
        known.is_ok_and(|known| known.is_constructor() && object.is_instance_of(&known))
    };
    match name {
        Ok(name) if KINDS.contains(&name.as_str()) && is_own(&name) => name,
        Ok(_) => String::new(),
        Err(_) => {
            ctx.catch();
            String::new()
        }
    }
}

/// Returns a text of an object, whatever the script made of it.
pub(super) fn text_of(object: &Object<'_>, name: &str) -> String {
    match object.get::<_, Option<Coerced<String>>>(name) {
        Ok(text) => text.map(|text| text.0).unwrap_or_default(),
        Err(_) => {
            object.ctx().catch();
            String::new()
        }
    }
}

/// Returns a value as a text.
pub(super) fn coerced(value: &JsValue<'_>) -> String {
    match value.get::<Coerced<String>>() {
        Ok(text) => text.0,
        Err(_) => {
            value.ctx().catch();
            format!("[{}]", value.type_name())
        }
    }
}
