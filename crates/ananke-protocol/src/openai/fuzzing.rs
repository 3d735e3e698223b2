//! A door for the fuzz target: a body goes through decoding, reading and folding, streamed and whole.

use serde_json::Value;

use super::fold::Fold;
use super::request::{OpenAiOptions, build};
use super::stream::Stream;
use crate::agui::Conversation;
use crate::sse::Decoder;

const MAX_EVENT_BYTES: usize = 1 << 20;

/// Folds a body, and builds the request that would follow.
pub fn fold_chunks(body: &[u8]) {
    let mut conversation = Conversation::new(Value::Null);
    let mut stream = Stream::new(Fold::new(&mut conversation, false));
    stream.next_body("m1".to_owned());
    let mut decoder = Decoder::new(MAX_EVENT_BYTES);
    stream.push(&mut decoder, body, 0).ok();
    stream.finish_body(&mut decoder, true);
    stream.next_body("m2".to_owned());
    stream.whole(Some(&String::from_utf8_lossy(body)), 0);
    for number in 0..stream.fold.calls.len() {
        let id = format!("r{number}");
        stream.fold.answer_call(number, &id, &Value::Null, 0);
    }
    let options = OpenAiOptions {
        url: String::new(),
        model: String::new(),
        before: Vec::new(),
        parameters: serde_json::Map::new(),
        tools: Vec::new(),
        stream: true,
        retries: 0,
    };
    build(&options, &conversation).ok();
}
