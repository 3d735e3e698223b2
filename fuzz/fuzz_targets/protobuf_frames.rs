//! Whatever a protobuf body holds, folding it never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| ananke_protocol::fuzzing::fold_protobuf(body));
