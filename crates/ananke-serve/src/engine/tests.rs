//! Every step kind, as the text that a client gets.

use insta::assert_snapshot;
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use serde_json::{Value, json};

use super::reply::{Action, Reply};
use crate::agent::{Agent as _, ScriptAgent};
use crate::input::RunInput;
use crate::script::Script;

/// Shows a reply the way it goes over the wire, blank lines left out.
pub(crate) fn show(reply: &Reply) -> String {
    match reply {
        Reply::Http(http) => {
            let headers: String = http
                .headers
                .iter()
                .map(|(k, v)| format!("{k}: {v}\n"))
                .collect();
            format!(
                "HTTP {} after {:?}\n{headers}\n{}",
                http.status, http.after, http.body
            )
        }
        Reply::Stream(actions) => actions.iter().map(show_action).collect(),
    }
}

fn show_action(action: &Action) -> String {
    match action {
        Action::Send(bytes) => String::from_utf8_lossy(bytes).replace("\n\n", "\n"),
        Action::Wait(time) => format!("({time:?} later)\n"),
        Action::Reset => "(reset)\n".to_owned(),
        Action::Close => "(closed)\n".to_owned(),
        Action::Stall => "(silence)\n".to_owned(),
    }
}

pub(crate) fn input(fields: Value) -> RunInput {
    let mut all = json!({
        "threadId": "t1",
        "runId": "r1",
        "protocolVersion": "1.0",
        "messages": [{"id": "u1", "role": "user", "content": "Hello there"}],
    });
    for (key, value) in fields.as_object().unwrap() {
        all[key] = value.clone();
    }
    serde_json::from_value(all).unwrap()
}

fn run(script: Value, fields: Value) -> String {
    let script: Script = serde_json::from_value(script).unwrap();
    show(&ScriptAgent::new(script).reply(&input(fields)))
}

/// What the reply adds between `RUN_STARTED` and `RUN_FINISHED`.
fn steps(reply: Value) -> String {
    let text = run(json!({"rules": [{"reply": reply}]}), json!({}));
    text.lines()
        .filter(|line| !line.contains("RUN_STARTED"))
        .fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn text_is_one_message_with_a_delta_for_each_word() {
    assert_snapshot!(run(json!({"rules": [{"reply": [{"text": "Good day to you"}]}]}), json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-1","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"Good "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"day "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"to "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"you"}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn an_old_client_gets_neither_version_nor_outcome() {
    let script = json!({"rules": [{"reply": [{"tool": {"name": "ask"}}]}]});
    assert_snapshot!(run(script, json!({"protocolVersion": null})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"ask"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}
    "#);
}

#[test]
fn text_deltas_can_be_slow() {
    assert_snapshot!(steps(json!([{"text_deltas": {"deltas": ["a", "b"], "every_ms": 50}}])), @r#"
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-1","role":"assistant"}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"a"}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"b"}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn tool_with_result() {
    assert_snapshot!(steps(json!([{"tool": {"name": "search", "args": {"q": "mug"}, "result": [1], "delay_ms": 20}}])), @r#"
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"search"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"q\":\"mug\"}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    (20ms later)
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"[1]","role":"tool"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn tool_with_error_text_arguments_and_fixed_id() {
    assert_snapshot!(steps(json!([{"tool": {"name": "search", "id": "c9", "args": "{broken", "error": "no"}}])), @r#"
    data: {"type":"TOOL_CALL_START","toolCallId":"c9","toolCallName":"search"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"c9","delta":"{broken"}
    data: {"type":"TOOL_CALL_END","toolCallId":"c9"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-1","toolCallId":"c9","content":"{\"error\":\"no\"}","role":"tool"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn unanswered_tools_are_pending() {
    assert_snapshot!(steps(json!([{"tool": {"name": "pick_color"}}])), @r#"
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"pick_color"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["call-r1-1"]}}
    "#);
}

#[test]
fn parallel_tools_all_start_before_the_first_result() {
    assert_snapshot!(steps(json!([{"parallel_tools": [
        {"name": "a", "result": "one"},
        {"name": "b", "result": "two", "delay_ms": 10},
    ]}])), @r#"
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"a"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-2","toolCallName":"b"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-2","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-2"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-3","toolCallId":"call-r1-1","content":"one","role":"tool"}
    (10ms later)
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-4","toolCallId":"call-r1-2","content":"two","role":"tool"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn late_tool_result() {
    assert_snapshot!(steps(json!([{"tool_result": {"tool_call_id": "c0", "result": {"ok": true}}}])), @r#"
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-1","toolCallId":"c0","content":"{\"ok\":true}","role":"tool"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn state_reasoning_step_and_custom() {
    assert_snapshot!(steps(json!([
        {"state": {"n": 1}},
        {"state_delta": [{"op": "replace", "path": "/n", "value": 2}]},
        {"reasoning": "Let me see"},
        {"step": {"name": "work", "reply": [{"custom": {"name": "shop:note", "value": [1]}}]}},
    ])), @r#"
    data: {"type":"STATE_SNAPSHOT","snapshot":{"n":1}}
    data: {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}]}
    data: {"type":"REASONING_START","messageId":"span-r1-1"}
    data: {"type":"REASONING_MESSAGE_START","messageId":"thought-r1-2","role":"reasoning"}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"Let "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"me "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"see"}
    data: {"type":"REASONING_MESSAGE_END","messageId":"thought-r1-2"}
    data: {"type":"REASONING_END","messageId":"span-r1-1"}
    data: {"type":"STEP_STARTED","stepName":"work"}
    data: {"type":"CUSTOM","name":"shop:note","value":[1]}
    data: {"type":"STEP_FINISHED","stepName":"work"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn events_raw_text_and_comments_are_sent_as_they_are() {
    assert_snapshot!(steps(json!([
        {"event": {"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId"}},
        {"raw": "data: {oops\n\n"},
        {"comment": "keep-alive"},
    ])), @r#"
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}
    data: {oops
    : keep-alive
    "#);
}

#[test]
fn error_ends_the_run() {
    assert_snapshot!(steps(json!([{"error": {"message": "no", "code": "NO"}}])), @r#"data: {"type":"RUN_ERROR","message":"no","code":"NO"}"#);
}

#[test]
fn interrupt_points_at_its_call() {
    assert_snapshot!(steps(json!([
        {"tool": {"name": "pay", "args": {}}},
        {"interrupt": {"reason": "approval", "message": "Pay?", "tool": "pay", "response_schema": {"type": "object"}}},
    ])), @r#"
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"pay"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"interrupt-call-r1-1","reason":"approval","message":"Pay?","toolCallId":"call-r1-1","responseSchema":{"type":"object"}}]}}
    "#);
}

#[test]
fn interrupt_without_a_call() {
    assert_snapshot!(steps(json!([{"interrupt": {"reason": "question", "expires_at": "2030-01-01T00:00:00Z"}}])), @r#"data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"interrupt-r1-1","reason":"question","expiresAt":"2030-01-01T00:00:00Z"}]}}"#);
}

#[test]
fn finish_takes_result_usage_and_outcome() {
    assert_snapshot!(steps(json!([
        {"finish": {"result": 7, "usage": [{"inputTokens": 3}], "outcome": {"type": "cancelled"}}},
        {"error": {"message": "too late"}},
    ])), @r#"
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","result":7,"outcome":{"type":"cancelled"},"usage":[{"inputTokens":3}]}
    data: {"type":"RUN_ERROR","message":"too late"}
    "#);
}

#[test]
fn faults_cut_what_follows() {
    assert_snapshot!(steps(json!([{"delay_ms": 5}, "truncate", {"text": "never"}])), @"(5ms later)");
    assert_snapshot!(steps(json!(["reset", {"text": "never"}])), @"(reset)");
    assert_snapshot!(steps(json!([{"step": {"name": "x", "reply": ["stall"]}}, {"text": "never"}])), @r#"
    data: {"type":"STEP_STARTED","stepName":"x"}
    (silence)
    "#);
}

#[test]
fn http_instead_of_a_stream() {
    assert_snapshot!(run(json!({"rules": [{"reply": [
        {"delay_ms": 30},
        {"http": {"status": 429, "headers": {"retry-after": "1"}, "body": {"error": "slow down"}}},
    ]}]}), json!({})), @r#"
    HTTP 429 after 30ms
    retry-after: 1
    content-type: application/json

    {"error":"slow down"}
    "#);
    let told =
        json!([{"http": {"status": 400, "headers": {"Content-Type": "text/html"}, "body": [1]}}]);
    assert_snapshot!(run(json!({"rules": [{"reply": told}]}), json!({})), @"
    HTTP 400 after 0ns
    Content-Type: text/html

    [1]
    ");
}

#[test]
fn http_inside_a_stream_is_a_mistake_that_shows() {
    assert_snapshot!(steps(json!([{"state": 1}, {"http": {"status": 500}}, {"text": "never"}])), @r#"
    data: {"type":"STATE_SNAPSHOT","snapshot":1}
    data: {"type":"RUN_ERROR","message":"the script has an `http` step that is not the first"}
    "#);
}

#[test]
fn bare_rules_add_nothing() {
    assert_snapshot!(run(json!({"rules": [{"bare": true, "reply": []}]}), json!({})), @"");
    assert_snapshot!(run(json!({"rules": [{"bare": true, "reply": [{"comment": "hm"}]}]}), json!({})), @": hm");
}

#[test]
fn timestamps_advance_by_scripted_delays() {
    let script = json!({"timestamps": true, "rules": [{"reply": [{"delay_ms": 40}, {"state": {}}, {"event": {"type": "X"}}, {"event": {"type": "Y", "timestamp": 7}}]}]});
    assert_snapshot!(run(script, json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0","timestamp":1767225600000}
    (40ms later)
    data: {"type":"STATE_SNAPSHOT","snapshot":{},"timestamp":1767225600040}
    data: {"type":"X","timestamp":1767225600040}
    data: {"type":"Y","timestamp":7}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"},"timestamp":1767225600040}
    "#);
}

#[test]
fn the_first_rule_that_matches_answers() {
    let script = json!({"rules": [
        {"when": {"has_resume": true}, "reply": [{"custom": {"name": "resumed"}}]},
        {"when": {"has_tool_result": true}, "reply": [{"custom": {"name": "tool answered"}}]},
        {"when": {"user_equals": "Hello"}, "reply": [{"custom": {"name": "equal"}}]},
        {"when": {"user_contains": "HELLO", "turn": 2}, "reply": [{"custom": {"name": "second turn"}}]},
        {"when": {"user_contains": "HELLO"}, "reply": [{"custom": {"name": "first turn"}}]},
    ]});
    let seen = |fields: Value| {
        let text = run(script.clone(), fields);
        text.lines().nth(1).unwrap().to_owned()
    };
    let user = |text: &str| json!({"id": text, "role": "user", "content": text});
    assert_snapshot!(seen(json!({})), @r#"data: {"type":"CUSTOM","name":"first turn","value":null}"#);
    assert_snapshot!(seen(json!({"messages": [user("hello you"), user("hello again")]})), @r#"data: {"type":"CUSTOM","name":"second turn","value":null}"#);
    assert_snapshot!(seen(json!({"messages": [user("Hello")]})), @r#"data: {"type":"CUSTOM","name":"equal","value":null}"#);
    assert_snapshot!(seen(json!({"messages": [user("x"), {"id": "t", "role": "tool", "toolCallId": "c", "content": ""}]})), @r#"data: {"type":"CUSTOM","name":"tool answered","value":null}"#);
    assert_snapshot!(seen(json!({"resume": [{"interruptId": "i", "status": "resolved"}]})), @r#"data: {"type":"CUSTOM","name":"resumed","value":null}"#);
    assert_snapshot!(run(script.clone(), json!({"messages": [user("What?")]})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-1","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"I "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"did "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"not "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"understand "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"that."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

fn any_step() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<String>().prop_map(|text| json!({"text": text})),
        any::<String>().prop_map(|text| json!({"reasoning": text})),
        any::<String>().prop_map(|name| json!({"tool": {"name": name, "result": name}})),
        any::<u64>().prop_map(|ms| json!({"delay_ms": ms})),
        any::<String>().prop_map(|text| json!({"error": {"message": text}})),
        any::<u16>().prop_map(|status| json!({"http": {"status": status}})),
        prop_oneof![Just("truncate"), Just("reset"), Just("stall")].prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop::collection::vec(inner, 0..4)
            .prop_map(|reply| json!({"step": {"name": "s", "reply": reply}}))
    })
}

proptest! {
    /// Whatever the script says, composing it is total, repeatable, and every event is one line of JSON.
    #[test]
    fn any_script_is_composed_the_same_twice(reply in prop::collection::vec(any_step(), 0..6)) {
        let script: Script = serde_json::from_value(json!({"timestamps": true, "rules": [{"reply": reply}]})).unwrap();
        let input = input(json!({}));
        let agent = ScriptAgent::new(script);
        let first = agent.reply(&input);
        assert_eq!(first, agent.reply(&input));
        if let Reply::Stream(actions) = first {
            for action in actions {
                if let Action::Send(bytes) = action {
                    let text = String::from_utf8(bytes.to_vec()).unwrap();
                    let json = text.strip_prefix("data: ").unwrap().strip_suffix("\n\n").unwrap();
                    assert!(!json.contains(['\n', '\r']), "{json:?}");
                    serde_json::from_str::<Value>(json).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_rule_with_times_gives_way_to_the_next() {
    let script: Script = serde_json::from_value(json!({"rules": [
        {"times": 2, "reply": [{"http": {"status": 503}}]},
        {"reply": [{"text": "Hi"}]},
    ]}))
    .unwrap();
    let agent = ScriptAgent::new(script);
    let shown = |_| show(&agent.reply(&input(json!({}))));
    let answers: Vec<bool> = (0..4)
        .map(shown)
        .map(|text| text.starts_with("HTTP 503"))
        .collect();
    assert_eq!(answers, [true, true, false, false]);
}

#[test]
fn a_rule_with_every_answers_now_and_then() {
    let script: Script = serde_json::from_value(json!({"rules": [
        {"every": 3, "times": 2, "reply": [{"http": {"status": 503}}]},
        {"reply": [{"text": "Hi"}]},
    ]}))
    .unwrap();
    let agent = ScriptAgent::new(script);
    let shown = |_| show(&agent.reply(&input(json!({}))));
    let answers: String = (0..10)
        .map(shown)
        .map(|text| {
            if text.starts_with("HTTP 503") {
                'x'
            } else {
                '.'
            }
        })
        .collect();
    assert_eq!(answers, "..x..x....");
}

#[test]
fn parts_of_the_request_can_be_said() {
    let said = |part: &str| {
        let script = json!({"rules": [{"reply": [{"echo": part}]}]});
        let fields = json!({
            "messages": [{"id": "1", "role": "system", "content": "x"}, {"id": "2", "role": "user", "content": [{"type": "text", "text": "y"}]}],
            "forwardedProps": {"user": {"id": 7}},
            "context": [{"description": "d", "value": "v"}],
        });
        let text = run(script, fields);
        let line = text.lines().find(|line| line.contains("_CONTENT")).unwrap();
        let event: Value = serde_json::from_str(line.strip_prefix("data: ").unwrap()).unwrap();
        event["delta"].as_str().unwrap().to_owned()
    };
    assert_snapshot!(said("last_message"), @r#"{"id":"2","role":"user","content":[{"type":"text","text":"y"}]}"#);
    assert_snapshot!(said("messages"), @r#"[{"id":"1","role":"system","content":"x"},{"id":"2","role":"user","content":[{"type":"text","text":"y"}]}]"#);
    assert_snapshot!(said("forwarded_props"), @r#"{"user":{"id":7}}"#);
    assert_snapshot!(said("context"), @r#"[{"description":"d","value":"v"}]"#);
    assert_snapshot!(said("state"), @"null");
}
