//! JSON Patch for state and activities, with a budget: a few `copy` operations can double a document for ever.

use json_patch::{Patch, PatchOperation};
use serde_json::Value;

use super::fields::MAX_DEPTH;
use super::work::Work;

/// A patched document may grow to this many nodes.
const MAX_NODES: usize = 1_000_000;
/// So many bytes of text are as good as a node.
const BYTES_PER_NODE: usize = 64;

/// What the patched document may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Anything,
    Object,
}

/// Applies `operations` to `document` as one step: all of them or, with a reason, none.
///
/// Operations that RFC 6902 does not define are left out and their positions returned, as AG-UI consumers do.
pub(crate) fn apply(
    document: &mut Value,
    operations: &Value,
    root: Root,
    work: &mut Work,
) -> Result<Vec<usize>, String> {
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
    let n_nodes = measure(document, 0)?;
    work.look(n_nodes)?;
    let is_single = patch.len() <= 1 && patch.iter().all(is_atomic);
    if is_single {
        apply_each(document, patch, n_nodes, work)?;
    } else {
        work.copy(n_nodes)?;
        let mut patched = document.clone();
        apply_each(&mut patched, patch, n_nodes, work)?;
        if root == Root::Object && !patched.is_object() {
            return Err("the content would no longer be an object".to_owned());
        }
        *document = patched;
    }
    Ok(dropped)
}

/// Tells whether an operation that fails leaves the document as it was, and one that succeeds its root in place.
fn is_atomic(operation: &PatchOperation) -> bool {
    !matches!(operation, PatchOperation::Move(_)) && !operation.path().is_root()
}

/// Applies operations one after the other to a document of `n_nodes`.
fn apply_each(
    document: &mut Value,
    patch: Vec<PatchOperation>,
    mut n_nodes: usize,
    work: &mut Work,
) -> Result<(), String> {
    for operation in patch {
        let depth = operation.path().count();
        let (added, is_new) = match &operation {
            PatchOperation::Copy(copy) => (document.pointer(copy.from.as_str()), true),
            PatchOperation::Add(add) => (Some(&add.value), true),
            PatchOperation::Replace(replace) => (Some(&replace.value), true),
            PatchOperation::Move(step) => (document.pointer(step.from.as_str()), false),
            PatchOperation::Remove(_) | PatchOperation::Test(_) => (None, false),
        };
        let n_added = added.map_or(Ok(0), |value| measure(value, depth))?;
        if is_new {
            work.copy(n_added)?;
            // An upper bound of the size: what is removed is not subtracted, so it is counted anew when the bound is hit.
            n_nodes += n_added;
        } else {
            work.look(n_added)?;
        }
        work.look(n_shifted(document, &operation))?;
        json_patch::patch(document, &Patch(vec![operation])).map_err(|error| error.to_string())?;
        if n_nodes > MAX_NODES {
            work.look(MAX_NODES)?;
            n_nodes = measure(document, 0)?;
        }
    }
    Ok(())
}

/// Returns about how many items of arrays make room or close up.
fn n_shifted(document: &Value, operation: &PatchOperation) -> usize {
    let (from, to) = match operation {
        PatchOperation::Add(add) => (None, Some(&add.path)),
        PatchOperation::Copy(copy) => (None, Some(&copy.path)),
        PatchOperation::Move(step) => (Some(&step.from), Some(&step.path)),
        PatchOperation::Remove(remove) => (Some(&remove.path), None),
        PatchOperation::Replace(_) | PatchOperation::Test(_) => (None, None),
    };
    let paths = from.into_iter().chain(to);
    let parents = paths.filter_map(|path| document.pointer(path.parent()?.as_str()));
    parents.filter_map(Value::as_array).map(Vec::len).sum()
}

/// Counts the nodes of a value that stands `depth` levels deep, up to the limits.
fn measure(value: &Value, depth: usize) -> Result<usize, String> {
    let mut left = MAX_NODES;
    take(value, depth, &mut left)?;
    Ok(MAX_NODES - left)
}

fn take(value: &Value, depth: usize, left: &mut usize) -> Result<(), String> {
    let mut spend = |n_bytes: usize| -> Result<(), String> {
        let n_nodes = 1 + n_bytes / BYTES_PER_NODE;
        *left = left.checked_sub(n_nodes).ok_or_else(|| {
            format!("the patched document would have more than {MAX_NODES} nodes")
        })?;
        Ok(())
    };
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => return spend(0),
        Value::String(text) => return spend(text.len()),
        Value::Array(_) => spend(0)?,
        Value::Object(members) => spend(members.keys().map(String::len).sum())?,
    }
    if depth >= MAX_DEPTH {
        return Err(format!(
            "the patched document would be nested deeper than {MAX_DEPTH} levels"
        ));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| take(item, depth + 1, left)),
        Value::Object(members) => members
            .values()
            .try_for_each(|member| take(member, depth + 1, left)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(mut document: Value, operations: &Value) -> String {
        let result = apply(
            &mut document,
            operations,
            Root::Anything,
            &mut Work::default(),
        );
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

    /// Applies `operations` and returns why that failed; the document must be as before.
    fn refused(document: &Value, operations: &Value, work: &mut Work) -> String {
        let mut patched = document.clone();
        let why = apply(&mut patched, operations, Root::Anything, work).unwrap_err();
        assert_eq!(patched, *document);
        why
    }

    #[test]
    fn doubling_is_stopped() {
        let double = json!({"op": "copy", "from": "", "path": "/l/-"});
        let operations = Value::Array(vec![double; 64]);
        let why = refused(&json!({"l": [1]}), &operations, &mut Work::default());
        assert_eq!(
            why,
            "the patched document would have more than 1000000 nodes"
        );
    }

    #[test]
    fn long_names_count() {
        let copies = |n: usize| {
            (0..n).map(|n| json!({"op": "copy", "from": "/a", "path": format!("/x{n}")}))
        };
        let document = json!({"a": {"k".repeat(1 << 20): 0}});
        let operations = Value::Array(copies(100).collect());
        assert!(refused(&document, &operations, &mut Work::default()).contains("nodes"));
    }

    #[test]
    fn deepening_is_stopped() {
        // Each round puts `a` one level deeper, without a copy.
        let round = [
            json!({"op": "add", "path": "/n", "value": {}}),
            json!({"op": "move", "from": "/a", "path": "/n/a"}),
            json!({"op": "move", "from": "/n", "path": "/a"}),
        ];
        let operations = Value::Array(vec![round; 1000].concat());
        let why = refused(&json!({"a": {}}), &operations, &mut Work::default());
        assert_eq!(
            why,
            "the patched document would be nested deeper than 512 levels"
        );
    }

    #[test]
    fn copying_again_and_again_is_stopped_though_the_document_stays_small() {
        let document = json!({"a": vec![0; 1000]});
        let copy = json!({"op": "copy", "from": "/a", "path": "/x"});
        let operations = Value::Array(vec![copy; 100]);
        let mut work = Work::new(50_000);
        assert!(refused(&document, &operations, &mut work).contains("copies of values"));
        assert!(work.is_spent());
    }

    #[test]
    fn shifting_long_arrays_is_counted() {
        let document = json!({"a": vec![0; 1000]});
        let first = json!({"op": "remove", "path": "/a/0"});
        let operations = Value::Array(vec![first; 1000]);
        assert!(refused(&document, &operations, &mut Work::new(10_000)).contains("copies"));
    }

    #[test]
    fn single_operations_on_a_large_document_are_cheap_and_leave_it_whole() {
        let mut document = json!({"a": vec![0; 1000], "n": 0});
        let mut work = Work::new(15_000);
        let mut patch = |operation: Value| {
            let operations = json!([operation]);
            apply(&mut document, &operations, Root::Object, &mut work)
        };
        for n in 0..100 {
            patch(json!({"op": "replace", "path": "/n", "value": n})).unwrap();
        }
        for bad in [
            json!({"op": "add", "path": "/b/c", "value": 1}),
            json!({"op": "copy", "from": "/a", "path": "/b/c"}),
            json!({"op": "move", "from": "/n", "path": "/b/c"}),
            json!({"op": "replace", "path": "", "value": 1}),
            json!({"op": "remove", "path": "/b"}),
            json!({"op": "test", "path": "/n", "value": 1}),
        ] {
            assert!(patch(bad.clone()).is_err(), "{bad}");
        }
        assert_eq!(document, json!({"a": vec![0; 1000], "n": 99}));
    }
}
