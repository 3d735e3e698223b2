//! Odd surroundings: a closed stdout, no locale, no home, a narrow terminal. The verdict is always the same.

use std::path::Path;

use ananke_testkit::{Invocation, TestContext};
use insta::assert_snapshot;

use super::{expects, friendly};
use crate::ANANKE;

fn failing() -> (TestContext, ananke_testkit::ScriptedAgent) {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Goodbye"));
    for n in 1..6 {
        cx.write(
            &format!("t{n}.test.yaml"),
            &expects(&format!("t{n}"), "Hello"),
        );
    }
    (cx, agent)
}

#[test]
fn a_reader_that_leaves_does_not_change_the_exit_code() {
    let (cx, agent) = failing();
    for redirect in ["| head -1", "| :", ">&-", "2>&- >&-"] {
        let line = format!("{{ {ANANKE} run {redirect}; }} 2>/dev/null");
        let line = match redirect.strip_prefix('|') {
            Some(reader) => format!("{{ {ANANKE} run; echo $? >code; }} |{reader}"),
            None => format!("{line}; echo $? >code"),
        };
        let shell = Invocation::new(Path::new("/bin/sh"), &cx.dir(), cx.root());
        shell.args(&["-c", &line]).run();
        assert_eq!(cx.read("code"), "1\n", "{redirect}");
    }
    assert_eq!(agent.requests().len(), 6 * 4);
}

#[test]
fn a_report_that_cannot_be_written_is_trouble_of_its_own() {
    let (cx, _agent) = failing();
    for flags in ["", "--json"] {
        let line = format!("{ANANKE} run {flags} >/dev/full 2>talk; echo $? >code");
        let shell = Invocation::new(Path::new("/bin/sh"), &cx.dir(), cx.root());
        shell.args(&["-c", &line]).run();
        assert_eq!(cx.read("code"), "3\n", "{flags}");
        let talk = cx.read("talk");
        assert!(
            talk.contains("error: the report could not be written: No space left on device"),
            "{talk}"
        );
    }
}

#[test]
fn locale_home_terminal_and_width_do_not_change_the_verdict() {
    let (cx, _agent) = failing();
    let usual = cx.ananke(&["run"]);
    for (name, value) in [
        ("LANG", "C"),
        ("LC_ALL", "POSIX"),
        ("TERM", "dumb"),
        ("LANG", "en_US.UTF-8"),
        ("COLUMNS", "nonsense"),
        ("CI", "true"),
    ] {
        let output = cx.command(&["run"]).env(name, value).run();
        assert_eq!(cx.show(&output), usual, "{name}={value}");
    }
    let homeless = cx.command(&["run"]).without_env("HOME").without_env("PATH");
    assert_eq!(cx.show(&homeless.run()), usual);
    for columns in ["1", "0", "20", "99999"] {
        let output = cx.command(&["run"]).env("COLUMNS", columns).run();
        assert_eq!(output.code, Some(1), "{output}");
        assert!(output.stdout.contains("TESTS FAILED"), "{output}");
    }
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    let (cx, _agent) = failing();
    let output = cx
        .command(&["run"])
        .env("LC_ALL", "de_DE.ISO-8859-1")
        .env("COLUMNS", "40")
        .run();
    assert!(output.to_string().is_ascii(), "{output}");
    assert_snapshot!(cx.show(&output), @r#"
    exit code: 1
    --- stdout
    ========================================
      Agent Test
    ========================================
    i Agent: http://[HOST]/
    i Input: the project (6 tests)

    ----------------------------------------
      Running Tests
    ----------------------------------------

    x [a.test.yaml] a FAILED ([TIME])
      `- test - text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
         demanded at a.test.yaml:5:29 (test level)
    + [t1.test.yaml] t1 ([TIME])
    + [t2.test.yaml] t2 ([TIME])
    + [t3.test.yaml] t3 ([TIME])
    + [t4.test.yaml] t4 ([TIME])
    + [t5.test.yaml] t5 ([TIME])

    Failures:
      x [a.test.yaml] test: text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"

    Rerun: ananke run a.test.yaml

    ----------------------------------------
      Summary
    ----------------------------------------
      Total:   6 tests
      Passed:  5
      Failed:  1
      Time:    [TIME]

    ========================================
      xxx TESTS FAILED xxx
    ========================================
    --- stderr
    "#);
}

#[test]
fn a_narrow_terminal_still_shows_where_the_mistake_is() {
    let (cx, _agent) = friendly();
    let test = format!(
        "{}# a long line: {}\n",
        expects("a", "Hello"),
        "x".repeat(500)
    );
    cx.write("a.test.yaml", &test.replace("must_match", "must_matsch"));
    let output = cx.command(&["run"]).env("COLUMNS", "30").run();
    assert_snapshot!(cx.show(&output), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unknown key `must_matsch` in `text`
     --> a.test.yaml:5:17
      |
    5 | assert: {text: {must_matsch: He…
      |                 ^^^^^^^^^^^ expected `must_match` or `must_not_match`
    hint: did you mean `must_match`?

    error: 1 error in 1 file
    ");
}
