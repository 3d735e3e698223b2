//! Conventions by which agents tell of tools.

use insta::assert_snapshot;
use serde_json::json;

use super::{fold, fold_whole};
use crate::a2a::CallRule;
use crate::a2a::wire::Version;

/// Returns a status whose message has these parts.
fn working(parts: &str) -> String {
    format!(
        r#"{{"statusUpdate":{{"taskId":"t","status":{{"state":"TASK_STATE_WORKING","message":{{"messageId":"m","role":"ROLE_AGENT","parts":[{parts}]}}}}}}}}"#
    )
}

#[test]
fn typed_data_parts_are_calls_and_results() {
    let parts = r#"{"data":{"id":"c1","name":"find","args":{"q":"tea"}},"metadata":{"adk_type":"function_call"}},
        {"data":{"id":"c1","name":"find","response":{"n":3.0}},"metadata":{"kagent_type":"function_response"}},
        {"data":{"code":"1+1"},"metadata":{"adk_type":"executable_code"}},
        {"data":{"output":"2"},"metadata":{"adk_type":"code_execution_result"}},
        {"data":{"id":"c9"},"metadata":{"adk_type":"something_else"}}"#
        .replace('\n', " ");
    let event = working(&parts);
    // The same message again is the same calls.
    assert_snapshot!(fold(Version::V1, &format!("{event}\n{event}")), @r#"
    working
    call: c1 find({"q":"tea"}) -> {"n":3}
    call: call-1 executable_code({"code":"1+1"}) -> {"output":"2"}
    "#);
}

#[test]
fn metadata_of_a_status_tells_of_calls() {
    let status = |metadata: &str| {
        format!(
            r#"{{"kind":"status-update","taskId":"t","status":{{"state":"working"}},"metadata":{metadata},"final":false}}"#
        )
    };
    let begun = status(
        r#"{"agno_event_type":"tool_call_started","tool_name":"find","tool_call_id":"c1","tool_args":"{\"q\":1}"}"#,
    );
    let done = status(
        r#"{"agno_event_type":"tool_call_completed","tool_name":"find","tool_call_id":"c1","tool_args":"{\"q\":1}"}"#,
    );
    let other = status(r#"{"agno_event_type":"reasoning_started"}"#);
    assert_snapshot!(fold(Version::V03, &format!("{begun}\n{other}\n{done}")), @r#"
    working
    call: c1 find({"q":1})
    "#);
}

#[test]
fn results_alone_and_bridged_calls_are_understood() {
    let parts = r#"{"data":{"tool_results":[{"toolCallId":"c1","name":"find","status":"success","content":"3"},{"toolCallId":"c2","name":"buy","status":"error","content":"sold out"}]}},{"data":{"type":"tool-call","id":"c3","name":"pay","arguments":{"n":1}}},{"data":{"type":"tool-result","toolCallId":"c3","payload":{"ok":true}}}"#;
    assert_snapshot!(fold(Version::V1, &working(parts)), @r#"
    working
    call: c1 find() -> 3
    call: c2 buy() !sold out
    call: c3 pay({"n":1}) -> {"ok":true}
    "#);
}

#[test]
fn traces_have_steps() {
    assert_snapshot!(fold_whole(Version::V1, r#"{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"metadata":{"https://ext/traceability":{"steps":[
        {"step_id":"s1","tool_invocation":{"tool_name":"find","parameters":{"q":1}}},{"step_id":"s2","agent_invocation":{}}]}}}}"#, &[]), @r#"
    completed
    call: s1 find({"q":1})
    "#);
}

#[test]
fn users_describe_other_conventions() {
    let rules = [
        CallRule {
            when: vec![("/data/event".to_owned(), json!("call"))],
            id: Some("/data/ref".to_owned()),
            name: Some("/data/fn/name".to_owned()),
            args: Some("/data/fn/input".to_owned()),
            ..CallRule::default()
        },
        CallRule {
            when: vec![("/metadata/step".to_owned(), json!("done"))],
            id: Some("/metadata/ref".to_owned()),
            result: Some("/metadata/out".to_owned()),
            ..CallRule::default()
        },
    ];
    assert_snapshot!(fold_whole(Version::V1, r#"{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"history":[
        {"messageId":"m","role":"ROLE_AGENT","parts":[{"data":{"event":"call","ref":7,"fn":{"name":"find","input":{"q":1}}}},{"data":{"event":"other"}}]},
        {"messageId":"n","role":"ROLE_AGENT","metadata":{"step":"done","ref":7,"out":[1]},"parts":[]}]}}"#, &rules), @r#"
    completed
    call: 7 find({"q":1}) -> [1]
    "#);
}
