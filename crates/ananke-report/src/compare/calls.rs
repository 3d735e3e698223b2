//! Differences between the tool calls of a turn: added, removed, moved, other arguments, another result.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::behavior::CallBehavior;
use super::comparison::{CallChange, CallChangeKind};
use super::values;

/// Calls of a turn beyond this many are not compared one by one.
const MOST: usize = 500;

/// Returns the differences between the calls of turn `turn`.
pub(super) fn changes(turn: usize, a: &[CallBehavior], b: &[CallBehavior]) -> Vec<CallChange> {
    let a: Vec<&CallBehavior> = a.iter().take(MOST).collect();
    let b: Vec<&CallBehavior> = b.iter().take(MOST).collect();
    let key = |call: &&CallBehavior| format!("{} {}", call.name, call.args);
    let keys_a: Vec<String> = a.iter().map(key).collect();
    let keys_b: Vec<String> = b.iter().map(key).collect();
    let mut changes = Vec::new();
    let mut removed = Vec::new();
    let mut added = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys_a, &keys_b) {
        if op.tag() == DiffTag::Equal {
            let pairs = op.old_range().zip(op.new_range());
            changes.extend(pairs.filter_map(|(old, new)| result_change(turn, a[old], b[new])));
        } else {
            removed.extend(op.old_range());
            added.extend(op.new_range());
        }
    }
    // The same call at another place was moved; another call of the same tool has other arguments.
    for old in std::mem::take(&mut removed) {
        let position = added.iter().position(|new| keys_a[old] == keys_b[*new]);
        match position {
            Some(position) => {
                let new = added.remove(position);
                changes.push(one_sided(turn, CallChangeKind::Moved, a[old]));
                changes.extend(result_change(turn, a[old], b[new]));
            }
            None => removed.push(old),
        }
    }
    for old in removed {
        let position = added.iter().position(|new| a[old].name == b[*new].name);
        match position {
            Some(position) => {
                let new = added.remove(position);
                changes.push(CallChange {
                    turn,
                    kind: CallChangeKind::Args,
                    name: a[old].name.clone(),
                    args: None,
                    values: values::changes(&a[old].args, &b[new].args),
                });
                changes.extend(result_change(turn, a[old], b[new]));
            }
            None => changes.push(one_sided(turn, CallChangeKind::Removed, a[old])),
        }
    }
    let added = added.into_iter().map(|new| b[new]);
    changes.extend(added.map(|call| one_sided(turn, CallChangeKind::Added, call)));
    changes
}

fn one_sided(turn: usize, kind: CallChangeKind, call: &CallBehavior) -> CallChange {
    CallChange {
        turn,
        kind,
        name: call.name.clone(),
        args: Some(values::shown(&call.args)),
        values: Vec::new(),
    }
}

fn result_change(turn: usize, a: &CallBehavior, b: &CallBehavior) -> Option<CallChange> {
    (a.came != b.came).then(|| CallChange {
        turn,
        kind: CallChangeKind::Result,
        name: a.name.clone(),
        args: None,
        values: values::changes(&a.came, &b.came),
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::{Value, json};

    use super::*;

    /// Reads `name args result; …`.
    fn calls(text: &str) -> Vec<CallBehavior> {
        let calls = text.split("; ").filter(|call| !call.is_empty());
        let read = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
        calls
            .map(|call| {
                let words: Vec<&str> = call.split(' ').collect();
                CallBehavior {
                    name: words[0].to_owned(),
                    args: read(words[1]),
                    came: words.get(2).map_or(Value::Null, |text| read(text)),
                }
            })
            .collect()
    }

    fn differences(a: &str, b: &str) -> String {
        let changes = changes(1, &calls(a), &calls(b));
        let lines = changes.iter().map(|change| {
            let values: Vec<_> = change.values.iter().map(|value| json!(value)).collect();
            let args = change.args.as_deref().unwrap_or_default();
            format!("{:?} {} {args}{}", change.kind, change.name, json!(values))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn calls_are_aligned_by_tool_and_arguments() {
        assert_eq!(differences("s 1; t 2 3", "s 1; t 2 3"), "");
        assert_snapshot!(differences("s 1; s 2", "s 2"), @"Removed s 1[]");
        assert_snapshot!(differences("s 1 5; t 2", "t 2; s 1 6"), @r#"
        Result s [{"path":"","a":"5","b":"6"}]
        Moved t 2[]
        "#);
        assert_snapshot!(differences(r#"s {"q":1,"n":2}"#, r#"s {"q":3,"n":2}; u 0"#), @r#"
        Args s [{"path":"q","a":"1","b":"3"}]
        Added u 0[]
        "#);
    }
}
