//! Doors for whoever judges a server: events that were captured are folded and checked as those of a turn are.

use ananke_model::recording::Finding;
use serde_json::Value;

use super::conversation::Conversation;
use super::fold::Fold;
use super::patch::{self, Root};
use super::stream::{Framing, Stream};
use super::work::Work;
use crate::protobuf::{self, Decoded, FrameDecoder};
use crate::sse::Decoder;

/// What the events of one answer amount to, besides what they did to the conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    /// Sequence rules that were broken, `V1`–`V18`, and rules of chunks, `C1`–`C4`.
    pub findings: Vec<Finding>,
    /// Oddities.
    pub warnings: Vec<String>,
    /// The first event that could not be read at all.
    pub bad_event: Option<String>,
}

/// Folds the payloads of one answer into `conversation`, which holds what the request said.
pub fn observe<'a>(
    conversation: &mut Conversation,
    payloads: impl IntoIterator<Item = &'a str>,
) -> Observation {
    let mut stream = Stream::new(Fold::new(conversation, None, false));
    for payload in payloads {
        stream.event(payload, 0);
    }
    stream.finish_body(&mut Framing::Sse(Decoder::new(0)), true);
    let mut warnings = stream.warnings;
    warnings.append(&mut stream.fold.warnings);
    // Text that still waits to be added.
    stream.fold.text();
    Observation {
        findings: stream.findings,
        warnings,
        bad_event: stream.bad_event,
    }
}

/// Applies a JSON Patch as consumers do: all operations or none. Operations of unknown kinds are left out.
pub fn apply_patch(document: &mut Value, operations: &Value) -> Result<(), String> {
    patch::apply(document, operations, Root::Anything, &mut Work::default()).map(|_| ())
}

/// Cuts a protobuf body into events, as the JSON that they stand for.
#[derive(Debug)]
pub struct Frames(FrameDecoder);

impl Frames {
    /// Frames may be as large as this.
    pub fn new(max_frame_bytes: usize) -> Self {
        Self(FrameDecoder::new(max_frame_bytes))
    }

    /// Takes bytes; returns the events that they complete. `None` stands for an event of an unknown kind.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Option<Value>>, String> {
        let frames = self.0.push(bytes).map_err(|error| error.to_string())?;
        let decoded = frames.iter().map(|frame| {
            protobuf::decode_event(frame).map(|decoded| match decoded {
                Decoded::Event(event) => Some(event),
                Decoded::UnknownArm(_) => None,
            })
        });
        decoded
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }

    /// Tells whether a frame has begun and not ended.
    pub fn is_mid_frame(&self) -> bool {
        self.0.is_mid_frame()
    }
}
