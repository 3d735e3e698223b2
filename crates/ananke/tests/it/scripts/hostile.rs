//! Scripts that misbehave: the runner survives, and the other functions still run.

use ananke_testkit::TestContext;

use crate::ANANKE;

/// Runs the functions with a limit; returns each with its status and the beginning of its error.
fn run(limit: &str, files: &[(&str, &str)]) -> String {
    let cx = TestContext::new(ANANKE);
    for (path, text) in files {
        cx.write(path, text);
    }
    let output = cx.run(&["run", "--no-bundle", "--json", "--timeout", limit]);
    let report: serde_json::Value = match serde_json::from_str(&output.stdout) {
        Ok(report) => report,
        Err(error) => panic!("{error}\n{output}"),
    };
    let results = report["results"]
        .as_array()
        .unwrap_or_else(|| panic!("{output}"));
    let lines = results.iter().map(|result| {
        let error: String = result["error"]
            .as_str()
            .unwrap_or_default()
            .chars()
            .take(70)
            .collect();
        format!(
            "{} {} {error}",
            result["name"].as_str().unwrap_or_default(),
            result["status"].as_str().unwrap_or_default()
        )
    });
    let lines: Vec<String> = lines.collect();
    format!("{:?}\n{}", output.code, lines.join("\n"))
}

#[test]
fn bad_functions_do_not_keep_others_from_running() {
    let seen = run(
        "30s",
        &[(
            "bad_test.ts",
            "function TestNonError(t) { throw 'text'; }
async function TestNeverSettled(t) { await new Promise(() => {}); }
function TestRecursion(t) { (function again() { again(); })(); }
function TestMemory(t) { new Array(1e9).fill(0).map((_, i) => 'x' + i); }
function TestLogs(t) { for (let i = 0; i < 2000; i++) t.log('x'.repeat(50000)); t.assert.True(true); }
function TestTamper(t) { Object.prototype.toJSON = () => 1; Array.prototype.push = () => 0; t.assert.Equal(1, 2); }
function TestReplace(t) { try { t.assert.Equal = () => {}; } catch {} t.assert.Equal(1, 2); }
async function TestFatalLater(t) { await null; t.fatal('late'); t.assert.True(true); }
async function TestUnhandled(t) { t.assert.True(true); Promise.reject(new Error('lost')); }
function TestFine(t) { t.assert.True(true); }
",
        )],
    );
    insta::assert_snapshot!(seen, @r#"
    Some(1)
    TestNonError error threw "text", which is no Error
    TestNeverSettled error the promise that it returned never settles: nothing is left that could
    TestRecursion error RangeError: Maximum call stack size exceeded
    TestMemory error the script used more memory than it may (256 MiB)
    TestLogs passed 
    TestTamper failed assertion failed: expected 2, got 1
    TestReplace failed assertion failed: expected 2, got 1
    TestFatalLater failed late
    TestUnhandled error a promise was rejected and nobody listened: lost
    TestFine passed
    "#);
}

#[test]
fn functions_that_do_not_end_are_ended() {
    let seen = run(
        "400ms",
        &[(
            "slow_test.ts",
            "async function TestSlow(t) { await new Promise((done) => setTimeout(done, 60000)); }
function TestEndless(t) { try { while (true) {} } catch { t.assert.True(true); } finally { t.log('out'); } }
async function TestSpin(t) { const again = () => Promise.resolve().then(again); await again(); }
function TestNative(t) { 'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'bc'); }
function TestFine(t) { t.assert.True(true); }
",
        )],
    );
    insta::assert_snapshot!(seen, @"
    Some(1)
    TestSlow timeout timeout after 400ms
    TestEndless timeout timeout after 400ms
    TestSpin timeout timeout after 400ms
    TestNative timeout timeout after 400ms (it was inside a function of the engine that canno
    TestFine passed
    ");
}

#[test]
fn files_that_cannot_be_loaded_do_not_keep_others_from_running() {
    let seen = run(
        "30s",
        &[
            (
                "a_test.ts",
                "import { x } from './nowhere';\nfunction TestA(t) { t.assert.True(x); }\n",
            ),
            (
                "b_test.ts",
                "import { b } from './b1';\nfunction TestB(t) { t.assert.Equal(b(), 1); }\n",
            ),
            (
                "b1.ts",
                "import { two } from './b2';\nexport function b() { return two(); }\nexport const one = 1;\n",
            ),
            (
                "b2.ts",
                "import { one } from './b1';\nexport function two() { return one; }\n",
            ),
            (
                "c_test.ts",
                "throw new Error('while loading');\nfunction TestC(t) { t.assert.True(true); }\n",
            ),
            (
                "d_test.ts",
                "import fs from 'fs';\nfunction TestD(t) { t.assert.NotNil(fs); }\n",
            ),
            (
                "e_test.ts",
                "function TestE(t) { t.assert.Equal([typeof process, typeof require, typeof Deno, typeof std, typeof os], Array(5).fill('undefined')); }\n",
            ),
            (
                "f_test.ts",
                "async function TestF(t) { await fetch('http://127.0.0.1:9/'); }\n",
            ),
        ],
    );
    insta::assert_snapshot!(seen, @"
    Some(1)
    TestA error there is no module `./nowhere`
    TestB passed 
    TestC error while loading
    TestD error packages cannot be imported: `fs`; scripts import files by path, such 
    TestE passed 
    TestF error TypeError: the host `127.0.0.1:9` is not granted to scripts; grant it
    ");
}

const GOOD: (&str, &str) = (
    "good_test.ts",
    "function TestGood(t) { t.assert.True(true); }\n",
);
const BROKEN: (&str, &str) = (
    "bad_test.ts",
    "function TestBad(t) {\n  t.assert.True(;\n}\n",
);

/// Runs `ananke` in a project of these files; returns the exit code, what was printed, and the beginning of the mistakes.
fn whole(args: &[&str], files: &[(&str, &str)]) -> String {
    let cx = TestContext::new(ANANKE);
    for (path, text) in files {
        cx.write(path, text);
    }
    let output = cx.run(args);
    let told = output.stderr.lines();
    let told = told.filter(|line| line.contains("error") || line.contains("-->"));
    let told: Vec<&str> = told.collect();
    let rows = output.stdout.lines();
    let rows = rows.filter(|line| line.contains("ok ") || line.contains("valid"));
    let rows: Vec<&str> = rows.collect();
    format!(
        "{:?}\n{}\n{}",
        output.code,
        told.join("\n"),
        rows.join("\n")
    )
}

#[test]
fn a_file_that_cannot_be_understood_does_not_keep_others_from_running() {
    let tap = ["run", "--no-bundle", "--reporter", "tap"];
    insta::assert_snapshot!(whole(&tap, &[BROKEN, GOOD]), @r"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    not ok 1 - bad_test.ts\#(file): bad_test.ts
    ok 2 - good_test.ts\#TestGood
    ");
    // What it holds is not known: it may be what was asked for.
    let filtered = [&tap[..], &["--run", "TestGood"]].concat();
    insta::assert_snapshot!(whole(&filtered, &[BROKEN, GOOD]), @r"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    not ok 1 - bad_test.ts\#(file): bad_test.ts
    ok 2 - good_test.ts\#TestGood
    ");
    let seen = run("30s", &[BROKEN, GOOD]);
    insta::assert_snapshot!(seen, @"
    Some(2)
    bad_test.ts error unexpected token
    TestGood passed
    ");
    // There is nothing else to run.
    insta::assert_snapshot!(whole(&tap, &[BROKEN]), @"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    ");
    let filtered = [&tap[..], &["--run", "Other"]].concat();
    insta::assert_snapshot!(whole(&filtered, &[BROKEN, GOOD]), @"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    ");
    insta::assert_snapshot!(whole(&["validate"], &[BROKEN, GOOD]), @"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    ");
    insta::assert_snapshot!(whole(&["run", "--dry-run"], &[BROKEN, GOOD]), @"
    Some(2)
    error: unexpected token
     --> bad_test.ts:2:17
    error: 1 error in 1 file
    ");
}

#[test]
fn a_module_under_test_that_cannot_be_understood_is_a_mistake() {
    let files = [
        GOOD,
        ("good.ts", "export function f() {\n  return (;\n}\n"),
        (
            "other_test.ts",
            "function TestOther(t) { t.assert.True(true); }\n",
        ),
    ];
    insta::assert_snapshot!(whole(&["validate"], &files), @"
    Some(2)
    error: unexpected token
     --> good.ts:2:11
    error: 1 error in 1 file
    ");
    insta::assert_snapshot!(run("30s", &files), @"
    Some(2)
    TestGood error unexpected token
    TestOther passed
    ");
}
