//! Patches as rules see them: those that are malformed are the business of shapes, and our own limits are nobody's fault.

use ananke_protocol::agui::apply_patch;
use serde_json::Value;

/// What came of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Patched {
    /// The document is as the patch says.
    Yes,
    /// A consumer keeps the old document; why.
    No(String),
    /// It cannot be told what the document is now.
    Unknown,
}

/// Applies a patch, all of it or nothing.
pub(super) fn patch(document: &mut Value, operations: &Value) -> Patched {
    if !is_well_formed(operations) {
        return Patched::Unknown;
    }
    match apply_patch(document, operations) {
        Ok(()) => Patched::Yes,
        Err(why) if is_our_limit(&why) => Patched::Unknown,
        Err(why) => Patched::No(failing(document, operations).unwrap_or(why)),
    }
}

/// Says which operation cannot be carried out, and why.
fn failing(document: &Value, patch: &Value) -> Option<String> {
    let mut document = document.clone();
    let each = patch.as_array()?.iter().enumerate();
    for (position, operation) in each {
        let single = Value::Array(vec![operation.clone()]);
        let Err(why) = apply_patch(&mut document, &single) else {
            continue;
        };
        let member = |name: &str| operation.get(name).and_then(Value::as_str);
        let (op, path) = (member("op")?, member("path")?);
        let why = match (op, member("from")) {
            ("test", _) => "there is another value, or none".to_owned(),
            ("move" | "copy", Some(from)) if document.pointer(from).is_none() => {
                format!("there is no `{from}` to {op}")
            }
            ("add" | "move" | "copy", _) => "it has no parent that could hold it".to_owned(),
            ("replace" | "remove", _) => "there is no such value".to_owned(),
            _ => why,
        };
        return Some(format!("operation {position}, `{op}` of `{path}`: {why}"));
    }
    None
}

/// Returns the operations of a patch with their paths.
pub(super) fn operations(patch: &Value) -> impl Iterator<Item = (&str, &str)> {
    let operations = patch.as_array().into_iter().flatten();
    operations.filter_map(|operation| {
        let op = operation.get("op")?.as_str()?;
        let path = operation.get("path")?.as_str()?;
        Some((op, path))
    })
}

fn is_well_formed(patch: &Value) -> bool {
    let is_pointer = |value: Option<&Value>| value.and_then(Value::as_str).is_some_and(is_pointer);
    patch.as_array().is_some_and(|operations| {
        operations.iter().all(|operation| {
            let has_rest = match operation.get("op").and_then(Value::as_str) {
                Some("add" | "replace" | "test") => operation.get("value").is_some(),
                Some("move" | "copy") => is_pointer(operation.get("from")),
                Some("remove") => true,
                _ => false,
            };
            has_rest && is_pointer(operation.get("path"))
        })
    })
}

fn is_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/'))
        && escapes.all(|rest| rest.starts_with('0') || rest.starts_with('1'))
}

/// Tells whether a document was too large for us to follow. The words are those of the patching itself.
fn is_our_limit(why: &str) -> bool {
    why.starts_with("the patched document would") || why.starts_with("the turn's patches")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Patched, patch};

    #[test]
    fn what_we_cannot_follow_is_no_fault() {
        let mut document = json!({"text": "x".repeat(100_000)});
        let double = json!([{"op": "copy", "from": "/text", "path": "/a"}]);
        assert_eq!(patch(&mut document, &double), Patched::Yes);
        let doubles: Vec<_> = (0..2000)
            .map(|number| json!({"op": "copy", "from": "/text", "path": format!("/n{number}")}))
            .collect();
        assert_eq!(patch(&mut document, &json!(doubles)), Patched::Unknown);
        let deep = (0..600).fold(json!(1), |inner, _| json!([inner]));
        let add = json!([{"op": "add", "path": "/deep", "value": deep}]);
        assert_eq!(patch(&mut json!({}), &add), Patched::Unknown);
    }

    #[test]
    fn malformed_operations_are_left_to_the_rules_of_shapes() {
        for operations in [
            json!({}),
            json!([1]),
            json!([{"op": "merge", "path": "/a"}]),
            json!([{"op": "add", "path": "/a"}]),
            json!([{"op": "add", "path": "a", "value": 1}]),
            json!([{"op": "add", "path": "/a~2", "value": 1}]),
            json!([{"op": "move", "path": "/a"}]),
        ] {
            assert_eq!(patch(&mut json!({}), &operations), Patched::Unknown);
        }
        let gone = json!([{"op": "remove", "path": "/a"}]);
        assert!(matches!(patch(&mut json!({}), &gone), Patched::No(_)));
    }
}
