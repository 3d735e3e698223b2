//! Properties: cuts change nothing, and nothing panics.

use proptest::prelude::*;
use serde_json::Value;

use super::{fold_pieces, fold_whole, sse};
use crate::a2a::wire::Version;

const ANSWER: &str = r#"
    {"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_SUBMITTED"}}}
    {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":{"id":"c1","name":"find","args":{"q":"é"}},"metadata":{"adk_type":"function_call"}}]}}}}
    raw {"broken
    {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"Grüße "}]}}}
    {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"👋"}]},"append":true}}
    {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}
"#;

proptest! {
    #[test]
    fn cuts_never_change_the_turn(mut cuts in proptest::collection::vec(0usize..1400, 0..40)) {
        let body = sse(ANSWER);
        let bytes = body.as_bytes();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            let end = cut.min(bytes.len());
            pieces.push(&bytes[start..end]);
            start = end;
        }
        let whole = fold_pieces(Version::V1, &[bytes], |_| 0);
        prop_assert_eq!(fold_pieces(Version::V1, &pieces, |_| 0), whole);
    }

    #[test]
    fn no_event_makes_folding_panic(events in proptest::collection::vec(value(), 0..6)) {
        for event in &events {
            fold_whole(Version::V1, &event.to_string(), &[]);
        }
        let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        fold_pieces(Version::V03, &[body.as_bytes()], |_| 0);
    }

    #[test]
    fn no_text_makes_folding_panic(body in ".{0,200}") {
        fold_whole(Version::V1, &body, &[]);
        fold_pieces(Version::V1, &[format!("data: {body}\n\n").as_bytes()], |_| 0);
    }
}

/// Any JSON, made of names that mean something.
fn value() -> impl Strategy<Value = Value> {
    let words = [
        "",
        "task",
        "message",
        "status-update",
        "artifact-update",
        "TASK_STATE_COMPLETED",
        "working",
        "a",
        "ROLE_AGENT",
        "function_call",
        "tool_call_started",
        "tool-result",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(7, 64, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((name(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    let names = [
        "task",
        "message",
        "statusUpdate",
        "artifactUpdate",
        "kind",
        "id",
        "contextId",
        "taskId",
        "status",
        "state",
        "artifacts",
        "artifact",
        "artifactId",
        "history",
        "parts",
        "text",
        "data",
        "file",
        "metadata",
        "role",
        "messageId",
        "append",
        "result",
        "error",
        "code",
        "jsonrpc",
        "adk_type",
        "args",
        "name",
        "response",
        "agno_event_type",
        "tool_name",
        "tool_results",
        "steps",
        "tool_invocation",
        "type",
        "adk_thought",
    ];
    proptest::sample::select(names.to_vec()).prop_map(str::to_owned)
}
