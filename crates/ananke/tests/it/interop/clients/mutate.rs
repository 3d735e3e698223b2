//! What can be wrong with one event: each member, and each member of what it holds, is taken away, emptied, replaced or
//! joined by one that nobody knows.

use serde_json::{Value, json};

/// Holds whatever an application puts there: clients do not look inside.
const OPEN: [&str; 10] = [
    "rawEvent",
    "metadata",
    "snapshot",
    "state",
    "value",
    "forwardedProps",
    "parameters",
    "payload",
    "responseSchema",
    "event",
];

/// Words that stand for one of a few choices.
const CHOICES: [&str; 5] = ["role", "type", "op", "status", "subtype"];

/// Returns an event with one thing changed, for every such thing; each with words that tell what it is.
pub(super) fn mutated(event: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for path in places(event) {
        let at = event.pointer(&path).expect("`places` found it");
        for (what, changed) in changes(&path, at) {
            let mut copy = event.clone();
            match changed {
                Some(value) => *copy.pointer_mut(&path).expect("it was copied") = value,
                None => remove(&mut copy, &path),
            }
            all.push((format!("{path} {what}"), copy));
        }
    }
    all
}

/// Returns the pointers of all members and elements, from the outside to the inside; the first is the event itself.
fn places(event: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let mut next = 0;
    while let Some(path) = places.get(next).cloned() {
        next += 1;
        let is_open = path
            .rsplit('/')
            .next()
            .is_some_and(|name| OPEN.contains(&name));
        match event.pointer(&path) {
            Some(Value::Object(members)) if !is_open => {
                places.extend(members.keys().map(|name| format!("{path}/{name}")));
            }
            Some(Value::Array(elements)) if !is_open => {
                places.extend((0..elements.len()).map(|number| format!("{path}/{number}")));
            }
            _ => {}
        }
    }
    places
}

/// Returns what a value becomes; `None` takes it away.
fn changes(path: &str, value: &Value) -> Vec<(&'static str, Option<Value>)> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut changes = vec![("is null", Some(Value::Null))];
    if !path.is_empty() {
        changes.push(("is missing", None));
    }
    match value {
        Value::Object(members) => {
            let with = |value: Value| {
                let mut members = members.clone();
                members.insert("extra".to_owned(), value);
                Some(Value::Object(members))
            };
            changes.push(("has an unknown member", with(json!({"a": [1]}))));
            changes.push(("has an unknown null", with(Value::Null)));
            changes.push(("is a list", Some(json!([]))));
            changes.push(("is a text", Some(json!("x"))));
            changes.push(("is empty", Some(json!({}))));
        }
        Value::Array(elements) => {
            let with = |value: Value| Some(Value::Array([elements.as_slice(), &[value]].concat()));
            changes.push(("is an object", Some(json!({}))));
            changes.push(("is a text", Some(json!("x"))));
            changes.push(("is empty", Some(json!([]))));
            changes.push(("has a number more", with(json!(7))));
            changes.push(("has a null more", with(Value::Null)));
            changes.push((
                "has an unknown kind more",
                with(json!({"type": "new", "role": "new", "op": "new"})),
            ));
        }
        Value::String(_) => {
            changes.push(("is a number", Some(json!(7))));
            changes.push(("is a list", Some(json!(["x"]))));
            changes.push(("is empty", Some(json!(""))));
            if CHOICES.contains(&name) {
                changes.push(("is an unknown word", Some(json!("wizard"))));
            }
        }
        Value::Number(_) => {
            changes.push(("is a text", Some(json!("7"))));
            changes.push(("is a fraction", Some(json!(1.5))));
            changes.push(("is a whole fraction", Some(json!(2.0))));
            changes.push(("is negative", Some(json!(-1))));
            changes.push(("is too large", Some(json!(9_007_199_254_740_992_u64))));
        }
        Value::Bool(_) => {
            changes.push(("is a text", Some(json!("true"))));
            changes.push(("is the other", Some(json!(false))));
        }
        Value::Null => changes.push(("is a number", Some(json!(7)))),
    }
    changes
}

fn remove(event: &mut Value, path: &str) {
    let (parent, name) = path
        .rsplit_once('/')
        .expect("the event itself is never taken away");
    match event.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.remove(name);
        }
        Some(Value::Array(elements)) => {
            elements.remove(name.parse().expect("elements are numbered"));
        }
        _ => unreachable!("only these two have members"),
    }
}
