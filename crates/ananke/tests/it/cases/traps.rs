//! Ways to lose something, or to look green without evidence.

use insta::assert_snapshot;

use super::inputs::CASE;
use crate::project::Project;

fn stderr(project: &Project, args: &[&str]) -> String {
    let output = project.output(args);
    format!(
        "exit code: {}\n{}",
        output.code.unwrap_or(-1),
        output.stderr
    )
}

fn piped(project: &Project, text: &str) -> String {
    let output = project.cx.command(&["run", "-"]).stdin(text).run();
    format!(
        "exit code: {}\n{}",
        output.code.unwrap_or(-1),
        output.stderr
    )
}

#[test]
fn a_report_never_takes_the_place_of_cases() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    project.cx.write("other.jsonl", CASE);
    for path in [
        "tests/a.jsonl",
        "./tests/a.jsonl",
        "other.jsonl",
        "ananke.config.yaml",
    ] {
        let reporter = format!("jsonl:{path}");
        let output = project.output(&["tests/a.jsonl", "--reporter", &reporter]);
        assert_eq!(output.code, Some(2), "{path}: {output}");
    }
    assert_eq!(project.cx.read("tests/a.jsonl"), CASE);
    assert_eq!(project.cx.read("other.jsonl"), CASE);
    assert_snapshot!(stderr(&project, &["tests/a.jsonl", "-o", "tests/a.jsonl"]), @"
    exit code: 2
    error: `tests/a.jsonl` is there and is no report: it would be lost
    hint: name another file, or remove this one
    ");
    // A report may.
    for _ in 0..2 {
        assert_eq!(
            project.output(&["tests/a.jsonl", "-o", "r.jsonl"]).code,
            Some(0)
        );
    }
}

#[test]
fn what_was_meant_as_tests_is_not_sent_as_words() {
    let project = Project::ok();
    let case = CASE.trim_end();
    assert_snapshot!(piped(&project, &format!("[{case}]")), @"
    exit code: 2
    error: this looks like a list of cases, not like a message
    hint: write one object after another, without brackets and commas

    error: 1 error
    ");
    assert_snapshot!(piped(&project, "version: 1\nname: x\nturns: [{user: hi}]\n"), @"
    exit code: 2
    error: this looks like a test or config in YAML, not like a message
    hint: name its file instead

    error: 1 error
    ");
    assert_snapshot!(stderr(&project, &["-i", case]), @"
    exit code: 2
    error: this looks like a case, not like a message
    hint: pipe it into `ananke run -`, or put it into a file

    error: 1 error
    ");
    for typed in [
        "cases.json",
        "inputs.josnl",
        "inputs.JSONL",
        "inputs.jsonl.bak",
        "inputs.jsonl ",
    ] {
        let output = project.output(&["-i", typed]);
        assert_eq!(output.code, Some(2), "{typed}: {output}");
    }
    assert_snapshot!(stderr(&project, &["-i", "yes/no"]), @"
    exit code: 2
    error: no such file or folder: `yes/no`
    hint: to send what looks like a path as a message, pipe it into `ananke run -`

    error: 1 error
    ");
    assert_eq!(project.asked(), Vec::<String>::new());
}

#[test]
fn cases_may_be_in_a_file_of_any_name() {
    let project = Project::ok();
    for name in ["cases.txt", "cases.json", "CASES.JSONL", "cases"] {
        project.cx.write(name, &format!("// my cases\n{CASE}"));
        let output = project.output(&["-i", name, "--no-output"]);
        assert_eq!(output.code, Some(0), "{name}: {output}");
    }
    project.cx.write("letter.txt", "Dear agent,\n");
    assert_snapshot!(stderr(&project, &["-i", "letter.txt"]), @"
    exit code: 2
    error: `letter.txt` is not a test file: expected `.yaml`, `.yml`, `.jsonl`, `_test.ts` or `_test.js`, or cases as JSON objects
    hint: to send what it holds as a message, write `ananke run - < letter.txt`

    error: 1 error
    ");
}

#[test]
fn reports_among_the_inputs_are_left_out() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    project.output(&["tests/a.jsonl"]);
    let files = project.cx.files("tests");
    let files: Vec<String> = files.iter().map(|name| format!("tests/{name}")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    assert_eq!(files.len(), 2);
    // As a shell expands `tests/*.jsonl`.
    let output = project.output(&files);
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn runs_in_the_same_second_leave_a_report_each() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| project.output(&["tests/a.jsonl"]));
        }
    });
    let reports = project.cx.files("tests");
    let reports: Vec<&String> = reports
        .iter()
        .filter(|name| name.starts_with("output-"))
        .collect();
    assert_eq!(reports.len(), 4, "{reports:?}");
    for report in reports {
        let n_lines = project.cx.read(&format!("tests/{report}")).lines().count();
        assert_eq!(n_lines, 3, "{report}");
    }
}

#[test]
fn a_secret_that_says_who_asks_is_in_no_bundle() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    project.cx.write(
        "ctx.json",
        "{\"authorized\": {\"session_id\": \"plainsecret4711\"}}\n",
    );
    let args = [
        "run",
        "tests/a.jsonl",
        "--no-output",
        "--secret",
        "TOKEN",
        "-u",
        "plainsecret4711",
        "-t",
        "t-plainsecret4711",
        "--ctx",
        "ctx.json",
    ];
    let ran = project
        .cx
        .bundled(&args)
        .env("TOKEN", "plainsecret4711")
        .run();
    assert_eq!(ran.code, Some(0), "{ran}");
    for args in [
        &["report", "latest"][..],
        &["judge", "latest", "--json", "--secret", "TOKEN"],
        &["report", "latest", "-o", "r.html", "-o", "r.json"],
    ] {
        let output = project
            .cx
            .bundled(args)
            .env("TOKEN", "plainsecret4711")
            .run();
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(!said.contains("plainsecret4711"), "{args:?}: {said}");
    }
    for file in ["r.html", "r.json"] {
        assert!(!project.cx.read(file).contains("plainsecret4711"), "{file}");
    }
}

#[test]
fn a_mistake_in_another_test_does_not_keep_a_bundle_from_being_judged() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASE);
    project
        .cx
        .bundled(&["run", "tests/a.jsonl", "--no-output"])
        .run();
    project.cx.write("tests/b.jsonl", "{\"id\": 7}\n");
    let judged = project.cx.bundled(&["judge", "latest"]).run();
    assert_eq!(judged.code, Some(0), "{judged}");
}

#[test]
fn snapshots_are_written_from_one_run() {
    let project = Project::ok();
    project.cx.write(
        "tests/a.jsonl",
        "{\"id\": \"s\", \"input\": \"hi\", \"assert\": {\"snapshot\": \"x\"}}\n",
    );
    assert_snapshot!(stderr(&project, &["tests/a.jsonl", "--runs", "2", "--update-snapshots"]), @"
    exit code: 2
    error: `--update-snapshots` and `--runs` contradict each other: which run is to be kept?
    hint: update the snapshots with one run, then see how often the others are the same
    ");
}

#[test]
fn references_that_come_to_nothing_neither_skip_nor_ask() {
    let project = Project::ok();
    let case = |key: &str| {
        let case = format!(
            "{{\"id\": \"a\", {key}, \"assert\": {{\"type\": \"not_contains\", \"value\": \"no\"}}}}\n"
        );
        project.cx.write("tests/a.jsonl", &case);
        project.run(&["tests/a.jsonl", "--no-output"])
    };
    assert_snapshot!(case("\"input\": \"${ENV.NOPE:-}\""), @"
    exit code: 1
    ► [a] ${ENV.NOPE:-} ERROR ([TIME])
      └─ turn 1: the message is empty once its references have their values
    ");
    assert_snapshot!(case("\"input\": \"hi\", \"skip\": \"${ENV.NOPE:-}\""), @"
    exit code: 0
    ► [a] hi PASSED ([TIME])
    ");
    assert_snapshot!(case("\"input\": \"hi\", \"skip\": \"${ENV.NOPE:-broken}\""), @"
    exit code: 4
    ► [a] hi SKIPPED: broken
    ");
}
