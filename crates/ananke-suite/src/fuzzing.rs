//! A door for the fuzz target: text goes through the composer and all parsers.

use crate::parse::{Found, config, script, test};
use crate::yaml::compose;

/// Reads `text` as a config, as a test and as a script; panics if a diagnostic points outside of it.
pub fn read(text: &str) {
    let mut found = Found::new();
    if let Some(node) = compose(&"fuzz.yaml".into(), text, &mut found) {
        config(&node, &mut found);
        test(&node, &mut found);
        script(&node, &mut found);
    }
    for place in found.into_iter().filter_map(|diagnostic| diagnostic.place) {
        let range = place.start as usize..place.end as usize;
        assert!(text.get(range).is_some(), "{place:?} is not in {text:?}");
    }
}
