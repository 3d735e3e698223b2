//! `t.run`.

use insta::assert_snapshot;

use crate::testing::test_support::run_one;

#[test]
fn a_subtest_fails_its_function_and_stops_only_itself() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  const passed = t.run("fails", (t) => { t.log(t.name); t.assert.Equal(1, 2); t.log("not reached") })
  t.log("goes on", passed, t.failed)
  t.log(t.run("passes", (t, ctx) => t.assert.NotNil(ctx)))
  t.run("skips", (t) => t.skip("later"))
  t.run("throws", () => { throw new Error("broken") })
  t.run("outer", (t) => { t.run("inner", (t) => t.fatal("deep")); t.run("other", (t) => t.assert.True(true)) })
  t.run("undecided", (t) => t.assert.Agent("x", "nobody", { criteria: "y" }))
}"#,
    ), @r#"
    TestA: failed
      assertion: expected 2, got 1 [2:66] in TestA/fails
      thrown: broken [6:33] in TestA/throws
      fatal: deep [7:51] in TestA/outer/inner
      undecided: there is no agent `nobody` [8:38] in TestA/undecided
      log: TestA/fails
      log: goes on false true
      log: true
      log: SKIP: later
      TestA/fails: failed
      TestA/passes: passed
      TestA/skips: skipped
      TestA/throws: error
      TestA/outer: failed
      TestA/outer/inner: failed
      TestA/outer/other: passed
      TestA/undecided: inconclusive
    "#);
}

#[test]
fn subtests_may_take_their_time() {
    assert_snapshot!(run_one(
        r#"const nap = (ms) => new Promise((done) => setTimeout(done, ms))
async function TestOneByOne(t) {
  t.log(await t.run("slow", async (t) => { await nap(2); t.assert.True(true) }))
  t.log(await t.run("fails", async (t) => { await null; t.assert.True(false) }))
}
async function TestAtOnce(t) {
  await Promise.all([3, 1].map((ms) => t.run("after " + ms, async (t) => { await nap(ms); if (ms === 1) t.fail("one"); else t.assert.True(true) })))
}
function TestNotAwaited(t) {
  t.run("late", async (t) => { await nap(1); t.assert.True(false, "noticed") })
}"#,
    ), @r#"
    TestOneByOne: failed
      assertion: expected true, got false [4:66] in TestOneByOne/fails
      log: true
      log: false
      TestOneByOne/slow: passed
      TestOneByOne/fails: failed
    TestAtOnce: failed
      failed: one [7:107] in TestAtOnce/after 1
      TestAtOnce/after 3: passed
      TestAtOnce/after 1: failed
    TestNotAwaited: failed
      assertion: noticed [10:55] in TestNotAwaited/late
      TestNotAwaited/late: failed
    "#);
}

#[test]
fn the_function_around_can_be_stopped_from_inside() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  t.run("inner", () => { t.assert.True(false, "of the function") })
  t.log("not reached")
}
async function TestB(t) {
  await t.run("inner", async () => { await null; t.fatal("all of it") })
  t.log("not reached")
}
function TestC(t) {
  t.run("inner", () => t.skip("all of it"))
  t.log("not reached")
}"#,
    ), @r#"
    TestA: failed
      assertion: of the function [2:35]
      TestA/inner: failed
    TestB: failed
      fatal: all of it [6:52]
      TestB/inner: failed
    TestC: skipped
      log: SKIP: all of it
      TestC/inner: skipped
    "#);
}

#[test]
fn subtests_clean_up_after_themselves() {
    assert_snapshot!(run_one(
        r#"const shop = { price: () => 1 }
function TestA(t) {
  t.run("inner", (t) => { t.mock(shop, "price", () => 2); t.cleanup(() => t.log("cleaned", shop.price())); t.assert.Equal(shop.price(), 2) })
  t.log("after", shop.price())
  t.run("broken", (t) => { t.cleanup(() => { throw new Error("x") }); t.assert.True(true) })
}
function TestB(t) { t.run("no function"); }
function TestC(t) { let inner; t.run("x", (t) => { inner = t; t.assert.True(true) }); inner.log("late") }"#,
    ), @r#"
    TestA: error
      hook: cleanup failed: x [5:52] in TestA/broken
      log: cleaned 2
      log: after 1
      TestA/inner: passed
      TestA/broken: error
    TestB: error
      thrown: t.run takes a name and a function [7:23]
    TestC: error
      thrown: t.log was called after TestC/x had ended: is an `await` missing? [8:93] in TestC/x
      TestC/x: passed
    "#);
}

#[test]
fn a_subtest_without_an_assertion_is_not_a_pass() {
    assert_snapshot!(run_one(
        r#"function TestA(t) { t.assert.True(true); t.run("empty", () => {}); t.run("outer", (t) => t.run("inner", (t) => t.assert.True(true))) }
function TestB(t) { t.run("empty", () => {}); t.run("fails", (t) => t.assert.True(false)) }
function TestC(t) { t.assert.True(true); t.run("skips", (t) => t.skip()) }
function TestD(t) { t.run("empty", () => {}); if (t.name === "x") throw new Error("could fail") }"#,
    ), @"
    TestA: inconclusive
      undecided: subtest TestA/empty evaluated no assertion [1:10] in TestA/empty
      TestA/empty: inconclusive
      TestA/outer: passed
      TestA/outer/inner: passed
    TestB: failed
      assertion: expected true, got false [2:78] in TestB/fails
      TestB/empty: inconclusive
      TestB/fails: failed
    TestC: passed
      log: SKIP
      TestC/skips: skipped
    TestD: passed
      TestD/empty: passed
    ");
}
