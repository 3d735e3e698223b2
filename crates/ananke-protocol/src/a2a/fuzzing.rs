//! A door for the fuzz target: a body goes through decoding, reading and folding, in every form, streamed and whole.

use super::fold::{Fold, Memory};
use super::stream::Stream;
use super::wire::Form;
use crate::sse::Decoder;

const MAX_EVENT_BYTES: usize = 1 << 20;

/// Folds a body.
pub fn fold_tasks(body: &[u8]) {
    for form in [Form::New, Form::Named, Form::Proto] {
        let mut stream = Stream::new(Fold::new(Memory::default(), &[]));
        stream.next_answer(form, 1);
        let mut decoder = Decoder::new(MAX_EVENT_BYTES);
        stream.push(&mut decoder, body, 0).ok();
        stream.finish_body(&mut decoder, true);
        stream.whole(&String::from_utf8_lossy(body), 0);
        stream.left_open();
        stream.fold.text();
    }
}
