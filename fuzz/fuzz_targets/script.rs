//! Whatever a script holds, looking for its functions never panics, and every mistake points into the file.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let told = [
        ananke_script::find_tests("a_test.ts", text).err(),
        ananke_script::find_functions("a.js", text).err(),
    ];
    for mistake in told.into_iter().flatten().flatten() {
        let place = mistake.place.expect("a mistake has a place");
        assert!(place.start <= place.end && place.end as usize <= text.len());
    }
});
