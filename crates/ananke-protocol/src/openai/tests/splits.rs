//! Properties: cuts change nothing, and nothing panics.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{fold_pieces, fold_whole, sse};

const ANSWER: &str = r#"
    line : keep-alive
    {"role":"assistant","reasoning":"Hm.","content":""}
    {"content":"Grüße 👋"}
    {"tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":"{\"n\""}}]}
    {"tool_calls":[{"index":1,"id":"c2","function":{"name":"buy","arguments":"{}"}}]}
    {"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}
    raw {"broken
    finish tool_calls
    raw {"choices":[],"usage":{"total_tokens":5}}
    [DONE]
"#;

proptest! {
    #[test]
    fn cuts_never_change_the_turn(mut cuts in proptest::collection::vec(0usize..1200, 0..40)) {
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
        prop_assert_eq!(fold_pieces(&pieces, |_| 0), fold_pieces(&[bytes], |_| 0));
    }

    #[test]
    fn no_chunk_makes_folding_panic(chunks in proptest::collection::vec(chunk(), 0..6)) {
        for chunk in &chunks {
            fold_whole(&chunk.to_string());
        }
        let body: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
        fold_pieces(&[body.as_bytes()], |_| 0);
        fold_pieces(&[body.as_bytes(), b"data: [DONE]\n\n"], |_| 0);
    }

    #[test]
    fn no_text_makes_folding_panic(body in ".{0,200}") {
        fold_whole(&body);
        fold_pieces(&[format!("data: {body}\n\n").as_bytes()], |_| 0);
    }
}

/// Any JSON, made of names that mean something.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0u64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![
            Just(""),
            Just("find"),
            Just("buy"),
            Just("stop"),
            Just("length"),
            Just("{}"),
            Just("é")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((name(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "choices",
        "index",
        "delta",
        "message",
        "content",
        "refusal",
        "reasoning",
        "reasoning_content",
        "tool_calls",
        "id",
        "function",
        "name",
        "arguments",
        "finish_reason",
        "usage",
        "error",
        "code",
        "text",
        "thinking",
        "object",
    ])
    .prop_map(str::to_owned)
}

/// A chunk that is nearly right, or anything.
fn chunk() -> impl Strategy<Value = Value> {
    let piece = (value(), value(), value(), value()).prop_map(|(index, id, name, arguments)| {
        json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}})
    });
    let delta = (value(), proptest::collection::vec(piece, 0..3), value());
    let choice = (delta, value()).prop_map(|((content, calls, reasoning), reason)| {
        json!({"choices": [{"delta": {"content": content, "tool_calls": calls, "reasoning": reasoning}, "finish_reason": reason}]})
    });
    prop_oneof![choice, value()]
}
