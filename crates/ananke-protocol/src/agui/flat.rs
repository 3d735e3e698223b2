//! The shape that nearly every event of a long stream has: one flat object of plain strings and whole numbers.
//!
//! Such an object is cut at its quotes. Anything else — white space between members, a nested value — is left to the
//! real parser, so this can only be faster, never different.

use super::fields::Key;

/// The members of the event that nearly all of a stream consists of, as JSON text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TextDelta<'a> {
    pub(super) message_id: &'a str,
    pub(super) delta: &'a str,
    /// Whether the delta's escapes have to be decoded.
    pub(super) is_escaped: bool,
    pub(super) timestamp: Option<&'a str>,
}

/// Returns the members of a `TEXT_MESSAGE_CONTENT` of the parent run, if `payload` is a flat object and one of those.
pub(super) fn text_delta(payload: &str) -> Option<TextDelta<'_>> {
    let (mut kind, mut message_id, mut delta, mut timestamp) = (None, None, None, None);
    let (mut is_owned, mut is_escaped) = (false, false);
    walk(payload, |name, value, has_escapes| {
        if is(name, b"type") {
            kind = Some(value);
        } else if is(name, b"messageId") {
            message_id = Some(value);
        } else if is(name, b"delta") {
            delta = Some(value);
            is_escaped = has_escapes;
        } else if is(name, b"timestamp") {
            timestamp = Some(value);
        } else if is(name, b"subagentRunId") {
            is_owned = true;
        }
    })?;
    let is_text = |value: &&str| value.as_bytes().first() == Some(&b'"');
    if !is(kind?, b"\"TEXT_MESSAGE_CONTENT\"") || is_owned {
        return None;
    }
    Some(TextDelta {
        message_id: message_id.filter(is_text)?,
        delta: delta.filter(is_text)?,
        is_escaped,
        timestamp,
    })
}

/// Compares with a text whose length the compiler knows, which takes it no call.
fn is<const N: usize>(text: &str, wanted: &[u8; N]) -> bool {
    <&[u8; N]>::try_from(text.as_bytes()).is_ok_and(|text| text == wanted)
}

/// Returns the JSON text of each known member, if `payload` is a flat object.
pub(super) fn members(payload: &str) -> Option<[Option<&str>; Key::COUNT]> {
    let mut members = [None; Key::COUNT];
    walk(payload, |name, value, _| {
        if let Some(key) = Key::of(name) {
            members[key as usize] = Some(value);
        }
    })?;
    Some(members)
}

/// Hands every member's name and JSON text, and whether that holds escapes, to `take`; `None` for another shape.
fn walk<'a>(payload: &'a str, mut take: impl FnMut(&'a str, &'a str, bool)) -> Option<()> {
    // JSON allows no control character inside a string, and outside only as white space, which this shape has none of.
    // Looking at every byte, without leaving early, is what the compiler can do many at a time.
    if payload
        .bytes()
        .fold(false, |found, byte| found | (byte < 0x20))
    {
        return None;
    }
    let mut scanner = Scanner {
        payload,
        at: 0,
        has_escapes: false,
    };
    scanner.expect(b'{')?;
    loop {
        let name = scanner.string()?;
        scanner.expect(b':')?;
        let value = match scanner.peek()? {
            b'"' => scanner.string()?,
            b'1'..=b'9' => scanner.whole_number()?,
            _ => return None,
        };
        take(name.get(1..name.len() - 1)?, value, scanner.has_escapes);
        match scanner.next()? {
            b',' => {}
            b'}' if scanner.at == payload.len() => return Some(()),
            _ => return None,
        }
    }
}

struct Scanner<'a> {
    payload: &'a str,
    at: usize,
    /// Whether the last string held escapes.
    has_escapes: bool,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.payload.as_bytes().get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// Takes a string, its quotes included. Escapes are checked, not decoded.
    fn string(&mut self) -> Option<&'a str> {
        let start = self.at;
        self.has_escapes = false;
        self.expect(b'"')?;
        loop {
            let rest = self.payload.as_bytes().get(self.at..)?;
            let len = memchr::memchr2(b'"', b'\\', rest)?;
            self.at += len + 1;
            if rest[len] == b'"' {
                return self.payload.get(start..self.at);
            }
            self.has_escapes = true;
            self.at += escape_len(rest.get(len + 1..)?)?;
        }
    }

    fn whole_number(&mut self) -> Option<&'a str> {
        let start = self.at;
        while self.peek()?.is_ascii_digit() {
            self.at += 1;
        }
        self.payload.get(start..self.at)
    }
}

/// Returns how many bytes follow the backslash of a well-formed escape.
fn escape_len(after: &[u8]) -> Option<usize> {
    match after.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
        b'u' => after
            .get(1..5)?
            .iter()
            .all(u8::is_ascii_hexdigit)
            .then_some(5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agui::fields::Fields;

    /// Renders what the real parser finds.
    fn parsed(payload: &str) -> Option<[Option<&str>; Key::COUNT]> {
        serde_json::from_str::<Fields<'_>>(payload)
            .ok()
            .map(Fields::into_members)
    }

    #[test]
    fn flat_objects_are_cut_and_others_left_alone() {
        for flat in [
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"héllo","timestamp":17}"#,
            r#"{"type":"A","type":"B","unknown":"x"}"#,
            r#"{"delta":"a\n\"\\\u00e9\/"}"#,
        ] {
            assert!(members(flat).is_some(), "{flat}");
            assert_eq!(members(flat), parsed(flat));
        }
        for other in [
            "{}",
            r#"{"type":"a\x"}"#,
            r#"{"type":"a\u12"}"#,
            r#"{"type":"a\"}"#,
            r#"{"type": "a"}"#,
            r#"{"type":{}}"#,
            r#"{"type":null}"#,
            r#"{"type":"a"} "#,
            r#"{"type":"a"}x"#,
            r#"{"type":"a""#,
            r#"{"timestamp":01}"#,
            r#"{"timestamp":1.5}"#,
            "{\"type\":\"a\u{1}\"}",
            "[]",
            "",
        ] {
            assert_eq!(members(other), None, "{other}");
        }
    }

    #[test]
    fn a_plain_text_delta_is_recognized() {
        let payload =
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"a\n","timestamp":17}"#;
        let delta = TextDelta {
            message_id: "\"m1\"",
            delta: "\"a\\n\"",
            is_escaped: true,
            timestamp: Some("17"),
        };
        assert_eq!(text_delta(payload), Some(delta));
        for other in [
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"a","subagentRunId":"s"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":42}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1","delta":"a"}"#,
        ] {
            assert_eq!(text_delta(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_never_differs(payload in r#"\{("(type|delta|x|timestamp)":("[a\\" {}é]{0,3}"|[0-9]{1,3}|null|\{\}),?){0,4}\}?"#) {
            if let Some(members) = members(&payload) {
                prop_assert_eq!(Some(members), parsed(&payload));
            }
        }
    }
}
