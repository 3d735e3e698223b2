//! Hooks that fail: each fails its test, with the reason, and nothing else.

use std::time::Duration;

use insta::assert_snapshot;

use super::{TURN, project, verdict};
use crate::project::Project;

#[test]
fn the_exit_status_and_the_end_of_stderr_are_shown() {
    assert_snapshot!(verdict("echo 'no such order' >&2; echo 'giving up' >&2; exit 3"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): exit status: 3
         │ stderr: no such order
         │ stderr: giving up
    ");
}

#[test]
fn of_a_long_stderr_the_last_lines_are_shown() {
    assert_snapshot!(verdict("seq 1 100000 >&2; exit 1"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): exit status: 1
         │ stderr: 99991
         │ stderr: 99992
         │ stderr: 99993
         │ stderr: 99994
         │ stderr: 99995
         │ stderr: 99996
         │ stderr: 99997
         │ stderr: 99998
         │ stderr: 99999
         │ stderr: 100000
    ");
}

#[test]
fn stderr_is_shown_for_every_kind_of_failure() {
    assert_snapshot!(verdict("echo 'connecting…' >&2; echo oops"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (expected value at line 1 column 1), got: oops
         │ stderr: connecting…
    ");
    assert_snapshot!(verdict("printf 'evil \\033[K\\n::error::forged\\n' >&2; exit 1"), @r"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): exit status: 1
         │ stderr: evil \u{1b}[K
         │ stderr: ::error::forged
    ");
}

#[test]
fn a_signal_is_named() {
    assert_snapshot!(verdict("kill -SEGV $$"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): signal: 11 (SIGSEGV)
    ");
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let project = Project::ok();
    project.cx.write("not-executable.sh", "true\n");
    project.test_named(
        "a",
        &format!("hooks:\n  - cmd: [no-such-program, --now]\n{TURN}"),
    );
    project.test_named(
        "b",
        &format!("hooks:\n  - cmd: [./not-executable.sh]\n{TURN}"),
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [a.test.yaml] a ERROR ([TIME])
      └─ hook 1 failed (no-such-program --now): `no-such-program` cannot be started: No such file or directory (os error 2)
    ✗ [b.test.yaml] b ERROR ([TIME])
      └─ hook 1 failed (./not-executable.sh): `./not-executable.sh` cannot be started: Permission denied (os error 13)
    ");
}

#[test]
fn after_a_failed_hook_no_other_hook_runs_and_nothing_is_sent() {
    let project = Project::ok();
    project.test(&format!(
        "hooks:\n  - cmd: [touch, first]\n  - cmd: ['false']\n  - cmd: [touch, third]\n{TURN}"
    ));
    assert_eq!(project.output(&[]).code, Some(1));
    assert!(project.cx.exists("first"));
    assert!(!project.cx.exists("third"));
    assert!(project.agent.requests().is_empty());
}

#[test]
fn a_failed_hook_fails_its_own_test_only() {
    let project = Project::ok();
    project.test_named("a", &format!("hooks:\n  - cmd: ['false']\n{TURN}"));
    project.test_named("b", TURN);
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [a.test.yaml] a ERROR ([TIME])
      └─ hook 1 failed (false): exit status: 1
    ✓ [b.test.yaml] b ([TIME])
    ");
}

#[test]
fn a_name_that_no_hook_gave_fails_that_test_only() {
    let project = Project::ok();
    project.test_named(
        "a",
        "hooks:\n  - cmd: [echo, '{\"ORDR\": 1}']\nturns:\n  - user: 'about ${ORDER} of ${SHOP}'\n    assert: {text: {must_match: '${ORDER}'}}\n",
    );
    project.test_named("b", TURN);
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [a.test.yaml] a ERROR ([TIME])
      └─ no value for ${ORDER} (a.test.yaml:6), ${SHOP} (a.test.yaml:6): known are ORDR
         │ a.test.yaml:7: undefined variable `ORDER`
    ✓ [b.test.yaml] b ([TIME])
    ");
    assert_eq!(project.asked(), ["hello"]);
}

#[test]
fn a_name_that_only_the_third_hook_gives_is_missing_in_the_second() {
    let project = Project::ok();
    project.test(&format!(
        "hooks:\n  - cmd: ['true']\n  - cmd: [echo, '${{LATER}}']\n  - cmd: [echo, '{{\"LATER\": 1}}']\n{TURN}"
    ));
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 2: no value for ${LATER} (t.test.yaml:5): no hook has printed a variable
    ");
}

#[test]
fn endless_stdout_is_stopped_at_its_limit() {
    let project = project("yes '{}'");
    let output = project.output(&[]);
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout is larger than 1048576 bytes; it must be one JSON object or empty
    ");
    assert!(output.elapsed < Duration::from_secs(10), "{output}");
    assert!(output.peak_rss_kib < Some(128 << 10), "{output:?}");
}

#[test]
fn stdout_without_a_line_end_is_stopped_at_its_limit() {
    assert_snapshot!(verdict("cat /dev/zero"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout is larger than 1048576 bytes; it must be one JSON object or empty
    ");
}

#[test]
fn a_flood_on_stderr_is_drained_and_its_end_kept() {
    let project = project(
        "yes 'a warning' | head -c 50000000 >&2; echo last words >&2; echo '{\"A\": 1}'; exit 7",
    );
    let output = project.output(&[]);
    assert_eq!(output.code, Some(1));
    assert!(output.stdout.contains("exit status: 7"), "{output}");
    assert!(output.stdout.contains("stderr: last words"), "{output}");
    assert!(output.peak_rss_kib < Some(128 << 10), "{output:?}");
}

#[test]
fn a_flood_on_stderr_does_not_keep_a_hook_from_succeeding() {
    assert_snapshot!(verdict("head -c 5000000 /dev/zero >&2; echo '{\"A\": 1}'"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
}

#[test]
fn a_failed_hook_is_in_the_json_report() {
    let report = project("echo why >&2; exit 3").json();
    let result = &report["results"][0];
    assert_eq!(report["summary"]["errors"], 1);
    assert_eq!(result["status"], "error");
    assert_eq!(
        result["error"],
        "hook 1 failed (sh hook.sh): exit status: 3"
    );
    assert_eq!(result["error_details"], serde_json::json!(["stderr: why"]));
    assert_eq!(result["turns"], serde_json::json!([]));
}
