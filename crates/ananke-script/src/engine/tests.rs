//! Files that cannot be loaded, functions that are none, and what is told about them.

use std::time::Duration;

use insta::assert_snapshot;

use crate::testing::test_support::{records, run, run_one, run_within};

/// Runs a test beside a module.
fn beside(module: &str, test: &str) -> String {
    run(&[("x.ts", module), ("x_test.ts", test)])
}

/// Returns the lines around the first failure, beginning with its place.
fn framed(files: &[(&str, &str)]) -> String {
    let (records, _) = records(files, Duration::from_secs(20));
    let failure = &records[0].failures[0];
    let frame = &failure.frames[0];
    let lines = failure.excerpt.iter();
    let lines: Vec<String> = lines.map(|(n, text)| format!("{n} | {text}")).collect();
    format!(
        "{}:{}:{} {}\n{}",
        frame.file,
        frame.line,
        frame.column,
        failure.message,
        lines.join("\n")
    )
}

/// Runs a line that fails between calls on other lines.
fn at_line_seven(line: &str) -> String {
    let text = format!(
        "function one(a) {{ return a; }}\nlet order; let number = 2; const fixed = 1;\nfunction TestA(t) {{\n  one(1);\n  one(2);\n\n  {line}\n  one(3);\n}}\n"
    );
    let told = run_one(&text);
    told.lines().nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn a_module_under_test_that_is_broken_fails_every_test() {
    let test = "function TestA(t) { t.assert.Panic(() => f(null)); }\nfunction TestB(t) { t.assert.True(true); }\n";
    assert_snapshot!(beside("export function f(a) { return a.b; }\nconst = 1;\n", test), @"
    TestA: error
      load: unexpected token [2:7]
    TestB: error
      load: unexpected token [2:7]
    ");
    assert_snapshot!(beside("export function f(a) { return a.b; }\n/* never", test), @"
    TestA: error
      load: unterminated multiline comment [2:1]
    TestB: error
      load: unterminated multiline comment [2:1]
    ");
    assert_snapshot!(beside("export function f(a) { return a.b; }\nthrow new Error('no config');\n", test), @"
    TestA: error
      load: no config [2:7]
    TestB: error
      load: no config [2:7]
    ");
    assert_snapshot!(beside("throw new Error('no config');\n", "function TestA(t) { t.assert.True(true); }"), @"
    TestA: error
      load: no config [1:7]
    ");
    assert_snapshot!(framed(&[("x.ts", "const a = 1;\n\nconst = 2;\n"), ("x_test.ts", test)]), @"
    x.ts:3:7 unexpected token
    1 | const a = 1;
    2 | 
    3 | const = 2;
    4 |
    ");
}

#[test]
fn what_is_no_function_after_all_is_skipped() {
    let (records, _) = records(
        &[
            (
                "x_test.ts",
                "const make = (x) => x;\nexport const TestData = make(1);\nexport const TestMade = make((t) => t.assert.True(true));\nexport { TestOther, a as TestB } from './other';\nexport const { TestX } = { TestX(t) { t.assert.True(true); } };\n",
            ),
            (
                "other.ts",
                "export function TestOther(t) { t.assert.True(false); }\nexport const a = (t) => t.assert.True(true);\n",
            ),
        ],
        Duration::from_secs(20),
    );
    let told: Vec<String> = records
        .iter()
        .map(|one| {
            format!(
                "{} {:?} {}",
                one.function,
                one.status(),
                one.skipped.as_deref().unwrap_or_default()
            )
        })
        .collect();
    assert_snapshot!(told.join("\n"), @"
    TestData Skipped `TestData` is no function
    TestMade Passed 
    TestOther Failed 
    TestB Passed 
    TestX Passed
    ");
}

#[test]
fn a_failure_is_told_at_its_statement() {
    assert_snapshot!(at_line_seven("const {id} = order;"), @"thrown: TypeError: Cannot convert undefined or null to object [7:3]");
    assert_snapshot!(at_line_seven("const [q] = undefined;"), @"thrown: TypeError: cannot read property 'Symbol.iterator' of undefined [7:3]");
    assert_snapshot!(at_line_seven("for (const {a} of [null]) { one(a); }"), @"thrown: TypeError: Cannot convert undefined or null to object [7:3]");
    assert_snapshot!(at_line_seven("fixed = 2;"), @"thrown: TypeError: 'fixed' is read-only [7:3]");
    assert_snapshot!(at_line_seven("fixed++;"), @"thrown: TypeError: 'fixed' is read-only [7:3]");
    assert_snapshot!(at_line_seven("const big = 1n + number;"), @"thrown: TypeError: cannot convert BigInt to number [7:20]");
    assert_snapshot!(at_line_seven("const big = +1n;"), @"thrown: TypeError: bigint argument with unary + [7:3]");
    assert_snapshot!(at_line_seven("for (const q of {} as any) one(q);"), @"thrown: TypeError: value is not iterable [7:3]");
    assert_snapshot!(at_line_seven("for (number of order) one(1);"), @"thrown: TypeError: cannot read property 'Symbol.iterator' of undefined [7:18]");
    assert_snapshot!(at_line_seven("const all = [...(5 as any)];"), @"thrown: TypeError: value is not iterable [7:3]");
    assert_snapshot!(at_line_seven("return [...(5 as any)];"), @"thrown: TypeError: value is not iterable [7:3]");
    assert_snapshot!(at_line_seven("class A extends (5 as any) {}"), @"thrown: TypeError: parent class must be constructor [7:3]");
    assert_snapshot!(at_line_seven("const A = class extends (5 as any) {};"), @"thrown: TypeError: parent class must be constructor [7:3]");
    assert_snapshot!(at_line_seven("const { a: { b } } = { a: order };"), @"thrown: TypeError: Cannot convert undefined or null to object [7:3]");
}

#[test]
fn a_lack_of_memory_is_told_as_such() {
    assert_snapshot!(run_one("function TestA(t) { const a = []; for (;;) a.push({ i: a.length }); }"), @"
    TestA: error
      memory: the script used more memory than it may (256 MiB) [1:10]
    ");
    assert_snapshot!(run_one("function TestA(t) { t.assert.Panic(() => 'a'.repeat(2 ** 25).split('')); }"), @"
    TestA: error
      memory: the script used more memory than it may (256 MiB) [1:10]
    ");
    assert_snapshot!(run_one("function TestA(t) { throw null; }"), @"
    TestA: error
      thrown: threw null, which is no Error [1:10]
    ");
}

#[test]
fn what_has_no_stack_has_a_place() {
    let test = |line: &str| format!("// A test.\nasync function TestA(t) {{\n  {line}\n}}\n");
    assert_snapshot!(framed(&[("x_test.ts", &test("throw 'text';"))]), @r#"
    x_test.ts:2:16 threw "text", which is no Error
    1 | // A test.
    2 | async function TestA(t) {
    3 |   throw 'text';
    "#);
    assert_snapshot!(framed(&[("x_test.ts", &test("await new Promise(() => {});"))]), @"
    x_test.ts:2:16 the promise that it returned never settles: nothing is left that could settle it
    1 | // A test.
    2 | async function TestA(t) {
    3 |   await new Promise(() => {});
    ");
    assert_snapshot!(framed(&[("x_test.ts", &test("await import('./nope');"))]), @"
    x_test.ts:3:16 there is no module `./nope`
    1 | // A test.
    2 | async function TestA(t) {
    3 |   await import('./nope');
    4 | }
    ");
    assert_snapshot!(framed(&[("x_test.ts", &test("await import('./broken');")), ("broken.ts", "\nconst = 1;\n")]), @"
    broken.ts:2:7 unexpected token
    1 | 
    2 | const = 1;
    3 |
    ");
    assert_snapshot!(framed(&[("x_test.ts", "import { typo } from './y';\nfunction TestA(t) { typo(); }\n"), ("y.ts", "export function tipo() {}\n")]), @"
    x_test.ts:1:10 `./y` has no export `typo`; did you mean `tipo`?
    1 | import { typo } from './y';
    2 | function TestA(t) { typo(); }
    ");
    assert_snapshot!(framed(&[("x_test.ts", "import { own } from './y';\nfunction TestA(t) { own(); }\n"), ("y.ts", "function own() {}\nexport const a = 1;\n")]), @"
    x_test.ts:1:10 `./y` has no export `own`; it declares `own`, but does not export it
    1 | import { own } from './y';
    2 | function TestA(t) { own(); }
    ");
    let (late, _) = records(
        &[("x_test.ts", &test("for (;;) {}"))],
        Duration::from_millis(200),
    );
    assert_eq!(late[0].failures[0].frames[0].line, 2);
    assert_eq!(late[0].failures[0].excerpt.len(), 3);
}

#[test]
fn what_is_behind_an_error_is_told() {
    assert_snapshot!(run_one("function TestA(t) { throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) }); }"), @"
    TestA: error
      thrown: a (caused by: TypeError: b) (caused by: c) [1:27]
    ");
    assert_snapshot!(run_one("function TestA(t) { throw new AggregateError([new Error('a'), 2, 3, 4], 'all'); }"), @"
    TestA: error
      thrown: AggregateError: all (caused by: a; 2; 3; and 1 more) [1:27]
    ");
    assert_snapshot!(run_one("function TestA(t) { const e = new Error('a'); e.cause = e; throw e; }"), @"
    TestA: error
      thrown: a (caused by: a) [1:35]
    ");
}

#[test]
fn loading_has_its_own_words() {
    let test = "function TestA(t) { t.assert.True(true); }";
    assert_snapshot!(run_one(&format!("Promise.reject(new Error('a'));\n{test}")), @"
    TestA: error
      load: a promise was rejected and nobody listened: a [1:20]
    ");
    assert_snapshot!(run_one(&format!("Promise.reject(new Error('a')).catch(() => {{}});\n{test}")), @"TestA: passed");
    assert_snapshot!(run_one(&format!("await new Promise(() => {{}});\n{test}")), @"
    TestA: error
      load: the file never finishes loading: nothing is left that could settle what its top level awaits
    ");
    assert_snapshot!(run_within(&[("x_test.ts", &format!("while (true) {{}}\n{test}"))], Duration::from_millis(200)), @"
    TestA: timeout
      timeout: loading the file took longer than 200ms
    ");
}

#[test]
fn a_variable_of_a_module_cannot_be_assigned() {
    assert_snapshot!(beside("export let counter = 1;", "function TestA(t) { counter = 2; t.log('x'); }"), @"
    TestA: error
      thrown: TypeError: 'counter' is read-only; a test can change members of what a module exports, not its variables [1:21]
    ");
    assert_snapshot!(run(&[("x_test.ts", "import { counter } from './y';\nfunction TestA(t) { counter = 2; }"), ("y.ts", "export let counter = 1;")]), @"
    TestA: error
      thrown: TypeError: 'counter' is read-only; a test can change members of what a module exports, not its variables [2:21]
    ");
}

#[test]
fn an_import_that_is_not_used_has_to_lead_somewhere() {
    let test = "function TestA(t) { t.assert.True(true); }\n";
    let of = |import: &str| run_one(&format!("{import}\n{test}"));
    assert_snapshot!(of("import { x } from './nothing';"), @"
    TestA: error
      load: there is no module `./nothing` [1:19]
    ");
    assert_snapshot!(of("import type { X } from './nothing';"), @"TestA: passed");
    assert_snapshot!(of("import { X } from './nothing';\nlet x: X;"), @"TestA: passed");
}

#[test]
fn a_namespace_has_what_is_exported_and_nothing_else() {
    let keys = |text: &str| {
        run(&[
            ("x_test.ts", text),
            (
                "x.ts",
                "import * as self from './x';\nimport { one } from './u';\nlet own = one;\nexport let n = 0;\nexport function add() { n++; own++; return Object.keys(self).join(); }\n",
            ),
            (
                "u.ts",
                "const own = 1;\nexport const one = own;\nexport { own as two };\nexport default class {}\nexport * from './more';\n",
            ),
            (
                "more.ts",
                "const own = 3;\nexport { own as three };\nexport const data = 1;\n",
            ),
        ])
    };
    assert_snapshot!(keys("import * as u from './u';\nfunction TestA(t) {
        const inside = []; for (const key in u) inside.push(key);
        t.log(inside.join(), Object.keys({ ...u }).join(), JSON.stringify(u));
        t.assert.Equal(Object.entries(u).length, 5);
    }"), @r#"
    TestA: passed
      log: data,default,one,three,two data,default,one,three,two {"data":1,"one":1,"three":3,"two":1}
    "#);
    assert_snapshot!(keys("async function TestA(t) {
        const u = await import('./u'), x = await import('./x');
        t.log(Object.keys(u).join(), Object.keys(x).join(), add(), x.n, n, own, x.add === add);
        t.assert.Equal(own, 2);
    }"), @"
    TestA: passed
      log: data,default,one,three,two add,n add,n 1 1 2 true
    ");
}

#[test]
fn exports_that_go_in_circles_are_found() {
    let files = |test| {
        run(&[
            ("x_test.ts", test),
            (
                "a.ts",
                "import { b, late } from './b';\nexport * from './b';\nexport function a() { return 'a'; }\nexport const both = a() + b();\nawait null;\nexport const n = late;\nexport { a as 'with space' };\n",
            ),
            (
                "b.ts",
                "import { a } from './a';\nexport * from './a';\nlet own = 1;\nexport function b() { return a() + 'b'; }\nexport let late = await new Promise((done) => setTimeout(() => done(own), 1));\n",
            ),
            ("c.ts", "export { nothing } from './a';\n"),
            ("d.ts", "export * from './e';\nexport * from './f';\n"),
            ("e.ts", "export const same = 1;\n"),
            ("f.ts", "export const same = 2;\n"),
        ])
    };
    assert_snapshot!(files("import * as all from './a';\nimport { both, b, n, 'with space' as a } from './a';\nfunction TestA(t) { t.log(Object.keys(all).join(), both, n, a()); t.assert.Equal(b, all.b); }"), @"
    TestA: passed
      log: a,b,both,late,n,with space aab 1 a
    ");
    assert_snapshot!(files("import './c';\nfunction TestA(t) { t.assert.True(true); }"), @"
    TestA: error
      load: `./a` has no export `nothing` [1:10]
    ");
    assert_snapshot!(files("import { same } from './d';\nfunction TestA(t) { t.assert.True(same); }"), @"
    TestA: error
      load: `./d` exports everything of two modules that both have `same` [1:10]
    ");
    assert_snapshot!(files("import * as d from './d';\nfunction TestA(t) { t.assert.Equal(Object.keys(d), []); }"), @"TestA: passed");
}

#[test]
fn records_name_the_files_that_were_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "x_test.ts",
            "import { b } from './b';\nfunction TestA(t) { t.assert.Equal(b, 1); }",
        ),
        ("b.ts", "export const b = 1;"),
        ("x.ts", "export const x = 1;"),
    ];
    let (records, _) = records(&files, Duration::from_secs(20));
    assert_eq!(records[0].modules, ["b.ts", "x.ts", "x_test.ts"]);
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let of = || super::digest_of(folder.path(), &records[0].modules);
    assert_eq!(of().as_deref(), Some(records[0].digest.as_str()));
    std::fs::write(folder.path().join("b.ts"), "export const b = 2;").unwrap();
    assert_ne!(of().as_deref(), Some(records[0].digest.as_str()));
    std::fs::remove_file(folder.path().join("b.ts")).unwrap();
    assert_eq!(of(), None);
}
