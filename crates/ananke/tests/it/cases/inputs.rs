//! What can be named: files, folders, globs, messages, standard input.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

/// One case that passes with an agent that says `ok`.
pub(super) const CASE: &str = "{\"id\": \"T001\", \"input\": \"Hello\", \"assert\": {\"type\": \"contains\", \"value\": \"ok\"}}\n";

/// Runs with `input` on standard input.
fn piped(project: &Project, args: &[&str], input: &str) -> String {
    let output = project
        .cx
        .command(&[&["run"], args].concat())
        .stdin(input)
        .run();
    project.cx.show(&output)
}

fn ids(project: &Project, args: &[&str]) -> Vec<String> {
    let output = project.output(&[args, &["--json"]].concat());
    let report: Value = serde_json::from_str(&output.stdout).expect("a report");
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let id =
        |result: &Value| format!("{} {}", result["file"].as_str()?, result["id"].as_str()?).into();
    let id = |result: &Value| -> Option<String> { id(result) };
    results.iter().filter_map(id).collect()
}

#[test]
fn files_folders_and_globs_give_cases() {
    let project = Project::ok();
    project.test("turns: [{user: hi, assert: {text: {must_match: ok}}}]\n");
    project.cx.write("tests/a.jsonl", CASE);
    project.cx.write("tests/deep/b.jsonl", CASE);
    project.cx.write(
        "tests/output-20241217100000.jsonl",
        "{\"type\": \"start\"}\n",
    );
    project.cx.write("data/c.jsonl", CASE);
    assert_eq!(
        ids(&project, &[]),
        [
            "t.test.yaml t.test.yaml",
            "tests/a.jsonl T001",
            "tests/deep/b.jsonl T001"
        ]
    );
    assert_eq!(
        ids(&project, &["tests"]),
        ["tests/a.jsonl T001", "tests/deep/b.jsonl T001"]
    );
    assert_eq!(
        ids(&project, &["-i", "data/c.jsonl"]),
        ["data/c.jsonl T001"]
    );
    assert_eq!(
        ids(&project, &["data/*.jsonl", "t.test.yaml"]),
        ["data/c.jsonl T001", "t.test.yaml t.test.yaml"]
    );
}

#[test]
fn a_message_is_sent_and_only_its_answer_goes_to_stdout() {
    let project = Project::replies(json!([{"text": "The parcel is in Rome."}]));
    assert_snapshot!(project.cx.ananke(&["run", "Where is my parcel?"]), @"
    exit code: 0
    --- stdout
    The parcel is in Rome.
    --- stderr
    ");
    assert_snapshot!(project.cx.ananke(&["run", "-i", "Hello"]), @"
    exit code: 0
    --- stdout
    The parcel is in Rome.
    --- stderr
    ");
    assert_eq!(project.asked(), ["Where is my parcel?", "Hello"]);
}

#[test]
fn a_message_shows_the_tools_that_were_called() {
    let project = Project::replies(json!([
        {"tool": {"name": "find_parcel", "args": {"id": 7}, "result": {"place": "Rome"}}},
        {"text": "It is in Rome."},
    ]));
    assert_snapshot!(project.cx.ananke(&["run", "Where is my parcel?"]), @r#"
    exit code: 0
    --- stdout
    It is in Rome.

    --- Tool Calls ---
    find_parcel → OK (args: {"id":7})
    --- stderr
    "#);
    assert_snapshot!(project.cx.ananke(&["run", "Where is my parcel?", "--json", "-q"]).lines().take(3).collect::<Vec<_>>().join("\n"), @"
    exit code: 0
    --- stdout
    {
    ");
}

#[test]
fn a_message_that_the_agent_fails_on_is_an_error() {
    let project =
        Project::replies(json!([{"text": "I am"}, {"error": {"message": "out of memory"}}]));
    assert_snapshot!(project.cx.ananke(&["run", "Where is my parcel?"]), @"
    exit code: 1
    --- stdout
    --- stderr
    ► [message#1] Where is my parcel? ERROR ([TIME])
      └─ agent error: out of memory
         captured in turn 1: 6 events, no tool call, text:
         │ I am
    ");
}

#[test]
fn a_single_word_that_is_no_file_is_never_sent_by_accident() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    assert_snapshot!(project.cx.ananke(&["run", "tset"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no such file or folder: `tset`
    hint: did you mean `tests`? to send it as a message, write `-i tset`

    error: 1 error
    ");
    assert_snapshot!(project.cx.ananke(&["run", "-i", "tests/b.jsonl"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no such file or folder: `tests/b.jsonl`
    hint: did you mean `tests/a.jsonl`?

    error: 1 error
    ");
    assert_eq!(project.asked(), Vec::<String>::new());
}

#[test]
fn standard_input_holds_cases_or_a_message() {
    let project = Project::ok();
    let cases = format!("// two\n{CASE}{}", CASE.replace("T001", "T002"));
    assert_snapshot!(piped(&project, &["-"], &cases), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: - (2 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [T001] Hello PASSED ([TIME])
    ► [T002] Hello PASSED ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     2
      Failed:     0
      Pass Rate:  100%
      Time:       [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert_snapshot!(piped(&project, &["-i", "-"], "Summarize this:\n\nlong text\n"), @"
    exit code: 0
    --- stdout
    ok
    --- stderr
    ");
    assert_eq!(
        project.asked(),
        ["Hello", "Hello", "Summarize this:\n\nlong text"]
    );
    assert_snapshot!(piped(&project, &["-"], " \n"), @"
    exit code: 2
    --- stdout
    --- stderr
    error: standard input is empty
    hint: pipe a message or JSONL cases into it: `ananke run - < cases.jsonl`

    error: 1 error
    ");
    assert_snapshot!(piped(&project, &["-", "-i", "-"], "twice"), @"
    exit code: 2
    --- stdout
    --- stderr
    error: standard input can be read only once: `-` is given twice
    ");
}

#[test]
fn a_report_beside_the_cases_is_left_in_file_mode_only() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    let reports = || -> Vec<String> {
        let files = project.cx.files("tests").into_iter();
        files.filter(|name| name.starts_with("output-")).collect()
    };
    for args in [
        &["tests"][..],
        &["tests/a.jsonl", "--no-output"],
        &["tests/a.jsonl", "--json"],
        &["tests/a.jsonl", "-o", "r.json"],
        &["tests/a.jsonl", "-r", "report.summary"],
        &["tests/a.jsonl", "--dry-run"],
        &["some words to say"],
    ] {
        project.output(args);
        assert_eq!(reports(), Vec::<String>::new(), "{args:?}");
    }
    let output = project.output(&["-i", "tests/a.jsonl"]);
    let written = reports();
    let [name] = written.as_slice() else {
        panic!("one report: {written:?}");
    };
    let stamp = name
        .trim_start_matches("output-")
        .trim_end_matches(".jsonl");
    assert!(
        stamp.len() == 14 && stamp.chars().all(|c| c.is_ascii_digit()),
        "{name}"
    );
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(said.contains(&format!("tests/{name}")), "{said}");
    let report = project.cx.read(&format!("tests/{name}"));
    let types: Vec<Value> = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON")["type"].clone())
        .collect();
    assert_eq!(types, ["start", "result", "summary"]);
    // It is no test itself, and a second run in the same second takes another name.
    project.output(&["tests/a.jsonl"]);
    assert_eq!(reports().len(), 2);
    assert_eq!(ids(&project, &["tests"]), ["tests/a.jsonl T001"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_costs_the_report_and_not_the_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    let folder = project.cx.dir().join("tests");
    let set = |mode| {
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("ours");
    };
    set(0o555);
    let is_root = std::fs::write(folder.join("probe"), "").is_ok();
    let output = project.output(&["tests/a.jsonl"]);
    set(0o755);
    assert_eq!(output.code, Some(0), "{output}");
    if !is_root {
        assert!(output.stderr.contains("--no-output"), "{output}");
    }
}
