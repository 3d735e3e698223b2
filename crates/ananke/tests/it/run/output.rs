//! How much is said: `-q`, `-v`, `-vv`, `--dry-run`, many failures, colors, terminals.

use std::path::Path;

use ananke_testkit::{Invocation, ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use super::{expects, friendly, one_turn};
use crate::ANANKE;

/// Returns a project with a test that passes and one that fails, and an agent that uses a tool.
fn mixed() -> (TestContext, ScriptedAgent) {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"reasoning": "let me look"},
        {"tool": {"name": "search", "args": {"q": "mug"}, "result": {"hits": 3}}},
        {"text": "Found 3 mugs\u{1b}[2J.\n::error::not a command"},
    ]}]}));
    cx.config_for(&agent);
    cx.write("bad.test.yaml", &expects("bad", "teapot"));
    cx.write("good.test.yaml", &expects("good", "mugs"));
    (cx, agent)
}

#[test]
fn quiet_shows_failures_and_the_summary() {
    let (cx, _agent) = mixed();
    assert_snapshot!(cx.ananke(&["run", "-q"]), @r#"
    exit code: 1
    --- stdout
    ✗ [bad.test.yaml] bad FAILED ([TIME])
      └─ test · text.must_match /teapot/: expected text matching /teapot/, got:
         │ "Found 3 mugs\u{1b}[2J.
         │ ::error::not a command"
         demanded at bad.test.yaml:5:29 (test level)

    Failures:
      ✗ [bad.test.yaml] test: text.must_match /teapot/: expected text matching /teapot/, got "Found 3 mugs\u{1b}[2J.\n::error::not a command"

    Rerun: ananke run bad.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    let twin = cx.command(&["run"]).env("ANANKE_QUIET", "1").run();
    assert_eq!(cx.show(&twin), cx.ananke(&["run", "--quiet"]));
}

#[test]
fn verbose_adds_counts() {
    let (cx, _agent) = mixed();
    assert_snapshot!(cx.ananke(&["run", "-v"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [bad.test.yaml] bad FAILED ([TIME])
      └─ test · text.must_match /teapot/: expected text matching /teapot/, got:
         │ "Found 3 mugs\u{1b}[2J.
         │ ::error::not a command"
         demanded at bad.test.yaml:5:29 (test level)
      Turns: 1, Assertions: 0/1 passed

    ✓ [good.test.yaml] good ([TIME])
      Turns: 1, Assertions: 1/1 passed

    Failures:
      ✗ [bad.test.yaml] test: text.must_match /teapot/: expected text matching /teapot/, got "Found 3 mugs\u{1b}[2J.\n::error::not a command"

    Rerun: ananke run bad.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    let twin = cx.command(&["run"]).env("ANANKE_VERBOSE", "1").run();
    assert_eq!(cx.show(&twin), cx.ananke(&["run", "--verbose"]));
}

#[test]
fn twice_verbose_shows_the_conversation() {
    let (cx, _agent) = mixed();
    assert_snapshot!(cx.ananke(&["run", "-vv", "good.test.yaml"]), @r#"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: good.test.yaml (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [good.test.yaml] good ([TIME])
      Turns: 1, Assertions: 1/1 passed
      turn 1 · user · [TIME] · 20 events · first text after [TIME] · first tool after [TIME]
        user
        │ good
        reasoning
        │ let me look
        tool search {"q":"mug"} → {"hits":3} ([TIME])
        assistant
        │ Found 3 mugs\u{1b}[2J.
        │ ::error::not a command

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    let args = ["run", "good.test.yaml"];
    let twin = cx.command(&args).env("ANANKE_VERBOSE", "2").run();
    assert!(twin.stdout.contains("reasoning"), "{twin}");
}

#[test]
fn a_dry_run_starts_nothing() {
    let (cx, agent) = friendly();
    let config = cx.read("ananke.config.yaml");
    let server = "server: {cmd: [touch, server-started], url: 'http://127.0.0.1:1/'}\n";
    cx.write("ananke.config.yaml", &format!("{config}{server}"));
    let hook = "hooks: [{cmd: [touch, hook-ran]}]\n";
    cx.write("a.test.yaml", &format!("{}{hook}", expects("a", "Hello")));
    cx.write(
        "b.test.yaml",
        &format!("{}skip: later\n", expects("b", "Hello")),
    );
    assert_snapshot!(cx.ananke(&["run", "--dry-run"]), @"
    exit code: 0
    --- stdout
      ○ [a.test.yaml] a (1 turn, 1 check)
      ○ [b.test.yaml] b SKIPPED: later

      1 test with 1 turn and 1 check, 1 skipped; nothing was run
    --- stderr
    ");
    let twin = cx.command(&["run"]).env("ANANKE_DRY_RUN", "true").run();
    assert_eq!(twin.code, Some(0));
    cx.ananke(&["validate"]);
    cx.ananke(&["list"]);
    assert!(!cx.exists("hook-ran") && !cx.exists("server-started"));
    assert!(agent.requests().is_empty());
    cx.write("c.test.yaml", &one_turn("c", "x", "asert: 1\n"));
    assert_eq!(cx.run(&["run", "--dry-run"]).code, Some(2));
}

#[test]
fn many_tests_repeat_the_failures_at_the_end() {
    let (cx, _agent) = friendly();
    for n in 10..35 {
        let word = if n % 12 == 0 { "Goodbye" } else { "Hello" };
        cx.write(
            &format!("my tests/t{n}.test.yaml"),
            &expects(&format!("t{n}"), word),
        );
    }
    let shown = cx.ananke(&[
        "run",
        "--parallel",
        "4",
        "--var",
        "A=b c",
        "--timeout",
        "30s",
    ]);
    let (_, end) = shown.split_once("[my tests/t34.test.yaml]").unwrap();
    assert_snapshot!(end, @r#"
     t34 ([TIME])

    Failures:
    ✗ [my tests/t12.test.yaml] t12 FAILED ([TIME])
      └─ test · text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
         demanded at my tests/t12.test.yaml:5:29 (test level)
    ✗ [my tests/t24.test.yaml] t24 FAILED ([TIME])
      └─ test · text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
         demanded at my tests/t24.test.yaml:5:29 (test level)

    Rerun: ananke run --var 'A=b c' --timeout [TIME] 'my tests/t12.test.yaml' 'my tests/t24.test.yaml'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   25 tests
      Passed:  23
      Failed:  2
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
}

#[test]
fn colors_are_for_terminals_unless_asked_for() {
    let (cx, _agent) = mixed();
    let colored = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = cx.command(&[&["run"], args].concat());
        for (name, value) in env {
            command = command.env(name, value);
        }
        command.run().stdout.contains("\u{1b}[")
    };
    assert!(!colored(&[], &[]));
    assert!(colored(&["--color", "always"], &[]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(colored(&[], &[("ANANKE_COLOR", "always")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!colored(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    // Colors change nothing else.
    let mut painted = cx.run(&["run", "--color", "always"]);
    painted.stdout = without_colors(&painted.stdout);
    assert_eq!(cx.show(&painted), cx.ananke(&["run"]));
}

fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

/// Runs a command on a terminal of 60 columns and returns what it wrote there, stderr included.
fn on_a_terminal(cx: &TestContext, command: &str) -> Option<String> {
    let script = Path::new("/usr/bin/script");
    if !script.exists() {
        return None;
    }
    let line = format!("stty cols 60; {ANANKE} {command}");
    let run = Invocation::new(script, &cx.dir(), cx.root())
        .env("TERM", "xterm")
        .args(&["-qec", &line, "/dev/null"])
        .run();
    Some(run.stdout)
}

#[test]
fn progress_and_colors_are_shown_on_a_terminal_only() {
    const ERASE: &str = "\r\u{1b}[2K";
    let cx = TestContext::new(ANANKE);
    let agent =
        ScriptedAgent::start(json!({"rules": [{"reply": [{"delay_ms": 600}, {"text": "Hello"}]}]}));
    cx.config_for(&agent);
    let name = "a-name-that-is-far-too-long-for-a-terminal-of-sixty-columns";
    cx.write(&format!("{name}.test.yaml"), &expects("a", "Hello"));
    let Some(shown) = on_a_terminal(&cx, "run") else {
        eprintln!("SKIPPED: `script` of util-linux is not installed, so there is no terminal");
        return;
    };
    let progress: Vec<&str> = shown
        .split(ERASE)
        .filter(|part| part.starts_with("0/1"))
        .collect();
    let last = progress.last().unwrap_or(&"");
    assert!(last.ends_with('…'), "{shown:?}");
    assert!(
        progress.iter().all(|line| line.chars().count() < 60),
        "{shown:?}"
    );
    assert!(shown.contains("\u{1b}[32m"), "{shown:?}");
    // Nothing of it remains: what is on the screen at last was written after an erasure.
    assert!(shown.trim_end().ends_with('═'), "{shown:?}");
    for quiet in ["run -q", "run --json", "run 2>/dev/null", "run | cat"] {
        let shown = on_a_terminal(&cx, quiet).unwrap();
        let has_progress = shown.contains("0/1");
        assert_eq!(
            has_progress,
            quiet == "run | cat" || quiet == "run --json",
            "{quiet}: {shown:?}"
        );
    }
    let piped = cx.run(&["run"]);
    assert!(
        !piped.to_string().contains('\u{1b}') && piped.stderr.is_empty(),
        "{piped}"
    );
}
