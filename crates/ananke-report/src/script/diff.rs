//! What was demanded and what was seen, line by line, where one line does not show the difference.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::compare::text_difference;
use crate::count::count;

/// Values that are longer as one line are compared line by line.
const SHORT: usize = 60;

/// Lines of a value beyond these are left out: comparing takes time that grows with the square.
const MOST_LINES: usize = 1_000;

/// Lines around a difference that are shown with it.
const CONTEXT: usize = 3;

/// Lines of a difference beyond these are left out.
const MOST_SHOWN: usize = 60;

/// Of single lines that are longer, in bytes, only the first difference is shown.
const LONG: usize = 240;

/// How many characters are shown before and from a difference in a long line.
const BEFORE: usize = 40;
const AFTER: usize = 120;

/// Which side a line stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// On both.
    Same,
    /// On both, with the words marked that differ.
    Changed,
    /// Demanded only.
    Expected,
    /// Seen only.
    Actual,
    /// Lines that are left out.
    LeftOut,
}

impl Sign {
    /// Returns the mark before a line.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Same => " ",
            Self::LeftOut => "…",
            Self::Changed => "~",
            Self::Expected => "-",
            Self::Actual => "+",
        }
    }
}

/// A line of a difference. It is not escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffLine {
    pub(crate) sign: Sign,
    pub(crate) text: String,
}

/// Tells whether two values are better shown as a difference than one below the other.
pub(crate) fn is_for_diff(expected: &Value, actual: &Value) -> bool {
    let is_nested = |value: &Value| value.is_object() || value.is_array();
    let are_alike =
        (expected.is_string() && actual.is_string()) || (is_nested(expected) && is_nested(actual));
    let is_long = |value: &Value| match value {
        Value::String(text) => text.contains('\n') || text.chars().nth(SHORT).is_some(),
        other => other.to_string().chars().nth(SHORT).is_some(),
    };
    are_alike && expected != actual && (is_long(expected) || is_long(actual))
}

/// Returns the difference between two values.
pub(crate) fn diff(expected: &Value, actual: &Value) -> Vec<DiffLine> {
    if let (Value::String(expected), Value::String(actual)) = (expected, actual)
        && !expected.contains('\n')
        && !actual.contains('\n')
    {
        if [expected, actual].iter().all(|text| text.len() <= LONG) {
            return vec![DiffLine {
                sign: Sign::Changed,
                text: text_difference(expected, actual),
            }];
        }
        return first_difference(expected, actual);
    }
    let [expected, actual] = [expected, actual].map(text);
    let (expected, more_expected) = bounded(&expected);
    let (actual, more_actual) = bounded(&actual);
    let diff = TextDiff::from_slices(&expected, &actual);
    let mut lines = Vec::new();
    let mut n_told = 0;
    for group in diff.grouped_ops(CONTEXT) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        skip(
            &mut lines,
            expected.get(n_told..first).unwrap_or_default(),
            0,
        );
        for op in &group {
            for change in diff.iter_changes(op) {
                let sign = match change.tag() {
                    ChangeTag::Equal => Sign::Same,
                    ChangeTag::Delete => Sign::Expected,
                    ChangeTag::Insert => Sign::Actual,
                };
                let text = change.value().to_owned();
                lines.push(DiffLine { sign, text });
            }
            n_told = op.old_range().end;
        }
    }
    let after = expected.get(n_told..).unwrap_or_default();
    let n_unread = more_expected.max(more_actual);
    if lines.len() > MOST_SHOWN {
        let n_more = lines.len() - MOST_SHOWN + after.len() + n_unread;
        lines.truncate(MOST_SHOWN);
        skip(&mut lines, &[], n_more);
    } else {
        skip(&mut lines, after, n_unread);
    }
    lines
}

/// Returns what two long lines hold where they begin to differ.
fn first_difference(expected: &str, actual: &str) -> Vec<DiffLine> {
    let pairs = expected.chars().zip(actual.chars());
    let n_same = pairs.take_while(|(one, other)| one == other).count();
    let from = n_same.saturating_sub(BEFORE);
    let around = |text: &str| {
        let part: String = text.chars().skip(from).take(BEFORE + AFTER).collect();
        let lead = if from > 0 { "…" } else { "" };
        let is_whole = text.chars().nth(from + BEFORE + AFTER).is_none();
        let rest = if is_whole { "" } else { "…" };
        format!("{lead}{part}{rest}")
    };
    let lengths = [expected, actual].map(|text| text.chars().count());
    let told = format!(
        "the first difference is at character {} ({} expected, {} seen)",
        n_same + 1,
        lengths[0],
        lengths[1]
    );
    let lines = [
        (Sign::Expected, around(expected)),
        (Sign::Actual, around(actual)),
        (Sign::LeftOut, told),
    ];
    let lines = lines.map(|(sign, text)| DiffLine { sign, text });
    lines.into()
}

/// Counts lines that are the same on both sides, and `n_more`; a single one costs no more room than its count.
fn skip(lines: &mut Vec<DiffLine>, same: &[&str], n_more: usize) {
    let (sign, text) = match (same, n_more) {
        ([], 0) => return,
        ([line], 0) => (Sign::Same, (*line).to_owned()),
        _ => (Sign::LeftOut, count(same.len() + n_more, "more line")),
    };
    lines.push(DiffLine { sign, text });
}

/// Returns a value on several lines; keys in order, because their order is no difference.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(&sorted(other)).unwrap_or_else(|_| other.to_string()),
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            let members = members.into_iter();
            Value::Object(
                members
                    .map(|(key, item)| (key.clone(), sorted(item)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// Returns the first lines, and how many there are more.
fn bounded(text: &str) -> (Vec<&str>, usize) {
    let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let n_more = text.lines().skip(MOST_LINES).count();
    (lines, n_more)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn shown(expected: &Value, actual: &Value) -> String {
        let lines = diff(expected, actual).into_iter();
        let lines = lines.map(|line| format!("|{} {}", line.sign.mark(), line.text));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn structures_are_compared_line_by_line() {
        let expected = json!({"id": 1, "name": "Ada", "tags": ["a", "b"], "z": {"deep": true}});
        let actual = json!({"name": "Ada", "z": {"deep": false}, "tags": ["a", "b", "c"], "id": 1});
        assert!(is_for_diff(&expected, &actual));
        assert_snapshot!(shown(&expected, &actual), @r#"
        |… 2 more lines
        |    "name": "Ada",
        |    "tags": [
        |      "a",
        |-     "b"
        |+     "b",
        |+     "c"
        |    ],
        |    "z": {
        |-     "deep": true
        |+     "deep": false
        |    }
        |  }
        "#);
    }

    #[test]
    fn texts_are_compared_by_lines_or_words() {
        assert_snapshot!(shown(&json!("one\ntwo\nthree"), &json!("one\n2\nthree")), @"
        |  one
        |- two
        |+ 2
        |  three
        ");
        assert_snapshot!(shown(&json!("Found 3 red mugs."), &json!("Found 2 blue mugs.")), @"|~ Found [-3 red-]{+2 blue+} mugs.");
    }

    #[test]
    fn long_lines_are_shown_where_they_begin_to_differ() {
        let one = format!("{}x{}", "a".repeat(5_000), "b".repeat(5_000));
        let other = format!("{}y{}", "a".repeat(5_000), "b".repeat(5_000));
        assert_snapshot!(shown(&json!(one), &json!(other)), @"
        |- …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaxbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…
        |+ …aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaybbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…
        |… the first difference is at character 5001 (10001 expected, 10001 seen)
        ");
        assert_snapshot!(shown(&json!("ä".repeat(200)), &json!("ä".repeat(199))), @"
        |- …äääääääääääääääääääääääääääääääääääääääää
        |+ …ääääääääääääääääääääääääääääääääääääääää
        |… the first difference is at character 200 (200 expected, 199 seen)
        ");
    }

    #[test]
    fn short_and_different_values_need_no_difference() {
        for (expected, actual) in [
            (json!(1), json!(2)),
            (json!("a"), json!("b")),
            (json!({"a": 1}), json!({"a": 2})),
            (json!("x".repeat(100)), json!(null)),
            (json!("x".repeat(100)), json!("x".repeat(100))),
        ] {
            assert!(!is_for_diff(&expected, &actual), "{expected} {actual}");
        }
    }

    #[test]
    fn large_values_are_cut() {
        let list = |from: u32| (from..from + 5_000).collect::<Vec<u32>>();
        let lines = diff(&json!(list(0)), &json!(list(7_000)));
        assert_eq!(lines.len(), MOST_SHOWN + 1);
        assert_eq!(lines.last().unwrap().sign, Sign::LeftOut);
    }
}
