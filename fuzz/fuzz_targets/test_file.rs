//! Whatever a config or test file holds, reading it never panics, and every diagnostic points into the file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| ananke_suite::fuzzing::read(text));
