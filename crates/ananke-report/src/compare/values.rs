//! Differences between JSON values, by path.

use std::collections::BTreeSet;

use serde_json::Value;

use super::comparison::ValueChange;

/// Differences beyond this many are left out.
const MOST: usize = 10;

/// Values longer than this are cut.
const LONGEST: usize = 160;

/// Returns the differences between two values.
pub(crate) fn changes(a: &Value, b: &Value) -> Vec<ValueChange> {
    let mut found = Vec::new();
    collect("", Some(a), Some(b), &mut found);
    found
}

/// Returns a value as one line, shortened.
pub(super) fn shown(value: &Value) -> String {
    shorten(&value.to_string(), LONGEST)
}

/// Cuts `text` after `limit` characters.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => {
            let (kept, _) = text.split_at(end);
            format!("{kept}…")
        }
        None => text.to_owned(),
    }
}

fn collect(path: &str, a: Option<&Value>, b: Option<&Value>, found: &mut Vec<ValueChange>) {
    if a == b || found.len() == MOST {
        return;
    }
    match (a, b) {
        (Some(Value::Object(left)), Some(Value::Object(right))) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for key in keys {
                let path = below(path, key);
                collect(&path, left.get(key), right.get(key), found);
            }
        }
        (Some(Value::Array(left)), Some(Value::Array(right))) => {
            for index in 0..left.len().max(right.len()) {
                let path = format!("{path}[{index}]");
                collect(&path, left.get(index), right.get(index), found);
            }
        }
        _ => found.push(ValueChange {
            path: path.to_owned(),
            a: a.map(shown),
            b: b.map(shown),
        }),
    }
}

fn below(path: &str, key: &str) -> String {
    let is_plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    match (path.is_empty(), is_plain) {
        (true, true) => key.to_owned(),
        (false, true) => format!("{path}.{key}"),
        (_, false) => format!(
            "{path}[{}]",
            shorten(&Value::from(key).to_string(), LONGEST)
        ),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn differences(a: &Value, b: &Value) -> String {
        let lines = changes(a, b).into_iter().map(|change| {
            let side = |value: Option<String>| value.unwrap_or_else(|| "nothing".to_owned());
            format!("{}: {} | {}", change.path, side(change.a), side(change.b))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn differences_are_named_by_path() {
        let a = json!({"limit": 10, "user": {"name": "Ann", "a.b": 1}, "ids": [1, 2], "same": 0});
        let b =
            json!({"same": 0, "user": {"name": "Bob"}, "ids": [1, 3, 4], "limit": 10, "new": null});
        assert_snapshot!(differences(&a, &b), @r#"
        ids[1]: 2 | 3
        ids[2]: nothing | 4
        new: nothing | null
        user["a.b"]: 1 | nothing
        user.name: "Ann" | "Bob"
        "#);
        assert_snapshot!(differences(&json!(1), &json!([1])), @": 1 | [1]");
        assert_eq!(
            changes(&json!(vec![0; 50]), &json!(vec![1; 50])).len(),
            MOST
        );
    }
}
