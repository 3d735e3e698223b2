//! Secrets in JSON that stays text: what was JSON is JSON afterwards, numbers and spacing as they were.

use serde_json::value::RawValue;

use super::growing;
use super::inner::{Edit, Inner, Weak, apply};
use super::values::weak_under;

/// Returns what is to be changed in `text`, which may be a JSON object or list, or any other text.
pub(super) fn edits(inner: &Inner, text: &str) -> Vec<Edit> {
    if inner.may_hit(text) {
        found(inner, text, Growing::No)
    } else {
        Vec::new()
    }
}

/// Returns `text` with its secrets hidden, if there are any.
pub(super) fn hidden(inner: &Inner, text: &str) -> Option<String> {
    applied(text, &edits(inner, text))
}

/// Returns an event whose values may grow with its secrets hidden, if there are any, whole or begun.
pub(super) fn hidden_growing(inner: &Inner, payload: &str) -> Option<String> {
    applied(payload, &found(inner, payload, Growing::Yes))
}

fn applied(text: &str, edits: &[Edit]) -> Option<String> {
    (!edits.is_empty()).then(|| apply(text, edits))
}

fn found(inner: &Inner, text: &str, growing: Growing) -> Vec<Edit> {
    // A raw value is checked without recursion, whatever its depth.
    let is_json = text.trim_start().starts_with(['{', '['])
        && serde_json::from_str::<&RawValue>(text).is_ok();
    if is_json {
        Walk::new(inner, text, growing).edits()
    } else {
        inner.edits(text, Weak::Hide)
    }
}

/// Whether strings may end in a secret that has only begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growing {
    Yes,
    No,
}

/// A walk over the strings and numbers of a text that is known to be JSON.
struct Walk<'a> {
    inner: &'a Inner,
    text: &'a str,
    growing: Growing,
    at: usize,
    /// The key whose value comes next.
    key: Option<&'a str>,
    edits: Vec<Edit>,
}

impl<'a> Walk<'a> {
    fn new(inner: &'a Inner, text: &'a str, growing: Growing) -> Self {
        Self {
            inner,
            text,
            growing,
            at: 0,
            key: None,
            edits: Vec::new(),
        }
    }

    fn edits(mut self) -> Vec<Edit> {
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            match byte {
                b'"' => self.string(),
                b'-' | b'0'..=b'9' => self.number(),
                b'{' | b'[' => {
                    self.key = None;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        self.edits
    }

    fn string(&mut self) {
        let start = self.at + 1;
        let content = string_content(self.text.get(start..).unwrap_or(""));
        self.at = start + content.len() + 1;
        let after = self.text.get(self.at..).unwrap_or("").trim_start();
        let weak = if after.starts_with(':') {
            self.key = Some(content);
            Weak::Keep
        } else {
            self.key.take().map_or(Weak::Hide, weak_under)
        };
        let mut found = self.inner.edits(content, weak);
        let n_done = found.last().map_or(0, |edit| edit.range.end);
        if self.growing == Growing::Yes
            && weak == Weak::Hide
            && let Some(edit) = growing::unfinished(self.inner, content)
            && edit.range.start >= n_done
        {
            found.push(edit);
        }
        self.edits.extend(found.into_iter().map(|edit| Edit {
            range: start + edit.range.start..start + edit.range.end,
            shown: edit.shown,
        }));
    }

    fn number(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or("");
        let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(1);
        if let Some(shown) = rest.get(..len).and_then(|number| self.inner.number(number)) {
            self.edits.push(Edit {
                range: self.at..self.at + len,
                shown: format!("\"{shown}\"").into(),
            });
        }
        self.key = None;
        self.at += len;
    }
}

/// Returns what stands before the closing quote, escapes as written.
fn string_content(rest: &str) -> &str {
    let mut is_escaped = false;
    let end = rest.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest)
}
