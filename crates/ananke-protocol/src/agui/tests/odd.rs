//! Values of any shape where the protocol demands another, and events that would cost more than they are worth.

use insta::assert_snapshot;
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, prop, prop_oneof, proptest};
use serde_json::{Map, Value, json};

use super::{fold, fold_on};
use crate::agui::conversation::Conversation;
use crate::agui::fold::Fold;
use crate::agui::stream::{Framing, MAX_NOTES, Stream};
use crate::sse::Decoder;

#[test]
fn a_function_that_is_no_object_is_left_alone() {
    assert_snapshot!(fold(r#"RUN_STARTED
        MESSAGES_SNAPSHOT messages=[{"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":"x"}]}]
        TOOL_CALL_START toolCallId=c1 toolCallName=f
        TOOL_CALL_END toolCallId=c1
        RUN_FINISHED"#), @r#"
    Finished
    call: (null) snapshot @2..2
    call: f() @3..4
    message: {"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":"x"}]}
    "#);
}

#[test]
fn members_of_a_snapshot_that_are_no_messages_are_left_out() {
    assert_snapshot!(fold(r#"RUN_STARTED
        MESSAGES_SNAPSHOT messages=["x",{"id":"m1","role":"user","content":"hi"},5]
        TEXT_MESSAGE_START messageId=
        TEXT_MESSAGE_CONTENT messageId= delta=Hello
        TEXT_MESSAGE_END messageId=
        RUN_FINISHED"#), @r#"
    Finished
    text: Hello
    message: {"id":"m1","role":"user","content":"hi"}
    message: {"id":"","role":"assistant","content":"Hello"}
    warning: /messages/0 is no message: left out
    warning: /messages/2 is no message: left out
    "#);
    assert_snapshot!(fold("RUN_STARTED
        MESSAGES_SNAPSHOT messages=[5]
        REASONING_ENCRYPTED_VALUE subtype=message entityId= encryptedValue=x
        RUN_FINISHED"), @"
    Finished
    warning: /messages/0 is no message: left out
    ");
}

#[test]
fn what_a_message_without_an_id_says_and_calls_counts_all_the_same() {
    assert_snapshot!(fold(r#"RUN_STARTED
        MESSAGES_SNAPSHOT messages=[{"role":"assistant","content":"One.","toolCalls":[{"id":"c1","function":{"name":"f","arguments":"{}"}}]},{"id":"","role":"assistant","content":"Two."}]
        RUN_FINISHED"#), @"
    Finished
    text: One.
    Two.
    call: f({}) snapshot @2..2
    warning: /messages/0 has no id: it is not kept for the next turn
    warning: /messages/1 has no id: it is not kept for the next turn
    ");
}

#[test]
fn warnings_of_folding_are_bounded() {
    let result = json!({"type": "TOOL_CALL_RESULT", "toolCallId": "nobody", "content": "x"});
    let operations = vec![json!({"op": "double"}); 3 * MAX_NOTES];
    let delta = json!({"type": "STATE_DELTA", "delta": operations});
    let parts = vec![json!({"type": "smell"}); 3 * MAX_NOTES];
    let messages = json!([{"id": "m", "role": "user", "content": parts}]);
    let snapshot = json!({"type": "MESSAGES_SNAPSHOT", "messages": messages});
    for events in [vec![result; 3 * MAX_NOTES], vec![delta], vec![snapshot]] {
        let rendered = fold_on(&mut Conversation::new(Value::Null), &events, None, false);
        assert_eq!(rendered.matches("\nwarning: ").count(), MAX_NOTES);
    }
}

#[test]
fn a_snapshot_of_very_many_messages_is_read_in_time() {
    let messages: Vec<Value> = (0..30_000)
        .map(
            |n| json!({"id": format!("m{n}"), "role": "assistant", "content": format!("text {n}")}),
        )
        .collect();
    let event = json!({"type": "MESSAGES_SNAPSHOT", "messages": messages});
    let mut conversation = Conversation::new(Value::Null);
    let mut stream = Stream::new(Fold::new(&mut conversation, None, false));
    let mut framing = Framing::Sse(Decoder::new(16 << 20));
    let started = std::time::Instant::now();
    stream
        .push(&mut framing, format!("data: {event}\n\n").as_bytes(), 0)
        .unwrap();
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    assert_eq!(stream.fold.text().lines().count(), 30_000);
}

/// Names that mean something somewhere, so that odd values meet each other.
const NAMES: [&str; 24] = [
    "id",
    "role",
    "content",
    "toolCalls",
    "function",
    "arguments",
    "name",
    "type",
    "toolCallId",
    "messageId",
    "interrupts",
    "op",
    "path",
    "from",
    "value",
    "error",
    "subagentRunId",
    "text",
    "activityType",
    "encryptedValue",
    "delta",
    "outcome",
    "usage",
    "messages",
];
const WORDS: [&str; 22] = [
    "",
    "a",
    "b",
    "assistant",
    "user",
    "tool",
    "activity",
    "reasoning",
    "interrupt",
    "success",
    "add",
    "remove",
    "replace",
    "move",
    "copy",
    "test",
    "/a",
    "/a/-",
    "/a/0",
    "/b",
    "tool-call",
    "message",
];
const KINDS: [&str; 30] = [
    "RUN_STARTED",
    "RUN_FINISHED",
    "RUN_ERROR",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_CHUNK",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "REASONING_START",
    "REASONING_END",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_CHUNK",
    "REASONING_ENCRYPTED_VALUE",
    "SUBAGENT_STARTED",
    "SUBAGENT_FINISHED",
    "STEP_STARTED",
    "STEP_FINISHED",
    "THINKING_START",
    "THINKING_TEXT_MESSAGE_CONTENT",
];
/// Members that events need as strings, and those that hold values of any shape.
const TEXTS: [&str; 14] = [
    "messageId",
    "toolCallId",
    "delta",
    "role",
    "toolCallName",
    "parentMessageId",
    "activityType",
    "subtype",
    "entityId",
    "encryptedValue",
    "message",
    "stepName",
    "name",
    "subagentRunId",
];
const VALUES: [&str; 6] = ["snapshot", "outcome", "usage", "input", "result", "replace"];
const LISTS: [&str; 3] = ["messages", "patch", "delta"];

/// A few ids come again and again, or nothing would ever refer to anything.
fn word() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        2 => prop::sample::select(&WORDS[..2]),
        1 => prop::sample::select(&WORDS[..]),
    ];
    words.prop_map(str::to_owned)
}

fn kind() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        1 => Just("MESSAGES_SNAPSHOT"),
        3 => prop::sample::select(&KINDS[..]),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!(true)),
        Just(json!(5)),
        word().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let object = vec((prop::sample::select(&NAMES[..]), inner.clone()), 0..6);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::from),
            object.prop_map(|members| {
                let members = members.into_iter();
                Value::Object(
                    members
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect(),
                )
            }),
        ]
    })
}

/// An object of the shape that the protocol wants, but for its values.
fn nearly(names: &'static [&'static str]) -> impl Strategy<Value = Value> {
    let member = prop_oneof![
        3 => word().prop_map(Value::from),
        1 => value(),
    ];
    vec(member, names.len()).prop_map(move |values| {
        let members = names.iter().map(|name| (*name).to_owned());
        Value::Object(members.zip(values).collect())
    })
}

fn item() -> impl Strategy<Value = Value> {
    let calling = (
        nearly(&["id", "role", "content"]),
        vec(prop_oneof![nearly(&["id", "function"]), value()], 0..3),
    );
    let calling = calling.prop_map(|(mut message, calls)| {
        message["role"] = "assistant".into();
        message["toolCalls"] = calls.into();
        message
    });
    prop_oneof![
        nearly(&["id", "role", "content", "toolCalls"]),
        calling,
        nearly(&["op", "path", "from", "value"]),
        value(),
    ]
}

fn event() -> impl Strategy<Value = Value> {
    (
        kind(),
        vec(word(), TEXTS.len()),
        vec(value(), VALUES.len()),
        vec(vec(item(), 0..4), LISTS.len()),
        (value(), value()),
    )
        .prop_map(|(kind, texts, values, lists, (odd, content))| {
            let mut members = Map::new();
            for (name, text) in TEXTS.into_iter().zip(texts) {
                members.insert(name.to_owned(), text.into());
            }
            for (name, value) in VALUES.into_iter().zip(values) {
                members.insert(name.to_owned(), value);
            }
            for (name, list) in LISTS.into_iter().zip(lists) {
                if name != "delta" || kind == "STATE_DELTA" {
                    members.insert(name.to_owned(), list.into());
                }
            }
            let content = match (kind, content) {
                ("ACTIVITY_SNAPSHOT", content) if !content.is_object() => json!({"a": content}),
                (_, content) => content,
            };
            members.insert("content".to_owned(), content);
            for name in ["threadId", "runId"] {
                members.insert(name.to_owned(), "t".into());
            }
            members.insert("type".to_owned(), kind.into());
            if let Value::Object(odd) = odd {
                // Some members have a type that nobody expects.
                members.extend(odd.into_iter().filter(|(name, _)| name != "type"));
            }
            // Owners and parents are there or not.
            for name in ["subagentRunId", "parentMessageId"] {
                if members.get(name).is_some_and(|value| value == "") {
                    members.remove(name);
                }
            }
            Value::Object(members)
        })
}

proptest! {
    // Making up such values takes its time.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_sequence_of_odd_events_panics(turns in vec((vec(event(), 0..16), proptest::bool::ANY), 1..3)) {
        let mut conversation = Conversation::new(Value::Null);
        conversation.say("a", "hi");
        for (events, is_connect) in &turns {
            fold_on(&mut conversation, events, Some("a"), *is_connect);
        }
    }
}
