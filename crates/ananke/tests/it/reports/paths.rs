//! Paths that cannot be written: told before anything runs, earlier files untouched.

use insta::assert_snapshot;

use crate::run::{expects, friendly};

#[test]
fn mistakes_are_told_before_the_run() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("folder.json/keep.txt", "x");
    cx.write("file", "x");
    let told = |args: &[&str]| {
        let args = [&["run"], args].concat();
        cx.ananke(&args)
    };
    let all = [
        told(&["-o", "folder.json"]),
        told(&["-o", "report.txt"]),
        told(&["-o", "report"]),
        told(&["-o", "file/report.json"]),
        told(&["-o", "a.json", "-o", "a.json"]),
        told(&["-o", "-", "--reporter", "tap"]),
    ];
    assert_snapshot!(all.join("\n"), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `folder.json` is a folder, not a file for a report
    hint: name a file in it: `-o folder.json/report.html`

    exit code: 2
    --- stdout
    --- stderr
    error: `-o report.txt`: the extension names no format; known are jsonl, json, md, html, xml, tap
    hint: `--reporter FORMAT:report.txt` says which it is

    exit code: 2
    --- stdout
    --- stderr
    error: `-o report`: the extension names no format; known are jsonl, json, md, html, xml, tap
    hint: `--reporter FORMAT:report` says which it is

    exit code: 3
    --- stdout
    --- stderr
    error: the report `file/report.json` cannot be written: `[TMP]/file` is a file, not a folder

    exit code: 2
    --- stdout
    --- stderr
    error: two reports cannot share `a.json`

    exit code: 2
    --- stdout
    --- stderr
    error: two reports cannot share stdout
    hint: of `--json`, `-o -` and `--reporter FORMAT` give one; others go to files: `--reporter FORMAT:FILE`
    ");
    assert!(agent.requests().is_empty());
    assert!(!cx.exists("a.json"));
}

#[test]
fn an_earlier_report_is_replaced_in_one_step() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("r.json", "old");
    assert_eq!(cx.run(&["run", "-o", "r.json"]).code, Some(0));
    assert!(
        cx.read("r.json")
            .starts_with("{\n  \"schema\": \"ananke.report/1\"")
    );
    let left: Vec<String> = std::fs::read_dir(cx.dir())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert_eq!(left, [""; 0]);
}
