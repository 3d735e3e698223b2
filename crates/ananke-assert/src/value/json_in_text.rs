//! JSON in what an agent says: the whole text, else fenced blocks, else objects and arrays in prose.
//!
//! The text is hostile. The search is bounded: it stops after a number of steps that grows with the length of the text.

use serde_json::Value;

use super::raw_json::RawJson;

/// How many values are kept.
const MAX_VALUES: usize = 100;
/// How deep values may be nested; what lies deeper is not read.
const MAX_DEPTH: usize = 128;
/// Steps that every search may take, and for each byte of the text.
const STEPS: usize = 1 << 20;
const STEPS_PER_BYTE: usize = 16;

/// Why there is no JSON to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoJson {
    /// In words, as a lower-case fragment.
    pub(crate) why: String,
    /// Whether there surely is none, rather than some that could not be read.
    pub(crate) is_certain: bool,
}

/// Returns the first JSON value in a text: the whole of it, a fenced block, or an object or a list in prose.
pub fn json_of(text: &str) -> Option<Value> {
    json_in_text(text).ok()?.into_iter().next()
}

/// Returns the values in `text`, best first; at least one. Otherwise, why there is none.
///
/// A text that is JSON as a whole is the only value. Else the fenced blocks that are JSON count, those marked `json` first.
/// Only if there is none of them, objects and arrays between other words do, in their order.
pub(crate) fn json_in_text(text: &str) -> Result<Vec<Value>, NoJson> {
    let none = |why: String, is_certain| Err(NoJson { why, is_certain });
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return none("there is no text".to_owned(), true);
    }
    match serde_json::from_str(trimmed) {
        Ok(value) => return Ok(vec![value]),
        // It is JSON, but too deep, or with a number that is too large.
        Err(error) if RawJson::parse(trimmed).is_some() => {
            return none(error.to_string(), false);
        }
        Err(_) => {}
    }
    let fenced = fenced_values(text);
    if !fenced.is_empty() {
        return Ok(fenced);
    }
    let (values, is_complete) = values_in_prose(text);
    match (values.is_empty(), is_complete) {
        (false, _) => Ok(values),
        (true, true) => none("there is no JSON in the text".to_owned(), true),
        (true, false) => none(
            "the text has too many brackets to search them all".to_owned(),
            false,
        ),
    }
}

/// Returns the one fenced block that `text` consists of, or the text itself, without white space around it.
pub(crate) fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    match fences(trimmed).as_slice() {
        [only] if only.is_all => only.content.trim(),
        _ => trimmed,
    }
}

/// A fenced block of Markdown.
struct Fence<'t> {
    is_json: bool,
    content: &'t str,
    /// Whether nothing stands before and behind it.
    is_all: bool,
}

fn fenced_values(text: &str) -> Vec<Value> {
    let fences = fences(text);
    let (marked, others): (Vec<_>, Vec<_>) = fences.iter().partition(|fence| fence.is_json);
    let marked = marked
        .into_iter()
        .filter_map(|fence| serde_json::from_str(fence.content).ok());
    // Without a mark, a number or a word may be anything.
    let others = others
        .into_iter()
        .filter_map(|fence| serde_json::from_str(fence.content).ok())
        .filter(|value: &Value| value.is_object() || value.is_array());
    marked.chain(others).take(MAX_VALUES).collect()
}

fn fences(text: &str) -> Vec<Fence<'_>> {
    let mut fences = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let line = line.trim();
        let Some(mark @ ('`' | '~')) = line.chars().next() else {
            continue;
        };
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        match &open {
            None if length >= 3 && !rest.contains('`') => {
                let language = rest.split_whitespace().next().unwrap_or("");
                open = Some(Open {
                    mark,
                    length,
                    is_json: language.eq_ignore_ascii_case("json"),
                    line: start,
                    content: end,
                });
            }
            Some(fence) if mark == fence.mark && length >= fence.length && rest.is_empty() => {
                fences.push(fence.closed(text, start, end));
                open = None;
            }
            _ => {}
        }
    }
    // An answer may be cut off before the last fence.
    if let Some(fence) = open {
        fences.push(fence.closed(text, text.len(), text.len()));
    }
    fences
}

/// A fence whose end has not been seen yet.
struct Open {
    mark: char,
    length: usize,
    is_json: bool,
    line: usize,
    content: usize,
}

impl Open {
    fn closed<'t>(&self, text: &'t str, content_end: usize, end: usize) -> Fence<'t> {
        let is_blank = |part: Option<&str>| part.is_some_and(|part| part.trim().is_empty());
        Fence {
            is_json: self.is_json,
            content: text.get(self.content..content_end).unwrap_or(""),
            is_all: is_blank(text.get(..self.line)) && is_blank(text.get(end..)),
        }
    }
}

/// Returns the objects and arrays in `text`, none of them inside another, and whether the whole text was searched.
fn values_in_prose(text: &str) -> (Vec<Value>, bool) {
    let bytes = text.as_bytes();
    let mut steps = STEPS + bytes.len().saturating_mul(STEPS_PER_BYTE);
    let mut values = Vec::new();
    let mut at = 0;
    while values.len() < MAX_VALUES {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(start) = rest.iter().position(|byte| matches!(byte, b'{' | b'[')) else {
            break;
        };
        let start = at + start;
        at = start + 1;
        let end = balanced_end(bytes, start, &mut steps);
        if steps == 0 {
            return (values, false);
        }
        let Some(part) = end.and_then(|end| text.get(start..end)) else {
            continue;
        };
        steps = steps.saturating_sub(part.len());
        if let Ok(value) = serde_json::from_str(part) {
            values.push(value);
            at = start + part.len();
        }
    }
    (values, true)
}

/// Returns where the bracket at `start` is closed; nothing if it is not, or what lies between is nested too deep.
fn balanced_end(bytes: &[u8], start: usize, steps: &mut usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        *steps = steps.checked_sub(1)?;
        at += 1;
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return None;
                }
            }
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    fn found(text: &str) -> String {
        match json_in_text(text) {
            Ok(values) => {
                let values: Vec<_> = values.iter().map(Value::to_string).collect();
                values.join(" ")
            }
            Err(none) => format!("{}{}", none.why, if none.is_certain { "" } else { " (?)" }),
        }
    }

    #[test]
    fn the_whole_text_comes_first() {
        assert_eq!(
            found(" {\"a\": \"```json\\n1\\n```\"}\n"),
            r#"{"a":"```json\n1\n```"}"#
        );
        assert_eq!(found("42"), "42");
        assert_eq!(found("\"x\""), "\"x\"");
    }

    #[test]
    fn fenced_blocks_come_before_prose() {
        let text = "See {\"a\":0}:\n```\n[1]\n```\n```JSON\n{\"a\": 1}\n```\n~~~~ json x\n3\n~~~~~\n```python\n{}1\n```";
        assert_eq!(found(text), r#"{"a":1} 3 [1]"#);
        assert_eq!(
            found("- x\r\n  ```json\r\n  [1,\r\n  2]\r\n  ```\r\n"),
            "[1,2]"
        );
        assert_eq!(found("```json\n{\"cut\": 1}"), r#"{"cut":1}"#);
        assert_eq!(found("```\n42\n```"), "there is no JSON in the text");
        assert_eq!(found("Use ```json {\"a\":1}``` here"), r#"{"a":1}"#);
    }

    #[test]
    fn prose_is_searched_for_objects_and_arrays() {
        assert_eq!(
            found("As [1] {x} says {\"a\": \"}\\\"{\"} or [2, {\"b\":3}]."),
            r#"[1] {"a":"}\"{"} [2,{"b":3}]"#
        );
        assert_eq!(found("open { and \"quoted [\" {\"a\":1}"), r#"{"a":1}"#);
        assert_eq!(found("{not json} 5 true"), "there is no JSON in the text");
        assert_eq!(found(" \n"), "there is no text");
    }

    #[test]
    fn json_that_cannot_be_read_is_said_to_be_there() {
        assert_eq!(found("1e999"), "number out of range at line 1 column 5 (?)");
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(
            found(&deep),
            "recursion limit exceeded at line 1 column 128 (?)"
        );
    }

    #[test]
    fn hostile_text_takes_bounded_steps() {
        let megabyte = 1 << 20;
        for text in [
            "[".repeat(megabyte),
            "{\"".repeat(megabyte / 2),
            "[\"".repeat(megabyte / 2),
            "{\"a\":".repeat(megabyte / 5),
            format!("{}\"{}", "[1,".repeat(120), "x".repeat(megabyte)),
            "[1 ".repeat(megabyte / 3),
            "[]".repeat(megabyte / 2) + "x",
            "```\n".repeat(megabyte / 4),
        ] {
            let started = std::time::Instant::now();
            drop(json_in_text(&text));
            // Without a bound this takes minutes.
            assert!(started.elapsed().as_secs() < 10);
        }
    }

    #[test]
    fn one_fence_around_everything_is_taken_off() {
        assert_eq!(without_fence(" ```json\n{}\n```\n"), "{}");
        assert_eq!(
            without_fence("so:\n```json\n{}\n```"),
            "so:\n```json\n{}\n```"
        );
        assert_eq!(without_fence("plain "), "plain");
    }

    proptest! {
        #[test]
        fn any_text_is_searched_without_panic(text in r#"[\[\]{}"\\`a1,: \nj]{0,200}"#, other in any::<String>()) {
            drop((json_in_text(&text), json_in_text(&other)));
            prop_assert!(without_fence(&text).len() <= text.len());
        }

        #[test]
        fn an_object_is_found_wherever_it_stands(key in "[a-z]{1,5}", number in any::<i64>(), before in "[a-z .,\n]{0,20}") {
            let object = serde_json::json!({key: [number, "}"]});
            let values = json_in_text(&format!("{before}: {object} {before}")).unwrap_or_default();
            prop_assert_eq!(values.first(), Some(&object));
            prop_assert!(values.len() == 1);
        }
    }
}
