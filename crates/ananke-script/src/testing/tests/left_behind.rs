//! What functions begin and do not wait for, and what is done for those that do not end.

use std::time::{Duration, Instant};

use insta::assert_snapshot;

use crate::testing::test_support::{run_one, run_within};

const SHORT: Duration = Duration::from_millis(300);

fn short(text: &str) -> String {
    run_within(&[("x_test.ts", text)], SHORT)
}

#[test]
fn what_a_forgotten_await_hides_is_found() {
    assert_snapshot!(run_one(
        r#"const nap = (ms) => new Promise((done) => setTimeout(done, ms))
async function check(t) { await nap(5); t.assert.True(false) }
function TestNotAwaited(t) { t.assert.True(true); check(t) }
function TestTimer(t) { t.assert.True(true); setTimeout(() => t.assert.True(false), 10) }
function TestThrows(t) { t.assert.True(true); setTimeout(() => { throw new Error("late") }, 0) }
async function TestRejected(t) { t.assert.True(true); nap(3).then(() => { throw new Error("rejected late") }) }
function TestHarmless(t) { t.assert.True(true); setTimeout(() => t.name, 3) }
function TestQuiet(t) { t.assert.False(AbortSignal.timeout(60_000).aborted) }
function TestNext(t) { t.assert.True(true) }"#,
    ), @"
    TestNotAwaited: error
      thrown: t.assert.True was called after TestNotAwaited had ended: is an `await` missing? [2:50]
    TestTimer: error
      thrown: t.assert.True was called after TestTimer had ended: is an `await` missing? [4:72]
    TestThrows: error
      thrown: late [5:72]
    TestRejected: error
      thrown: a promise was rejected and nobody listened: rejected late [6:81]
    TestHarmless: passed
    TestQuiet: passed
    TestNext: passed
    ");
}

#[test]
fn what_never_ends_is_told() {
    let since = Instant::now();
    assert_snapshot!(run_one(
        r#"function TestInterval(t) { t.assert.True(true); setInterval(() => {}, 5) }
function TestCleared(t) { t.assert.True(true); const id = setInterval(() => {}, 5); t.cleanup(() => clearInterval(id)) }
let id
function BeforeAll() { id = setTimeout(() => {}, 1) }"#,
    ), @"
    TestInterval: error
      thrown: TestInterval ended while work that it began was still going on: an interval was never cleared [1:10]
    TestCleared: passed
    ");
    assert!(since.elapsed() < Duration::from_secs(5));
    assert_snapshot!(short(
        r#"function TestTimer(t) { t.assert.True(true); setTimeout(() => {}, 100_000) }
function TestLoop(t) { t.assert.True(true); setTimeout(() => { for (;;) {} }, 1) }
function TestNext(t) { t.assert.True(true) }"#,
    ), @"
    TestTimer: passed
      warn: a timer of 100s was still pending, and was dropped
    TestLoop: timeout
      timeout: timeout after 300ms [2:10]
    TestNext: passed
    ");
}

#[test]
fn timers_of_the_module_and_of_test_main_are_their_own() {
    assert_snapshot!(run_one(
        r#"const beat = setInterval(() => {}, 1)
function TestMain(m) { const id = setInterval(() => {}, 1); const code = m.run(); clearInterval(id); return code }
function TestA(t) { t.assert.True(true) }
async function TestB(t) { await new Promise((done) => setTimeout(done, 5)); t.assert.True(true) }"#,
    ), @"
    TestA: passed
    TestB: passed
    ");
}

#[test]
fn a_function_that_does_not_end_is_cleaned_up_after() {
    assert_snapshot!(short(
        r#"function AfterEach(t) { t.log("after", t.name, t.failed) }
function TestLoop(t) { t.cleanup(() => t.log("cleaned")); for (;;) {} }
async function TestJobs(t) { t.cleanup(async () => { await null; t.log("cleaned") }); for (;;) await null }
async function TestPending(t) { t.cleanup(() => t.log("cleaned")); await new Promise((done) => setTimeout(done, 100_000)); t.log("not reached") }
async function TestNever(t) { t.cleanup(() => t.log("cleaned")); await new Promise(() => {}) }
async function TestInner(t) { t.cleanup(() => t.log("outer")); await t.run("x", async (t) => { t.cleanup(() => t.log("inner")); await new Promise((done) => setTimeout(done, 100_000)) }) }
function TestNext(t) { t.assert.True(true) }"#,
    ), @"
    TestLoop: timeout
      timeout: timeout after 300ms [2:10]
      log: after TestLoop true
      log: cleaned
    TestJobs: timeout
      timeout: timeout after 300ms [3:16]
      log: after TestJobs true
      log: cleaned
    TestPending: timeout
      timeout: timeout after 300ms [4:16]
      log: after TestPending true
      log: cleaned
    TestNever: error
      thrown: the promise that it returned never settles: nothing is left that could settle it [5:16]
      log: after TestNever true
      log: cleaned
    TestInner: timeout
      timeout: timeout after 300ms [6:16] in TestInner/x
      log: inner
      log: after TestInner true
      log: outer
      TestInner/x: timeout
    TestNext: passed
      log: after TestNext false
    ");
    assert_snapshot!(short(
        r#"function AfterEach(t) { t.log("once"); if (t.name === "TestAfter") for (;;) {} }
function TestAfter(t) { t.cleanup(() => t.log("cleaned")) ; t.assert.True(true) }
function TestCleanup(t) { t.cleanup(() => t.log("first")); t.cleanup(() => { for (;;) {} }); t.assert.True(true) }
async function TestBoth(t) { t.cleanup(() => { for (;;) {} }); for (;;) {} }
async function TestThrows(t) { t.cleanup(() => { throw new Error("broken") }); for (;;) {} }"#,
    ), @"
    TestAfter: timeout
      timeout: timeout after 300ms [2:10]
      log: once
      log: cleaned
    TestCleanup: timeout
      timeout: timeout after 300ms [3:10]
      log: once
      log: first
    TestBoth: timeout
      timeout: timeout after 300ms [4:16]
      hook: a cleanup failed after the function had not ended: it did not end within 300ms [4:16]
      log: once
    TestThrows: timeout
      timeout: timeout after 300ms [5:16]
      hook: cleanup failed: broken [5:56]
      log: once
    ");
}

#[test]
fn every_before_all_has_its_after_all() {
    assert_snapshot!(short(
        r#"let n = 0
function BeforeAll(t) { t.log("before all", ++n) }
function AfterAll(t) { t.log("after all", n) }
function TestA(t) { n++; for (;;) {} }
function TestB(t) { t.assert.Equal(n, 1) }"#,
    ), @"
    TestA: timeout
      timeout: timeout after 300ms [4:10]
      log: before all 1
    TestB: passed
      log: before all 1
    behind: after all 2
    behind: after all 1
    ");
}

#[test]
fn whatever_hangs_is_named() {
    assert_snapshot!(run_one(
        r#"const never = () => new Promise(() => {})
function AfterEach(t) { if (t.name === "TestAfter") return never() }
function TestAfter(t) { t.assert.True(true) }
function TestCleanup(t) { t.assert.True(true); t.cleanup(never) }
function TestSubtest(t) { t.run("x", never) }
function TestPanic(t) { t.assert.NoPanic(never) }
function TestOwn(t) { return never() }"#,
    ), @"
    TestAfter: error
      thrown: the promise that AfterEach returned never settles: nothing is left that could settle it [3:10]
    TestCleanup: error
      thrown: the promise that a cleanup returned never settles: nothing is left that could settle it [4:10]
    TestSubtest: error
      thrown: the promise of the subtest TestSubtest/x never settles: nothing is left that could settle it [5:10]
      TestSubtest/x: error
    TestPanic: error
      thrown: the promise that t.assert.NoPanic was given never settles: nothing is left that could settle it [6:10]
    TestOwn: error
      thrown: the promise that it returned never settles: nothing is left that could settle it [7:10]
    ");
}

#[test]
fn what_is_logged_outside_of_functions_is_kept() {
    assert_snapshot!(run_one(
        r#"console.log("loading")
function BeforeAll(t) { t.log("before all") }
function AfterAll(t) { t.log("after all") }
function TestMain(m) { m.log("before run"); const code = m.run(); m.log("after run"); return code }
function TestA(t) { t.assert.True(true); t.log("A") }
function TestB(t) { t.assert.True(true) }"#,
    ), @"
    TestA: passed
      log: loading
      log: before all
      log: before run
      log: A
    TestB: passed
    behind: after run
    behind: after all
    ");
    assert_snapshot!(run_one(
        "console.log('loading')\nfunction BeforeAll(t) { t.log('x'); throw new Error('no') }\nfunction TestA(t) { t.assert.True(true) }",
    ), @"
    TestA: error
      hook: BeforeAll failed: no [2:43]
      log: loading
      log: x
    ");
}

#[test]
fn what_test_main_does_before_it_runs_functions_counts() {
    assert_snapshot!(run_one(
        r#"async function TestMain(m) { setTimeout(() => { throw new Error("early") }, 0); await new Promise((done) => setTimeout(done, 5)); return m.run() }
function TestA(t) { t.assert.True(true) }"#,
    ), @"
    TestA: passed
      hook: TestMain failed: early [1:55]
    ");
}

#[test]
fn timers_that_are_far_off_are_dropped_at_once() {
    let since = Instant::now();
    assert_snapshot!(run_one(
        r#"const within = (work, ms) => Promise.race([work, new Promise((_, no) => setTimeout(() => no(new Error("late")), ms))])
async function TestRace(t) { t.assert.Equal(await within(Promise.resolve(1), 60_000), 1) }
function TestTwo(t) { t.assert.True(true); setTimeout(() => {}, 60_000); setTimeout(() => {}, 2500) }
function TestRare(t) { t.assert.True(true); setInterval(() => {}, 60_000) }
function TestNext(t) { t.assert.True(true) }"#,
    ), @"
    TestRace: passed
      warn: a timer of 60s was still pending, and was dropped
    TestTwo: passed
      warn: 2 timers, the longest of 60s, were still pending, and were dropped
    TestRare: error
      thrown: TestRare ended while work that it began was still going on: an interval was never cleared [4:10]
    TestNext: passed
    ");
    assert!(since.elapsed() < Duration::from_millis(900));
}

#[test]
fn what_is_left_is_waited_for_a_second() {
    let since = Instant::now();
    assert_snapshot!(run_one(
        r#"function TestClears(t) { t.assert.True(true); let n = 0; const id = setInterval(() => { if (++n === 3) clearInterval(id) }, 5) }
function TestPolls(t) { t.assert.True(true); const poll = () => setTimeout(poll, 20); poll() }
function TestNext(t) { t.assert.True(true) }"#,
    ), @"
    TestClears: passed
    TestPolls: passed
      warn: a timer of 20ms was still pending, and was dropped
    TestNext: passed
    ");
    assert!(since.elapsed() < Duration::from_secs(3));
}

#[test]
fn requests_that_are_given_up_are_not_open() {
    let since = Instant::now();
    assert_snapshot!(run_one(
        r#"const slow = "https://api.example.com/after/3000"
async function TestAborted(t) {
  const control = new AbortController()
  const asked = fetch(slow, { signal: control.signal }).catch((error) => error.name)
  control.abort()
  t.assert.Equal(await asked, "AbortError")
}
async function TestTimeout(t) {
  t.assert.Equal(await fetch(slow, { signal: AbortSignal.timeout(10) }).catch((error) => error.name), "TimeoutError")
}
async function TestIgnored(t) {
  const control = new AbortController()
  const asked = fetch("https://api.example.com/after/20", { signal: control.signal }).catch((error) => error.name)
  control.abort()
  await new Promise((done) => setTimeout(done, 60))
  t.assert.Equal(await asked, "AbortError")
}"#,
    ), @"
    TestAborted: passed
    TestTimeout: passed
    TestIgnored: passed
    ");
    assert!(since.elapsed() < Duration::from_millis(900));
}

#[test]
fn requests_that_are_left_do_not_reach_later_functions() {
    assert_snapshot!(run_one(
        r#"const ask = (ms) => fetch(`https://api.example.com/after/${ms}`)
function TestSoon(t) { t.assert.True(true); ask(50).then(() => t.log("answered")) }
function TestLeft(t) { t.assert.True(true); ask(1200).then(() => { throw new Error("of another function") }) }
async function TestNext(t) { t.assert.Equal((await ask(500)).status, 200) }
function TestOwn(t) { t.assert.True(true); ask(3000) }
async function TestNever(t) { await new Promise(() => {}) }"#,
    ), @"
    TestSoon: error
      thrown: t.log was called after TestSoon had ended: is an `await` missing? [2:66]
    TestLeft: error
      thrown: TestLeft ended while work that it began was still going on: a request that it did not wait for [3:10]
    TestNext: passed
    TestOwn: error
      thrown: TestOwn ended while work that it began was still going on: a request that it did not wait for [5:10]
    TestNever: error
      thrown: the promise that it returned never settles: nothing is left that could settle it [6:16]
    ");
}

#[test]
fn timers_of_hooks_belong_to_the_file() {
    let since = Instant::now();
    assert_snapshot!(run_one(
        r#"let n = 0, m = 0, k = 0, beat
const nap = (ms) => new Promise((done) => setTimeout(done, ms))
function again() { m++; setTimeout(again, 5) }
async function loop() { for (;;) { await nap(5); k++ } }
function BeforeAll() { beat = setInterval(() => n++, 5); setTimeout(() => {}, 60_000); again(); loop() }
function AfterAll(t) { clearInterval(beat); t.log("all went on", n > 1, m > 1, k > 1) }
async function TestA(t) { await nap(40); t.assert.True(n > 1 && m > 1 && k > 1); n = m = k = 0 }
async function TestB(t) { await nap(40); t.assert.True(n > 1 && m > 1 && k > 1) }
function TestC(t) { t.assert.True(true) }"#,
    ), @"
    TestA: passed
    TestB: passed
    TestC: passed
    behind: all went on true true true
    ");
    assert_snapshot!(run_one(
        r#"function TestMain(m) { setInterval(() => {}, 5); setTimeout(() => {}, 60_000); return m.run() }
function AfterAll() { setInterval(() => {}, 5); setTimeout(() => { throw new Error("found") }, 10) }
function TestA(t) { t.assert.True(true) }"#,
    ), @"
    TestA: passed
      hook: AfterAll failed: found [2:74]
    ");
    assert!(since.elapsed() < Duration::from_millis(900));
}
