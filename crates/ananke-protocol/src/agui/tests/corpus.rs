//! The official AG-UI 1.0 streams, when they lie beside the project.

use std::path::Path;

use serde_json::Value;

use super::fold_on;
use crate::agui::conversation::Conversation;

#[test]
fn official_streams_agree() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/agui-1.0/streams");
    let Ok(files) = std::fs::read_dir(folder) else {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line = b"skipped: official AG-UI streams: they are not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return;
    };
    let mut n_checked = 0;
    for file in files {
        let case: Value =
            serde_json::from_str(&std::fs::read_to_string(file.unwrap().path()).unwrap()).unwrap();
        let name = case["name"].as_str().unwrap();
        let mut conversation = Conversation::new(Value::Null);
        let rendered = fold_on(
            &mut conversation,
            case["stream"].as_array().unwrap(),
            None,
            false,
        );
        let expect = &case["expect"];
        let is_refused = rendered.contains("\nfinding: ") || rendered.contains("\nbad: ");
        assert_eq!(
            is_refused,
            expect["outcome"] == "failed",
            "{name}\n{rendered}"
        );
        if let Some(part) = expect["errorContains"].as_str() {
            assert!(
                rendered.to_lowercase().contains(&part.to_lowercase()),
                "{name}: no {part:?} in\n{rendered}"
            );
        }
        for warning in expect["warnings"].as_array().into_iter().flatten() {
            assert!(
                rendered.contains(warning.as_str().unwrap()),
                "{name}: no {warning} in\n{rendered}"
            );
        }
        if expect["noWarnings"] == true {
            assert!(!rendered.contains("\nwarning: "), "{name}\n{rendered}");
        }
        if let Some(count) = expect["messageCount"].as_u64() {
            assert_eq!(
                conversation.messages().len() as u64,
                count,
                "{name}\n{rendered}"
            );
        }
        for (at, expected) in expect["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            assert!(
                is_part(expected, &conversation.messages()[at]),
                "{name}: message {at}\n{rendered}"
            );
        }
        if let Some(state) = expect.get("state") {
            assert!(is_part(state, &conversation.state), "{name}\n{rendered}");
        }
        n_checked += 1;
    }
    assert!(n_checked > 10, "only {n_checked} streams were found");
}

/// Tells whether `part` is in `whole`: objects by members, arrays of equal length.
fn is_part(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => part
            .iter()
            .all(|(key, value)| whole.get(key).is_some_and(|other| is_part(value, other))),
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .all(|(part, whole)| is_part(part, whole))
        }
        _ => part == whole,
    }
}
