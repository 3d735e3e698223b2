//! Whatever a case file holds, reading it never panics, every diagnostic points into the file, and what is JSON is read as
//! the same JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| ananke_suite::fuzzing::read_cases(text));
