//! Whatever an A2A agent answers, folding it never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| ananke_protocol::a2a::fuzzing::fold_tasks(body));
