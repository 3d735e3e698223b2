//! Whatever a file holds that calls itself a bundle, reading it never panics: as bytes, and as text in a good frame.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use ananke_store::Bundle;
use libfuzzer_sys::fuzz_target;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("ananke-fuzz-{}.zst", std::process::id()))
});

fuzz_target!(|bytes: &[u8]| {
    let framed = zstd::encode_all(bytes, 1).expect("memory takes everything");
    for content in [bytes, &framed] {
        std::fs::write(&*FILE, content).expect("the temporary folder can be written");
        if let Ok(bundle) = Bundle::read(&FILE) {
            bundle.summary();
            bundle.events().for_each(drop);
        }
    }
});
