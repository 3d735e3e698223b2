//! The JUnit report before a real validator and a real parser, both from the Python registry.

use std::process::Command;

use insta::assert_snapshot;

use super::{installed, is_installed, sources};
use crate::reports::all_sorts;

/// Returns what the checker prints about the report, both streams together.
fn checked(report: &std::path::Path) -> String {
    let output = Command::new(installed().join("venv/bin/python"))
        .arg("-B")
        .arg(sources().join("junit/check.py"))
        .arg(installed().join("junit-10.xsd"))
        .arg(report)
        .output()
        .expect("the interpreter is installed");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stderr) + &text(&output.stdout)
}

#[test]
fn junit_reports_are_valid_and_understood() {
    let what = "JUnit reports read by xmlschema and junitparser";
    if !is_installed(what, "ANANKE_INTEROP_NO_PYTHON", "junit-10.xsd") {
        return;
    }
    let (cx, _agent) = all_sorts();
    let output = cx.run(&["run", "--retries", "1", "-o", "r.xml"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert_snapshot!(checked(&cx.dir().join("r.xml")), @r#"
    5 tests, 1 failures, 1 errors
    suite .: 2 tests, 0 failures, 0 errors, 1 skipped
      d | moody
        flakyfailure failed: test: text.must_match /Hello/: expected text matching /Hello/, got "Go away"
        8 lines of output
      e | later
        skipped None: waits for the till
    suite shop: 2 tests, 1 failures, 0 errors, 0 skipped
      shop.a | polite
      shop.b | farewell
        failure failed: test: text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
        rerunfailure failed: test: text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
        8 lines of output
    suite shop/deep: 1 tests, 0 failures, 1 errors, 0 skipped
      shop.deep.c | boom
        error error: turn 1: the agent ended with an error: out of order
        rerunerror error: turn 1: the agent ended with an error: out of order
        8 lines of output
    "#);
    // The schema would tell: this is what it says about something that it does not know.
    let wrong = cx
        .read("r.xml")
        .replacen("<testcase name=", "<testcase file=\"x\" name=", 1);
    cx.write("wrong.xml", &wrong);
    assert_snapshot!(checked(&cx.dir().join("wrong.xml")), @"/testsuites/testsuite[1]/testcase[1]: 'file' attribute not allowed for element");
}
