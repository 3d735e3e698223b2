//! What users read.

use insta::assert_snapshot;
use serde_json::Value;

use crate::rule::Profile;
use crate::rules::shape::{check_capabilities, check_event, check_input};

fn found(profile: Profile, events: &str) -> String {
    let told = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        let found = check_event(&event, profile).into_iter();
        found
            .map(|(rule, message)| format!("{rule}: {message}\n"))
            .collect::<String>()
    };
    let lines = events.lines().filter(|line| !line.trim().is_empty());
    lines.map(told).collect::<Vec<_>>().join("--\n")
}

#[test]
fn what_is_wrong_in_events() {
    assert_snapshot!(found(Profile::V1, r#"
        [1]
        {"messageId": "m"}
        {"type": 5}
        {"type": "FUTURE_EVENT"}
        {"type": "TextMessageStart"}
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "x"}
        {"type": "TEXT_MESSAGE_START"}
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": 42}
        {"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": null}
        {"type": "RUN_STARTED", "thread_id": "t", "runId": "r", "mine": []}
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "tool", "timestamp": 1.5}
    "#), @"
    shape.json: expected a JSON object, saw a list
    --
    shape.required: /type: expected a string, but it is missing
    --
    shape.member-type: /type: expected a string, saw a number
    --
    shape.type: `FUTURE_EVENT` is no event type of the protocol
    --
    shape.type: `TextMessageStart` is no event type of the protocol: is `TEXT_MESSAGE_START` meant?
    --
    shape.retired: `THINKING_TEXT_MESSAGE_CONTENT` was retired with 1.0: expected `REASONING_MESSAGE_CONTENT`
    --
    shape.required: /messageId: expected a string, but it is missing
    --
    shape.member-type: /delta: expected a string, saw a number
    --
    shape.null: /timestamp: expected an integer or no such member, saw null
    --
    shape.required: /threadId: expected a string, but it is missing
    shape.unknown-member: /thread_id: `RUN_STARTED` has no such member, saw a string: is `threadId` meant?
    shape.unknown-member: /mine: `RUN_STARTED` has no such member, saw a list
    --
    shape.integer: /timestamp: expected an integer from -9007199254740991 to 9007199254740991, saw 1.5
    shape.enum: /role: expected `developer`, `system`, `assistant` or `user`, saw `tool`
    ");
}

#[test]
fn what_is_wrong_deep_inside() {
    assert_snapshot!(found(Profile::V1, r#"
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "interrupt", "interrupts": [{"id": 7}]}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "interrupt", "interrupts": []}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "paused"}, "usage": [{"inputTokens": -1}]}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": "success", "result": null}
        {"type": "STATE_DELTA", "delta": [{"op": "increment", "path": "/a"}, {"op": "add", "path": "a/b"}]}
        {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "m", "role": "user", "content": [{"type": "binary"}]}, {"id": "n"}, null]}
        {"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": {}}
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": {"threadId": "t", "a/b": 1}}
    "#), @"
    shape.member-type: /outcome/interrupts/0/id: expected a string, saw a number
    shape.required: /outcome/interrupts/0/reason: expected a string, but it is missing
    --
    shape.empty: /outcome/interrupts: expected at least one entry, saw none
    --
    shape.enum: /outcome/type: expected `success`, `interrupt` or `cancelled`, saw `paused`
    shape.integer: /usage/0/inputTokens: expected an integer from 0 to 9007199254740991, saw -1
    --
    shape.null: /result: expected a value or no such member, saw null
    shape.member-type: /outcome: expected an object, saw a string
    --
    shape.enum: /delta/0/op: expected `add`, `remove`, `replace`, `move`, `copy` or `test`, saw `increment`
    shape.pointer: /delta/1/path: expected a JSON pointer such as `/items/0`, saw `a/b`
    shape.required: /delta/1/value: expected a value, but it is missing
    --
    shape.enum: /messages/0/content/0/type: expected `text`, `image`, `audio`, `video` or `document`, saw `binary`
    shape.required: /messages/1/role: expected a string, but it is missing
    shape.member-type: /messages/2: expected an object, saw null
    --
    shape.member-type: /content: expected a string or a list, saw an object
    --
    shape.required: /input/runId: expected a string, but it is missing
    shape.required: /input/messages: expected a list, but it is missing
    shape.unknown-member: /input/a~1b: `RunAgentInput` has no such member, saw a number
    ");
}

#[test]
fn packages_before_1_choke_on_less() {
    assert_snapshot!(found(Profile::Old, r#"
        {"type": "THINKING_START", "title": null, "mine": 1}
        {"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": 1.5, "rawEvent": null}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": null}
        {"type": "CUSTOM", "name": "x"}
        {"type": "TEXT_MESSAGE_END", "messageId": null}
        {"type": "TOOL_CALL_START", "toolCallId": "c"}
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "bot"}
        {"type": "TOOL_CALL_RESULT", "messageId": "m", "toolCallId": "c", "content": []}
        {"type": "FUTURE_EVENT"}
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "name": null, "metadata": null, "timestamp": null}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": "success"}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "weird"}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "cancelled"}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "success", "pendingToolCallIds": [], "interrupts": []}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "interrupt", "interrupts": []}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "x", "responseSchema": 5, "message": null}]}}
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": [{"model": null, "inputTokens": -1, "outputTokens": 1.5, "totalTokens": 1e300}]}
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "s", "outcome": {"type": "oops"}}
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "parentRunId": null, "input": {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": [{"type": "binary", "mimeType": "a/b", "url": ""}]}], "tools": [], "context": [], "resume": null}}
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f", "parentMessageId": null}
    "#), @"
    shape.null: /title: expected a string or no such member, saw null
    --
    --
    --
    --
    shape.member-type: /messageId: expected a string, saw null
    --
    shape.required: /toolCallName: expected a string, but it is missing
    --
    shape.enum: /role: expected `developer`, `system`, `assistant` or `user`, saw `bot`
    --
    shape.member-type: /content: expected a string, saw a list
    --
    shape.type: `FUTURE_EVENT` is no event type of the protocol
    --
    shape.null: /timestamp: expected a number or no such member, saw null
    shape.null: /metadata: expected an object or no such member, saw null
    shape.null: /name: expected a string or no such member, saw null
    --
    shape.member-type: /outcome: expected an object, saw a string
    --
    shape.enum: /outcome/type: expected `success` or `interrupt`, saw `weird`
    --
    shape.enum: /outcome/type: expected `success` or `interrupt`, saw `cancelled`
    --
    shape.unknown-member: /outcome/pendingToolCallIds: the outcome `success` has no such member, saw a list: it came with 1.0
    shape.unknown-member: /outcome/interrupts: the outcome `success` has no such member, saw a list
    --
    shape.empty: /outcome/interrupts: expected at least one entry, saw none
    --
    shape.null: /outcome/interrupts/0/message: expected a string or no such member, saw null
    shape.member-type: /outcome/interrupts/0/responseSchema: expected an object, saw a number
    --
    shape.null: /usage/0/model: expected a string or no such member, saw null
    shape.integer: /usage/0/inputTokens: expected an integer from 0, saw -1
    shape.integer: /usage/0/outputTokens: expected an integer from 0, saw 1.5
    --
    shape.enum: /outcome/type: expected `success` or `suspended`, saw `oops`
    --
    shape.null: /parentRunId: expected a string or no such member, saw null
    shape.required: /input/messages/0/content/0: expected `id`, `url` or `data` in a binary part, saw none
    shape.null: /input/resume: expected a list or no such member, saw null
    --
    ");
}

#[test]
fn what_is_wrong_in_requests_and_capabilities() {
    let minimal = serde_json::json!({"threadId": "t", "runId": "r", "messages": []});
    let told = [
        check_input(&minimal, Profile::V1).join("\n"),
        check_input(&minimal, Profile::Old).join("\n"),
        check_input(&serde_json::json!("hello"), Profile::V1).join("\n"),
        check_capabilities(&serde_json::json!({
            "multiAgent": {"subAgents": [], "subagents": [{}]},
            "state": {"deltas": "yes"},
            "execution": {"maxIterations": 2.5},
        }))
        .join("\n"),
    ];
    assert_snapshot!(told.join("\n--\n"), @"

    --
    /state: expected a value, but it is missing
    /tools: expected a list, but it is missing
    /context: expected a list, but it is missing
    /forwardedProps: expected a value, but it is missing
    --
    expected an object, saw a string
    --
    /state/deltas: expected `true` or `false`, saw a string
    /multiAgent/subagents/0/name: expected a string, but it is missing
    /multiAgent/subAgents: `multiAgent` has no such member, saw a list: is `subagents` meant?
    /execution/maxIterations: expected an integer from 0 to 9007199254740991, saw 2.5
    ");
}

#[test]
fn one_event_is_not_told_without_end() {
    let messages = vec![Value::Null; 1000];
    let event = serde_json::json!({"type": "MESSAGES_SNAPSHOT", "messages": messages});
    assert_eq!(check_event(&event, Profile::V1).len(), 100);
}
