//! What counts as something to be judged by, and what the declared version changes.

use insta::assert_snapshot;

use crate::exchange::{Answer, Asked, Exchange, Framing, Observed};
use crate::rule::{Findings, Profile};
use crate::rules::shape;

fn judged(profile: Profile, framing: Framing, events: &[&str]) -> String {
    let exchange = Exchange {
        scenario: "file".to_owned(),
        step: "run".to_owned(),
        asked: Asked::Run,
        request: None,
        answer: Answer {
            framing,
            events: events.iter().map(|data| Observed::new(*data, 0)).collect(),
            ..Answer::default()
        },
    };
    let mut found = Findings::new(profile);
    shape::look(&exchange, &mut found);
    let rules = shape::RULES.iter().flat_map(|list| list.iter());
    let rules = rules.filter(|rule| rule.level(profile).is_some());
    let (seen, unseen): (Vec<_>, Vec<_>) =
        rules.map(|rule| rule.id).partition(|id| found.has_seen(id));
    let listed = |word: &str, ids: &[&str]| match ids {
        [] => format!("{word}: none"),
        ids => format!("{word}: {}", ids.join(" ")),
    };
    let mut lines = vec![listed("seen", &seen), listed("unseen", &unseen)];
    let found = found.in_order().into_iter();
    lines.extend(found.map(|found| format!("{}: {}", found.rule, found.message)));
    lines.join("\n")
}

fn text(events: &[&str]) -> String {
    judged(Profile::V1, Framing::Sse, events)
}

#[test]
fn nothing_is_seen_in_an_empty_stream() {
    assert_snapshot!(text(&[]), @"
    seen: none
    unseen: shape.json shape.surrogate shape.type shape.retired shape.required shape.null shape.unknown-member shape.member-type shape.enum shape.integer shape.empty shape.pointer
    ");
    assert_snapshot!(text(&["[DONE]"]), @"
    seen: none
    unseen: shape.json shape.surrogate shape.type shape.retired shape.required shape.null shape.unknown-member shape.member-type shape.enum shape.integer shape.empty shape.pointer
    ");
}

#[test]
fn a_rule_sees_only_what_it_is_about() {
    assert_snapshot!(text(&["no JSON"]), @"
    seen: shape.json
    unseen: shape.surrogate shape.type shape.retired shape.required shape.null shape.unknown-member shape.member-type shape.enum shape.integer shape.empty shape.pointer
    shape.json: expected a JSON object, saw no JSON: expected ident at line 1 column 2
    ");
    assert_snapshot!(text(&[r#"{"type": "FUTURE_EVENT"}"#]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.member-type
    unseen: shape.retired shape.null shape.unknown-member shape.enum shape.integer shape.empty shape.pointer
    shape.type: `FUTURE_EVENT` is no event type of the protocol
    ");
    assert_snapshot!(text(&[r#"{"type": "TEXT_MESSAGE_CHUNK"}"#]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.null shape.unknown-member shape.member-type
    unseen: shape.retired shape.enum shape.integer shape.empty shape.pointer
    ");
    assert_snapshot!(text(&[r#"{"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/a"}]}"#]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.null shape.unknown-member shape.member-type shape.enum shape.pointer
    unseen: shape.retired shape.integer shape.empty
    ");
}

#[test]
fn binary_streams_say_nothing_of_json() {
    let events = [r#"{"type": "RAW", "event": 1}"#];
    assert_snapshot!(judged(Profile::V1, Framing::Protobuf, &events), @"
    seen: shape.type shape.required shape.null shape.unknown-member shape.member-type
    unseen: shape.json shape.surrogate shape.retired shape.enum shape.integer shape.empty shape.pointer
    ");
}

#[test]
fn retired_types_count_when_1_is_declared() {
    let thinking = r#"{"type": "THINKING_END"}"#;
    let undeclared = r#"{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}"#;
    let declared =
        r#"{"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0"}"#;
    assert_snapshot!(text(&[undeclared, thinking]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.null shape.unknown-member shape.member-type
    unseen: shape.retired shape.enum shape.integer shape.empty shape.pointer
    ");
    assert_snapshot!(text(&[declared, thinking]), @"
    seen: shape.json shape.surrogate shape.type shape.retired shape.required shape.null shape.unknown-member shape.member-type
    unseen: shape.enum shape.integer shape.empty shape.pointer
    shape.retired: `THINKING_END` was retired with 1.0: expected `REASONING_END`
    ");
    assert_snapshot!(judged(Profile::Old, Framing::Sse, &[undeclared, thinking]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.null shape.member-type
    unseen: shape.unknown-member shape.enum shape.integer shape.empty
    ");
}

#[test]
fn a_later_version_may_describe_more() {
    let later =
        r#"{"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1"}"#;
    let encrypted = r#"{"type": "REASONING_ENCRYPTED_VALUE", "subtype": "span", "entityId": "e", "encryptedValue": "x", "encryptedValueType": "y", "timestamp": null}"#;
    let unknown = r#"{"type": "FUTURE_EVENT"}"#;
    assert_snapshot!(text(&[later, encrypted, unknown]), @"
    seen: shape.json shape.surrogate shape.retired shape.required shape.null shape.member-type
    unseen: shape.type shape.unknown-member shape.enum shape.integer shape.empty shape.pointer
    shape.null: /timestamp: expected an integer or no such member, saw null
    ");
    assert_snapshot!(judged(Profile::Old, Framing::Sse, &[later, encrypted, unknown]), @"
    seen: shape.json shape.surrogate shape.type shape.required shape.null shape.member-type shape.enum
    unseen: shape.unknown-member shape.integer shape.empty
    shape.null: /timestamp: expected a number or no such member, saw null
    shape.enum: /subtype: expected `tool-call` or `message`, saw `span`
    shape.type: `FUTURE_EVENT` is no event type of the protocol
    ");
}
