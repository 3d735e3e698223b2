//! `ananke judge`: recordings judged again, with the tests as they are now.

use insta::assert_snapshot;
use serde_json::json;

use super::{document, shop};
use crate::project::Project;

#[test]
fn unchanged_tests_get_the_same_bytes_without_the_agent() {
    let project = shop();
    project.test_named(
        "fails",
        "turns:\n  - user: find a mug\n    assert: {tools: {forbid: [search]}}\n",
    );
    project.test_named(
        "errs",
        "turns:\n  - user: break\n    assert: {text: {must_match: x}}\n",
    );
    project.test_named(
        "expects-it",
        "turns:\n  - user: break\n    assert: {error: out of order}\n",
    );
    project.test_named(
        "is-skipped",
        "skip: not today\nturns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
    );
    let run = project.record(&["--json", "--parallel", "4"]);
    assert_eq!(run.code, Some(1), "{run}");
    let n_requests = project.agent.requests().len();
    let judged = project.command(&["judge", "latest", "--json"]);
    assert_eq!(judged.code, Some(1), "{judged}");
    assert_eq!(judged.stdout, run.stdout);
    let name = &project.runs()[0];
    for how in [
        name.as_str(),
        name.get(..15).unwrap(),
        &format!(".ananke/runs/{name}"),
        &format!(".ananke/runs/{name}/run.jsonl.zst"),
    ] {
        let again = project.command(&["judge", how, "--json"]);
        assert_eq!(again.stdout, run.stdout, "{how}");
    }
    assert_eq!(project.agent.requests().len(), n_requests);
}

#[test]
fn changed_demands_are_judged_on_what_was_recorded() {
    let project = shop();
    project.record(&["-q"]);
    project.test_named(
        "find",
        "turns:\n  - user: find a mug\n    assert:\n      tools:\n        require: [{name: search, args_match: {query: plate}}]\n",
    );
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest"])), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [find.test.yaml] find FAILED ([TIME])
      └─ turn 1 · tools.require search: expected at least 1 call of `search` with query matching /plate/, got 0 of 1 call
         closest call: event 1: search({"query":"mug"})
         query: "mug" does not match /plate/
         demanded at find.test.yaml:7:19 (turn level)
    ✓ [greet.test.yaml] greet ([TIME])

    Failures:
      ✗ [find.test.yaml] turn 1: tools.require search: expected at least 1 call of `search` with query matching /plate/, got 0 of 1 call

    Rerun: ananke run find.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    "#);
}

#[test]
fn a_changed_conversation_is_never_judged_by_the_old_one() {
    let project = shop();
    project.record(&["-q"]);
    project.test_named(
        "find",
        "turns:\n  - user: find a plate\n    assert: {text: {must_match: two mugs}}\n",
    );
    project.test_named(
        "greet",
        "turns:\n  - user: hi\n    assert: {text: {must_match: Hello}}\n  - user: hi again\n  - user: and once more\n",
    );
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest"])), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [find.test.yaml] find ERROR ([TIME])
      └─ turn 1 is not the recorded one
         │ turn 1 now:      user "find a plate"
         │ turn 1 recorded: user "find a mug"
         │ run the test against the agent to record it
    ✗ [greet.test.yaml] greet ERROR ([TIME])
      └─ turn 3 was not recorded
         │ turn 3 now: user "and once more"
         │ the recorded test had 2 turns
         │ run the test against the agent to record it

    Failures:
      ✗ [find.test.yaml] turn 1 is not the recorded one
      ✗ [greet.test.yaml] turn 3 was not recorded

    Rerun: ananke run find.test.yaml greet.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  0
      Failed:  2 (2 errors)
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    "#);
}

#[test]
fn hooks_are_not_run_and_their_values_are_those_of_the_recording() {
    let project = Project::ok();
    project.cx.write(
        "hook.sh",
        "echo called >> calls; echo '{\"WORD\": \"ok\"}'\n",
    );
    project.test("hooks: [{cmd: [sh, hook.sh]}]\nturns:\n  - user: \"say ${WORD} to ${WHO} at ${ENV.PLACE}\"\n    assert: {text: {must_match: \"^${WORD}$\"}}\n");
    let run = project
        .cx
        .bundled(&["run", "--json", "--var", "WHO=ada"])
        .env("PLACE", "home")
        .run();
    assert_eq!(run.code, Some(0), "{run}");
    let judged = project.command(&["judge", "latest", "--json"]);
    assert_eq!(judged.stdout, run.stdout, "{judged}");
    assert_eq!(project.cx.read("calls"), "called\n");
    // A value that is given now wins; the conversation is then another one.
    let other = project.command(&["judge", "latest", "--json", "--var", "WHO=bob"]);
    let other = document(&other);
    assert_eq!(other["results"][0]["status"], "error");
    assert_snapshot!(other["results"][0]["error"], @r#""turn 1 is not the recorded one""#);
}

#[test]
fn a_bundle_can_be_judged_where_its_project_is_not() {
    let project = shop();
    let run = project.record(&["--json"]);
    let elsewhere = shop();
    let from = project
        .cx
        .dir()
        .join(".ananke/runs")
        .join(&project.runs()[0]);
    let to = elsewhere.cx.dir().join("from-ci");
    std::fs::rename(from, to).unwrap();
    std::fs::remove_file(elsewhere.cx.dir().join("ananke.config.yaml")).unwrap();
    std::fs::remove_file(elsewhere.cx.dir().join("find.test.yaml")).unwrap();
    let judged = elsewhere.command(&["judge", "from-ci", "--as-recorded", "--json"]);
    assert_eq!(judged.code, Some(0), "{judged}");
    let (run, judged) = (document(&run), document(&judged));
    assert_eq!(judged["results"], run["results"]);
}

#[test]
fn tests_that_are_gone_are_named_and_tests_without_a_recording_err() {
    let project = shop();
    project.record(&["-q"]);
    std::fs::remove_file(project.cx.dir().join("find.test.yaml")).unwrap();
    project.test_named(
        "new",
        "turns: [{user: hi, assert: {text: {must_match: Hello}}}]\n",
    );
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest", "-q"])), @"
    exit code: 0
    --- stdout

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    warning: recorded, but no longer there:
      | find.test.yaml
    warning: not recorded, and so not judged:
      | new.test.yaml
    ");
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest", "-q", "new.test.yaml"])), @"
    exit code: 1
    --- stdout
    ✗ [new.test.yaml] new ERROR ([TIME])
      └─ no recording of this test
         │ run the test against the agent to record it

    Failures:
      ✗ [new.test.yaml] no recording of this test

    Rerun: ananke run new.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 error)
      Time:    [TIME]
      Bundle:  .ananke/runs/[RUN]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    std::fs::remove_file(project.cx.dir().join("greet.test.yaml")).unwrap();
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest"])), @"
    exit code: 4
    --- stdout
    --- stderr
    warning: recorded, but no longer there:
      | find.test.yaml
      | greet.test.yaml
    warning: not recorded, and so not judged:
      | new.test.yaml
    error: none of the recorded tests is among the tests of this project
    hint: `--as-recorded` takes the tests out of the bundle
    ");
}

#[test]
fn clocks_come_from_the_recording() {
    let project = Project::replies(json!([{"delay_ms": 120}, {"text": "ok"}]));
    project.test("turns:\n  - user: hi\n    assert: {timing: {max_duration_ms: 5000}}\n");
    project.record(&["-q"]);
    project.test("turns:\n  - user: hi\n    assert: {timing: {max_duration_ms: 100}}\n");
    let judged = project.command(&["judge", "latest", "--json"]);
    let judged = document(&judged);
    assert_eq!(judged["results"][0]["status"], "failed", "{judged}");
    assert!(judged["results"][0]["duration_ms"].as_f64() >= Some(120.0));
}

#[test]
fn what_was_said_on_the_command_line_is_remembered() {
    let project = Project::new(json!({"rules": [
        {"when": {"user_contains": "moody"}, "times": 1, "reply": [{"text": "no"}]},
        {"reply": [{"text": "ok"}]},
    ]}));
    let url = project.agent.url();
    project.cx.write(
        "ananke.config.yaml",
        &format!("version: 1\ntargets:\n  a: {{type: agui, endpoint: \"{url}\"}}\n  b: {{type: agui, endpoint: \"{url}\", state: {{x: 1}}}}\n"),
    );
    project.test_named(
        "moody",
        "turns: [{user: moody, assert: {text: {must_match: ok}}}]\n",
    );
    project.test_named("unchecked", "turns: [{user: hi}]\n");
    let run = project.record(&[
        "--json",
        "--target",
        "b",
        "--allow-unchecked",
        "--retries",
        "2",
        "--flaky-result",
        "fail",
    ]);
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(document(&run)["summary"]["unchecked"], 1, "{run}");
    let judged = project.command(&["judge", "latest", "--json"]);
    assert_eq!(
        (judged.code, &judged.stdout),
        (run.code, &run.stdout),
        "{judged}"
    );
    for again in [
        project.command(&["judge", "latest", "--as-recorded", "--json"]),
        project.record(&["--replay", "latest", "--json"]),
    ] {
        assert_eq!(again.code, Some(1), "{again}");
        assert_eq!(document(&again)["summary"], document(&run)["summary"]);
    }
    // What is said now wins.
    let judged = project.command(&["judge", "latest", "-q", "--flaky-result", "pass"]);
    assert_eq!(judged.code, Some(0), "{judged}");
    let judged = project.command(&["judge", "latest", "-q", "--target", "a"]);
    assert!(
        judged.stdout.contains("turn 1 now:      no state/x"),
        "{judged}"
    );
    project.cx.write(
        "ananke.config.yaml",
        &format!("version: 1\ntargets: {{a: {{type: agui, endpoint: \"{url}\"}}}}\n"),
    );
    assert_snapshot!(project.cx.show(&project.command(&["judge", "latest"])), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --target: unknown target `b`
    hint: the config has `a`

    error: 1 error
    warning: the recorded run had `--target b`, which is used unless `--target` names another
    ");
}

#[test]
fn a_changed_request_is_never_judged_by_the_old_one() {
    let project = Project::ok().target("state: {cart: {n: 1}}\nforwardedProps: {key: \"${ENV.KEY}\", model: a}\nheaders: {authorization: \"Bearer ${ENV.KEY}\"}\n");
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let record = project
        .cx
        .bundled(&["run", "-q"])
        .env("KEY", "sk-live-12345678");
    assert_eq!(record.run().code, Some(0));
    // Secrets are not in the bundle, and so nobody can tell that they changed.
    for key in ["sk-live-12345678", "sk-live-another-one"] {
        let judged = project
            .cx
            .bundled(&["judge", "latest", "-q"])
            .env("KEY", key);
        assert_eq!(judged.run().code, Some(0));
    }
    let project =
        project.target("state: {cart: {n: 2}}\nforwardedProps: {key: \"${ENV.KEY}\", model: a}\n");
    assert_snapshot!(project.verdicts(&project.command(&["judge", "latest"])), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1 is not the recorded one
         │ turn 1 now:      state/cart/n: 2
         │ turn 1 recorded: state/cart/n: 1
         │ run the test against the agent to record it
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    ");
    assert_snapshot!(project.verdicts(&project.record(&["--replay", "latest"])), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ no recording of this conversation
         │ nearest recording: t.test.yaml (t)
         │ turn 1 now:      state/cart/n: 2
         │ turn 1 recorded: state/cart/n: 1
         │ run the test against the agent to record it
    --- stderr
    judging .ananke/runs/[RUN]; no agent is called
    ");
    // A secret that is new is not shown either.
    let project = project.target("state: {cart: {n: 1}}\nforwardedProps: {key: \"${ENV.KEY}\", model: \"${ENV.NEW}\"}\nheaders: {authorization: \"Bearer ${ENV.NEW}\"}\n");
    let judged = project
        .cx
        .bundled(&["judge", "latest", "--json"])
        .env("NEW", "sk-new-12345678")
        .run();
    assert!(!judged.stdout.contains("sk-new-12345678"), "{judged}");
}

#[test]
fn the_config_of_a_recorded_run_may_have_any_name() {
    let project = shop();
    let dir = project.cx.dir();
    std::fs::rename(dir.join("ananke.config.yaml"), dir.join("stage.yaml")).unwrap();
    let run = project.record(&["--config", "stage.yaml", "--json"]);
    assert_eq!(run.code, Some(0), "{run}");
    std::fs::remove_file(dir.join("stage.yaml")).unwrap();
    let judged = project.command(&["judge", "latest", "--as-recorded", "--json"]);
    assert_eq!(judged.code, Some(0), "{judged}");
}

#[test]
fn where_there_is_no_project_the_next_step_is_told() {
    let project = shop();
    project.record(&["-q"]);
    let bundle = project
        .cx
        .dir()
        .join(".ananke/runs")
        .join(&project.runs()[0]);
    let elsewhere = crate::project::Project::ok();
    std::fs::rename(bundle, elsewhere.cx.dir().join("from-ci")).unwrap();
    assert_snapshot!(elsewhere.cx.show(&elsewhere.command(&["judge", "from-ci"])), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test found in the project
    hint: `--as-recorded` takes the tests out of the bundle
    ");
}

#[test]
fn a_part_is_called_what_it_is() {
    let project = shop();
    project.record(&["-q"]);
    let judged = project.command(&["judge", "latest", "greet.test.yaml"]);
    assert!(
        judged.stdout.contains("Input: greet.test.yaml (1 test)"),
        "{judged}"
    );
}
