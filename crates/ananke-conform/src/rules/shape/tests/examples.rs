//! A whole example of every event, request and capability document: every member is there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rule::Profile;
use crate::rules::shape::described::When;
use crate::rules::shape::events::EVENT;
use crate::rules::shape::{check_capabilities, check_event, check_input};

/// One event per line. The envelope is added.
const EVENTS: &str = r#"
{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0","parentRunId":"r0","input":{}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"ok":null},"outcome":{"type":"success","pendingToolCallIds":["c"]},"usage":[{"provider":"p","model":"m","inputTokens":3,"outputTokens":4,"totalTokens":7,"reasoningTokens":1,"cachedInputTokens":1,"cacheWriteInputTokens":1}]}
{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"approval","message":"may I?","toolCallId":"c","responseSchema":{"type":"object","x":null},"expiresAt":"2030-01-01T00:00:00Z","metadata":{"k":null},"subagentRunId":"s"}]}}
{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"cancelled"}}
{"type":"RUN_ERROR","message":"no","code":"E1","usage":[{"model":"m","inputTokens":0}]}
{"type":"STEP_STARTED","stepName":"plan","subagentRunId":"s"}
{"type":"STEP_FINISHED","stepName":"plan","subagentRunId":"s"}
{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant","name":"Ann","subagentRunId":"s"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","subagentRunId":"s"}
{"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user","delta":"x","name":"Ann","subagentRunId":"s"}
{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m","subagentRunId":"s"}
{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}","subagentRunId":"s"}
{"type":"TOOL_CALL_END","toolCallId":"c","subagentRunId":"s"}
{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m","delta":"{}","subagentRunId":"s"}
{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"ok","role":"tool","subagentRunId":"s"}
{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"a","id":"p","metadata":[null]},{"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"},"id":"p","metadata":7},{"type":"audio","source":{"type":"url","value":"https://a","mimeType":"audio/mpeg"}},{"type":"video","source":{"type":"file","value":"f","provider":"p","mimeType":"video/mp4"}},{"type":"document","source":{"type":"url","value":"https://a"}}]}
{"type":"STATE_SNAPSHOT","snapshot":null,"subagentRunId":"s"}
{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":null},{"op":"remove","path":"/a","extra":1},{"op":"replace","path":"","value":1},{"op":"move","from":"/a","path":"/b"},{"op":"copy","from":"/a~1","path":"/b~0"},{"op":"test","path":"/","value":{}}],"subagentRunId":"s"}
{"type":"MESSAGES_SNAPSHOT","messages":[]}
{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"plan","content":{"steps":[null]},"replace":false,"subagentRunId":"s"}
{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"plan","patch":[{"op":"add","path":"/steps/-","value":"x"}],"subagentRunId":"s"}
{"type":"RAW","event":null,"source":"model","subagentRunId":"s"}
{"type":"CUSTOM","name":"shop.sale","value":null,"subagentRunId":"s"}
{"type":"REASONING_START","messageId":"m","subagentRunId":"s"}
{"type":"REASONING_END","messageId":"m","subagentRunId":"s"}
{"type":"REASONING_MESSAGE_START","messageId":"m","role":"reasoning","subagentRunId":"s"}
{"type":"REASONING_MESSAGE_CONTENT","messageId":"m","delta":"hm","subagentRunId":"s"}
{"type":"REASONING_MESSAGE_END","messageId":"m","subagentRunId":"s"}
{"type":"REASONING_MESSAGE_CHUNK","messageId":"m","delta":"hm","subagentRunId":"s"}
{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c","encryptedValue":"zz","subagentRunId":"s"}
{"type":"SUBAGENT_STARTED","subagentRunId":"s","name":"helper","description":"helps","parentSubagentRunId":"s0","parentToolCallId":"c","parentMessageId":"m"}
{"type":"SUBAGENT_FINISHED","subagentRunId":"s","result":[1],"outcome":{"type":"success"}}
{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended","interruptIds":["i"]}}
{"type":"SUBAGENT_ERROR","subagentRunId":"s","message":"no","code":"E1"}
"#;

/// The five that packages before 1.0 had.
const RETIRED: &str = r#"
{"type":"THINKING_START","title":"hm"}
{"type":"THINKING_END"}
{"type":"THINKING_TEXT_MESSAGE_START"}
{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"hm"}
{"type":"THINKING_TEXT_MESSAGE_END"}
"#;

/// Every role and part, one per line.
const MESSAGES: &str = r#"
{"id":"1","role":"developer","content":"x","name":"n","encryptedValue":"e","metadata":{"k":null},"subagentRunId":"s"}
{"id":"2","role":"system","content":"x","name":"n","encryptedValue":"e","metadata":{},"subagentRunId":"s"}
{"id":"3","role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}}],"name":"n","encryptedValue":"e","metadata":{},"subagentRunId":"s"}
{"id":"4","role":"assistant","content":"x","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"encryptedValue":"e","metadata":{}}],"name":"n","encryptedValue":"e","metadata":{},"subagentRunId":"s"}
{"id":"5","role":"tool","content":"x","toolCallId":"c","error":"late","encryptedValue":"e","metadata":{},"subagentRunId":"s"}
{"id":"6","role":"activity","activityType":"plan","content":{"k":null},"metadata":{},"subagentRunId":"s"}
{"id":"7","role":"reasoning","content":"x","encryptedValue":"e","metadata":{},"subagentRunId":"s"}
"#;

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns whole events of 1.0.
pub(super) fn events() -> Vec<Value> {
    let mut events = lines(EVENTS);
    for event in &mut events {
        event["timestamp"] = json!(1_700_000_000_000_u64);
        event["rawEvent"] = json!({"from": null});
        event["metadata"] = json!({"k": null});
        match event["type"].as_str().unwrap() {
            // The request has tests of its own: here it is kept short.
            "RUN_STARTED" => {
                event["input"] = input();
                event["input"]["messages"] = json!([{"id": "1", "role": "user", "content": "x"}]);
            }
            "MESSAGES_SNAPSHOT" => event["messages"] = lines(MESSAGES).into(),
            _ => {}
        }
    }
    events
}

/// Returns a whole request.
pub(super) fn input() -> Value {
    json!({
        "threadId": "t", "runId": "r", "protocolVersion": "1.0", "parentRunId": "r0",
        "state": {"n": null}, "forwardedProps": {"n": null},
        "messages": lines(MESSAGES),
        "tools": [{"name": "f", "description": "d", "parameters": {"type": "object"}, "metadata": {}}],
        "context": [{"description": "d", "value": "v"}],
        "resume": [
            {"interruptId": "i", "status": "resolved", "payload": {"ok": true}, "metadata": {}},
            {"interruptId": "j", "status": "cancelled"},
        ],
    })
}

/// Returns a whole capability document.
pub(super) fn capabilities() -> Value {
    json!({
        "identity": {"name": "n", "type": "t", "description": "d", "version": "1", "provider": "p",
            "documentationUrl": "https://a", "metadata": {}},
        "transport": {"streaming": true, "websocket": false, "httpBinary": false, "pushNotifications": false,
            "resumable": false},
        "tools": {"supported": true, "items": [{"name": "f", "description": "d"}], "parallelCalls": true,
            "clientProvided": true},
        "output": {"structuredOutput": false, "supportedMimeTypes": ["text/plain"]},
        "state": {"snapshots": true, "deltas": true, "memory": false, "persistentState": false},
        "multiAgent": {"supported": true, "delegation": true, "handoffs": false,
            "subagents": [{"name": "n", "description": "d"}]},
        "reasoning": {"supported": true, "streaming": true, "encrypted": false},
        "multimodal": {"input": {"image": true, "audio": false, "video": false, "pdf": false, "file": false},
            "output": {"image": false, "audio": false}},
        "execution": {"codeExecution": false, "sandboxed": false, "maxIterations": 3, "maxExecutionTime": 1000},
        "humanInTheLoop": {"supported": true, "approvals": true, "interventions": false, "feedback": false,
            "interrupts": true, "approveWithEdits": false},
        "custom": {"k": null},
    })
}

#[test]
fn whole_examples_are_right() {
    for event in events() {
        assert_eq!(check_event(&event, Profile::V1), [], "{event}");
    }
    for profile in [Profile::V1, Profile::Old] {
        assert_eq!(check_input(&input(), profile), [""; 0]);
    }
    assert_eq!(check_capabilities(&capabilities()), [""; 0]);
}

#[test]
fn packages_before_1_read_all_but_what_is_new() {
    for event in events().into_iter().chain(lines(RETIRED)) {
        let outcome = &event["outcome"];
        let is_new = event["content"].is_array()
            || outcome["type"] == "cancelled"
            || outcome.get("pendingToolCallIds").is_some();
        assert_eq!(
            !check_event(&event, Profile::Old).is_empty(),
            is_new,
            "{event}"
        );
    }
}

#[test]
fn every_type_has_an_example() {
    let name = |event: Value| event["type"].as_str().unwrap().to_owned();
    let types = |text| lines(text).into_iter().map(name).collect::<BTreeSet<_>>();
    let described = |when| {
        let variants = EVENT
            .variants
            .iter()
            .filter(move |variant| variant.when == when);
        variants
            .map(|variant| variant.tag.to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(types(EVENTS), described(When::Always));
    assert_eq!(types(EVENTS).len(), 31);
    assert_eq!(types(RETIRED), described(When::Before1));
}

#[test]
fn every_member_has_an_example() {
    for variant in EVENT
        .variants
        .iter()
        .filter(|variant| variant.when == When::Always)
    {
        for member in variant.object.members() {
            let of_type = |event: &&Value| event["type"] == variant.tag;
            let has = events()
                .iter()
                .filter(of_type)
                .any(|event| event.get(member.name).is_some());
            assert!(has, "{} has no example of `{}`", variant.tag, member.name);
        }
    }
}
