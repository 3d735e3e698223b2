//! The official encoder: every event type, as SSE and as protobuf.

use std::collections::HashMap;

use insta::assert_snapshot;
use serde_json::Value;

use super::digest::digest;
use super::server::Server;
use super::{has_node, report};

#[test]
fn sse_and_protobuf_give_the_same_report() {
    if !has_node("interop with @ag-ui/encoder") {
        return;
    }
    let server = Server::encoder();
    let url = format!("URL={}", server.url());
    let run = |target: &str| {
        report(
            "encoder",
            &["both-encodings", "--target", target, "--var", &url],
        )
    };
    let sse = run("sse");
    assert_snapshot!(digest(&sse), @r#"
    passed both-encodings/approval.test.yaml: deletes the file after approval
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt tool_call: "May I delete old.txt?"
      > agui:resume
        late result "deleted"
        said "I deleted old.txt."
      > What did I say?
        said "You sent 2 messages. The one before was: Please approve that the old file goes."
    passed both-encodings/boom.test.yaml: expects the error
      > boom
        said "I will now"
        run_error: {"message":"boom","code":"BOOM"}
    passed both-encodings/cancelled.test.yaml: accepts a cancelled run
      > cancel
        said "I was stopped."
    passed both-encodings/chunks.test.yaml: puts chunks together
      > chunks
        thought "First, think."
        get_weather({"city":"Paris"}) -> "sunny"
        said "One and two.\nleft hand\nright foot\nIt is sunny."
    passed both-encodings/everything.test.yaml: understands every event
      > everything
        thought "The user wants everything.\nAll of it."
        get_weather({"city":"Paris"}) -> "sunny"
        get_map({"zoom":7}) -> [{"type":"text","text":"a map","id":"p1","metadata":{"lang":"en"}},{"type":"image","source":{"type":"url","value":"https://example.org/map.png","mimeType":"image/png"}},{"type":"audio","source":{"type":"data","value":"AAEC","mimeType":"audio/wav"},"id":"p3"},{"type":"video","source":{"type":"url","value":"https://example.org/map.mp4"}},{"type":"document","source":{"type":"file","value":"file-1","provider":"interop","mimeType":"text/plain"},"metadata":"any"}]
        said "Grüße aus \"Paris\" 🗼\n\nNothing there.\nThat was everything."
        state count=2, ratio=0.25, big=9007199254740991, negative=-3, cleared=null, copied="ü", list=["a","b",{"name":"c","extra":null}], deep={"empty":{},"none":[]}, a/b~c="ü", finished=false
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165}
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165,"reasoningTokens":5,"cachedInputTokens":100,"cacheWriteInputTokens":0}
        usage {"model":"script","inputTokens":3}
    passed both-encodings/pick-color.test.yaml: uses a tool of the client
      > Let me pick color.
        pick_color({"choices":["red","green"]}) -> "green"
        said "You picked green."
    passed both-encodings/two-cities.test.yaml: keeps open calls apart
      > Compare two cities.
        get_weather({"city":"Paris"}) -> {"city":"Paris","sky":"sunny"}
        get_weather({"city":"Oslo"}) -> {"city":"Oslo","sky":"sunny"}
        said "It is sunny in Paris and in Oslo."
    "#);
    let n_events: Vec<String> = turns(&sse)
        .filter(|turn| turn["user"] == "everything")
        .map(|turn| turn["n_events"].to_string())
        .collect();
    assert_eq!(n_events, ["49"]);

    let protobuf = run("protobuf");
    let (sse, protobuf) = (comparable(sse), comparable(protobuf));
    for (one, other) in sse.lines().zip(protobuf.lines()) {
        assert_eq!(one, other, "in\n{protobuf}");
    }
    assert_eq!(sse.lines().count(), protobuf.lines().count());
}

#[test]
fn the_thinking_events_of_old_are_understood() {
    if !has_node("interop with @ag-ui/encoder, events of 0.x") {
        return;
    }
    let server = Server::encoder();
    let url = format!("URL={}", server.url());
    assert_snapshot!(digest(&report("encoder", &["sse-only", "--var", &url])), @r#"
    passed sse-only/legacy.test.yaml: understands the old thinking events
      > legacy
        thought "Thinking the old way."
        said "Hello from the past."
        warning: THINKING_START carries a title, which AG-UI 1.0 has no place for
    "#);
}

fn turns(report: &Value) -> impl Iterator<Item = &Value> {
    let tests = report["results"].as_array().into_iter().flatten();
    tests.flat_map(|test| test["turns"].as_array().into_iter().flatten())
}

/// Returns the report without what two runs of one suite differ in: times, the target's name, ids (which are numbered), and
/// the order of members, which protobuf does not keep.
fn comparable(report: Value) -> String {
    let mut numbers = HashMap::new();
    format!("{:#}", without_differences(report, &mut numbers))
}

fn without_differences(value: Value, numbers: &mut HashMap<String, usize>) -> Value {
    match value {
        Value::Object(mut members) => {
            members.sort_keys();
            let kept = members.into_iter().filter(|(name, _)| !differs(name));
            kept.map(|(name, value)| (name, without_differences(value, numbers)))
                .collect()
        }
        Value::Array(items) => items
            .into_iter()
            .map(|item| without_differences(item, numbers))
            .collect(),
        Value::String(text) => numbered(&text, numbers).into(),
        other => other,
    }
}

fn differs(name: &str) -> bool {
    name.ends_with("_ms")
        || name.ends_with("_ts")
        || matches!(
            name,
            "timestamp" | "started_at" | "completed_at" | "agent_id" | "target" | "run_id"
        )
}

/// Replaces an id that a text begins with, as in `f81d4fae-7dec-11d0-a765-00a0c91e6bf6-call`.
fn numbered(text: &str, numbers: &mut HashMap<String, usize>) -> String {
    const LENGTH: usize = 36;
    match text.split_at_checked(LENGTH) {
        Some((id, rest)) if id.matches('-').count() == 4 && !id.contains(' ') => {
            let next = numbers.len() + 1;
            let number = numbers.entry(id.to_owned()).or_insert(next);
            format!("[ID {number}]{rest}")
        }
        _ => text.to_owned(),
    }
}
