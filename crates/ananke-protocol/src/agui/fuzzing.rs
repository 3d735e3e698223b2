//! Doors for the fuzz targets: a body goes through decoding, expansion, rules and folding.

use serde_json::Value;

use super::conversation::Conversation;
use super::fold::Fold;
use super::stream::{Framing, Stream};
use crate::protobuf::FrameDecoder;
use crate::sse::Decoder;

const MAX_EVENT_BYTES: usize = 1 << 20;

/// Folds the body of an event stream.
pub fn fold_sse(body: &[u8]) {
    fold(body, Framing::Sse(Decoder::new(MAX_EVENT_BYTES)));
}

/// Folds the body of a protobuf answer.
pub fn fold_protobuf(body: &[u8]) {
    fold(body, Framing::Protobuf(FrameDecoder::new(MAX_EVENT_BYTES)));
}

fn fold(body: &[u8], mut framing: Framing) {
    let mut conversation = Conversation::new(Value::Null);
    for is_connect in [false, true] {
        let mut stream = Stream::new(Fold::new(&mut conversation, None, is_connect));
        stream.push(&mut framing, body, 0).ok();
        stream.finish_body(&mut framing, true);
        stream.fold.text();
    }
}
