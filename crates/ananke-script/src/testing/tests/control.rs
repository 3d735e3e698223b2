//! How `t` logs, fails, skips and stops.

use insta::assert_snapshot;

use crate::testing::test_support::run_one;

#[test]
fn a_function_knows_its_name_and_whether_it_failed() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  t.log(t.name, t.failed, t.skipped, { a: [1, "x"] }, null, undefined, 5n, new TypeError("x"))
  t.fail("first")
  t.log(t.failed)
  const { log, fail } = t
  log("loose")
  fail()
}"#,
    ), @r#"
    TestA: failed
      failed: first [3:5]
      failed: test failed [7:3]
      log: TestA false false {"a":[1,"x"]} null undefined 5n TypeError: x
      log: true
      log: loose
    "#);
}

#[test]
fn errors_are_logged_and_counted() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  t.error("went", "wrong", 5)
  t.error()
  t.log("goes on")
}"#,
    ), @r#"
    TestA: failed
      failed: went wrong 5 [2:5]
      failed: test failed [3:5]
      error: went wrong 5
      error: 
      log: goes on
    "#);
}

#[test]
fn fatal_stops() {
    assert_snapshot!(run_one(
        r#"function TestA(t) { t.fatal("no use"); t.log("not reached") }
function TestB(t) { t.fatal(); }
async function TestC(t) { await null; t.fatal("after await"); t.log("not reached") }
async function TestD(t) { await new Promise((done) => setTimeout(done, 1)); t.fatal("after a timer") }
function TestE(t) { t.assert.True(true) }"#,
    ), @r#"
    TestA: failed
      fatal: no use [1:23]
    TestB: failed
      fatal: fatal error [2:23]
    TestC: failed
      fatal: after await [3:41]
    TestD: failed
      fatal: after a timer [4:79]
    TestE: passed
    "#);
}

#[test]
fn skip_stops_and_a_failure_before_it_stays() {
    assert_snapshot!(run_one(
        r#"function TestA(t) { t.skip("no network"); t.log("not reached") }
function TestB(t) { t.skip() }
function TestC(t) { t.fail("before"); t.skip("too late") }
function TestD(t) { try { t.skip("swallowed") } catch {} t.log(t.skipped) }"#,
    ), @r#"
    TestA: skipped
      log: SKIP: no network
    TestB: skipped
      log: SKIP
    TestC: failed
      failed: before [3:23]
      log: SKIP: too late
    TestD: skipped
      log: SKIP: swallowed
      log: true
    "#);
}

#[test]
fn a_failure_that_is_caught_stays() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  try { t.assert.Equal(1, 2) } catch (error) { t.log(error.name, error.message) }
  t.assert.True(true)
}
async function TestB(t) {
  await (async () => t.fatal("inner"))().catch(() => {})
  t.log("goes on", t.failed)
}"#,
    ), @r#"
    TestA: failed
      assertion: expected 2, got 1 [2:18]
      log: AssertionError expected 2, got 1
    TestB: failed
      fatal: inner [6:24]
      log: goes on true
    "#);
}

#[test]
fn what_was_never_checked_is_not_a_pass() {
    assert_snapshot!(run_one(
        r#"function TestA(t) { t.log("nothing") }
function TestB(t) { if (t.name !== "TestB") t.fail() }
function TestC() { setTimeout(() => {}, 1) }"#,
    ), @r#"
    TestA: inconclusive
      log: nothing
    TestB: passed
    TestC: inconclusive
    "#);
}

#[test]
fn whatever_is_thrown_is_told() {
    assert_snapshot!(run_one(
        r#"function TestError() { throw new RangeError("too far") }
function TestText() { throw "a text" }
function TestNull() { throw null }
function TestUndefined() { throw undefined }
function TestObject() { throw { code: 5 } }
function TestHostile() { throw { get message() { throw 1 }, toString() { throw 2 }, toJSON() { throw 3 } } }
function TestHostileError() { const e = new Error("x"); Object.defineProperty(e, "message", { get() { throw 1 } }); Object.defineProperty(e, "name", { get() { throw 1 } }); throw e }
async function TestRejected() { await Promise.reject(new Error("rejected")) }
function TestUnheard(t) { Promise.reject(new Error("unheard")); t.assert.True(true) }
class Odd extends Error { constructor() { super("odd"); this.name = "Odd" } }
function TestOwn() { throw new Odd() }"#,
    ), @r#"
    TestError: error
      thrown: RangeError: too far [1:30]
    TestText: error
      thrown: threw "a text", which is no Error [2:10]
    TestNull: error
      thrown: threw null, which is no Error [3:10]
    TestUndefined: error
      thrown: threw undefined, which is no Error [4:10]
    TestObject: error
      thrown: threw {"code":5}, which is no Error [5:10]
    TestHostile: error
      thrown: threw {"message":[threw],"toString":[Function: toString],"toJSON":[Function: toJSON]}, which is no Error [6:10]
    TestHostileError: error
      thrown: Error [7:45]
    TestRejected: error
      thrown: rejected [8:58]
    TestUnheard: error
      thrown: a promise was rejected and nobody listened: unheard [9:46]
    TestOwn: error
      thrown: Odd: odd [10:43]
    "#);
}

#[test]
fn what_comes_too_late_belongs_to_nobody_else() {
    assert_snapshot!(run_one(
        r#"let kept
async function later(t) { await null; t.assert.True(true) }
function TestNotAwaited(t) { t.assert.True(true); later(t); kept = t }
function TestNext(t) {
  t.assert.True(true)
  try { kept.log("x") } catch (error) { t.log(error.message) }
  try { kept.assert.Equal(1, 2) } catch (error) { t.log(error.message) }
}
function TestThrownAgain(t) { kept.fatal("not mine") }"#,
    ), @"
    TestNotAwaited: error
      thrown: t.assert.True was called after TestNotAwaited had ended: is an `await` missing? [2:48]
    TestNext: error
      thrown: t.log of TestNotAwaited was used after TestNotAwaited had ended: is an `await` missing there? [6:14]
      thrown: t.assert.Equal of TestNotAwaited was used after TestNotAwaited had ended: is an `await` missing there? [7:21]
      log: t.log of TestNotAwaited was used after TestNotAwaited had ended: is an `await` missing there?
      log: t.assert.Equal of TestNotAwaited was used after TestNotAwaited had ended: is an `await` missing there?
    TestThrownAgain: error
      thrown: t.fatal of TestNotAwaited was used after TestNotAwaited had ended: is an `await` missing there? [9:36]
    ");
}

#[test]
fn cleanups_run_last_first_whatever_happened() {
    assert_snapshot!(run_one(
        r#"function AfterEach(t) { t.log("after each") }
function TestA(t) {
  t.cleanup(() => t.log("one"))
  t.cleanup(async () => { await null; t.log("two") })
  t.assert.True(false)
}
function TestB(t) {
  t.assert.True(true)
  t.cleanup(() => t.log("still"))
  t.cleanup(() => { throw new Error("broken") })
  t.cleanup(() => { t.cleanup(() => t.log("nested")); t.assert.Equal(1, 2) })
}
function TestC(t) { t.cleanup("x") }"#,
    ), @r#"
    TestA: failed
      assertion: expected true, got false [5:12]
      log: after each
      log: two
      log: one
    TestB: error
      hook: cleanup failed: expected 2, got 1 [11:64]
      hook: cleanup failed: broken [10:27]
      log: after each
      log: nested
      log: still
    TestC: error
      thrown: t.cleanup takes a function [13:23]
      log: after each
    "#);
}

#[test]
fn time_that_is_left_can_be_asked_for() {
    assert_snapshot!(run_one(
        r#"function TestA(t, ctx) {
  t.assert.Greater(t.timeLeft(), 0)
  t.assert.Greater(t.deadline, Date.now())
  t.assert.True(t.context === ctx)
}"#,
    ), @"TestA: passed");
}
