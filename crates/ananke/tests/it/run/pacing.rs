//! Being gentle: rate limits, groups, and agents that say that they are busy.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::order::counting_server;
use crate::project::Project;

#[test]
fn a_rate_limit_spreads_requests_evenly() {
    let project = Project::ok();
    for number in 0..5 {
        project.test_named(
            &format!("t{number}"),
            "turns: [{user: hi, assert: {text: {must_match: ok}}}]\n",
        );
    }
    let started = Instant::now();
    let output = project
        .cx
        .run(&["run", "-q", "--parallel", "5", "--rate-limit", "20/s"]);
    assert_eq!(output.code, Some(0), "{output}");
    // Five requests, 50 ms apart: the fifth comes after 200 ms.
    assert!(started.elapsed() >= Duration::from_millis(200));
    for wrong in ["60", "0/s", "x/m", "5/d"] {
        let output = project.cx.run(&["run", "--rate-limit", wrong]);
        assert_eq!(output.code, Some(2), "{output}");
    }
}

#[test]
fn a_busy_agent_fails_the_test_and_the_way_out_is_told() {
    let project = Project::replies(json!([
        {"http": {"status": 429, "headers": {"Retry-After": "2"}, "body": "busy"}}
    ]));
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let output = project.cx.run(&["run", "--json"]);
    assert_eq!(output.code, Some(1), "{output}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_snapshot!(report["results"][0]["error"], @r#""turn 1: HTTP 429 Too Many Requests: busy""#);
    assert_snapshot!(report["results"][0]["error_details"], @r#"["the agent asked to wait 2s: --backoff 30s waits and sends again"]"#);
}

#[test]
fn with_a_backoff_the_turn_is_sent_again() {
    let project = Project::new(json!({"rules": [
        {"times": 1, "reply": [{"http": {"status": 429, "body": "busy"}}]},
        {"reply": [{"text": "ok"}]},
    ]}));
    project.test(
        "turns: [{user: hi, assert: {text: {must_match: ok}, timing: {max_duration_ms: 400}}}]\n",
    );
    let output = project.cx.run(&["run", "--json", "--backoff", "10s"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(project.agent.requests().len(), 2);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let result = &report["results"][0];
    // Waiting is neither the agent's time nor another message.
    assert_eq!(result["turns"].as_array().map(Vec::len), Some(1));
    let messages = project.agent.requests()[1]["messages"]
        .as_array()
        .map(Vec::len);
    assert_eq!(messages, Some(1));
    assert!(
        result["turns"][0]["warnings"][0]
            .as_str()
            .unwrap()
            .contains("busy"),
        "{result}"
    );
}

#[test]
fn the_limit_of_a_target_holds_whatever_parallel_says() {
    let (server, most) = counting_server();
    let project = Project::ok();
    let config = format!(
        "version: \"1.0\"\ntarget: {{type: agui, endpoint: \"{}\", concurrency: 2}}\n",
        server.url()
    );
    project.cx.write("ananke.config.yaml", &config);
    for number in 0..8 {
        project.test_named(
            &format!("t{number}"),
            "turns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
        );
    }
    let output = project.cx.run(&["run", "-q", "--parallel", "8"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(most.load(Ordering::SeqCst), 2);
}
