//! Ctrl-C and SIGTERM: reports are finished and children are gone; the second signal ends everything at once.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use ananke_testkit::{Invocation, RunOutput, Running, ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use crate::ANANKE;
use crate::run::{expects, friendly};

/// An agent that answers `a` and leaves everybody else waiting.
fn stalling() -> (TestContext, ScriptedAgent) {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "a"}, "reply": [{"text": "Hello"}]},
        {"reply": [{"text": "Hello, one moment"}, "stall"]},
    ]}));
    cx.config_for(&agent);
    (cx, agent)
}

/// A hook that writes its process id and that of its child, then hangs; it ignores SIGTERM if told so.
fn hanging_hook(cx: &TestContext, name: &str, trap: &str) {
    let script = format!(
        "{trap} sleep 600 & echo $! >child; echo $$ >ready.tmp; mv ready.tmp ready; while :; do wait; done"
    );
    cx.write("hook.sh", &script);
    let hook = "hooks: [{cmd: [sh, hook.sh]}]\n";
    cx.write(
        &format!("{name}.test.yaml"),
        &format!("{}{hook}", expects(name, "Hello")),
    );
}

/// Starts a run and waits until the hook is ready; returns the processes that must be gone afterwards.
fn until_the_hook_hangs(cx: &TestContext) -> (Running, Vec<String>) {
    let mut running = cx.command(&["run"]).start();
    running.wait_for(|_, _| cx.exists("ready"));
    let processes = ["ready", "child"].map(|file| cx.read(file).trim().to_owned());
    (running, processes.to_vec())
}

/// Tells whether a process is gone; one that was killed a moment ago and waits for init counts as gone.
fn is_gone(process: &str) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        match std::fs::read_to_string(format!("/proc/{process}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => std::thread::yield_now(),
            _ => return true,
        }
    }
    false
}

fn assert_no_process_left(output: &RunOutput, processes: &[String]) {
    assert!(!output.left_processes, "{output}");
    for process in processes {
        assert!(is_gone(process), "{process} is still there: {output}");
    }
}

#[test]
fn ctrl_c_finishes_the_report() {
    let (cx, agent) = stalling();
    for name in ["a", "b", "c"] {
        cx.write(&format!("{name}.test.yaml"), &expects(name, "Hello"));
    }
    let mut running = cx.command(&["run"]).start();
    running.wait_for(|stdout, _| stdout.contains("✓ [a.test.yaml]") && agent.requests().len() == 2);
    running.interrupt();
    let output = running.wait();
    assert_snapshot!(cx.show(&output), @"
    exit code: 130
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (3 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [a.test.yaml] a ([TIME])
    ○ [b.test.yaml] b SKIPPED: turn 1: interrupted
    ○ 1 test not run: interrupted

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    3 tests
      Passed:   1
      Failed:   0
      Skipped:  2
      Time:     [TIME]

    ═══════════════════════════════════════════════════════════════
      ⚠ INTERRUPTED: 1 of 3 tests finished, 0 failed
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert_no_process_left(&output, &[]);
}

#[test]
fn sigterm_does_the_same_with_its_own_exit_code() {
    let (cx, agent) = stalling();
    cx.write("b.test.yaml", &expects("b", "Hello"));
    let mut running = cx.command(&["run", "--parallel", "4"]).start();
    running.wait_for(|_, _| agent.requests().len() == 1);
    running.terminate();
    let output = running.wait();
    assert_eq!(output.code, Some(143), "{output}");
    assert!(
        output
            .stdout
            .contains("INTERRUPTED: 0 of 1 test finished, 0 failed"),
        "{output}"
    );
}

#[test]
fn ctrl_c_ends_a_hook_and_its_children() {
    let (cx, agent) = friendly();
    hanging_hook(&cx, "a", "");
    let (running, processes) = until_the_hook_hangs(&cx);
    running.interrupt();
    let output = running.wait();
    assert_snapshot!(cx.show(&output), @"
    exit code: 130
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ○ [a.test.yaml] a SKIPPED: hook 1 (sh hook.sh): interrupted

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    1 test
      Passed:   0
      Failed:   0
      Skipped:  1
      Time:     [TIME]

    ═══════════════════════════════════════════════════════════════
      ⚠ INTERRUPTED: 0 of 1 test finished, 0 failed
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert_no_process_left(&output, &processes);
    assert!(agent.requests().is_empty());
}

#[test]
fn the_second_ctrl_c_ends_everything_at_once() {
    let (cx, _agent) = friendly();
    hanging_hook(&cx, "a", "trap '' TERM INT;");
    let (running, processes) = until_the_hook_hangs(&cx);
    let asked = Instant::now();
    running.interrupt();
    running.terminate();
    let output = running.wait();
    assert!(asked.elapsed() < Duration::from_secs(1), "{output}");
    assert!(
        !output.stdout.contains("Summary"),
        "no report is waited for: {output}"
    );
    assert!(matches!(output.code, Some(130 | 143)), "{output}");
    assert_no_process_left(&output, &processes);
}

#[test]
fn ctrl_c_ends_the_server_and_its_children() {
    let (cx, agent) = stalling();
    cx.write("b.test.yaml", &expects("b", "Hello"));
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let server = format!(
        "server:\n  cmd: [sh, -c, 'sleep 600 & echo $! >child; echo $$ >ready.tmp; mv ready.tmp ready; wait']\n  url: 'http://{address}/'\n"
    );
    let config = cx.read("ananke.config.yaml");
    cx.write("ananke.config.yaml", &format!("{config}{server}"));
    let mut running = cx.command(&["run"]).start();
    running.wait_for(|_, _| cx.exists("ready"));
    // The test answers in the server's place, so that no program has to be installed.
    let listener = TcpListener::bind(address).unwrap();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let n_read = stream.read(&mut [0; 4096]).unwrap();
        assert!(n_read > 0, "it asks");
        stream
            .write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
            .unwrap();
    });
    running.wait_for(|_, _| agent.requests().len() == 1);
    answering.join().unwrap();
    let processes = ["ready", "child"].map(|file| cx.read(file).trim().to_owned());
    running.interrupt();
    let output = running.wait();
    assert_eq!(output.code, Some(130), "{output}");
    assert!(output.stdout.contains("INTERRUPTED"), "{output}");
    assert_no_process_left(&output, &processes);
}

#[test]
fn ctrl_c_while_the_server_starts_is_an_interruption() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let server = "server:\n  cmd: [sh, -c, 'echo $$ >ready.tmp; mv ready.tmp ready; exec sleep 600']\n  url: 'http://127.0.0.1:1/'\n";
    let config = cx.read("ananke.config.yaml");
    cx.write("ananke.config.yaml", &format!("{config}{server}"));
    let mut running = cx.command(&["run", "--json"]).start();
    running.wait_for(|_, _| cx.exists("ready"));
    running.interrupt();
    let output = running.wait();
    assert_snapshot!(cx.show(&output), @r#"
    exit code: 130
    --- stdout
    {
      "schema": "ananke.report/1",
      "error": {
        "message": "interrupted while the server was starting",
        "exit_code": 130
      },
      "diagnostics": [
        {
          "severity": "error",
          "message": "interrupted while the server was starting"
        }
      ],
      "summary": {
        "total": 0,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "timeouts": 0,
        "skipped": 0,
        "inconclusive": 0,
        "unchecked": 0,
        "flaky": 0,
        "interrupted": true,
        "duration_ms": 0,
        "connector": null,
        "runs_per_case": 1,
        "overall_pass_rate": 0.0
      },
      "environment": {},
      "results": []
    }
    --- stderr
    error: interrupted while the server was starting
    "#);
    assert_no_process_left(&output, &[cx.read("ready").trim().to_owned()]);
    assert!(agent.requests().is_empty());
}

#[test]
fn two_signals_end_a_run_whose_report_nobody_reads() {
    let (cx, agent) = friendly();
    for number in 0..200 {
        let name = format!("t{number:03}");
        cx.write(&format!("{name}.test.yaml"), &expects(&name, "Hello"));
    }
    // The pipe is open at both ends and takes 64 KiB; the report is larger.
    let line = format!("mkfifo pipe; exec 3<>pipe; exec {ANANKE} run --json >pipe");
    let shell = Invocation::new(Path::new("/bin/sh"), &cx.dir(), cx.root());
    let mut running = shell.args(&["-c", &line]).start();
    running.wait_for(|_, _| agent.requests().len() == 200);
    let deadline = Instant::now() + Duration::from_secs(10);
    let stat = format!("/proc/{}/stat", running.id());
    // Signals are not queued: one is sent again until it is heard.
    while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(Instant::now() < deadline, "the run did not end");
        running.terminate();
        std::thread::yield_now();
    }
    assert_eq!(running.wait().code, Some(143));
}
