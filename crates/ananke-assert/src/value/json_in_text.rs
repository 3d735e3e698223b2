//! JSON in what an agent says: the whole text, else fenced blocks, else objects and arrays in prose.
//!
//! Prohibitions need to know whether everything was read, so what was not is said.

use std::ops::Range;

use serde_json::Value;

use super::json_in_prose::Prose;
use super::raw_json::RawJson;

/// How many values are kept.
pub(super) const MAX_VALUES: usize = 1000;

/// The JSON in a text: at least one value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonInText {
    /// What demands look at, best first.
    pub(crate) best: Vec<Value>,
    /// What stands in prose beside fenced blocks. Only prohibitions look at it.
    pub(crate) beside: Vec<Value>,
    /// Why there may be more than was found, as a lower-case fragment; nothing if everything was read.
    pub(crate) unread: Option<String>,
}

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
    json_in_text(text).ok()?.best.into_iter().next()
}

/// Returns all JSON values in a text, best first: the whole of it, else fenced blocks, and objects and lists in prose.
pub fn jsons_of(text: &str) -> Vec<Value> {
    let json = json_in_text(text).unwrap_or_default();
    json.best.into_iter().chain(json.beside).collect()
}

/// Returns the values in `text`. Otherwise, why there is none.
///
/// A text that is JSON as a whole is the only value. Else the fenced blocks that are JSON are the best, those marked `json`
/// first. Only if there is none of them, objects and arrays between other words are, in their order.
pub(crate) fn json_in_text(text: &str) -> Result<JsonInText, NoJson> {
    let none = |why: String, is_certain| Err(NoJson { why, is_certain });
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return none("there is no text".to_owned(), true);
    }
    match serde_json::from_str(trimmed) {
        Ok(value) => {
            return Ok(JsonInText {
                best: vec![value],
                ..JsonInText::default()
            });
        }
        // It is JSON, but too deep, or with a number that is too large.
        Err(error) if RawJson::parse(trimmed).is_some() => {
            return none(error.to_string(), false);
        }
        Err(_) => {}
    }
    let fenced = Fenced::of(text);
    let prose = Prose::of(text, &fenced.ranges);
    let unread = fenced.unread.or(prose.unread);
    let (best, beside) = match fenced.values.is_empty() {
        true => (prose.values, Vec::new()),
        false => (fenced.values, prose.values),
    };
    match (best.is_empty(), unread) {
        (true, None) => none("there is no JSON in the text".to_owned(), true),
        (true, Some(why)) => none(why, false),
        (false, unread) => Ok(JsonInText {
            best,
            beside,
            unread,
        }),
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
    /// Where the content lies.
    range: Range<usize>,
    /// Whether nothing stands before and behind it.
    is_all: bool,
}

/// What the fenced blocks of a text hold.
#[derive(Default)]
struct Fenced {
    values: Vec<Value>,
    /// Where the blocks lie whose values these are, in order.
    ranges: Vec<Range<usize>>,
    unread: Option<String>,
}

impl Fenced {
    fn of(text: &str) -> Self {
        let mut fenced = Self::default();
        let mut others = Vec::new();
        for fence in fences(text) {
            if fenced.ranges.len() == MAX_VALUES {
                fenced.unread = Some(too_many());
                break;
            }
            match serde_json::from_str::<Value>(fence.content) {
                Ok(value) if fence.is_json => fenced.values.push(value),
                // Without a mark, a number or a word may be anything.
                Ok(value) if value.is_object() || value.is_array() => others.push(value),
                Ok(_) => continue,
                Err(error) => {
                    if fence.is_json && !is_readable(fence.content) {
                        let why = format!("a block marked `json` is not JSON: {error}");
                        fenced.unread.get_or_insert(why);
                    }
                    continue;
                }
            }
            fenced.ranges.push(fence.range);
        }
        fenced.values.append(&mut others);
        fenced
    }
}

/// Tells whether a block that is not one value is nothing at all, or values one after the other. Those are found as in prose.
fn is_readable(content: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(content).into_iter::<Value>();
    values.all(|value| value.is_ok_and(|value| value.is_object() || value.is_array()))
}

/// Says that there are more values than are kept.
pub(super) fn too_many() -> String {
    format!("the text has more than {MAX_VALUES} JSON values")
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
            range: self.content..content_end,
            is_all: is_blank(text.get(..self.line)) && is_blank(text.get(end..)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    use super::*;

    fn found(text: &str) -> String {
        match json_in_text(text) {
            Ok(json) => {
                let shown = |values: &[Value]| -> String {
                    let values: Vec<_> = values.iter().map(Value::to_string).collect();
                    values.join(" ")
                };
                let beside = match json.beside.is_empty() {
                    true => String::new(),
                    false => format!(" beside {}", shown(&json.beside)),
                };
                let unread = json.unread.map(|why| format!(" ({why})"));
                format!(
                    "{}{beside}{}",
                    shown(&json.best),
                    unread.unwrap_or_default()
                )
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
        assert_eq!(found(text), r#"{"a":1} 3 [1] beside {"a":0} {}"#);
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
    fn what_may_have_been_missed_is_said() {
        let after_a_fence = |more: &str| found(&format!("```json\n[1]\n```\n{more}"));
        assert_eq!(after_a_fence("see {\"a\":1}."), r#"[1] beside {"a":1}"#);
        assert_eq!(
            after_a_fence("```json\n{\"a\": 1,}\n```"),
            "[1] (a block marked `json` is not JSON: trailing comma at line 1 column 9)"
        );
        assert_eq!(
            found("```json\n{\"cut\": 1"),
            "a block marked `json` is not JSON: EOF while parsing an object at line 1 column 9 (?)"
        );
        // Nothing, and values one after the other, leave nothing unread.
        assert_eq!(after_a_fence("```json\n\n```"), "[1]");
        assert_eq!(
            after_a_fence("```json\n{\"a\":1}\n[2]\n```"),
            r#"[1] beside {"a":1} [2]"#
        );
        assert_eq!(
            found("so: [1] {\"a\": 1e999}"),
            "[1] (some of the JSON cannot be read: number out of range at line 1 column 11)"
        );
        assert_eq!(
            found(&format!("[1] {}", "[".repeat(200))),
            "[1] (some brackets stand more than 128 deep in one another)"
        );
        assert!(
            found(&format!("[1] {}", "[".repeat(200_000)))
                .ends_with("(the text has too many brackets to search them all)")
        );
        for many in ["[1] ", "```json\n1\n```\n"] {
            let exact = found(&format!("so:\n{}", many.repeat(MAX_VALUES)));
            assert!(exact.ends_with('1') || exact.ends_with("[1]"), "{many}");
            let beyond = found(&format!("so:\n{}", many.repeat(MAX_VALUES + 1)));
            assert!(beyond.ends_with("(the text has more than 1000 JSON values)"));
        }
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
            let json = json_in_text(&format!("{before}: {object} {before}"));
            let values = json.unwrap_or_default().best;
            prop_assert_eq!(values.first(), Some(&object));
            prop_assert!(values.len() == 1);
        }
    }
}
