//! What scripts did wrong, in words.

use ananke_model::script::{FailedAssertion, FailureKind, ScriptFailure, ScriptFrame};
use serde_json::Value;

/// How many characters of a value are shown.
const SHOWN_CHARS: usize = 1000;
/// How much of the line of a failure is shown.
const LINE_CHARS: usize = 240;

/// Returns why a test did not pass, as one sentence.
pub(super) fn reason(failure: &ScriptFailure) -> String {
    let subtest = in_subtest(failure);
    match failure.kind {
        FailureKind::Assertion => format!("{subtest}assertion failed: {}", failure.message),
        _ => format!("{subtest}{}", failure.message),
    }
}

/// Returns what was thrown and where, in one line.
pub(crate) fn in_one_line(failure: &ScriptFailure) -> String {
    let subtest = in_subtest(failure);
    match failure.frames.first() {
        Some(frame) => format!("{subtest}{} ({})", failure.message, place(frame)),
        None => format!("{subtest}{}", failure.message),
    }
}

/// Returns what is put in front of what went wrong in a subtest: `TestA/empty cart: `.
fn in_subtest(failure: &ScriptFailure) -> String {
    let name = failure.subtest.as_ref();
    name.map(|name| format!("{name}: ")).unwrap_or_default()
}

fn place(frame: &ScriptFrame) -> String {
    format!("{}:{}:{}", frame.file, frame.line, frame.column)
}

/// Returns lines about a failure: what was demanded and seen, where it happened, and the lines around that place.
pub(crate) fn details(failure: &ScriptFailure) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(assertion) = &failure.assertion {
        lines.extend(both(assertion));
    }
    if let Some(frame) = failure.frames.first() {
        lines.push(format!("at {}", place(frame)));
        lines.extend(excerpt(failure, frame));
    }
    lines
}

fn both(assertion: &FailedAssertion) -> impl Iterator<Item = String> {
    let both = [
        ("expected", &assertion.expected),
        ("actual", &assertion.actual),
    ];
    both.into_iter().filter_map(|(name, value)| {
        let value = value.as_ref()?;
        Some(format!("{name}: {}", shown(value)))
    })
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", text.split_at(at).0),
        None => text,
    }
}

/// Returns the part of a long line around a column that is counted from 0, and where the column is in it.
fn part(text: &str, column: usize) -> (String, usize) {
    let from = column.saturating_sub(LINE_CHARS / 2);
    let part: String = text.chars().skip(from).take(LINE_CHARS).collect();
    let is_whole = text.chars().nth(from + LINE_CHARS).is_none();
    let rest = if is_whole { "" } else { "…" };
    match from {
        0 => (format!("{part}{rest}"), column),
        _ => (format!("…{part}{rest}"), column - from + 1),
    }
}

/// Returns the lines around a place, with a caret under it.
fn excerpt(failure: &ScriptFailure, frame: &ScriptFrame) -> Vec<String> {
    let last = failure.excerpt.last().map_or(0, |(number, _)| *number);
    let width = last.to_string().len();
    let mut lines = Vec::new();
    for (number, text) in &failure.excerpt {
        let is_here = *number == frame.line;
        let mark = if is_here { '>' } else { ' ' };
        let column = (frame.column.max(1) - 1) as usize;
        let (text, column) = match text.char_indices().nth(LINE_CHARS) {
            Some(_) if is_here => part(text, column),
            _ => (text.clone(), column),
        };
        lines.push(
            format!("{mark} {number:>width$} | {text}")
                .trim_end()
                .to_owned(),
        );
        if is_here {
            // Tabs are as wide in the line of the caret as in the line above it.
            let before = text.chars().take(column);
            let before: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            lines.push(format!("  {:width$} | {before}^", ""));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    #[test]
    fn failures_are_told_with_their_lines() {
        let failure = ScriptFailure {
            kind: FailureKind::Assertion,
            message: "totals differ".to_owned(),
            assertion: Some(FailedAssertion {
                kind: "Equal".to_owned(),
                expected: Some(json!(2)),
                actual: Some(Value::Null),
                message: "totals differ".to_owned(),
            }),
            frames: vec![ScriptFrame {
                function: "TestA".to_owned(),
                file: "src/a_test.ts".to_owned(),
                line: 10,
                column: 4,
            }],
            excerpt: vec![
                (9, "function TestA(t) {".to_owned()),
                (10, "\tt.assert.Equal(sum([1]), 2)".to_owned()),
                (11, String::new()),
            ],
            subtest: Some("TestA/one".to_owned()),
        };
        let lines = [
            vec![reason(&failure)],
            details(&failure),
            vec![in_one_line(&failure)],
        ];
        assert_snapshot!(lines.concat().join("\n").replace('\t', "→"), @"
        TestA/one: assertion failed: totals differ
        expected: 2
        actual: null
        at src/a_test.ts:10:4
           9 | function TestA(t) {
        > 10 | →t.assert.Equal(sum([1]), 2)
             | →  ^
          11 |
        TestA/one: totals differ (src/a_test.ts:10:4)
        ");
    }

    #[test]
    fn a_long_line_is_shown_around_its_column() {
        let failure = ScriptFailure {
            frames: vec![ScriptFrame {
                function: String::new(),
                file: "a_test.ts".to_owned(),
                line: 1,
                column: 4_001,
            }],
            excerpt: vec![(1, format!("{}X{}", "a".repeat(4_000), "b".repeat(4_000)))],
            ..ScriptFailure::default()
        };
        let lines = details(&failure);
        let [_, line, caret] = lines.as_slice() else {
            panic!("{lines:?}");
        };
        assert!(line.chars().count() < 260, "{line}");
        let at = |text: &str, wanted| text.chars().position(|c| c == wanted);
        assert_eq!(at(line, 'X'), at(caret, '^'));
    }
}
