//! JSON that stays text. It is checked once, then walked without building values, so a number of 400 digits is still
//! itself and 100,000 brackets cost no stack.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// A JSON value inside a text that was checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawJson<'a>(&'a str);

/// What a pattern is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaf<'a> {
    /// The content of a string.
    Text(Cow<'a, str>),
    /// Any other value as compact JSON.
    Json(Cow<'a, str>),
}

impl Leaf<'_> {
    /// Returns the text that patterns are searched in.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Json(text) => text,
        }
    }
}

impl<'a> RawJson<'a> {
    /// Returns `text` as JSON, or nothing if it is not.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        // Raw values are skipped without recursion, whatever their depth.
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Some(Self(raw.get()))
    }

    /// Returns the value of the object's own member `key`. The last one counts if there are several.
    pub(crate) fn member(self, key: &str) -> Option<Self> {
        self.members()
            .filter(|(name, _)| name == key)
            .last()
            .map(|(_, value)| value)
    }

    /// Returns the array's item number `index`.
    pub(crate) fn item(self, index: usize) -> Option<Self> {
        let inside = self.0.strip_prefix('[')?;
        Parts { rest: inside }.nth(index).map(Self)
    }

    /// Goes through the members of an object; there are none in any other value.
    pub(crate) fn members(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        let inside = self.0.strip_prefix('{').unwrap_or("");
        let mut parts = Parts { rest: inside };
        std::iter::from_fn(move || {
            let key = parts.next()?;
            Some((decoded(key), Self(parts.next()?)))
        })
    }

    /// Returns what a pattern is compared with.
    pub(crate) fn leaf(self) -> Leaf<'a> {
        if self.0.starts_with('"') {
            Leaf::Text(decoded(self.0))
        } else {
            Leaf::Json(self.compact())
        }
    }

    /// Returns the value without white space, its strings spelled as JSON writers spell them, its numbers as they are.
    fn compact(self) -> Cow<'a, str> {
        let needs_work = self.0.contains(|c| is_space(c) || c == '\\');
        if !needs_work {
            return Cow::Borrowed(self.0);
        }
        let mut out = String::with_capacity(self.0.len());
        let mut rest = self.0;
        while let Some(c) = rest.chars().next() {
            let length = if c == '"' {
                string_length(rest)
            } else {
                c.len_utf8()
            };
            let (token, after) = rest.split_at(length);
            if c == '"' && token.contains('\\') {
                out.push_str(&serde_json::Value::from(decoded(token)).to_string());
            } else if !is_space(c) {
                out.push_str(token);
            }
            rest = after;
        }
        Cow::Owned(out)
    }
}

/// The keys and values directly inside a container whose opening bracket was cut off.
struct Parts<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Parts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let separator = |c: char| is_space(c) || c == ',' || c == ':';
        let from = self.rest.trim_start_matches(separator);
        if from.is_empty() || from.starts_with(['}', ']']) {
            self.rest = "";
            return None;
        }
        let (part, after) = from.split_at(value_length(from));
        self.rest = after;
        Some(part)
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Returns the length in bytes of the value that `text` begins with.
fn value_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += bytes_of_string(bytes.get(at..).unwrap_or_default());
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' | b':' if depth == 0 => return at,
            b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at
}

fn string_length(text: &str) -> usize {
    bytes_of_string(text.as_bytes())
}

/// Returns the length of the quoted string that `bytes` begins with.
fn bytes_of_string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns the content of a quoted string. Half a surrogate pair becomes U+FFFD, as in text that came over the wire.
fn decoded(quoted: &str) -> Cow<'_, str> {
    let inner = quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(quoted);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => push_code_units(&mut chars, &mut out),
            Some(other) => out.push(other),
            None => {}
        }
    }
    Cow::Owned(out)
}

/// Reads the digits behind `\u`, and the second half if they are the first half of a pair.
fn push_code_units(chars: &mut std::str::Chars<'_>, out: &mut String) {
    let first = code_unit(chars);
    let mut ahead = chars.clone();
    if (0xd800..0xdc00).contains(&first) && ahead.next() == Some('\\') && ahead.next() == Some('u')
    {
        let second = code_unit(&mut ahead);
        if (0xdc00..0xe000).contains(&second) {
            *chars = ahead;
            let pair = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            out.push(char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER));
            return;
        }
    }
    out.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
}

fn code_unit(chars: &mut std::str::Chars<'_>) -> u32 {
    chars
        .by_ref()
        .take(4)
        .fold(0, |code, c| code * 16 + c.to_digit(16).unwrap_or(0))
}
