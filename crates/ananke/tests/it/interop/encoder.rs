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
    assert_snapshot!(digest(&sse), @"");
    let n_events: Vec<String> = turns(&sse)
        .filter(|turn| turn["user"] == "everything")
        .map(|turn| turn["n_events"].to_string())
        .collect();
    assert_eq!(n_events, ["49"]);

    let protobuf = run("protobuf");
    assert_eq!(
        format!("{:#}", comparable(sse)),
        format!("{:#}", comparable(protobuf))
    );
}

#[test]
fn the_thinking_events_of_old_are_understood() {
    if !has_node("interop with @ag-ui/encoder, events of 0.x") {
        return;
    }
    let server = Server::encoder();
    let url = format!("URL={}", server.url());
    assert_snapshot!(digest(&report("encoder", &["sse-only", "--var", &url])), @"");
}

fn turns(report: &Value) -> impl Iterator<Item = &Value> {
    let tests = report["results"].as_array().into_iter().flatten();
    tests.flat_map(|test| test["turns"].as_array().into_iter().flatten())
}

/// Leaves out what two runs of one suite differ in: times, the target's name, and ids, which are numbered.
fn comparable(report: Value) -> Value {
    let mut numbers = HashMap::new();
    without_differences(report, &mut numbers)
}

fn without_differences(value: Value, numbers: &mut HashMap<String, usize>) -> Value {
    match value {
        Value::Object(members) => {
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
            "timestamp" | "started_at" | "completed_at" | "agent_id"
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
