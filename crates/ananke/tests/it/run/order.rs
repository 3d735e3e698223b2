//! Many tests at once: stable order, `--fail-fast`, and tests that share a thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ananke_testkit::{RawServer, ScriptedAgent, TestContext, drip, hello_run, ok_sse_headers};
use insta::assert_snapshot;
use serde_json::json;

use super::{expects, friendly, rows, said};
use crate::ANANKE;

#[test]
fn parallel_tests_are_shown_in_the_order_of_the_files() {
    let cx = TestContext::new(ANANKE);
    // The first test waits longest for its answer.
    let rules: Vec<_> = (1..=8)
        .map(|n| {
            json!({"when": {"user_equals": format!("t{n}")}, "reply": [{"delay_ms": 240 - 30 * n}, {"text": "Hello"}]})
        })
        .collect();
    let agent = ScriptedAgent::start(json!({"rules": rules}));
    cx.config_for(&agent);
    for n in 1..=8 {
        cx.write(
            &format!("t{n}.test.yaml"),
            &expects(&format!("t{n}"), "Hello"),
        );
    }
    let output = cx.run(&["run", "--parallel", "8"]);
    assert_snapshot!(rows(&cx.show(&output)), @"
    ✓ [t1.test.yaml] t1 ([TIME])
    ✓ [t2.test.yaml] t2 ([TIME])
    ✓ [t3.test.yaml] t3 ([TIME])
    ✓ [t4.test.yaml] t4 ([TIME])
    ✓ [t5.test.yaml] t5 ([TIME])
    ✓ [t6.test.yaml] t6 ([TIME])
    ✓ [t7.test.yaml] t7 ([TIME])
    ✓ [t8.test.yaml] t8 ([TIME])
    ");
    let report = cx.run(&["run", "--parallel", "8", "--json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let ended = |n: usize| report["results"][n]["test_end_ts"].as_i64();
    assert!(
        ended(7) < ended(0),
        "the last test was over before the first: {report}"
    );
    for many in ["auto", "10000"] {
        let output = cx.run(&["run", "--parallel", many, "--run", "t[78]"]);
        assert_eq!(output.code, Some(0), "{output}");
    }
    for wrong in ["0", "-1", "many", "10001"] {
        let output = cx.run(&["run", &format!("--parallel={wrong}")]);
        assert_eq!(output.code, Some(2), "{output}");
        assert!(
            output
                .stderr
                .contains("expected a number from 1 to 10000, or `auto`"),
            "{output}"
        );
    }
}

#[test]
fn fail_fast_starts_no_further_test() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("b.test.yaml", &expects("b", "Goodbye"));
    cx.write("c.test.yaml", &expects("c", "Hello"));
    cx.write("d.test.yaml", &expects("d", "Hello"));
    assert_snapshot!(cx.ananke(&["run", "--fail-fast"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (4 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [a.test.yaml] a ([TIME])
    ✗ [b.test.yaml] b FAILED ([TIME])
      └─ test · text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"
         demanded at b.test.yaml:5:29 (test level)
    ○ 2 tests not run: --fail-fast stopped after a failure

    Failures:
      ✗ [b.test.yaml] test: text.must_match /Goodbye/: expected text matching /Goodbye/, got "Hello there"

    Rerun: ananke run b.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    4 tests
      Passed:   1
      Failed:   1
      Skipped:  2
      Time:     [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    assert_eq!(said(&agent), ["a", "b"]);
    let twin = cx.command(&["run"]).env("ANANKE_FAIL_FAST", "1").run();
    assert_eq!(twin.code, Some(1));
    assert_eq!(agent.requests().len(), 4);
}

#[test]
fn fail_fast_lets_parallel_tests_finish() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "a"}, "reply": [{"delay_ms": 300}, {"text": "Hello"}]},
        {"reply": [{"text": "Hello"}]},
    ]}));
    cx.config_for(&agent);
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("b.test.yaml", &expects("b", "Goodbye"));
    for name in ["c", "d", "e"] {
        cx.write(&format!("{name}.test.yaml"), &expects(name, "Hello"));
    }
    assert_snapshot!(rows(&cx.ananke(&["run", "--fail-fast", "--parallel", "2"])), @"
    ✓ [a.test.yaml] a ([TIME])
    ✗ [b.test.yaml] b FAILED ([TIME])
    ○ 3 tests not run: --fail-fast stopped after a failure
    ");
    let mut said = said(&agent);
    said.sort();
    assert_eq!(said, ["a", "b"]);
}

/// Counts how many requests are answered at the same time.
pub(super) fn counting_server() -> (RawServer, Arc<AtomicUsize>) {
    let (now, most) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let server = RawServer::start(move |_, _, stream| {
        let n = now.fetch_add(1, Ordering::SeqCst) + 1;
        seen.fetch_max(n, Ordering::SeqCst);
        let answer = format!("{}{}", ok_sse_headers(), hello_run());
        drip(
            stream,
            answer.as_bytes().chunks(64),
            Duration::from_millis(10),
        );
        now.fetch_sub(1, Ordering::SeqCst);
    });
    (server, most)
}

#[test]
fn tests_that_share_a_thread_run_one_at_a_time() {
    let write = |cx: &TestContext, thread: &str| {
        for name in ["a", "b", "c"] {
            let text = format!("{}{thread}", expects(name, "."));
            cx.write(&format!("{name}.test.yaml"), &text);
        }
    };
    let cx = TestContext::new(ANANKE);
    let (server, most) = counting_server();
    cx.config(&server.url());
    write(&cx, "target: {threadId: th-1}\n");
    let output = cx.run(&["run", "--parallel", "3"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(server.requests().len(), 3);
    assert_eq!(most.load(Ordering::SeqCst), 1);
    // The same tests with threads of their own do overlap, so the server can tell.
    write(&cx, "");
    let output = cx.run(&["run", "--parallel", "3"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(most.load(Ordering::SeqCst) > 1);
}
