//! Orders and choices: shards, chance with a seed, and what failed last.

use ananke_testkit::RunOutput;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

/// A project of `n` tests; those with an odd number fail.
fn half_failing(n: usize) -> Project {
    let project = Project::ok();
    for number in 0..n {
        let word = if number % 2 == 1 { "never" } else { "ok" };
        project.test_named(
            &format!("t{number:02}"),
            &format!("turns: [{{user: hi, assert: {{text: {{must_match: {word}}}}}}}]\n"),
        );
    }
    project
}

fn record(project: &Project, args: &[&str]) -> RunOutput {
    project.cx.bundled(&[&["run"], args].concat()).run()
}

/// Returns the ids in the order of the report.
fn ids(output: &RunOutput) -> Vec<String> {
    let report: Value = serde_json::from_str(&output.stdout).expect("a report");
    let results = report["results"].as_array().expect("results");
    let id = |result: &Value| {
        result["id"]
            .as_str()
            .unwrap_or_default()
            .replace(".test.yaml", "")
    };
    results.iter().map(id).collect()
}

#[test]
fn last_failed_runs_only_what_did_not_pass() {
    let project = half_failing(6);
    assert_snapshot!(project.cx.show(&record(&project, &["--last-failed"])), @"
    exit code: 4
    --- stdout
    --- stderr
    error: there is no earlier run in `[TMP]/.ananke/runs`
    hint: run once without `--last-failed`
    ");
    record(&project, &["-q"]);
    let again = record(&project, &["--last-failed", "--json"]);
    assert_eq!(ids(&again), ["t01", "t03", "t05"]);
    // The bundle of that run holds only the failed ones, so that the next look is at them again.
    project.test_named(
        "t01",
        "turns: [{user: hi, assert: {text: {must_match: ok}}}]\n",
    );
    let again = record(&project, &["--last-failed", "--json"]);
    assert_eq!(ids(&again), ["t01", "t03", "t05"]);
    let again = record(&project, &["--last-failed", "--json"]);
    assert_eq!(ids(&again), ["t03", "t05"]);
    for name in ["t03", "t05"] {
        project.test_named(
            name,
            "turns: [{user: hi, assert: {text: {must_match: ok}}}]\n",
        );
    }
    record(&project, &["-q"]);
    assert_snapshot!(project.cx.show(&record(&project, &["--last-failed"])), @"
    exit code: 4
    --- stdout
    --- stderr
    error: --last-failed: none of the 6 tests is among those that did not pass in the last run
    hint: run without `--last-failed` to run them all
    ");
}

#[test]
fn what_never_came_to_run_counts_as_not_passed() {
    let project = half_failing(4);
    project.test_named(
        "t03",
        "skip: not today\nturns: [{user: hi, assert: {text: {must_match: ok}}}]\n",
    );
    record(&project, &["-q", "--fail-fast"]);
    let again = record(&project, &["--last-failed", "--json"]);
    assert_eq!(ids(&again), ["t01", "t02", "t03"]);
    // All of them came to run now; what its file skips is not waited for.
    let again = record(&project, &["--last-failed", "--json"]);
    assert_eq!(ids(&again), ["t01"]);
}

#[test]
fn failed_first_changes_the_order_alone() {
    let project = half_failing(5);
    let first = record(&project, &["--failed-first", "--json"]);
    assert_eq!(ids(&first), ["t00", "t01", "t02", "t03", "t04"]);
    assert!(first.stderr.contains("there is no earlier run"), "{first}");
    let second = record(&project, &["--failed-first", "--json"]);
    assert_eq!(ids(&second), ["t01", "t03", "t00", "t02", "t04"]);
}

#[test]
fn a_seed_repeats_an_order_of_chance() {
    let project = half_failing(12);
    let run = |args: &[&str]| record(&project, &[&["--json"], args].concat());
    let first = run(&["--shuffle", "--seed", "7"]);
    assert_eq!(ids(&first), ids(&run(&["--shuffle", "--seed", "7"])));
    assert_ne!(ids(&first), ids(&run(&["--shuffle", "--seed", "8"])));
    let mut sorted = ids(&first);
    sorted.sort();
    assert_eq!(sorted, ids(&run(&[])));
    let alone = run(&["--seed", "7"]);
    assert_eq!(alone.code, Some(2), "{alone}");
    let shown = record(&project, &["--shuffle", "--seed", "7"]).stdout;
    assert!(shown.contains("Seed: 7"), "{shown}");
    // A seed that nobody gave is told, so that it can be given.
    let report: Value = serde_json::from_str(&run(&["--shuffle"]).stdout).unwrap();
    let seed = report["metadata"]["facts"]["seed"].as_str().unwrap();
    assert!(seed.parse::<u64>().is_ok(), "{report}");
}

#[test]
fn a_test_stays_in_its_shard() {
    let project = half_failing(20);
    let shard = |of: usize, number: usize| {
        ids(&record(
            &project,
            &["--json", "--shard", &format!("{number}/{of}")],
        ))
    };
    let (one, two) = (shard(2, 1), shard(2, 2));
    assert_eq!(one.len() + two.len(), 20);
    assert!(one.iter().all(|id| !two.contains(id)));
    project.test_named(
        "another",
        "turns: [{user: hi, assert: {text: {must_match: ok}}}]\n",
    );
    let now = shard(2, 1);
    assert!(one.iter().all(|id| now.contains(id)), "{one:?} {now:?}");
    for wrong in ["0/2", "3/2", "2", "a/b", "1/0"] {
        let output = record(&project, &["--shard", wrong]);
        assert_eq!(output.code, Some(2), "{output}");
    }
}

#[test]
fn an_empty_shard_is_not_green_unless_somebody_says_so() {
    let project = Project::ok();
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let outputs: Vec<RunOutput> = (1..=2)
        .map(|number| record(&project, &["-q", "--shard", &format!("{number}/2")]))
        .collect();
    let empty = outputs
        .iter()
        .find(|output| output.code == Some(4))
        .expect("one is empty");
    let shown = project
        .cx
        .show(empty)
        .replace("1/2", "[K]/2")
        .replace("2/2", "[K]/2");
    assert_snapshot!(shown, @"
    exit code: 4
    --- stdout
    --- stderr
    error: shard [K]/2 holds none of the 1 tests
    hint: fewer shards would do; `--allow-empty-shard` says that this is fine
    ");
    for number in 1..=2 {
        let shard = format!("{number}/2");
        let output = record(&project, &["-q", "--shard", &shard, "--allow-empty-shard"]);
        assert_eq!(output.code, Some(0), "{output}");
    }
}

#[test]
fn retries_keep_every_attempt_and_mark_flaky_tests() {
    let script = json!({"rules": [
        {"times": 2, "reply": [{"text": "not yet"}]},
        {"reply": [{"text": "ok"}]},
    ]});
    let project = Project::new(script.clone());
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    assert_snapshot!(project.cx.ananke(&["run", "--retries", "3"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [t.test.yaml] t PASSED (flaky, attempt 3, [TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Flaky:   1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (1 flaky)
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let project = Project::new(script.clone());
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let output = project
        .cx
        .run(&["run", "--retries", "3", "--json", "--flaky-result", "fail"]);
    assert_eq!(output.code, Some(1), "{output}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let result = &report["results"][0];
    assert_eq!(result["flaky"], true);
    assert_eq!(
        result["attempts"].as_array().map(Vec::len),
        Some(3),
        "{result}"
    );
    assert_eq!(report["summary"]["flaky"], 1);
    assert_snapshot!(result["error"], @r#""flaky: passed on attempt 3""#);
    // One retry is not enough.
    let project = Project::new(script);
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    let output = project.cx.run(&["run", "--retries", "1", "-q"]);
    assert_eq!(output.code, Some(1), "{output}");
}
