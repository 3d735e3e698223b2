//! Whatever a pattern is, compiling and matching it ends, and never panics.
#![no_main]

use ananke_assert::Pattern;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str)| {
    if let Ok(pattern) = Pattern::compile(input.0) {
        pattern.find(input.1).ok();
    }
});
