//! The members of one event object, found in a single pass and left undecoded until somebody asks.
//!
//! Streams are mostly text deltas: decoding every event into a tree would cost several times more than all the rest.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::flat;

/// Nesting beyond this is refused, not parsed.
pub(crate) const MAX_DEPTH: usize = 512;
/// A value with more members and items than this is refused: as a tree it would take far more memory than as text.
const MAX_VALUES: usize = 1_000_000;

macro_rules! keys {
    ($($variant:ident $name:literal),+ $(,)?) => {
        /// The names of members that events have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Key { $($variant),+ }

        impl Key {
            pub(super) const COUNT: usize = [$(Self::$variant),+].len();

            pub(super) fn of(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }

            /// Returns the name on the wire.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }
    };
}

keys! {
    Type "type", MessageId "messageId", Delta "delta", ToolCallId "toolCallId", Timestamp "timestamp",
    SubagentRunId "subagentRunId", ThreadId "threadId", RunId "runId",
    ProtocolVersion "protocolVersion", Input "input", Outcome "outcome", Usage "usage", Message "message", Code "code",
    StepName "stepName", Role "role", Name "name",
    ToolCallName "toolCallName", ParentMessageId "parentMessageId", Content "content", Result "result",
    Snapshot "snapshot", Messages "messages", ActivityType "activityType", Replace "replace", Patch "patch",
    Subtype "subtype", EntityId "entityId", EncryptedValue "encryptedValue", Description "description",
    ParentSubagentRunId "parentSubagentRunId", ParentToolCallId "parentToolCallId", Metadata "metadata",
    Title "title", Error "error",
}

/// The members of an event object; a later duplicate wins, as in JavaScript.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    /// JSON text of each member.
    members: [Option<&'a str>; Key::COUNT],
}

/// Why a member cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FieldError {
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`{0}` is not {1}")]
    WrongType(&'static str, &'static str),
    #[error("`{0}` is nested deeper than {MAX_DEPTH} levels")]
    TooDeep(&'static str),
    #[error("`{0}` holds more than {MAX_VALUES} values")]
    TooMany(&'static str),
}

impl<'a> Fields<'a> {
    /// Finds the members of the JSON object `payload`.
    pub(crate) fn parse(payload: &'a str) -> Result<Self, serde_json::Error> {
        match flat::members(payload) {
            Some(members) => Ok(Self { members }),
            None => serde_json::from_str(payload),
        }
    }

    /// Returns the members, to be compared.
    #[cfg(test)]
    pub(super) fn into_members(self) -> [Option<&'a str>; Key::COUNT] {
        self.members
    }

    /// Returns the member as written, `null` included.
    pub(crate) fn raw(&self, key: Key) -> Option<&'a str> {
        self.members[key as usize]
    }

    /// Tells whether the member is there and `null`.
    pub(crate) fn is_null(&self, key: Key) -> bool {
        self.raw(key) == Some("null")
    }

    /// Returns a member that must be a string.
    pub(crate) fn text(&self, key: Key) -> Result<Cow<'a, str>, FieldError> {
        self.optional_text(key)?
            .ok_or(FieldError::Missing(key.name()))
    }

    /// Returns a member that is a string if it is there. Servers before 1.0 send `null` for absent.
    pub(crate) fn optional_text(&self, key: Key) -> Result<Option<Cow<'a, str>>, FieldError> {
        match self.raw(key) {
            None => Ok(None),
            Some("null") => Ok(None),
            Some(raw) => text(raw)
                .map(Some)
                .ok_or(FieldError::WrongType(key.name(), "a string")),
        }
    }

    /// Returns a member as a tree, `null` for absent.
    pub(crate) fn value(&self, key: Key) -> Result<Value, FieldError> {
        self.raw(key).map_or(Ok(Value::Null), |raw| {
            tree(raw).ok_or_else(|| match shape(raw) {
                (_, MAX_VALUES..) => FieldError::TooMany(key.name()),
                _ => FieldError::TooDeep(key.name()),
            })
        })
    }

    /// Returns a member that must be there as a tree; `null` is a value.
    pub(crate) fn required_value(&self, key: Key) -> Result<Value, FieldError> {
        self.raw(key).ok_or(FieldError::Missing(key.name()))?;
        self.value(key)
    }

    /// Returns the event's timestamp, if it is a number.
    pub(crate) fn timestamp(&self) -> Option<f64> {
        self.raw(Key::Timestamp)?.parse().ok()
    }
}

/// Returns the string that `json` is, if it is one. A lone surrogate becomes U+FFFD.
pub(super) fn text(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let decoded = serde_json::from_str(json)
        .or_else(|_| serde_json::from_str(&without_lone_surrogates(json)));
    decoded.ok().map(Cow::Owned)
}

/// Parses JSON text of bounded depth and size into a tree. A lone surrogate becomes U+FFFD.
pub(crate) fn tree(json: &str) -> Option<Value> {
    if !matches!(shape(json), (..=MAX_DEPTH, ..MAX_VALUES)) {
        return None;
    }
    let parse = |json: &str| {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        deserializer.disable_recursion_limit(); // `shape` was checked above
        let value = Value::deserialize(&mut deserializer)?;
        deserializer.end().map(|()| value)
    };
    parse(json)
        .or_else(|_| parse(&without_lone_surrogates(json)))
        .ok()
}

/// Returns how deep arrays and objects nest, and about how many values there are, without parsing.
fn shape(json: &str) -> (usize, usize) {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    let mut n_values = 1;
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
                n_values += 1;
            }
            b',' if !in_string => n_values += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (deepest, n_values)
}

/// Replaces `\uD800`–`\uDFFF` escapes that are no pair by `\uFFFD`, which JavaScript accepts and Rust does not.
fn without_lone_surrogates(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let len = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                out.push_str("\\uFFFD");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // `\\`, `\"` and the like: both characters, so that the second never starts an escape.
            _ => escape
                .char_indices()
                .nth(2)
                .map_or(escape.len(), |(end, _)| end),
        };
        let (kept, after) = escape.split_at(len);
        out.push_str(kept);
        rest = after;
    }
    out + rest
}

/// Returns the UTF-16 unit of a `\uXXXX` escape at the start of `text`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut members = [None; Key::COUNT];
                while let Some(Name(key)) = map.next_key()? {
                    match key {
                        Some(key) => {
                            let raw: &RawValue = map.next_value()?;
                            members[key as usize] = Some(raw.get());
                        }
                        None => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(Fields { members })
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// A member's name, looked up without copying it.
struct Name(Option<Key>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Known;
        impl Visitor<'_> for Known {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E>(self, name: &str) -> Result<Name, E> {
                Ok(Name(Key::of(name)))
            }
        }
        deserializer.deserialize_str(Known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(payload: &str) -> String {
        let fields = Fields::parse(payload).unwrap();
        fields
            .text(Key::Delta)
            .map_or_else(|error| error.to_string(), Cow::into_owned)
    }

    #[test]
    fn strings_are_decoded_when_asked_for() {
        assert_eq!(delta(r#"{"delta":"plain","x":[1,{"delta":2}]}"#), "plain");
        assert_eq!(
            delta(r#"{"delta":"a\nbé\"","delta":"last\twins"}"#),
            "last\twins"
        );
        assert_eq!(delta(r#"{"delta":42}"#), "`delta` is not a string");
        assert_eq!(delta(r#"{"delta":null}"#), "`delta` is missing");
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(
            delta(r#"{"delta":"a\ud800b\udc00\ud83d\ude00 \\ud800"}"#),
            "a\u{fffd}b\u{fffd}😀 \\ud800"
        );
        assert_eq!(tree(r#"["\ud800"]"#), Some(serde_json::json!(["\u{fffd}"])));
    }

    #[test]
    fn deep_nesting_is_refused_not_parsed() {
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(tree(&nested(512)).is_some());
        assert!(tree(&nested(513)).is_none());
        let payload = format!(r#"{{"snapshot":{}}}"#, nested(100_000));
        let fields = Fields::parse(&payload).unwrap();
        assert_eq!(
            fields.value(Key::Snapshot).unwrap_err(),
            FieldError::TooDeep("snapshot")
        );
    }
}
