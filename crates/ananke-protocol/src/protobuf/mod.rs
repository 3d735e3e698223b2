//! Reads the protobuf encoding of AG-UI (`application/vnd.ag-ui.event+proto`) back into the JSON of the SSE encoding.
//!
//! The steps: `frames` cuts the body into frames; `decode` walks one frame along the tables (`envelope`,
//! `message_events`, `run_events`, `messages`, in the vocabulary of `schema`) with the reader of `wire`; `values` turns
//! `google.protobuf.Value` into JSON; `shape` puts what the binding flattens back into the form of the specification.

mod decode;
mod envelope;
mod error;
mod frames;
mod message_events;
mod messages;
mod run_events;
mod schema;
mod shape;
#[cfg(test)]
mod tests;
mod values;
mod wire;

pub(crate) use decode::{Decoded, decode_event};
pub(crate) use frames::FrameDecoder;
