//! `ananke validate`: every mistake of every file at once, with place, caret and hint; nothing executed.

mod mistakes;
mod yaml;

use ananke_report::escape;
use ananke_testkit::TestContext;
use insta::assert_snapshot;
use serde_json::Value;

use crate::ANANKE;

const CONFIG: &str =
    "version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: http://localhost:8000/agent\n";
const TEST: &str =
    "version: \"1.0\"\nname: a\nturns: [{user: hi}]\nassert: {text: {must_match: x}}\n";

/// Validates files; checks that `--json` and `run` say the same, and returns what a person sees.
fn mistakes(files: &[(&str, &str)]) -> String {
    let cx = TestContext::new(ANANKE);
    for (path, text) in files {
        cx.write(path, text);
    }
    let shown = cx.run(&["validate"]);
    assert_eq!(
        (shown.code, shown.stdout.as_str()),
        (Some(2), ""),
        "{shown}"
    );
    let json = cx.run(&["validate", "--json"]);
    assert_eq!((json.code, &json.stderr), (Some(2), &shown.stderr));
    let document: Value = serde_json::from_str(&json.stdout).expect("one JSON document");
    assert_eq!(document["valid"], false);
    for diagnostic in document["diagnostics"].as_array().expect("a list") {
        let text = |key: &str| diagnostic[key].as_str().unwrap_or_default().to_owned();
        let head = format!("{}: {}\n", text("severity"), escape(&text("message")));
        assert!(shown.stderr.contains(&head), "{head}{shown}");
        if diagnostic.get("file").is_some() {
            let place = format!(
                "--> {}:{}:{}\n",
                text("file"),
                diagnostic["line"],
                diagnostic["column"]
            );
            assert!(shown.stderr.contains(&place), "{place}{shown}");
        }
        assert!(shown.stderr.contains(&text("hint")), "{shown}");
    }
    // `run` refuses the same files with the same words, and `run --json` with a report.
    let run = cx.run(&["run"]);
    assert_eq!(
        (run.code, &run.stderr, run.stdout.as_str()),
        (Some(2), &shown.stderr, "")
    );
    let report: Value =
        serde_json::from_str(&cx.run(&["run", "--json"]).stdout).expect("one JSON document");
    assert_eq!(report["error"]["exit_code"], 2);
    assert_eq!(report["diagnostics"], document["diagnostics"]);
    cx.show(&shown)
        .replace("exit code: 2\n--- stdout\n--- stderr\n", "")
}

/// A mistake in the test file.
fn test(text: &str) -> String {
    mistakes(&[("ananke.config.yaml", CONFIG), ("a.test.yaml", text)])
}

/// A mistake in the config file.
fn config(text: &str) -> String {
    mistakes(&[("ananke.config.yaml", text), ("a.test.yaml", TEST)])
}

#[test]
fn a_valid_project_is_valid() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write("a.test.yaml", TEST);
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 0
    --- stdout
    1 test is valid
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["check", "--json"]), @r#"
    exit code: 0
    --- stdout
    {
      "valid": true,
      "tests": 1,
      "diagnostics": []
    }
    --- stderr
    "#);
    cx.write("b.test.yaml", &TEST.replace("name: a", "name: b"));
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 0
    --- stdout
    2 tests are valid
    --- stderr
    ");
}

#[test]
fn nothing_to_validate_exits_with_4() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 4
    --- stdout
    --- stderr
    error: no test found in the project
    hint: tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js
    ");
    let json = cx.run(&["validate", "--json"]);
    let document: Value = serde_json::from_str(&json.stdout).expect("one JSON document");
    assert_eq!(
        (json.code, &document["error"]["exit_code"]),
        (Some(4), &Value::from(4))
    );
}

#[test]
fn verbose_shows_the_demands_and_where_they_come_from() {
    let cx = TestContext::new(ANANKE);
    let target = "  assert: {text: {must_not_match: [exception]}, timing: {max_duration_ms: 5000}}\nassertions:\n  safe: {tools: {forbid: [wipe]}}\n";
    cx.write("ananke.config.yaml", &format!("{CONFIG}{target}"));
    let turns = "turns:\n  - user: hi\n    assert: {extends: safe, timing: {max_duration_ms: 100}}\n  - user: bye\n";
    cx.write("a.test.yaml", &TEST.replace("turns: [{user: hi}]\n", turns));
    assert_snapshot!(cx.ananke(&["validate", "-v"]), @"
    exit code: 0
    --- stdout
    [a.test.yaml] a
      turn 1
        tools.forbid wipe  (turn level, through `safe`, ananke.config.yaml:7:27)
        text.must_match x  (test level, a.test.yaml:7:29)
        text.must_not_match exception  (target level, ananke.config.yaml:5:36)
        timing.max_duration_ms 100  (turn level, a.test.yaml:5:55)
      turn 2: no `assert`, not judged
      test
        text.must_match x  (test level, a.test.yaml:7:29)
        text.must_not_match exception  (target level, ananke.config.yaml:5:36)
        timing.max_duration_ms 5000  (target level, ananke.config.yaml:5:75)

    1 test is valid
    --- stderr
    ");
}

#[test]
fn nothing_is_executed() {
    let cx = TestContext::new(ANANKE);
    let server = "server: {cmd: [touch, server-started], url: 'http://localhost:1/'}\n";
    cx.write("ananke.config.yaml", &format!("{CONFIG}{server}"));
    cx.write(
        "a.test.yaml",
        &format!("{TEST}hooks: [{{cmd: [touch, hook-ran]}}]\n"),
    );
    assert_eq!(cx.run(&["validate", "-vv"]).code, Some(0));
    assert!(!cx.exists("hook-ran") && !cx.exists("server-started"));
}
