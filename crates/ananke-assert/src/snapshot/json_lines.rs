//! JSON in one spelling: keys in order, one space or none, numbers as the agent wrote them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// Longer texts are kept as they are: reading them level by level would take too long.
const MAX_BYTES: usize = 1 << 20;
/// Deeper nesting is kept as it is.
const MAX_DEPTH: usize = 64;
/// Longer values are laid out over several lines.
const SHORT_CHARS: usize = 100;

/// A JSON value to be written.
#[derive(Debug)]
pub(super) enum JsonLines<'a> {
    /// A string, a number or a word, as JSON text.
    Scalar(Cow<'a, str>),
    List(Vec<Self>),
    /// Members by their keys.
    Object(BTreeMap<Cow<'a, str>, Self>),
}

impl<'a> JsonLines<'a> {
    /// Reads an object or a list; nothing if `text` is something else, or too much to read.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let is_nested = text.trim_start().starts_with(['{', '[']);
        (is_nested && text.len() <= MAX_BYTES).then(|| Self::read(text, 0))?
    }

    fn read(text: &'a str, depth: usize) -> Option<Self> {
        let text = text.trim();
        if depth > MAX_DEPTH {
            return None;
        }
        let inside = |raw: &'a RawValue| Self::read(raw.get(), depth + 1);
        if text.starts_with('{') {
            let members: BTreeMap<Cow<'a, str>, &'a RawValue> = serde_json::from_str(text).ok()?;
            let members = members.into_iter();
            let members = members.map(|(key, raw)| Some((key, inside(raw)?)));
            return members.collect::<Option<_>>().map(Self::Object);
        }
        if text.starts_with('[') {
            let items: Vec<&'a RawValue> = serde_json::from_str(text).ok()?;
            let items = items.into_iter().map(inside);
            return items.collect::<Option<_>>().map(Self::List);
        }
        // Written anew, so that it does not matter how the agent escapes.
        let text = match text.starts_with('"') {
            true => Cow::Owned(quoted(&serde_json::from_str::<Cow<'_, str>>(text).ok()?)),
            false => Cow::Borrowed(text),
        };
        Some(Self::Scalar(text))
    }

    /// Returns the value on one line if it is short, else over several.
    pub(super) fn short_or_pretty(&self) -> String {
        let mut compact = String::new();
        self.write_compact(&mut compact);
        if compact.chars().nth(SHORT_CHARS).is_none() {
            return compact;
        }
        self.pretty()
    }

    /// Returns the value over several lines.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write_pretty(&mut out, 0);
        out
    }

    fn write_compact(&self, out: &mut String) {
        match self {
            Self::Scalar(text) => out.push_str(text),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write_compact(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, item)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    out.push_str(&quoted(key));
                    out.push(':');
                    item.write_compact(out);
                }
                out.push('}');
            }
        }
    }

    fn write_pretty(&self, out: &mut String, depth: usize) {
        let line = |out: &mut String, depth: usize| {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        };
        match self {
            Self::List(items) if !items.is_empty() => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    line(out, depth + 1);
                    item.write_pretty(out, depth + 1);
                }
                line(out, depth);
                out.push(']');
            }
            Self::Object(members) if !members.is_empty() => {
                out.push('{');
                for (index, (key, item)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    line(out, depth + 1);
                    out.push_str(&quoted(key));
                    out.push_str(": ");
                    item.write_pretty(out, depth + 1);
                }
                line(out, depth);
                out.push('}');
            }
            Self::Scalar(_) | Self::List(_) | Self::Object(_) => self.write_compact(out),
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
