//! Whatever a chat endpoint answers, folding it never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| ananke_protocol::openai::fuzzing::fold_chunks(body));
