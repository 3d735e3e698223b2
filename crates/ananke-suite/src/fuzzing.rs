//! Doors for the fuzz targets: text goes through the composers and all parsers.

use std::path::Path;

use serde_json::Value;

use crate::jsonl::{Chunk, each_object};
use crate::parse::{CaseFolders, Cases, Found, config, conform, conform_baseline, script, test};
use crate::yaml::{compose, json};

/// Reads `text` as a config, as a test, as a script and as the files of `ananke conform`; panics if a diagnostic points outside of it.
pub fn read(text: &str) {
    let mut found = Found::new();
    if let Some(node) = compose(&"fuzz.yaml".into(), text, &mut found) {
        config(&node, &mut found);
        test(&node, &mut found);
        script(&node, &mut found);
        conform(&node, &["shape.null"], &mut found);
        conform_baseline(&node, &["shape.null"], &mut found);
    }
    check_places(text, found);
}

/// Reads `text` as cases; panics if a diagnostic points outside of it, or if an object is read as another than it is.
pub fn read_cases(text: &str) {
    let mut found = Found::new();
    let nowhere = Path::new("/nowhere");
    let mut cases = Cases::new(CaseFolders {
        file: nowhere,
        cwd: nowhere,
    });
    let mut values = Vec::new();
    let mut refused = Found::new();
    let chunk = Chunk::whole(text);
    each_object(&"fuzz.jsonl".into(), chunk, &mut found, |node, found| {
        values.extend(json(&node, &mut refused));
        cases.read(&node, found);
    });
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(text) {
        let is_whole = found
            .iter()
            .all(|problem| !problem.message.contains("twice"));
        let is_right = values == [value] || !refused.is_empty() || !is_whole;
        assert!(is_right, "{text:?} is read as {values:?}");
    }
    check_places(text, found);
}

fn check_places(text: &str, found: Found) {
    for place in found.into_iter().filter_map(|diagnostic| diagnostic.place) {
        let range = place.start as usize..place.end as usize;
        assert!(text.get(range).is_some(), "{place:?} is not in {text:?}");
    }
}
