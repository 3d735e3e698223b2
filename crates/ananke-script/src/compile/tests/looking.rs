//! What is found without running anything.

use insta::assert_snapshot;

use super::told;
use crate::compile::{find_functions, find_tests};

fn tests(text: &str) -> String {
    match find_tests("a_test.ts", text) {
        Ok(tests) => tests
            .iter()
            .map(|one| {
                let own = if one.fails_by_itself {
                    " fails by itself"
                } else {
                    ""
                };
                format!(
                    "{}:{} {}{own}\n",
                    one.place.line, one.place.column, one.name
                )
            })
            .collect(),
        Err(mistakes) => told(&mistakes),
    }
}

fn functions(text: &str) -> String {
    match find_functions("a.ts", text) {
        Ok(functions) => functions
            .iter()
            .map(|one| {
                let exported = if one.is_exported { " exported" } else { "" };
                let default = if one.is_default { " default" } else { "" };
                format!("{}{exported}{default}\n", one.name)
            })
            .collect(),
        Err(mistakes) => told(&mistakes),
    }
}

#[test]
fn every_form_of_a_test_function_is_found() {
    assert_snapshot!(tests("
        function TestPlain(t) {}
        export function TestExported(t) {}
        async function TestAsync(t) {}
        const TestArrow = (t, ctx) => {}, TestAsyncArrow = async (t) => {};
        let TestExpression = function (t) {};
        var TestNamed = async function named(t) {};
        export const TestTyped: TestFn = ((t) => {}) satisfies TestFn;
        function foo(t) {}
        export { foo as TestAlias, TestPlain };
        export default function TestDefault(t) {}
    "), @"
    2:18 TestPlain
    3:25 TestExported
    4:24 TestAsync
    5:15 TestArrow
    5:43 TestAsyncArrow
    6:13 TestExpression
    7:13 TestNamed
    8:22 TestTyped
    10:25 TestAlias
    11:33 TestDefault
    ");
}

#[test]
fn what_may_be_a_function_is_taken_for_a_test() {
    assert_snapshot!(tests("
        export const TestWrapped = wrap(async (t) => {});
        export const TestBound = function () {}.bind({});
        export const TestEither = cond ? f : g;
        const impl = (t) => {};
        export const TestRef = impl, TestMethod = Suite.TestMethod;
        export const { TestX, a: [TestY = 1], ...TestRest } = all;
        export { TestOther } from './other';
        export { a as TestB } from './other';
        const made = wrap(impl);
        export { made as TestMade };
        import { TestImported } from './other';
        export { TestImported };
        function wrap(f) { return f; }
    "), @"
    2:22 TestWrapped
    3:22 TestBound
    4:22 TestEither fails by itself
    6:22 TestRef
    6:38 TestMethod fails by itself
    7:24 TestX fails by itself
    7:35 TestY fails by itself
    7:50 TestRest fails by itself
    8:18 TestOther fails by itself
    9:23 TestB fails by itself
    11:26 TestMade
    13:18 TestImported fails by itself
    ");
    assert_snapshot!(tests("
        const TestText = 'x', TestTemplate = `x`, TestNumber = 1, TestObject = { f() {} }, TestClass = class {}, TestNew = new X(), TestNot = !x;
        export { made as TestMade };
        const made = [1];
        export type { TestType } from './other';
        export { type TestKind } from './other';
        export * as TestSpace from './other';
        declare const TestDeclared: any;
    "), @"");
}

#[test]
fn exports_that_hide_tests_are_refused() {
    assert_snapshot!(tests("export * from './other';\nmodule.exports = { TestA };\nmodule.exports.TestB = 1;\nexports.TestC = (t) => {};\n"), @r#"
    a_test.ts:1:1 [0..24] `export *` in a file of tests does not say which tests there are
      ^ expected the names of the functions
      hint: name the functions: `export { TestA, TestB } from "./other"`
    a_test.ts:2:1 [25..39] `module.exports` cannot be used in scripts: they are ES modules
      ^ expected `export`
      hint: write `export function TestA(t) { … }`
    a_test.ts:3:1 [53..73] `module.exports` cannot be used in scripts: they are ES modules
      ^ expected `export`
      hint: write `export function TestA(t) { … }`
    a_test.ts:4:1 [79..92] `exports` cannot be used in scripts: they are ES modules
      ^ expected `export`
      hint: write `export function TestA(t) { … }`
    "#);
    assert_snapshot!(tests("const exports = {};\nexports.TestC = (t) => {};\nexport type * from './types';\n"), @"");
}

#[test]
fn nothing_else_is_taken_for_a_test() {
    assert_snapshot!(tests("
        function testLower() {}
        function MyTest() {}
        function TestMain(t) {}
        class TestClass {}
        const TestData = [1];
        const TestMade = make();
        enum TestEnum { A }
        type TestType = 1;
        declare function TestDeclared(t): void;
        import { TestImported } from './x';
        // function TestComment() {}
        const s = 'function TestString() {}';
        function outer() { function TestInner() {} }
        function TestOver(t: string): void;
        function TestOver(t: any) {}
    "), @"
    7:15 TestMade fails by itself
    16:18 TestOver
    ");
}

#[test]
fn a_test_that_fails_or_throws_needs_no_assertion() {
    assert_snapshot!(tests("
        function TestNothing(t) { console.error('x'); log.error('y'); const { data, error } = get(); }
        function TestThrow(t) { if (x) throw new Error('x'); }
        function TestFail(t) { t.fail('x'); }
        function TestFatal(t) { t?.fatal('x'); }
        function TestError(test) { test.run('a', (tt) => tt.error('x')); }
        function TestBound(t) { const { fatal: die } = t; die('x'); }
        const TestParameter = ({ fail }) => fail('x');
        function TestLater(t) { get().catch(t.fatal); }
        function TestBrackets(t) { t['fail'](); }
        function TestGiven(t) { check(1, t); }
        function TestGivenToModule(t) { helpers.check(t); }
        function TestLocal(t) { local(t); }
        function local(t) { t.log('x'); }
        import { check } from './check';
        import * as helpers from './check';
    "), @"
    2:18 TestNothing
    3:18 TestThrow fails by itself
    4:18 TestFail fails by itself
    5:18 TestFatal fails by itself
    6:18 TestError fails by itself
    7:18 TestBound fails by itself
    8:15 TestParameter fails by itself
    9:18 TestLater fails by itself
    10:18 TestBrackets fails by itself
    11:18 TestGiven fails by itself
    12:18 TestGivenToModule fails by itself
    13:18 TestLocal
    ");
    assert_snapshot!(tests("function TestA(t) { help(t) }\nfunction help(t) { throw 1 }\n"), @"1:10 TestA fails by itself");
    assert_snapshot!(tests("function TestA(t) {}\nfunction TestB(t) { throw 1 }\nif (x) { throw 2 }\n"), @"
    1:10 TestA
    2:10 TestB fails by itself
    ");
}

#[test]
fn every_form_of_a_function_is_found() {
    assert_snapshot!(functions("
        import { imported } from './x';
        export function a() {}
        function b() {}
        export const c = async () => {}, notOne = 1;
        class D {}
        export { b as e, imported as f, D as g };
        export { h, type I } from './h';
        export default function () {}
    "), @"
    a exported
    b
    c exported
    e exported
    f exported
    h exported
    default exported default
    ");
    assert_snapshot!(functions("function a() {}\nconst b = () => {};\nexport { b };\nexport default a;\n"), @"
    a exported default
    b exported
    ");
    assert_snapshot!(functions("export default async (x) => x;"), @"default exported default");
    assert_snapshot!(functions("function a() {}\nexport { a as default };"), @"a exported default");
    assert_snapshot!(functions("export default function Named() {}"), @"Named exported default");
    assert_snapshot!(functions("export default { a() {} };"), @"");
}
