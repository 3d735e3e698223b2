//! Several formats at once.

use insta::assert_snapshot;
use serde_json::Value;

use super::{all_sorts, report};

const FILES: [&str; 6] = [
    "out/r.jsonl",
    "out/r.json",
    "out/r.md",
    "out/r.html",
    "out/r.xml",
    "out/r.tap",
];

#[test]
fn every_format_tells_the_same() {
    let (cx, _agent) = all_sorts();
    let mut args = vec!["run", "--retries", "1"];
    args.extend(FILES.iter().flat_map(|file| ["-o", file]));
    let output = cx.run(&args);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(output.stdout.contains("TESTS FAILED"), "{output}");

    let json = report(&cx, "out/r.json");
    let totals = ["total", "passed", "failed", "errors", "skipped", "flaky"];
    assert_eq!(
        totals.map(|key| json["summary"][key].clone()),
        [5, 2, 2, 1, 1, 1]
    );

    let lines = cx.read("out/r.jsonl");
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["type"].as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "start", "result", "result", "result", "result", "result", "summary"
        ]
    );
    for (line, entry) in lines
        .iter()
        .skip(1)
        .zip(json["results"].as_array().unwrap())
    {
        let mut line = line.clone();
        line.as_object_mut().unwrap().shift_remove("type");
        assert_eq!(line, *entry);
    }

    let tap = cx.read("out/r.tap");
    let tests: Vec<&str> = tap.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_snapshot!(tests.join("\n"), @"
    TAP version 14
    1..5
    ok 1 - d.test.yaml: moody
    ok 2 - e.test.yaml: later # SKIP waits for the till
    ok 3 - shop/a.test.yaml: polite
    not ok 4 - shop/b.test.yaml: farewell
    not ok 5 - shop/deep/c.test.yaml: boom
    ");
    let xml = cx.read("out/r.xml");
    let tags: Vec<&str> = xml
        .lines()
        .map(str::trim)
        .filter(|line| {
            line.starts_with("<testcase")
                || line.starts_with("<flaky")
                || line.starts_with("<rerun")
        })
        .map(|line| line.split(" time=").next().unwrap_or(line))
        .collect();
    assert_snapshot!(tags.join("\n"), @r#"
    <testcase name="moody" classname="d"
    <flakyFailure message="test: text.must_match /Hello/: expected text matching /Hello/, got &quot;Go away&quot;" type="failed">
    <testcase name="later" classname="e"
    <testcase name="polite" classname="shop.a"
    <testcase name="farewell" classname="shop.b"
    <rerunFailure message="test: text.must_match /Goodbye/: expected text matching /Goodbye/, got &quot;Hello there&quot;" type="failed">
    <testcase name="boom" classname="shop.deep.c"
    <rerunError message="turn 1: the agent ended with an error: out of order" type="error">
    "#);
    let markdown = cx.read("out/r.md");
    let headings: Vec<&str> = markdown
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.split(" (").next().unwrap_or(line))
        .collect();
    assert_snapshot!(headings.join("\n"), @"
    # Agent Test Report
    ## Summary
    ## Environment
    ## Results
    ### ❌ `shop/b.test.yaml` - Failed
    ### ❌ `shop/deep/c.test.yaml` - Error
    ### ✅ `d.test.yaml` - Passed
    ### ✅ `shop/a.test.yaml` - Passed
    ### ⏭️ `e.test.yaml` - Skipped
    ");
    assert!(cx.read("out/r.html").starts_with("<!doctype html>"));
}

#[test]
fn a_bundle_gives_the_same_reports_again() {
    let (cx, _agent) = all_sorts();
    let mut args = vec!["run", "--retries", "1"];
    args.extend(FILES.iter().flat_map(|file| ["-o", file]));
    assert_eq!(cx.bundled(&args).run().code, Some(1));
    let before = FILES.map(|file| cx.read(file));
    let mut args = vec!["report", "latest"];
    args.extend(FILES.iter().flat_map(|file| ["-o", file]));
    let output = cx.bundled(&args).run();
    assert_eq!(output.code, Some(0), "{output}");
    for (file, before) in FILES.iter().zip(before) {
        assert!(
            cx.read(file) == before,
            "{file} differs:\n{}\n{before}",
            cx.read(file)
        );
    }
}

#[test]
fn a_format_can_be_named() {
    let (cx, _agent) = all_sorts();
    let output = cx.run(&[
        "run",
        "shop/a.test.yaml",
        "--reporter",
        "tap",
        "--reporter",
        "junit:results",
    ]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        output
            .stdout
            .starts_with("TAP version 14\n1..1\nok 1 - shop/a.test.yaml: polite\n"),
        "{output}"
    );
    assert!(cx.read("results").contains("<testsuite name=\"shop\""));
    let output = cx.run(&["run", "--reporter", "junt"]);
    assert_eq!(output.code, Some(2));
    assert!(
        output.stderr.contains(
            "`junt` is no format; known are jsonl, json, markdown, html, junit, tap, github"
        ),
        "{output}"
    );
}
