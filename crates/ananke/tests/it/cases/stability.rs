//! `--runs` and `--min-pass-rate`.

use std::collections::BTreeSet;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::inputs::CASE;
use crate::project::Project;

/// An agent whose answers come one after another, and then the last for ever.
fn answers(texts: &[&str]) -> Project {
    let n = texts.len();
    let rules: Vec<Value> = (1..)
        .zip(texts)
        .map(|(number, text)| {
            let mut rule = json!({"reply": [{"tool": {"name": if *text == "ok" { "look" } else { "guess" }, "args": {}, "result": "fine"}}, {"text": text}]});
            if number < n {
                rule["times"] = json!(1);
            }
            rule
        })
        .collect();
    Project::new(json!({"rules": rules}))
}

fn report(project: &Project, args: &[&str]) -> (Option<i32>, Value) {
    let output = project.output(&[&["tests/a.jsonl", "--json"], args].concat());
    let report = serde_json::from_str(&output.stdout);
    (
        output.code,
        report.unwrap_or_else(|error| panic!("{error}\n{output}")),
    )
}

/// Returns these members of a row, durations left out.
fn members(row: &Value, names: &[&str]) -> String {
    let lines = names.iter().map(|name| format!("{name}: {}\n", row[*name]));
    lines.collect()
}

const METRICS: &[&str] = &[
    "id",
    "status",
    "runs",
    "passed",
    "failed",
    "pass_rate",
    "consistency",
    "stable",
    "stability_class",
    "wilson_low",
    "wilson_high",
    "pass_k",
    "first_difference",
];

#[test]
fn every_test_is_run_n_times_and_judged_by_all_of_them() {
    let project = answers(&["ok", "no", "ok", "ok", "ok"]);
    project.cx.write("tests/a.jsonl", CASE);
    let (code, document) = report(&project, &["--runs", "5"]);
    assert_eq!(code, Some(1));
    assert_eq!(project.asked().len(), 5);
    let row = &document["results"][0];
    assert_snapshot!(members(row, METRICS), @r#"
    id: "T001"
    status: "failed"
    runs: 5
    passed: 4
    failed: 1
    pass_rate: 80.0
    consistency: 0.8
    stable: false
    stability_class: "mostly_stable"
    wilson_low: 37.5
    wilson_high: 96.4
    pass_k: [0.8,0.6,0.4,0.2,0.0]
    first_difference: {"text":"run 2 called `guess` where run 1 called `look` (event 1 / event 1)","run":2,"other_run":1,"turn":1,"event":1,"other_event":1}
    "#);
    assert_snapshot!(members(&document["summary"], &["total", "passed", "failed", "total_cases", "total_runs", "runs_per_case", "overall_pass_rate", "stable_cases", "unstable_cases"]), @"
    total: 1
    passed: 0
    failed: 1
    total_cases: 1
    total_runs: 5
    runs_per_case: 5
    overall_pass_rate: 80.0
    stable_cases: 0
    unstable_cases: 1
    ");
    let details = row["run_details"].as_array().expect("details");
    let details: Vec<String> = details
        .iter()
        .map(|run| members(run, &["run", "status", "output", "error"]).replace('\n', " "))
        .collect();
    assert_snapshot!(details.join("\n"), @r#"
    run: 1 status: "passed" output: "ok" error: null 
    run: 2 status: "failed" output: "no" error: "output does not contain 'ok'" 
    run: 3 status: "passed" output: "ok" error: null 
    run: 4 status: "passed" output: "ok" error: null 
    run: 5 status: "passed" output: "ok" error: null
    "#);
    for name in [
        "avg_duration_ms",
        "min_duration_ms",
        "max_duration_ms",
        "std_deviation_ms",
    ] {
        assert!(row[name].is_number(), "{name}");
    }
}

#[test]
fn enough_is_enough() {
    let texts = ["ok", "no", "ok", "ok", "ok"];
    let rate = |percent: &str| {
        let project = answers(&texts);
        project.cx.write("tests/a.jsonl", CASE);
        let (code, document) = report(&project, &["--runs", "5", "--min-pass-rate", percent]);
        format!(
            "{} {}",
            code.unwrap_or(-1),
            document["results"][0]["status"]
        )
    };
    assert_eq!(rate("80"), "0 \"passed\"");
    assert_eq!(rate("80%"), "0 \"passed\"");
    assert_eq!(rate("80.1"), "1 \"failed\"");
    let project = answers(&texts);
    for wrong in ["0", "101", "many"] {
        let output = project.output(&["tests/a.jsonl", "--min-pass-rate", wrong]);
        assert_eq!(output.code, Some(2), "{output}");
    }
    let output = project.output(&["tests/a.jsonl", "--runs", "2", "--retries", "1"]);
    assert_eq!(output.code, Some(2), "{output}");
}

#[test]
fn the_console_shows_how_stable_each_test_is() {
    let project = answers(&["ok", "no", "ok", "ok"]);
    project.cx.write(
        "tests/a.jsonl",
        &format!("{CASE}{}", CASE.replace("T001", "T002")),
    );
    assert_snapshot!(project.cx.ananke(&["run", "tests/a.jsonl", "--no-output", "--runs", "2"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: tests/a.jsonl (2 test cases)
    ℹ User: test-user, Team: test-team
    ℹ Runs: 2 of each test

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [T001] 50% (1/2) Unstable avg:[TIME]
      run 2 FAILED ([TIME])
      └─ output does not contain 'ok'
         contains ok: expected text containing "ok", got "no"
         demanded at tests/a.jsonl:1:44 (test level)
      First difference: run 2 called `guess` where run 1 called `look` (event 1 / event 1)
      Consistency: 0.5, true pass rate: 9.4% to 90.6% with 95% confidence
    ✓ [T002] 100% (2/2) Stable avg:[TIME]

    Failures:
      ✗ [T001] output does not contain 'ok'

    Rerun: ananke run --runs 2 tests/a.jsonl --run '^(T001)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    [TIME]

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     2
      Total Runs:    4
      Stable Cases:  1
      Unstable:      1
      Pass Rate:     75%

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
}

#[test]
fn runs_may_be_made_at_once() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    let (code, document) = report(&project, &["--runs", "8", "--parallel", "8"]);
    assert_eq!(code, Some(0));
    assert_eq!(document["results"][0]["runs"], 8);
    let threads = project.agent.requests().into_iter();
    let threads: BTreeSet<String> = threads
        .map(|request| request["threadId"].to_string())
        .collect();
    assert_eq!(threads.len(), 8, "each run has a thread of its own");
}

#[test]
fn tests_in_yaml_are_repeated_alike() {
    let project = answers(&["ok", "no", "ok"]);
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let output = project.output(&["--runs", "3", "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).expect("a report");
    assert_eq!(document["results"][0]["pass_rate"], 66.7);
    assert_eq!(document["results"][0]["stability_class"], "unstable");
}

#[test]
fn a_bundle_of_several_runs_is_judged_run_by_run() {
    let project = answers(&["ok", "no", "ok"]);
    project.cx.write("tests/a.jsonl", CASE);
    let ran = project
        .cx
        .bundled(&[
            "run",
            "tests/a.jsonl",
            "--no-output",
            "--runs",
            "3",
            "--json",
        ])
        .run();
    let judged = project.cx.bundled(&["judge", "latest", "--json"]).run();
    assert_eq!(ran.stdout, judged.stdout);
    assert_eq!(judged.code, Some(1));
    let judged = project
        .cx
        .bundled(&["judge", "latest", "--json", "--min-pass-rate", "60"])
        .run();
    assert_eq!(judged.code, Some(0), "{judged}");
    project
        .cx
        .write("tests/a.jsonl", &CASE.replace("\\\"ok\\\"", "o"));
    let judged = project.cx.bundled(&["judge", "latest", "--json"]).run();
    let document: Value = serde_json::from_str(&judged.stdout).expect("a report");
    assert_eq!(document["results"][0]["runs"], 3);
    assert_eq!(project.asked().len(), 3, "judging asks nobody");
}
