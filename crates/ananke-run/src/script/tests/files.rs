//! Test functions: results in plan order, whatever becomes of them.

use std::time::{Duration, Instant};

use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::dispatch::{RunOptions, run};
use crate::redact::Secrets;
use crate::speakers::tests::text;
use crate::testing::{options, run_live, shown};

const FILE: &str = "\
function TestPasses(t) { t.assert.True(true) }
function TestFails(t) {
  t.log('before');
  t.assert.Equal(1, 2, 'numbers differ');
}
function TestThrows(t) { null.x }
function TestShowsNothing(t) {}
function TestSkips(t) { t.skip('no key') }
export async function TestLast(t) { t.assert.True(true) }
";

async fn said(file: &str, how: RunOptions) -> String {
    let scripts = Scripts::new(&[("a_test.ts", file)]);
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..how
    };
    shown(&run_live(&scripts.plan, how).await.0)
}

#[tokio::test]
async fn each_function_is_a_test() {
    let scripts = Scripts::new(&[("a_test.ts", FILE)]);
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, summary) = run_live(&scripts.plan, how).await;
    assert_snapshot!(shown(&results), @"
    TestPasses: PASSED · 0 turns, 0 checks
    TestFails: FAILED assertion failed: numbers differ · 0 turns, 0 checks
        expected: 2
        actual: 1
        at a_test.ts:4:12
          2 | function TestFails(t) {
          3 |   t.log('before');
        > 4 |   t.assert.Equal(1, 2, 'numbers differ');
            |            ^
          5 | }
    TestThrows: ERROR TypeError: cannot read property 'x' of null · 0 turns, 0 checks
        at a_test.ts:6:26
          4 |   t.assert.Equal(1, 2, 'numbers differ');
          5 | }
        > 6 | function TestThrows(t) { null.x }
            |                          ^
          7 | function TestShowsNothing(t) {}
    TestShowsNothing: INCONCLUSIVE no assertion was evaluated: a test that demands nothing shows nothing · 0 turns, 0 checks
        call a method of `t.assert`, or allow it with --allow-unchecked
    TestSkips: SKIPPED no key · 0 turns, 0 checks
    TestLast: PASSED · 0 turns, 0 checks
    ");
    assert_eq!(
        (summary.total, summary.passed, summary.unchecked),
        (6, 2, 0)
    );
    let record = results[1].script.as_ref().unwrap();
    assert_eq!(record.logs[0].text, "before");
    assert_eq!(results[1].file, "a_test.ts");
}

#[tokio::test]
async fn an_endless_loop_ends_in_time_and_the_others_run() {
    let file =
        "function TestLoop(t) { for (;;) {} }\nfunction TestNext(t) { t.assert.True(true) }\n";
    let scripts = Scripts::new(&[("a_test.ts", file)]);
    let mut plan = scripts.plan.clone();
    plan.tests[0].timeout_ms = Some(200);
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    TestLoop: TIMEOUT timeout after 200ms · 0 turns, 0 checks
        at a_test.ts:1:10
        > 1 | function TestLoop(t) { for (;;) {} }
            |          ^
          2 | function TestNext(t) { t.assert.True(true) }
    TestNext: PASSED · 0 turns, 0 checks
    ");
    let limited = RunOptions {
        test_timeout: Duration::from_secs(1),
        ..options()
    };
    assert_snapshot!(said(file, limited).await, @"
    TestLoop: TIMEOUT timeout after 1s · 0 turns, 0 checks
        at a_test.ts:1:10
        > 1 | function TestLoop(t) { for (;;) {} }
            |          ^
          2 | function TestNext(t) { t.assert.True(true) }
    TestNext: PASSED · 0 turns, 0 checks
    ");
}

#[tokio::test]
async fn fail_fast_begins_no_further_function() {
    let file = "function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.fail('no') }\nfunction TestC(t) { t.assert.True(true) }\n";
    let scripts = Scripts::new(&[("a_test.ts", file), ("b_test.ts", file)]);
    let how = RunOptions {
        fail_fast: true,
        parallel: 1,
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, _) = run_live(&scripts.plan, how).await;
    assert_snapshot!(shown(&results), @"
    TestA: PASSED · 0 turns, 0 checks
    TestB: FAILED no · 0 turns, 0 checks
        at a_test.ts:2:23
          1 | function TestA(t) { t.assert.True(true) }
        > 2 | function TestB(t) { t.fail('no') }
            |                       ^
          3 | function TestC(t) { t.assert.True(true) }
    TestC: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    TestA: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    TestB: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    TestC: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    ");
}

#[tokio::test]
async fn a_function_that_failed_is_run_again_alone() {
    let file = "function TestA(t) { t.fail('no') }\nfunction TestB(t) { t.assert.True(true) }\n";
    let again = |fail_fast| RunOptions {
        retries: 1,
        fail_fast,
        ..options()
    };
    assert_snapshot!(said(file, again(false)).await, @"
    TestA attempt 1: FAILED no · 0 turns, 0 checks
    TestA: FAILED no · 0 turns, 0 checks
        at a_test.ts:1:23
        > 1 | function TestA(t) { t.fail('no') }
            |                       ^
          2 | function TestB(t) { t.assert.True(true) }
    TestB: PASSED · 0 turns, 0 checks
    ");
    assert_snapshot!(said(file, again(true)).await, @"
    TestA attempt 1: FAILED no · 0 turns, 0 checks
    TestA: FAILED no · 0 turns, 0 checks
        at a_test.ts:1:23
        > 1 | function TestA(t) { t.fail('no') }
            |                       ^
          2 | function TestB(t) { t.assert.True(true) }
    TestB: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    ");
    // What is left of another function is not there when it is run alone.
    let file = "let n = 0;\nfunction TestA(t) { n += 1; t.assert.Equal(n, 1) }\nfunction TestB(t) { t.assert.Equal(n, 0) }\nfunction TestC(t) { t.assert.True(true) }\n";
    assert_snapshot!(said(file, again(false)).await, @"
    TestA: PASSED · 0 turns, 0 checks
    TestB attempt 1: FAILED assertion failed: expected 0, got 1 · 0 turns, 0 checks
    TestB: PASSED · 0 turns, 0 checks (flaky)
    TestC: PASSED · 0 turns, 0 checks
    ");
    assert_snapshot!(said(file, again(true)).await, @"
    TestA: PASSED · 0 turns, 0 checks
    TestB attempt 1: FAILED assertion failed: expected 0, got 1 · 0 turns, 0 checks
    TestB: PASSED · 0 turns, 0 checks (flaky)
    TestC: PASSED · 0 turns, 0 checks
    ");
}

#[tokio::test]
async fn runs_of_functions_are_put_together() {
    let file = "function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.fail('no') }\n";
    let how = RunOptions {
        runs: 3,
        ..options()
    };
    assert_snapshot!(said(file, how).await, @"
    TestA: PASSED · 0 turns, 0 checks
    TestB: FAILED no · 0 turns, 0 checks
        at a_test.ts:2:23
          1 | function TestA(t) { t.assert.True(true) }
        > 2 | function TestB(t) { t.fail('no') }
            |                       ^
          3 |
        run 1 of 3; passed 0 of 3 runs
    ");
}

#[tokio::test]
async fn an_interrupt_ends_what_runs_and_begins_nothing() {
    let file = "function TestA(t) { for (;;) {} }\nfunction TestB(t) { t.assert.True(true) }\n";
    let scripts = Scripts::new(&[("a_test.ts", file)]);
    let cancel = CancellationToken::new();
    let (sender, mut events) = mpsc::channel(100);
    let running = run(scripts.plan.clone(), options(), sender, cancel.clone());
    let follow = async {
        let mut lines = Vec::new();
        while let Some(event) = events.recv().await {
            match event {
                RunEvent::TestStarted { .. } => cancel.cancel(),
                RunEvent::TestFinished { result, .. } => lines.push(shown([&*result])),
                _ => {}
            }
        }
        lines.join("\n")
    };
    let (outcome, lines) = tokio::join!(running, follow);
    assert_snapshot!(lines, @"
    TestA: SKIPPED interrupted · 0 turns, 0 checks
    TestB: SKIPPED interrupted · 0 turns, 0 checks
    ");
    assert!(outcome.summary.interrupted);
}

#[tokio::test]
async fn what_the_user_skips_is_not_run() {
    let mut scripts = Scripts::new(&[("a_test.ts", FILE)]);
    scripts.plan.tests[0].skip = Some(text("later"));
    scripts.plan.tests.truncate(1);
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert_snapshot!(shown(&results), @"TestPasses: SKIPPED later · 0 turns, 0 checks");
}

#[tokio::test]
async fn files_that_cannot_be_loaded_fail_all_their_functions() {
    let file = "import { x } from './none';\nfunction TestA(t) { t.assert.True(x) }\nfunction TestB(t) { t.assert.True(true) }\n";
    assert_snapshot!(said(file, options()).await, @"
    TestA: ERROR there is no module `./none` · 0 turns, 0 checks
        at a_test.ts:1:19
        > 1 | import { x } from './none';
            |                   ^
          2 | function TestA(t) { t.assert.True(x) }
    TestB: ERROR there is no module `./none` · 0 turns, 0 checks
        at a_test.ts:1:19
        > 1 | import { x } from './none';
            |                   ^
          2 | function TestA(t) { t.assert.True(x) }
    ");
}

#[tokio::test]
async fn what_goes_wrong_behind_all_functions_is_told_with_the_last() {
    let file = "function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.assert.True(true) }\nfunction AfterAll() { throw new Error('left open') }\n";
    assert_snapshot!(said(file, options()).await, @"
    TestA: PASSED · 0 turns, 0 checks
    TestB: ERROR AfterAll failed: left open · 0 turns, 0 checks
        at a_test.ts:3:29
          1 | function TestA(t) { t.assert.True(true) }
          2 | function TestB(t) { t.assert.True(true) }
        > 3 | function AfterAll() { throw new Error('left open') }
            |                             ^
          4 |
    ");
    let file =
        "function TestA(t) { t.assert.True(true) }\nfunction TestMain(m) { m.run(); return 3 }\n";
    assert_snapshot!(said(file, options()).await, @"TestA: ERROR TestMain failed: it returned 3 · 0 turns, 0 checks");
}

#[tokio::test]
async fn secrets_are_hidden_in_all_that_functions_say() {
    let secret = "sk-very-secret-9";
    let file = format!(
        "function TestA(t) {{\n  t.log('key {secret}');\n  t.assert.Equal('{secret}', 'x');\n}}\nfunction TestB(t) {{ t.skip('{secret}') }}\nfunction TestC(t) {{\n  const o = {{['{secret}']() {{ throw new Error('x') }}}};\n  t.run('{secret}', () => {{ o['{secret}']() }});\n}}\n"
    );
    let scripts = Scripts::new(&[("a_test.ts", &file)]);
    let how = options();
    let mut secrets = Secrets::default();
    secrets.add("KEY", secret);
    how.redactor.add(&secrets);
    let (results, _) = run_live(&scripts.plan, how).await;
    let all = format!("{results:?}");
    assert!(!all.contains(secret), "{all}");
    assert!(all.contains("[redacted KEY]"), "{all}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_functions_cost_little() {
    let file: String = (0..2000)
        .map(|number| format!("function Test{number}(t) {{ t.assert.True(true) }}\n"))
        .collect();
    let scripts = Scripts::new(&[("a_test.ts", &file)]);
    let since = Instant::now();
    let (results, summary) = run_live(&scripts.plan, options()).await;
    assert_eq!((results.len(), summary.passed), (2000, 2000));
    // Without optimization, on a machine that does much else.
    assert!(
        since.elapsed() < Duration::from_secs(20),
        "{:?}",
        since.elapsed()
    );
}
