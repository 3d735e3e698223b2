//! Hooks that hang, fork or daemonize: everything ends with the test, and what had to be ended is named.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ananke_testkit::TestContext;
use insta::assert_snapshot;

use super::{TURN, project};
use crate::project::Project;

/// A project with one hook that may take 800 ms.
fn hurried(script: &str) -> Project {
    let project = project(script);
    project.test(&format!(
        "hooks:\n  - {{cmd: [sh, hook.sh], timeout_ms: 800}}\n{TURN}"
    ));
    project
}

/// Tells whether the process whose id is in `file` goes on running. One that was just killed gets a moment to leave: the
/// kernel takes its memory away before it calls it dead.
#[cfg(target_os = "linux")]
fn is_running(cx: &TestContext, file: &str) -> bool {
    let id = cx.read(file);
    let path = PathBuf::from("/proc").join(id.trim()).join("status");
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let state = status.lines().find_map(|line| line.strip_prefix("State:"));
        if state.is_none_or(|state| state.trim().starts_with(['Z', 'X'])) {
            return false;
        }
        if Instant::now() > deadline {
            return true;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_hook_that_hangs_is_killed_at_its_limit() {
    let project = hurried("echo waiting for the database >&2; sleep 60");
    let output = project.output(&[]);
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t TIMEOUT ([TIME])
      └─ hook 1 failed (sh hook.sh): timeout after [TIME]; its process group was killed
         │ stderr: waiting for the database
    ");
    assert!(output.stdout.contains("timeout after 800ms;"), "{output}");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
    assert!(project.agent.requests().is_empty());
}

#[test]
fn a_timeout_of_a_hook_is_a_timeout_in_the_json_report() {
    let report = hurried("sleep 60").json();
    assert_eq!(report["summary"]["timeouts"], 1);
    assert_eq!(report["results"][0]["status"], "timeout");
}

#[test]
fn the_limit_of_the_whole_test_holds_for_hooks() {
    let project = project("sleep 60");
    let output = project.output(&["--timeout", "300ms"]);
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t TIMEOUT ([TIME])
      └─ hook 1 failed (sh hook.sh): timeout after [TIME] for the whole test (--timeout)
    ");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
}

#[test]
#[cfg(target_os = "linux")]
fn grandchildren_are_killed_with_the_hook() {
    let project = hurried("sh -c 'sleep 60 & echo $! > grandchild; wait' & wait");
    assert_eq!(project.output(&[]).code, Some(1));
    assert!(!is_running(&project.cx, "grandchild"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_hook_that_ignores_sigterm_is_killed() {
    let project = hurried("echo $$ > pid; trap '' TERM; while :; do sleep 0.05; done");
    let output = project.output(&[]);
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t TIMEOUT ([TIME])
      └─ hook 1 failed (sh hook.sh): timeout after [TIME]; its process group was killed
    ");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
fn a_hook_has_a_moment_to_clean_up() {
    let project = hurried("trap 'touch cleaned; exit 0' TERM; while :; do sleep 0.01; done");
    assert_eq!(project.output(&[]).code, Some(1));
    assert!(project.cx.exists("cleaned"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_that_keeps_stdout_open_does_not_hold_the_test_up() {
    let mut project = project("sleep 60 & echo $! > pid; echo '{\"A\": 1}'");
    let output = project.output(&["-v"]);
    project.cx.filter(project.cx.read("pid").trim(), "[PID]");
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 warning (hook 1 left processes in the background, which were ended with the test: sleep (pid [PID]))
    ");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
fn what_a_hook_starts_in_the_background_can_serve_the_test_and_go_on_writing() {
    let project = Project::ok();
    let waiter =
        "(while [ ! -e go ]; do sleep 0.01; done; echo noise; echo noise >&2; touch served) &";
    project.cx.write("start.sh", waiter);
    project.cx.write(
        "use.sh",
        "touch go; while [ ! -e served ]; do sleep 0.01; done",
    );
    project.test(&format!(
        "hooks:\n  - cmd: [sh, start.sh]\n  - {{cmd: [sh, use.sh], timeout_ms: 5000}}\n{TURN}"
    ));
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      ⚠ 1 warning (hook 1 left processes in the background, which were ended with the test)
    ");
}

/// Starts `sleep` in a session of its own and waits until its id is known.
const DAEMON: &str =
    "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 60' > /dev/null 2>&1 &
while [ ! -e pid ]; do sleep 0.01; done
while [ \"$(cat /proc/$(cat pid)/comm)\" != sleep ]; do sleep 0.01; done\n";

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_that_left_the_process_group_is_named_and_ended_with_the_test() {
    let mut project = project(DAEMON);
    let output = project.output(&["-v"]);
    project.cx.filter(project.cx.read("pid").trim(), "[PID]");
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 warning (hook 1 left processes in the background, which were ended with the test: sleep (pid [PID]))
    ");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_of_a_hook_that_fails_is_named_and_ended_too() {
    let mut project = project(&format!("{DAEMON}exit 1"));
    let output = project.output(&[]);
    project.cx.filter(project.cx.read("pid").trim(), "[PID]");
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): exit status: 1
      ⚠ 1 warning (hook 1 left processes in the background, which were ended with the test: sleep (pid [PID]))
    ");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_that_ignores_sigterm_is_killed() {
    let script = DAEMON.replace("exec sleep", "trap \"\" TERM; exec sleep");
    let project = project(&script);
    let output = project.output(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(output.elapsed < Duration::from_secs(5), "{output}");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_daemon_of_one_test_lives_on_while_another_test_ends() {
    let project = Project::ok();
    let wait_for = |file: &str| format!("while [ ! -e {file} ]; do sleep 0.01; done");
    // `a` has a daemon and waits for `c`, which looks for the daemon after `b` has ended.
    let look = "grep -q ANANKE_PROCESS /proc/$(cat pid)/environ && touch seen";
    for (name, hooks) in [
        ("a", vec![DAEMON.to_owned(), wait_for("seen")]),
        ("b", vec![wait_for("pid")]),
        ("c", vec![look.to_owned()]),
    ] {
        let lines = hooks.iter().enumerate().map(|(number, script)| {
            let file = format!("{name}{number}.sh");
            project.cx.write(&file, script);
            format!("  - {{cmd: [sh, {file}], timeout_ms: 10000}}\n")
        });
        let lines: String = lines.collect();
        project.test_named(name, &format!("hooks:\n{lines}{TURN}"));
    }
    let output = project.output(&["--parallel", "2"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(!is_running(&project.cx, "pid"));
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_hooks_and_their_daemons_and_once_more_does_it_at_once() {
    for n_times in [1, 2] {
        let project = project(&format!(
            "{DAEMON}trap '' TERM; touch ready; sleep 60 & wait"
        ));
        let mut running = project.cx.command(&["run"]).start();
        running.wait_for(|_, _| project.cx.exists("ready"));
        for _ in 0..n_times {
            running.interrupt();
        }
        let output = running.wait();
        assert_eq!(output.code, Some(130), "{output}");
        assert!(!output.left_processes, "{output}");
        // The system may take a moment to bury what was killed.
        let deadline = Instant::now() + Duration::from_secs(5);
        while is_running(&project.cx, "pid") && Instant::now() < deadline {
            std::thread::yield_now();
        }
        assert!(!is_running(&project.cx, "pid"), "{n_times}: {output}");
    }
}
