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
        told(&["-o", "report.doc"]),
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
    error: `-o report.doc`: the extension names no format; known are jsonl, json, md, html, xml, tap, txt
    hint: `--reporter FORMAT:report.doc` says which it is

    exit code: 2
    --- stdout
    --- stderr
    error: `-o report`: the extension names no format; known are jsonl, json, md, html, xml, tap, txt
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

#[test]
fn earlier_files_stay_until_something_runs() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    // Cases look much like a report; only a report is ever replaced.
    let old = "{\"type\": \"start\"}\n";
    cx.write("keep.jsonl", old);
    cx.write("keep.json", "old\n");
    cx.write("file", "x");
    for wrong in [["-o", "file/report.html"], ["--bundle-dir", "file/runs"]] {
        let args = [&["run", "-o", "keep.jsonl", "-o", "keep.json"][..], &wrong].concat();
        let output = cx.bundled(&args).run();
        assert_eq!(output.code, Some(3), "{output}");
        assert_eq!(cx.read("keep.jsonl"), old);
        assert_eq!(cx.read("keep.json"), "old\n");
    }
    assert!(agent.requests().is_empty());
    assert!(!cx.files(".").iter().any(|name| name.ends_with(".tmp")));
}

#[test]
fn links_are_followed_and_never_replaced() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let dir = cx.dir();
    std::fs::create_dir(dir.join("real")).unwrap();
    std::os::unix::fs::symlink("real/report.json", dir.join("link.json")).unwrap();
    std::os::unix::fs::symlink("real/lines.jsonl", dir.join("link.jsonl")).unwrap();
    for _ in 0..2 {
        let output = cx.run(&["run", "-q", "-o", "link.json", "-o", "link.jsonl"]);
        assert_eq!(output.code, Some(0), "{output}");
        assert!(cx.read("real/report.json").contains("\"passed\": 1"));
        assert!(cx.read("real/lines.jsonl").contains("\"summary\""));
    }
    for link in ["link.json", "link.jsonl"] {
        assert!(dir.join(link).symlink_metadata().unwrap().is_symlink());
    }
    let loops = dir.join("loop.json");
    std::os::unix::fs::symlink("loop.json", &loops).unwrap();
    let output = cx.run(&["run", "-o", "loop.json"]);
    assert_eq!(output.code, Some(3), "{output}");
    assert!(output.stderr.contains("too many links"), "{output}");
}

#[test]
fn stdout_is_stdout_by_its_other_names_too() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    for name in ["json:/dev/stdout", "json:-"] {
        let output = cx.run(&["run", "--reporter", name]);
        let report: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(report["summary"]["passed"], 1, "{output}");
    }
    let null = cx.run(&["run", "-q", "--reporter", "html:/dev/null"]);
    assert_eq!(null.code, Some(0), "{null}");
    let none = cx.run(&["run", "--reporter", "junit:"]);
    assert_eq!(none.code, Some(2), "{none}");
}

#[test]
fn a_pipe_without_a_reader_is_told_and_one_with_a_reader_is_written() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let pipe = cx.dir().join("pipe.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let output = cx.run(&["run", "-o", "pipe.json"]);
    assert_eq!(output.code, Some(3), "{output}");
    assert!(
        output.stderr.contains("nobody reads from the pipe"),
        "{output}"
    );
    // Open at both ends, it has a reader from the beginning.
    let mut options = std::fs::OpenOptions::new();
    let mut reader = options.read(true).write(true).open(&pipe).unwrap();
    let output = cx.run(&["run", "-q", "-o", "pipe.json"]);
    assert_eq!(output.code, Some(0), "{output}");
    let mut beginning = [0; 1];
    std::io::Read::read_exact(&mut reader, &mut beginning).unwrap();
    assert_eq!(&beginning, b"{");
}

#[test]
fn a_report_keeps_the_permissions_of_the_one_before() {
    use std::os::unix::fs::PermissionsExt as _;
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("private.json", "old");
    let file = cx.dir().join("private.json");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    cx.run(&["run", "-q", "-o", "private.json"]);
    let mode = file.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    assert!(cx.read("private.json").starts_with('{'));
}
