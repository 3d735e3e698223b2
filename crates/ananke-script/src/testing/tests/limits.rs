//! Functions that never end, or use up what there is: they end anyway, and the functions after them run.

use std::time::Duration;

use insta::assert_snapshot;

use crate::testing::test_support::{records, run, run_within};

const SHORT: Duration = Duration::from_millis(300);
const NEXT: &str = "\nfunction TestNext(t) { t.assert.True(true) }";

/// Runs a function that may take a short time, and one after it.
fn short(text: &str) -> String {
    let text = format!("{text}{NEXT}");
    run_within(&[("x_test.ts", &text)], SHORT)
}

#[test]
fn endless_loops_end() {
    assert_snapshot!(short("function TestA() { for (;;) {} }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:10]
    TestNext: passed
    ");
    assert_snapshot!(short("function TestA(t) { for (;;) { try { for (;;) {} } catch {} finally { t.fail('x') } } }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:10]
    TestNext: passed
    ");
    assert_snapshot!(short("async function TestA() { for (;;) await null }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:16]
    TestNext: passed
    ");
    assert_snapshot!(short("function TestA(t) { t.run('inner', () => { for (;;) {} }) }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:10] in TestA/inner
      TestA/inner: timeout
    TestNext: passed
    ");
    assert_snapshot!(short("function TestA(t) { t.assert.NoPanic(() => { for (;;) {} }) }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:10]
    TestNext: passed
    ");
    assert_snapshot!(short("function AfterEach(t) { if (t.name === 'TestA') for (;;) {} }\nfunction TestA(t) { t.assert.True(true) }"), @"
    TestA: timeout
      timeout: timeout after 300ms [2:10]
    TestNext: passed
    ");
}

#[test]
fn promises_that_never_settle_are_told() {
    assert_snapshot!(short("async function TestA() { await new Promise(() => {}) }"), @"
    TestA: error
      thrown: the promise that it returned never settles: nothing is left that could settle it [1:16]
    TestNext: passed
    ");
    assert_snapshot!(short("async function TestA() { await new Promise((done) => setTimeout(done, 100_000)) }"), @"
    TestA: timeout
      timeout: timeout after 300ms [1:16]
    TestNext: passed
    ");
    assert_snapshot!(short("function TestA(t) { t.assert.Panic(() => new Promise(() => {})) }"), @"
    TestA: error
      thrown: the promise that t.assert.Panic was given never settles: nothing is left that could settle it [1:10]
    TestNext: passed
    ");
}

#[test]
fn recursion_and_memory_are_bounded() {
    assert_snapshot!(run(&[("x_test.ts", &format!("function f() {{ return f() + 1 }}\nfunction TestA() {{ f() }}{NEXT}"))]), @r#"
    TestA: error
      thrown: RangeError: Maximum call stack size exceeded [1:23]
    TestNext: passed
    "#);
    assert_snapshot!(run(&[("x_test.ts", &format!("function TestA(t) {{ t.assert.True(true); const all = []; for (;;) all.push(new Uint8Array(16 << 20)) }}{NEXT}"))]), @r#"
    TestA: error
      memory: the script used more memory than it may (256 MiB) [1:97]
    TestNext: passed
    "#);
    assert_snapshot!(run(&[("x_test.ts", &format!("function TestA(t) {{ t.assert.True(true); new Uint8Array(1 << 30) }}{NEXT}"))]), @r#"
    TestA: error
      memory: the script used more memory than it may (256 MiB) [1:62]
    TestNext: passed
    "#);
}

#[test]
fn what_cannot_be_interrupted_is_left_behind() {
    // The array is large enough to take seconds and small enough to end: a thread that is left behind still uses a processor.
    assert_snapshot!(short("function TestA() { const all = []; all.length = 2 ** 26; all[0] = 1; all.reverse() }"), @"
    TestA: timeout
      timeout: timeout after 300ms (it was inside a function of the engine that cannot be interrupted; its thread was left behind) [1:10]
    TestNext: passed
    ");
}

#[test]
fn logs_are_bounded() {
    let text = format!(
        "function TestA(t) {{ const line = 'x'.repeat(100_000); for (let i = 0; i < 1000; i++) t.log(line); t.assert.True(true) }}{NEXT}"
    );
    let (records, _) = records(&[("x_test.ts", &text)], Duration::from_secs(20));
    let kept: usize = records[0].logs.iter().map(|log| log.text.len()).sum();
    assert!(kept < 2 << 20, "{kept}");
    assert!(records[0].more_logs > 900);
    assert_eq!(records[1].failures, []);
}

#[test]
fn failures_are_bounded() {
    let text = "function TestA(t) { for (let i = 0; i < 1000; i++) t.fail('n ' + i) }";
    let (records, _) = records(&[("x_test.ts", text)], Duration::from_secs(20));
    assert_eq!(
        (records[0].failures.len(), records[0].more_failures),
        (20, 980)
    );
}

#[test]
fn modules_that_cannot_be_loaded_are_told() {
    let test = "import { a } from './a'\nfunction TestA(t) { t.assert.Equal(a(), 1) }";
    assert_snapshot!(run(&[("x_test.ts", test)]), @r#"
    TestA: error
      load: there is no module `./a` [1:19]
    "#);
    assert_snapshot!(run(&[("x_test.ts", test), ("a.ts", "export const a = (\n")]), @r#"
    TestA: error
      load: expected `)` but found the end of the file [2:1]
    "#);
    let told = run(&[("x_test.ts", test), ("a.ts", "export const b = 1")]);
    assert!(
        told.starts_with("TestA: error\n  load: ") && told.contains("no export `a`"),
        "{told}"
    );
    assert_snapshot!(run(&[("x_test.ts", test), ("a.ts", "export const a = () => 1\nthrow new Error('while loading')")]), @r#"
    TestA: error
      load: while loading [2:7]
    "#);
    let cycle = "import { b } from './b'\nexport const a = () => b()";
    let other = "import { a } from './a'\nexport const b = () => typeof a === 'function' ? 1 : 0";
    assert_snapshot!(run(&[("x_test.ts", test), ("a.ts", cycle), ("b.ts", other)]), @"TestA: passed");
    let early = "import { a } from './a'\nexport const b = a";
    assert_snapshot!(run(&[("x_test.ts", test), ("a.ts", cycle), ("b.ts", early)]), @r#"
    TestA: error
      load: ReferenceError: a is not initialized [2:18]
    "#);
}

#[test]
fn a_test_shares_the_names_of_its_module() {
    let module =
        "function total(list: number[]): number { return list.reduce((a, b) => a + b, 0) }";
    let test = "function TestTotal(t: any) { t.assert.Equal(total([1, 2]), 3) }";
    assert_snapshot!(run(&[("x_test.ts", test), ("x.ts", module)]), @"TestTotal: passed");
}

#[test]
fn an_interrupted_function_leaves_no_mocks_to_test_main() {
    assert_snapshot!(run_within(&[("x_test.ts", r#"const it = { f: () => 0 }
function TestMain(m) { return m.run() }
function TestA(t) { t.mock(it, "f", () => 1); t.run("inner", (t) => { t.mock(it, "f", () => 2); for (;;) {} }) }
function TestB(t) { t.assert.Equal(it.f(), 0) }"#)], SHORT), @"
    TestA: timeout
      timeout: timeout after 300ms [3:10] in TestA/inner
      TestA/inner: timeout
    TestB: passed
    ");
}
