//! JSON Patch for state and activities, with a budget: a few `copy` operations can double a document for ever.

use json_patch::{Patch, PatchOperation};
use serde_json::Value;

/// A patched document may grow to this many nodes.
const MAX_NODES: usize = 1_000_000;

/// Applies `operations` to `document` as one step: all of them or, with a reason, none.
///
/// Operations that RFC 6902 does not define are left out and their positions returned, as AG-UI consumers do.
pub(crate) fn apply(document: &mut Value, operations: &Value) -> Result<Vec<usize>, String> {
    let mut dropped = Vec::new();
    let mut patch = Vec::new();
    for (position, operation) in operations.as_array().into_iter().flatten().enumerate() {
        match operation["op"].as_str() {
            Some("add" | "remove" | "replace" | "move" | "copy" | "test") => {
                let operation: PatchOperation = serde_json::from_value(operation.clone())
                    .map_err(|error| format!("operation {position}: {error}"))?;
                patch.push(operation);
            }
            _ => dropped.push(position),
        }
    }
    let mut patched = document.clone();
    // An upper bound of the size: what is removed is not subtracted, so it is counted anew when the bound is hit.
    let mut n_nodes = count(&patched, MAX_NODES).ok_or_else(too_large)?;
    for operation in patch {
        let added = match &operation {
            PatchOperation::Copy(copy) => patched.pointer(copy.from.as_str()),
            PatchOperation::Add(add) => Some(&add.value),
            PatchOperation::Replace(replace) => Some(&replace.value),
            PatchOperation::Move(_) | PatchOperation::Remove(_) | PatchOperation::Test(_) => None,
        };
        n_nodes += added
            .map_or(Some(0), |value| count(value, MAX_NODES))
            .ok_or_else(too_large)?;
        json_patch::patch(&mut patched, &Patch(vec![operation]))
            .map_err(|error| error.to_string())?;
        if n_nodes > MAX_NODES {
            n_nodes = count(&patched, MAX_NODES).ok_or_else(too_large)?;
        }
    }
    *document = patched;
    Ok(dropped)
}

fn too_large() -> String {
    format!("the patched document would have more than {MAX_NODES} nodes")
}

/// Counts nodes up to `limit`.
fn count(value: &Value, limit: usize) -> Option<usize> {
    let children: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        Value::String(text) => return (text.len() / 64 < limit).then_some(1 + text.len() / 64),
        Value::Null | Value::Bool(_) | Value::Number(_) => return (limit > 0).then_some(1),
    };
    let mut total = 1;
    for child in children {
        total += count(child, limit.checked_sub(total)?)?;
    }
    (total <= limit).then_some(total)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(mut document: Value, operations: &Value) -> String {
        let result = apply(&mut document, operations);
        format!("{document} {result:?}")
    }

    #[test]
    fn a_patch_applies_as_a_whole_or_not_at_all() {
        let document = json!({"plan": {"status": "open"}});
        let good =
            json!([{"op": "replace", "path": "/plan/status", "value": "closed", "extra": 1}]);
        assert_eq!(
            patched(document.clone(), &good),
            r#"{"plan":{"status":"closed"}} Ok([])"#
        );
        let half =
            json!([{"op": "add", "path": "/a", "value": 1}, {"op": "remove", "path": "/absent"}]);
        assert!(patched(document, &half).starts_with(r#"{"plan":{"status":"open"}} Err("#));
    }

    #[test]
    fn undefined_operations_are_left_out() {
        let operations =
            json!([{"op": "increment", "path": "/n"}, {"op": "replace", "path": "/n", "value": 5}]);
        assert_eq!(patched(json!({"n": 1}), &operations), r#"{"n":5} Ok([0])"#);
    }

    #[test]
    fn doubling_is_stopped() {
        let double = json!({"op": "copy", "from": "", "path": "/l/-"});
        let operations = Value::Array(vec![double; 64]);
        let mut document = json!({"l": [1]});
        assert!(
            apply(&mut document, &operations)
                .unwrap_err()
                .contains("more than")
        );
        assert_eq!(document, json!({"l": [1]}));
    }
}
