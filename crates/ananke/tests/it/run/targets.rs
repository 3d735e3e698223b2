//! Which agent: `targets`, `--target`, a test's own `target`, and limits on time.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use super::{expects, one_turn, rows};
use crate::ANANKE;

/// Returns a project with two named targets.
fn two_targets() -> (TestContext, ScriptedAgent, ScriptedAgent) {
    let cx = TestContext::new(ANANKE);
    let (local, staging) = (
        ScriptedAgent::says("local here"),
        ScriptedAgent::says("staging here"),
    );
    let (one, two) = (local.url(), staging.url());
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: 1\ntargets:\n  local: {{type: agui, endpoint: '{one}'}}\n  staging: {{type: agui, endpoint: '{two}'}}\n"
        ),
    );
    (cx, local, staging)
}

#[test]
fn target_picks_one_of_several() {
    let (cx, local, staging) = two_targets();
    cx.write("a.test.yaml", &expects("a", "staging"));
    assert_snapshot!(cx.ananke(&["run", "--target", "staging"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: staging
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [a.test.yaml] a ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let twin = cx.command(&["run"]).env("ANANKE_TARGET", "staging");
    assert_eq!(twin.run().code, Some(0));
    assert_eq!((local.requests().len(), staging.requests().len()), (0, 2));
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the config has several targets and none was picked
    hint: pick one with `--target`, or with `target: <name>` in the test: `local`, `staging`

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["run", "--target", "stagin"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --target: unknown target `stagin`
    hint: did you mean `staging`?

    error: 1 error
    ");
}

#[test]
fn a_test_names_its_own_target() {
    let (cx, local, staging) = two_targets();
    let a = format!("{}target: local\n", expects("a", "local"));
    let b = format!("{}target: staging\n", expects("b", "staging"));
    cx.write("a.test.yaml", &a);
    cx.write("b.test.yaml", &b);
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: local, staging
    ℹ Input: the project (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [a.test.yaml] a ([TIME])
    ✓ [b.test.yaml] b ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  2
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert_eq!((local.requests().len(), staging.requests().len()), (1, 1));
}

#[test]
fn a_test_overrides_headers_state_and_endpoint() {
    let cx = TestContext::new(ANANKE);
    let (usual, other) = (ScriptedAgent::says("usual"), ScriptedAgent::says("other"));
    let url = usual.url();
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: 1\ntarget:\n  type: agui\n  endpoint: '{url}'\n  headers: {{X-Client: web, X-Kept: 1}}\n  state: {{cart: []}}\n"
        ),
    );
    let over = "target:\n  headers: {x-client: mobile}\n  state: {cart: [mug]}\n";
    cx.write("a.test.yaml", &format!("{}{over}", expects("a", "usual")));
    let elsewhere = format!("target: {{endpoint: '{}'}}\n", other.url());
    cx.write(
        "b.test.yaml",
        &format!("{}{elsewhere}", expects("b", "other")),
    );
    let output = cx.run(&["run"]);
    assert_eq!(output.code, Some(0), "{output}");
    let shown = |agent: &ScriptedAgent| {
        let request = &agent.received()[0];
        let header = |name: &str| {
            let found = request.headers.iter().filter(|(key, _)| key == name);
            found
                .map(|(_, value)| value.as_str())
                .collect::<Vec<_>>()
                .join(" and ")
        };
        format!(
            "x-client: {}, x-kept: {}, state: {}",
            header("x-client"),
            header("x-kept"),
            request.body["state"]
        )
    };
    assert_snapshot!(shown(&usual), @r#"x-client: mobile, x-kept: 1, state: {"cart":["mug"]}"#);
    assert_snapshot!(shown(&other), @r#"x-client: web, x-kept: 1, state: {"cart":[]}"#);
}

#[test]
fn timeout_ms_is_set_for_a_target_a_test_or_a_turn() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"reply": [{"text": "so far"}, "stall"]},
    ]}));
    cx.config_for(&agent);
    let check = "assert: {text: {must_match: so far}}\n";
    cx.write(
        "test.test.yaml",
        &one_turn("of the test", "x", &format!("timeout_ms: 150\n{check}")),
    );
    cx.write(
        "turn.test.yaml",
        &one_turn(
            "of the turn",
            "x",
            &format!("    timeout_ms: 160\ntimeout_ms: 60000\n{check}"),
        ),
    );
    cx.write(
        "config.test.yaml",
        &one_turn(
            "of the target",
            "x",
            &format!("target: {{timeout_ms: 170}}\n{check}"),
        ),
    );
    let output = cx.run(&["run", "--parallel", "3", "-q"]);
    assert_snapshot!(cx.show(&output), @"
    exit code: 1
    --- stdout
    ✗ [config.test.yaml] of the target TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 5 events came before
         captured in turn 1: 5 events, no tool call, text:
         │ so far
    ✗ [test.test.yaml] of the test TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 5 events came before
         captured in turn 1: 5 events, no tool call, text:
         │ so far
    ✗ [turn.test.yaml] of the turn TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 5 events came before
         captured in turn 1: 5 events, no tool call, text:
         │ so far

    Failures:
      ✗ [config.test.yaml] turn 1: timeout after [TIME] (timeout_ms): 5 events came before
      ✗ [test.test.yaml] turn 1: timeout after [TIME] (timeout_ms): 5 events came before
      ✗ [turn.test.yaml] turn 1: timeout after [TIME] (timeout_ms): 5 events came before

    Rerun: ananke run config.test.yaml test.test.yaml turn.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   3 tests
      Passed:  0
      Failed:  3 (3 timeouts)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    for limit in ["after 150ms", "after 160ms", "after 170ms"] {
        assert!(output.stdout.contains(limit), "{output}");
    }
    assert!(output.elapsed.as_secs() < 5, "{output}");
}

#[test]
fn timeout_limits_the_whole_test() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"turn": 1}, "reply": [{"delay_ms": 60}, {"text": "first"}]},
        {"reply": ["stall"]},
    ]}));
    cx.config_for(&agent);
    let more = "  - user: two\nassert: {text: {must_match: first}}\n";
    cx.write("a.test.yaml", &one_turn("a", "one", more));
    let output = cx.run(&["run", "--timeout", "200ms"]);
    assert_snapshot!(cx.show(&output), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [a.test.yaml] a TIMEOUT ([TIME])
      └─ turn 2: timeout after [TIME] for the whole test (--timeout)
         captured in turn 2: 1 event, no tool call, no text

    Failures:
      ✗ [a.test.yaml] turn 2: timeout after [TIME] for the whole test (--timeout)

    Rerun: ananke run --timeout [TIME] a.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 timeout)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert!(output.elapsed.as_secs() < 5, "{output}");
    let twin = cx.command(&["run"]).env("ANANKE_TIMEOUT", "0.2s").run();
    assert_snapshot!(rows(&cx.show(&twin)), @"✗ [a.test.yaml] a TIMEOUT ([TIME])");
}

#[test]
fn the_header_shows_the_agent_without_its_secrets() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("hi");
    let host = agent.url().trim_start_matches("http://").to_owned();
    cx.write(
        "ananke.config.yaml",
        "version: 1\ntarget: {type: agui, endpoint: 'http://me:${ENV.PASSWORD}@${HOST}agent?key=${ENV.PASSWORD}'}\n",
    );
    cx.write("a.test.yaml", &expects("a", "bye"));
    let run = cx
        .command(&["run", "-vv", "--var", &format!("HOST={host}")])
        .env("PASSWORD", "hunter2");
    let output = run.run();
    assert!(!output.to_string().contains("hunter2"), "{output}");
    assert_snapshot!(cx.show(&output).lines().find(|line| line.contains("Agent:")).unwrap(), @"ℹ Agent: http://[HOST]/agent");
    let json = cx
        .command(&["run", "--json", "--var", &format!("HOST={host}")])
        .env("PASSWORD", "hunter2");
    let json = json.run();
    assert!(!json.to_string().contains("hunter2"), "{json}");
    drop(agent);
    let gone = cx
        .command(&["run", "--var", &format!("HOST={host}")])
        .env("PASSWORD", "hunter2");
    let gone = gone.run();
    assert_eq!(gone.code, Some(3), "{gone}");
    assert!(!gone.to_string().contains("hunter2"), "{gone}");
}
