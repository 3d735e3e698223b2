//! The pieces that messages and calls are put together from, found in a raw event and in nothing else of it.
//!
//! What reads recorded events with this sees the same members as folding does.

use std::borrow::Cow;
use std::ops::Range;

use super::fields::{Fields, Key};
use super::flat;

/// What a piece is a piece of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeltaKind {
    /// A text message.
    Text,
    /// A reasoning message, the retired kind included.
    Reasoning,
    /// The arguments of a tool call.
    Args,
}

/// A piece of a message or of a call's arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delta<'a> {
    /// What it is a piece of.
    pub kind: DeltaKind,
    /// The message or the call, as JSON text; nothing in a chunk that goes on with what is open, and in retired events.
    pub id: Option<&'a str>,
    /// The piece, decoded.
    pub text: Cow<'a, str>,
    /// Where the piece stands in the payload, as JSON text with its quotes.
    pub range: Range<usize>,
}

/// Returns the piece that `payload` carries, if it is an event that carries one.
pub fn delta(payload: &str) -> Option<Delta<'_>> {
    if let Some(plain) = flat::text_delta(payload) {
        return found(
            payload,
            DeltaKind::Text,
            Some(plain.message_id),
            plain.delta,
        );
    }
    if !payload.contains("\"delta\"") {
        return None;
    }
    let fields = Fields::parse(payload).ok()?;
    let (kind, id) = match &*fields.text(Key::Type).ok()? {
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => (DeltaKind::Text, Key::MessageId),
        "TOOL_CALL_ARGS" | "TOOL_CALL_CHUNK" => (DeltaKind::Args, Key::ToolCallId),
        "REASONING_MESSAGE_CONTENT"
        | "REASONING_MESSAGE_CHUNK"
        | "THINKING_TEXT_MESSAGE_CONTENT" => (DeltaKind::Reasoning, Key::MessageId),
        _ => return None,
    };
    let id = fields.raw(id).filter(|id| id.starts_with('"'));
    found(payload, kind, id, fields.raw(Key::Delta)?)
}

/// Returns the piece whose JSON text is `raw`, a part of `payload`; nothing if that is no string.
pub(crate) fn found<'a>(
    payload: &'a str,
    kind: DeltaKind,
    id: Option<&'a str>,
    raw: &'a str,
) -> Option<Delta<'a>> {
    // `raw` is a part of `payload`, so their addresses tell where it stands.
    let start = raw.as_ptr().addr().checked_sub(payload.as_ptr().addr())?;
    Some(Delta {
        kind,
        id,
        text: super::fields::text(raw)?,
        range: start..start + raw.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(payload: &str) -> String {
        let Some(delta) = delta(payload) else {
            return "none".to_owned();
        };
        let id = delta.id.unwrap_or("-");
        let raw = payload.get(delta.range).unwrap();
        format!("{:?} {id} {} from {raw}", delta.kind, delta.text)
    }

    #[test]
    fn every_event_that_carries_a_piece_is_known() {
        for (payload, expected) in [
            (
                r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\n"}"#,
                "Text \"m\" a\n from \"a\\n\"",
            ),
            (
                r#"{"type": "TEXT_MESSAGE_CHUNK", "delta": "a"}"#,
                "Text - a from \"a\"",
            ),
            (
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"","x":{}}"#,
                "Args \"c\" {\" from \"{\\\"\"",
            ),
            (
                r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":null,"delta":"a"}"#,
                "Reasoning - a from \"a\"",
            ),
            (
                r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"a"}"#,
                "Reasoning - a from \"a\"",
            ),
            (r#"{"type":"STATE_DELTA","delta":[]}"#, "none"),
            (r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c"}"#, "none"),
            (r#"{"type":"TOOL_CALL_ARGS","delta":7}"#, "none"),
            ("delta", "none"),
        ] {
            assert_eq!(shown(payload), expected, "{payload}");
        }
    }
}
