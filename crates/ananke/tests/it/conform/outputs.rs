//! Reports in files, baselines, severities.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;

/// An agent whose runs carry another thread's id.
fn lost() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [{"bare": true, "reply": [
        {"event": {"type": "RUN_STARTED", "threadId": "elsewhere", "runId": "$runId", "protocolVersion": "1.0"}},
        {"text": "Hello!"},
        {"event": {"type": "RUN_FINISHED", "threadId": "elsewhere", "runId": "$runId"}},
    ]}]}))
}

const HELLO: [&str; 2] = ["--scenario", "hello"];

#[test]
fn reports_are_written_in_every_format() {
    let cx = TestContext::new(ANANKE);
    let agent = lost();
    let files = ["r.json", "r.xml", "r.sarif", "r.md"];
    let mut args = vec!["conform", agent.url()];
    args.extend(HELLO);
    args.extend(files.iter().flat_map(|file| ["-o", file]));
    let output = cx.run(&args);
    assert_eq!(output.code, Some(1), "{output}");
    for file in files {
        assert!(cx.read(file).contains("sequence.thread-id"), "{file}");
    }
    let sarif: Value = serde_json::from_str(&cx.read("r.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
}

#[test]
fn a_rule_can_be_switched() {
    let cx = TestContext::new(ANANKE);
    let agent = lost();
    let code = |severity: &str| {
        let rule = format!("sequence.thread-id={severity}");
        let mut args = vec!["conform", agent.url(), "--rule", &rule];
        args.extend(HELLO);
        cx.run(&args).code
    };
    assert_eq!(code("error"), Some(1));
    assert_eq!(code("warn"), Some(0));
    assert_eq!(code("off"), Some(0));
}

#[test]
fn known_failures_pass_until_they_are_mended() {
    let cx = TestContext::new(ANANKE);
    let agent = lost();
    let mut args = vec!["conform", agent.url(), "--write-baseline", "known.yaml"];
    args.extend(HELLO);
    assert_eq!(cx.run(&args).code, Some(1));
    assert_snapshot!(cx.read("known.yaml"), @r#"
    # Failures that are known. Remove an entry when it passes.
    version: "1.0"
    known:
      - rule: sequence.thread-id
        scenario: hello
    "#);
    let mut args = vec!["conform", agent.url(), "--baseline", "known.yaml"];
    args.extend(HELLO);
    let known = cx.run(&args);
    assert_eq!(known.code, Some(0), "{known}");
    let mended = ScriptedAgent::says("Hello!");
    args[1] = mended.url();
    assert_snapshot!(cx.ananke(&args), @"
    exit code: 1
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 1 request, [TIME]

    Scenarios
      [pass] hello           the agent answered in words; the run ended with success
      [off ] multi-turn      switched off
      [off ] backend-tool    switched off
      [off ] parallel-tools  switched off
      [off ] failing-tool    switched off
      [off ] frontend-tool   switched off
      [off ] interrupt       switched off
      [off ] state           switched off
      [off ] abort           switched off
      [off ] error           switched off
      [off ] probes          switched off

    89 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [pass] @ag-ui/client 0.0.59  reads everything
      [pass] @ag-ui/client 1.0.0   reads everything

    Baseline
      0 entries fail as they say
      [fail] known.yaml:4: `sequence.thread-id` in `hello` passes now; remove the entry

    119 rules: 30 passed, 89 inconclusive
    FAILED: 1 entry of the baseline is out of date
    --- stderr
    ");
}

#[test]
fn mistakes_in_a_baseline_are_shown_at_their_place() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "known.yaml",
        "version: \"1.0\"\nknown:\n  - rule: sequence.thread\n  - scenario: hello\n",
    );
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1/", "--baseline", "known.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unknown rule `sequence.thread`
     --> known.yaml:3:11
      |
    3 |   - rule: sequence.thread
      |           ^^^^^^^^^^^^^^^
    hint: did you mean `sequence.thread-id`?

    error: `rule` is missing in a known failure
     --> known.yaml:4:5
      |
    4 |   - scenario: hello
      |     ^^^^^^^^^^^^^^^
    hint: write `rule: shape.null`

    error: 2 errors in 1 file
    ");
}

#[test]
fn tokens_are_never_shown() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [{"bare": true, "reply": [
        {"event": {"type": "RUN_STARTED", "threadId": "very-secret-token", "runId": "$runId"}},
        {"error": {"message": "very-secret-token"}},
    ]}]}));
    let output = cx.run(&[
        "conform",
        agent.url(),
        "--bearer",
        "very-secret-token",
        "-o",
        "r.json",
        "-v",
    ]);
    assert!(
        !output.to_string().contains("very-secret-token"),
        "{output}"
    );
    assert!(!cx.read("r.json").contains("very-secret-token"));
}

#[test]
fn what_was_left_out_is_not_stale() {
    let cx = TestContext::new(ANANKE);
    let agent = lost();
    cx.write(
        "known.yaml",
        "known:\n  - rule: sequence.thread-id\n  - {rule: sequence.open-at-finish, scenario: state}\n",
    );
    let mut args = vec!["conform", agent.url(), "--baseline", "known.yaml", "--json"];
    args.extend(HELLO);
    let output = cx.run(&args);
    assert_eq!(output.code, Some(0), "{output}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["baseline"]["n_matched"], 1);
    assert_eq!(report["baseline"]["unseen"][0]["scenario"], "state");
}
