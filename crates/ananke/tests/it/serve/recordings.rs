//! Agents that answer from a bundle: the same verdicts as live, and what cannot be told apart.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use super::{beside_faces, serve, test, verdicts};
use crate::ANANKE;

/// Tests that pass, fail, err, use client tools, interrupts and several turns.
fn recorded_project(cx: &TestContext) {
    cx.write("tests/approve.test.yaml", "version: 1\nname: approve\nturns:\n  - user: Pay\n  - {type: 'agui:resume', payload: {approved: true}}\nassert: {text: {must_match: Paid}}\n");
    cx.write("tests/client-tool.test.yaml", "version: 1\nname: client tool\nturns: [{user: Where am I?}]\ntarget: {tools: [{name: locate, description: d, result: Rome}]}\nassert: {text: {must_match: In Rome}}\n");
    cx.write(
        "tests/cut.test.yaml",
        &test("cut", "{text: {must_match: Half}}"),
    );
    cx.write(
        "tests/break.test.yaml",
        &test("break", "{text: {must_match: Half}}"),
    );
    cx.write(
        "tests/busy.test.yaml",
        &test("busy", "{text: {must_match: x}}"),
    );
    cx.write(
        "tests/fails.test.yaml",
        &test("Hello", "{text: {must_match: Goodbye}}"),
    );
    cx.write(
        "tests/refused.test.yaml",
        &test("refuse", "{text: {must_match: x}}"),
    );
    cx.write("tests/two-turns.test.yaml", "version: 1\nname: two turns\nturns:\n  - {user: Hello, assert: {text: {must_match: Good day}}}\n  - {user: Hello, assert: {text: {must_match: Again}}}\n");
}

fn recorded_agent() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [
        {"when": {"has_resume": true}, "reply": [{"text": "Paid"}]},
        {"when": {"user_contains": "Pay"}, "reply": [{"tool": {"name": "charge"}}, {"interrupt": {"reason": "approval", "tool": "charge"}}]},
        {"when": {"has_tool_result": true}, "reply": [{"text": "In Rome"}]},
        {"when": {"user_contains": "Where"}, "reply": [{"tool": {"name": "locate"}}]},
        {"when": {"user_contains": "cut"}, "reply": [{"text": "Half"}, "truncate"]},
        {"when": {"user_contains": "break"}, "reply": [{"text": "Half"}, "reset"]},
        {"when": {"user_contains": "busy"}, "reply": [{"http": {"status": 429, "headers": {"Retry-After": "2"}, "body": {"error": "busy"}}}]},
        {"when": {"user_contains": "refuse"}, "reply": [{"http": {"status": 503, "body": {"error": "closed"}}}]},
        {"when": {"user_equals": "Hello", "turn": 2}, "reply": [{"text": "Again"}]},
        {"reply": [{"delay_ms": 30}, {"text": "Good day"}]},
    ]}))
}

#[test]
fn a_recording_gives_the_same_verdicts() {
    for envelope in [
        "",
        ", envelope: copilotkit, agentId: a",
        ", envelope: copilotkit-rest, agentId: a",
        ", history: last, era: '0.x'",
    ] {
        let cx = TestContext::new(ANANKE);
        recorded_project(&cx);
        cx.write(
            "ananke.config.yaml",
            &format!("version: 1\ntarget: {{type: agui, endpoint: \"${{URL}}\"{envelope}}}\n"),
        );
        let agent = recorded_agent();
        let live = verdicts(&cx, &["run", "--var", &format!("URL={}", agent.url())]);
        drop(agent);
        let (running, url) = serve(&cx, &["latest"]);
        let again = verdicts(
            &cx,
            &["run", "--var", &format!("URL={url}"), "--parallel", "3"],
        );
        assert_eq!(live, again, "{envelope}");
        // The scripted agent knows the second turn by the history, which one of the clients does not send.
        let n_passed = if envelope.contains("last") { 2 } else { 3 };
        assert_eq!(live.matches('✓').count(), n_passed, "{live}");
        assert_eq!(
            beside_faces(&running.stderr_so_far()),
            "11 requests of 8 tests recorded\n"
        );
    }
}

#[test]
fn what_was_not_recorded_is_refused_with_the_nearest() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Good day");
    cx.config_for(&agent);
    cx.write(
        "hello.test.yaml",
        &test("Hello my friend", "{text: {must_match: day}}"),
    );
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    let (_running, url) = serve(&cx, &["latest", "-q"]);
    cx.config(&url);
    cx.write(
        "hello.test.yaml",
        &test("Goodbye my friend", "{text: {must_match: day}}"),
    );
    assert_snapshot!(verdicts(&cx, &["run", "--no-bundle"]), @r#"
    exit code: 1
    ✗ [hello.test.yaml] Goodbye my friend ERROR ([TIME])
    └─ turn 1: HTTP 404 Not Found: {"error":"no recording answers `Goodbye my friend` (turn 1); the nearest recorded message is `Hello my friend` (hello.test.yaml)","nearest":"Hello my friend"}
    ✗ [hello.test.yaml] turn 1: HTTP 404 Not Found: {"error":"no recording answers `Goodbye my friend` (turn 1); the nearest recorded message is `Hello my friend` (hello.test.yaml)","nearest":"Hello my friend"}
    "#);
}

#[test]
fn a_fast_answer_stays_fast() {
    let cx = TestContext::new(ANANKE);
    // With a timer for each of its words it would take longer than the test allows.
    let words = "word ".repeat(4000);
    let agent = ScriptedAgent::says(&words);
    cx.write(
        "ananke.config.yaml",
        "version: 1\ntarget: {type: agui, endpoint: \"${URL}\"}\n",
    );
    let content = test("Hello", "{text: {must_match: word}}");
    cx.write("a.test.yaml", &content.replace("1000", "4000"));
    let live = cx
        .bundled(&["run", "--var", &format!("URL={}", agent.url())])
        .run();
    assert_eq!(live.code, Some(0), "{live}");
    drop(agent);
    let (_running, url) = serve(&cx, &["latest"]);
    let again = cx.run(&["run", "--no-bundle", "--var", &format!("URL={url}")]);
    assert_eq!(again.code, Some(0), "{again}");
}

#[test]
fn targets_are_told_apart_by_the_path() {
    let cx = TestContext::new(ANANKE);
    let agents = [ScriptedAgent::says("red"), ScriptedAgent::says("green")];
    let config = |urls: [String; 2]| {
        let [red, green] = urls;
        cx.write("ananke.config.yaml", &format!("version: 1\ntargets:\n  red: {{type: agui, endpoint: \"{red}\"}}\n  green: {{type: agui, endpoint: \"{green}\"}}\n"));
    };
    for color in ["red", "green"] {
        let assert = format!("{{text: {{must_match: {color}}}}}\ntarget: {color}");
        let content = test("Hello", &assert).replace("name: Hello", &format!("name: {color}"));
        cx.write(&format!("{color}.test.yaml"), &content);
    }
    config([agents[0].url().to_owned(), agents[1].url().to_owned()]);
    let live = verdicts(&cx, &["run"]);
    let (running, url) = serve(&cx, &["latest"]);
    assert_snapshot!(beside_faces(&running.stderr_so_far()), @"
    2 requests of 2 tests recorded
    warning: 1 conversation has several recordings that differ: they take turns
      | `Hello` in green.test.yaml, red.test.yaml
      | a request whose path holds the name of a target gets the recordings of that target
    ");
    config([format!("{url}red"), format!("{url}green")]);
    for _ in 0..2 {
        assert_eq!(verdicts(&cx, &["run"]), live);
    }
}

#[test]
fn a_flaky_test_is_served_as_it_passed() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"times": 1, "reply": [{"text": "sorry"}]},
        {"reply": [{"text": "done"}]},
    ]}));
    cx.write(
        "ananke.config.yaml",
        "version: 1\ntarget: {type: agui, endpoint: \"${URL}\"}\n",
    );
    cx.write("a.test.yaml", &test("Hello", "{text: {must_match: done}}"));
    let live = cx
        .bundled(&[
            "run",
            "--retries",
            "1",
            "--var",
            &format!("URL={}", agent.url()),
        ])
        .run();
    assert_eq!(live.code, Some(0), "{live}");
    let (running, url) = serve(&cx, &["latest"]);
    assert_snapshot!(beside_faces(&running.stderr_so_far()), @"1 request of 1 test recorded");
    for _ in 0..2 {
        let again = cx.run(&["run", "--no-bundle", "--var", &format!("URL={url}")]);
        assert_eq!(again.code, Some(0), "{again}");
    }
}
