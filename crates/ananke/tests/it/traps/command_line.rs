//! The command line and its output.

use std::time::Duration;

use ananke_testkit::TestContext;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{code, turn};
use crate::ANANKE;
use crate::project::Project;

#[test]
fn no_test_file_is_a_success() {
    let project = Project::ok();
    assert_snapshot!(project.run(&[]), @"
    exit code: 4
    --- stderr
    error: no test found in the project
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
    project.test(&turn("{text: {must_match: ok}}"));
    assert_snapshot!(project.run(&["--run", "nothing like it"]), @"
    exit code: 4
    --- stderr
    error: no test matches --run nothing like it (of 1 found)
    hint: `ananke list` shows every test with its tags
    ");
}

#[test]
fn every_failure_has_the_same_exit_code() {
    let project = Project::ok();
    assert_eq!(code(&project, "{text: {must_match: ok}}"), Some(0));
    assert_eq!(code(&project, "{text: {must_match: no}}"), Some(1));
    assert_eq!(code(&project, "{text: {must_mtch: ok}}"), Some(2));
    project.test(&turn("{text: {must_match: ok}}"));
    let gone = TestContext::new(ANANKE);
    gone.config("http://127.0.0.1:1/");
    gone.write("t.test.yaml", &project.cx.read("t.test.yaml"));
    assert_eq!(gone.run(&["run"]).code, Some(3));
}

#[test]
fn one_invalid_file_hides_the_mistakes_of_the_others() {
    let project = Project::ok();
    project.test_named("a", &turn("{text: {must_match: '('}}"));
    project.test_named("b", "turn:\n  - user: go\n");
    project.test_named("c", &turn("{text: {must_match: ok}}"));
    assert_snapshot!(project.run(&[]), @r#"
    exit code: 2
    --- stderr
    error: `(` is not a pattern
     --> a.test.yaml:5:33
      |
    5 |     assert: {text: {must_match: '('}}
      |                                 ^^^ the group is not closed at character 1
    hint: write `\(` for a parenthesis

    error: `turns` is missing in a test file
     --> b.test.yaml:1:1
      |
    1 | version: "1.0"
      | ^^^^^^^^^^^^^^
    hint: write `turns: [{user: Hello}]`

    error: unknown key `turn` in a test file
     --> b.test.yaml:3:1
      |
    3 | turn:
      | ^^^^ expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets`
    hint: did you mean `turns`?

    error: 3 errors in 2 files
    "#);
    assert!(project.agent.requests().is_empty());
}

#[test]
fn an_invalid_file_leaves_the_json_empty() {
    let project = Project::ok();
    project.test("turn: []\n");
    for args in [
        ["run", "--json"].as_slice(),
        &["run", "--dry-run", "--json"],
    ] {
        let output = project.cx.run(args);
        assert_eq!(output.code, Some(2), "{output}");
        let report: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(report["error"]["exit_code"], 2, "{report:#}");
        assert!(
            report["diagnostics"]
                .as_array()
                .is_some_and(|all| !all.is_empty())
        );
    }
}

#[test]
fn tests_are_looked_for_in_installed_packages() {
    let project = Project::ok();
    project.test(&turn("{text: {must_match: ok}}"));
    project.cx.write(".gitignore", "node_modules/\n");
    project
        .cx
        .write("node_modules/dep/x.test.yaml", "not ours\n");
    project.cx.write(".cache/x.test.yaml", "not ours\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
}

#[test]
fn errors_are_printed_twice() {
    let project = Project::replies(json!([{"error": {"message": "no such luck"}}]));
    project.test(&turn("{text: {must_match: ok}}"));
    let output = project.output(&[]);
    let tests = output.stdout.split("Failures:").next().unwrap();
    assert_eq!(tests.matches("no such luck").count(), 1, "{output}");
    assert_eq!(output.stderr, "");
}

#[test]
fn the_version_is_stale() {
    let output = TestContext::new(ANANKE).run(&["--version"]);
    assert_eq!(
        output.stdout,
        concat!("ananke ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn tests_run_one_after_another_and_cannot_be_chosen() {
    let project = Project::replies(json!([{"delay_ms": 250}, {"text": "ok"}]));
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        project.test_named(name, &turn("{text: {must_match: ok}}"));
    }
    let output = project.output(&["--parallel", "8"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.elapsed < Duration::from_millis(8 * 250), "{output}");
    let n_before = project.agent.requests().len();
    assert_eq!(project.output(&["--run", "^[ab]$"]).code, Some(0));
    assert_eq!(project.agent.requests().len(), n_before + 2);
}

#[test]
fn recording_and_replaying_are_ignored_where_they_do_not_exist() {
    let project = Project::ok();
    project.test(&turn("{text: {must_match: ok}}"));
    let record = project.output(&["--record", "somewhere"]);
    assert_eq!(record.code, Some(2), "{record}");
    assert!(record.stderr.contains("--record"), "{record}");
    let replay = project.output(&["--replay", "somewhere"]);
    assert_eq!(replay.code, Some(2), "{replay}");
    assert!(replay.stderr.contains("no bundle `somewhere`"), "{replay}");
    assert!(project.agent.requests().is_empty());
}

#[test]
fn starting_needs_a_runtime_and_takes_long() {
    let cx = TestContext::new(ANANKE);
    let start = |_| {
        let run = cx.command(&["--version"]).without_env("PATH");
        let output = run.without_env("HOME").run();
        assert_eq!(output.code, Some(0), "{output}");
        output.elapsed
    };
    let fastest = (0..5).map(start).min().unwrap();
    assert!(fastest < Duration::from_millis(300), "{fastest:?}");
}
