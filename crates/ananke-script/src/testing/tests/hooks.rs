//! `BeforeAll`, `BeforeEach`, `AfterEach`, `AfterAll` and `TestMain`.

use insta::assert_snapshot;

use crate::testing::test_support::run_one;

#[test]
fn hooks_run_around_functions() {
    assert_snapshot!(run_one(
        r#"const seen = []
function BeforeAll(t, ctx) { seen.push("all"); t.assert.NotNil(ctx); t.cleanup(() => seen.push("never seen")) }
async function BeforeEach(t, ctx) { await null; seen.push("before " + t.name); t.assert.NotNil(ctx) }
function AfterEach(t) { seen.push("after " + t.failed); t.log(seen.join(", ")) }
function TestA(t) { seen.push("A"); t.assert.True(true) }
function TestB(t) { t.fail("B") }"#,
    ), @r#"
    TestA: passed
      log: all, before TestA, A, after false
    TestB: failed
      failed: B [6:23]
      log: all, before TestA, A, after false, before TestB, after true
    "#);
}

#[test]
fn a_broken_before_each_keeps_the_function_from_running() {
    assert_snapshot!(run_one(
        r#"function BeforeEach(t) {
  if (t.name === "TestThrows") throw new Error("no setup")
  if (t.name === "TestAsserts") t.assert.Equal(1, 2)
  if (t.name === "TestFails") t.fail("not ready")
  if (t.name === "TestSkips") t.skip("not today")
}
function AfterEach(t) { t.log("after") }
function TestThrows(t) { t.log("not reached") }
function TestAsserts(t) { t.log("not reached") }
function TestFails(t) { t.log("not reached") }
function TestSkips(t) { t.log("not reached") }
function TestRuns(t) { t.assert.True(true) }"#,
    ), @r#"
    TestThrows: error
      hook: BeforeEach failed: no setup [2:38]
      log: after
    TestAsserts: error
      hook: BeforeEach failed: expected 2, got 1 [3:42]
      log: after
    TestFails: error
      hook: BeforeEach failed: not ready [4:33]
      log: after
    TestSkips: skipped
      log: SKIP: not today
      log: after
    TestRuns: passed
      log: after
    "#);
}

#[test]
fn a_broken_after_each_is_told() {
    assert_snapshot!(run_one(
        r#"function AfterEach(t) { if (t.name === "TestA") t.assert.Equal(1, 2, "left something behind"); else throw "x" }
function TestA(t) { t.assert.True(true) }
function TestB(t) { t.assert.True(false) }"#,
    ), @r#"
    TestA: error
      hook: AfterEach failed: left something behind [1:58]
    TestB: failed
      assertion: expected true, got false [3:30]
      hook: AfterEach failed: threw "x", which is no Error [3:10]
    "#);
}

#[test]
fn a_broken_before_all_fails_everything() {
    assert_snapshot!(run_one(
        r#"function BeforeAll(t) { t.assert.True(false, "no database") }
function TestA(t) { t.assert.True(true) }
function TestB(t) { t.assert.True(true) }"#,
    ), @r#"
    TestA: error
      hook: BeforeAll failed: no database [1:34]
    TestB: error
      hook: BeforeAll failed: no database [1:34]
    "#);
    assert_snapshot!(run_one(
        "function BeforeAll(t) { t.skip('x') }\nfunction TestA(t) { t.assert.True(true) }",
    ), @r#"
    TestA: error
      hook: BeforeAll failed: t.skip does nothing in BeforeAll: call it in BeforeEach, or in the test [1:27]
    "#);
}

#[test]
fn after_all_and_the_cleanups_of_before_all_come_last() {
    assert_snapshot!(run_one(
        r#"const seen = []
function BeforeAll(t) { t.cleanup(() => { throw new Error(seen.join(", ")) }); t.cleanup(() => seen.push("last of BeforeAll")) }
function AfterAll(t) { seen.push("AfterAll"); t.cleanup(() => seen.push("of AfterAll")) }
function TestA(t) { seen.push("A"); t.assert.True(true) }"#,
    ), @"
    TestA: passed
      hook: AfterAll failed: cleanup failed: A, AfterAll, of AfterAll, last of BeforeAll [2:49]
    ");
    assert_snapshot!(run_one(
        r#"function BeforeAll(t) { t.cleanup(() => { throw new Error("without AfterAll") }) }
function TestA(t) { t.assert.True(true) }"#,
    ), @"
    TestA: passed
      hook: AfterAll failed: cleanup failed: without AfterAll [1:49]
    ");
}

#[test]
fn test_main_decides_when_functions_run() {
    assert_snapshot!(run_one(
        r#"let ready = false
async function TestMain(m) { await null; ready = true; m.log("x", m.ctx !== undefined); const code = m.run(); if (code !== 1 || m.Run() !== 1) throw new Error("code " + code); return code }
function TestA(t) { t.assert.True(ready) }
function TestB(t) { t.assert.True(false) }"#,
    ), @"
    TestA: passed
      log: x true
    TestB: failed
      assertion: expected true, got false [4:30]
    ");
}

#[test]
fn a_broken_test_main_is_told() {
    assert_snapshot!(run_one(
        "function TestMain(m) { throw new Error('no setup') }\nfunction TestA(t) { t.assert.True(true) }",
    ), @r#"
    TestA: error
      hook: TestMain failed: no setup [1:30]
    "#);
    assert_snapshot!(run_one(
        "function TestMain(m) { }\nfunction TestA(t) { t.assert.True(true) }",
    ), @r#"
    TestA: error
      hook: TestMain did not run the tests: it has to call `m.run()`
    "#);
    assert_snapshot!(run_one(
        "function TestMain(m) { m.run(); throw new Error('teardown') }\nfunction TestA(t) { t.assert.True(true) }",
    ), @"
    TestA: passed
      hook: TestMain failed: teardown [1:39]
    ");
    assert_snapshot!(run_one(
        "function TestMain(m) { m.run(); return 3 }\nfunction TestA(t) { t.assert.True(true) }",
    ), @"
    TestA: passed
      hook: TestMain failed: it returned 3
    ");
}

#[test]
fn nothing_is_skipped_when_it_is_over() {
    assert_snapshot!(run_one(
        r#"function AfterEach(t) { if (t.name === "TestA") t.skip("too late") }
function TestA(t) { t.assert.True(true) }
function TestB(t) { t.cleanup(() => t.skip("too late")); t.assert.True(true) }"#,
    ), @"
    TestA: error
      hook: AfterEach failed: t.skip does nothing in AfterEach: call it in BeforeEach, or in the test [1:51]
    TestB: error
      hook: cleanup failed: t.skip does nothing in cleanup: call it in BeforeEach, or in the test [3:39]
    ");
}
