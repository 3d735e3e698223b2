//! Streams that make no sense: every rule of every layer has to get through them.

use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};
use serde_json::{Map, Value, json};

use crate::case::Case;
use crate::exchange::{Answer, Asked, Exchange, Observed, Resume};
use crate::rule::{Findings, Profile};
use crate::rules;

const KINDS: [&str; 14] = [
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "TOOL_CALL_START",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "MESSAGES_SNAPSHOT",
    "CUSTOM",
    "RAW",
    "SUBAGENT_FINISHED",
];
const NAMES: [&str; 17] = [
    "messageId",
    "toolCallId",
    "toolCallName",
    "content",
    "snapshot",
    "delta",
    "patch",
    "messages",
    "outcome",
    "usage",
    "timestamp",
    "result",
    "name",
    "replace",
    "input",
    "activityType",
    "subagentRunId",
];

/// Values that are right in some places and wrong in most.
fn value() -> impl Strategy<Value = Value> {
    let interrupt = json!({"id": "i1", "reason": "x", "toolCallId": "a", "expiresAt": "ü"});
    let entries = vec![
        json!(null),
        json!("a"),
        json!("ü"),
        json!(-1),
        json!(1e300),
        json!([]),
        json!({}),
        json!([{"op": "add", "path": "/a", "value": {"b": []}}]),
        json!([{"op": "add", "path": "/a/b/-", "value": 1}, {"op": "remove", "path": ""}]),
        json!([{"op": "move", "from": "/a", "path": "/a/b"}]),
        json!([{"op": "replace", "path": "", "value": null}]),
        json!({"type": "interrupt", "interrupts": [interrupt, interrupt, 1]}),
        json!({"type": "suspended", "interruptIds": ["i1", 2]}),
        json!({"type": "cancelled"}),
        json!([{"inputTokens": u64::MAX, "outputTokens": u64::MAX, "totalTokens": 0, "reasoningTokens": 1.5}]),
        json!([{"id": "a", "role": "activity", "content": {}}, {"id": "b", "role": "assistant", "toolCalls": [{"id": "a"}]}]),
        json!({"state": {"a": 1}, "messages": [1]}),
    ];
    prop_oneof![
        prop::sample::select(entries),
        Just(json!(1_794_780_000_000_u64))
    ]
}

fn event() -> impl Strategy<Value = Value> {
    let members = prop::collection::btree_map(prop::sample::select(&NAMES[..]), value(), 0..6);
    (prop::sample::select(&KINDS[..]), members).prop_map(|(kind, members)| {
        let members = members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        let mut event: Map<String, Value> = members.collect();
        event.insert("type".to_owned(), kind.into());
        Value::Object(event)
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    prop::sample::select(vec![
        Asked::Run,
        Asked::Abort,
        Asked::Error,
        Asked::Resume(Resume::Resolved),
        Asked::Resume(Resume::Cancelled),
        Asked::Resume(Resume::Uncovered),
        Asked::Resume(Resume::WrongPayload),
    ])
}

proptest! {
    #[test]
    fn no_stream_breaks_the_checker(
        streams in prop::collection::vec((asked(), prop::collection::vec(event(), 0..12)), 1..4),
        state in value(),
        capabilities in value(),
    ) {
        let exchanges = streams.into_iter().map(|(asked, events)| Exchange {
            scenario: "interrupt".to_owned(),
            step: "run".to_owned(),
            asked,
            request: Some(json!({"threadId": "t", "runId": "r", "messages": [], "state": state})),
            answer: Answer {
                status: Some(200),
                events: events.iter().map(|event| Observed::new(event.to_string(), 0)).collect(),
                ..Answer::default()
            },
        });
        let case = Case {
            exchanges: exchanges.collect(),
            capabilities: Some(capabilities),
            ..Case::default()
        };
        for profile in [Profile::Old, Profile::V1] {
            rules::look(&case, &mut Findings::new(profile));
        }
    }
}
