//! Scripts that change what everybody uses: no failure becomes a pass, and the functions after them run.

use std::time::Duration;

use insta::assert_snapshot;

use crate::testing::test_support::{records, run_one};

/// Runs a function that fails after `tampering`, and one that passes and one that fails after that.
fn after(tampering: &str) -> String {
    run_one(&format!(
        "function TestTampers(t) {{ {tampering}
  t.assert.Equal({{ a: [1, new Date(1)] }}, {{ a: [1, new Date(2)] }}, 'as it is') }}
async function TestPasses(t) {{ await null; t.assert.Equal({{ a: [1] }}, {{ a: [1] }}); t.run('inner', (t) => t.assert.Len([1], 1)) }}
async function TestFails(t) {{ t.log('x', 5); await null; t.assert.Contains('abc', 'x') }}
"
    ))
}

/// Tells that tampering changes nothing.
fn is_harmless(tampering: &str) {
    let told = after(tampering);
    let statuses: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("Test"))
        .collect();
    let expected = [
        "TestTampers: failed",
        "TestPasses: passed",
        "TestFails: failed",
    ];
    assert_eq!(statuses, expected, "{tampering}\n{told}");
    assert!(told.contains("assertion: as it is"), "{tampering}\n{told}");
}

#[test]
fn prototypes_can_be_changed_without_harm() {
    for tampering in [
        "Object.prototype.toJSON = () => 1",
        "for (const name of ['holds', 'later', 'refused', 'kind', 'text', 'then', 'next', 'ended', 'failed']) Object.defineProperty(Object.prototype, name, { value: undefined, writable: true, configurable: true })",
        "Object.prototype.holds = true; Object.prototype.expected = 1; Object.prototype.takesPromises = true; Object.prototype.error = undefined",
        "Array.prototype.push = () => { throw 1 }; Array.prototype.shift = () => {}; Array.prototype.map = () => {}",
        "Array.prototype[Symbol.iterator] = () => { throw 1 }",
        "Array.prototype.toJSON = () => 'x'; Array.isArray = () => false; Array.prototype.join = () => ''",
        "Promise.prototype.then = () => {}; Promise.prototype.catch = () => {}; Promise.resolve = () => {}",
        "Function.prototype.call = () => {}; Function.prototype.apply = () => {}; Function.prototype.bind = () => {}",
        "Object.defineProperty(Date, Symbol.hasInstance, { value: () => false }); Date.prototype.getTime = () => 1; Date.now = () => 'x'",
        "Map.prototype.get = () => 1; Map.prototype.has = () => true; Map.prototype.forEach = () => {}; WeakMap.prototype.get = () => undefined; WeakMap.prototype.has = () => false",
        "String.prototype.includes = () => true; String.prototype.toWellFormed = () => { throw 1 }; String.prototype.slice = () => ''",
        "RegExp.prototype.exec = () => ['x']; Number.isNaN = () => true",
        "Reflect.apply = () => {}; Reflect.construct = () => {}; Object.keys = () => []; Object.is = () => true; Object.freeze = () => {}; Object.defineProperty = () => {}",
        "globalThis.Error = null; globalThis.TypeError = null; globalThis.Proxy = null; globalThis.Map = null; globalThis.String = null; globalThis.Reflect = undefined",
        "Error.prepareStackTrace = () => { throw 1 }",
        "Error.prepareStackTrace = () => 5",
        "Error.stackTraceLimit = 0",
        "Object.defineProperty(Error.prototype, 'stack', { get() { throw 1 } })",
        "Object.defineProperty(Error.prototype, 'name', { get() { throw 1 } })",
    ] {
        is_harmless(tampering);
    }
}

#[test]
fn t_and_its_members_cannot_be_changed() {
    for tampering in [
        "try { t.assert.Equal = () => {} } catch {}",
        "try { t.assert = {} } catch {}",
        "try { Object.defineProperty(t.assert, 'Equal', { value: () => {} }) } catch {}",
        "try { Object.setPrototypeOf(t.assert, { Equal() {} }) } catch {}",
        "try { delete t.assert.Equal } catch {}",
        "try { t.failed = false; } catch {}",
        "try { t.assert.Equal.name = 'x' } catch {} try { t.assert.Equal.call = () => {} } catch {}",
        "try { Object.getPrototypeOf(t.assert.Equal).apply = () => {} } catch {}",
        "try { t.fail('x') } catch {} try { t.failed = false } catch {}",
    ] {
        let told = after(tampering);
        assert!(
            told.contains("TestTampers: failed") && told.contains("as it is"),
            "{tampering}\n{told}"
        );
    }
    assert_snapshot!(run_one(
        r#"function TestAssert(t) { t.assert.Equal = () => {} }
function TestT(t) { t.failed = false }
function TestDelete(t) { delete t.assert.True }
function TestUnknown(t) { t.logs("x") }
function TestNames(t) { t.log(Object.keys(t).length, Object.keys(t.assert).length, "Equal" in t.assert, "Equals" in t.assert); t.assert.Len(Object.keys(t.assert), 22) }
async function TestAwaited(t) { await t; await t.assert; t.assert.True(true) }"#,
    ), @"
    TestAssert: error
      thrown: TypeError: t.assert cannot be changed (Equal) [1:26]
    TestT: error
      thrown: TypeError: t cannot be changed (failed) [2:21]
    TestDelete: error
      thrown: TypeError: t.assert cannot be changed (True) [3:33]
    TestUnknown: error
      thrown: TypeError: there is no t.logs: did you mean `log`? [4:29]
    TestNames: passed
      log: 16 22 true false
    TestAwaited: passed
    ");
}

#[test]
fn an_error_of_another_function_is_an_error() {
    assert_snapshot!(run_one(
        r#"let kept
function TestA(t) { try { t.fatal("mine") } catch (error) { kept = error } }
function TestB(t) { t.assert.True(true); throw kept }
function TestC(t) { t.assert.Panic(() => { throw kept }) }
function TestD(t) { t.assert.Panic(() => t.assert.True(false, "inside")); t.log("not reached") }"#,
    ), @r#"
    TestA: failed
      fatal: mine [2:29]
    TestB: error
      thrown: Fatal: mine [2:29]
    TestC: error
      thrown: Fatal: mine [2:29]
    TestD: failed
      assertion: inside [5:51]
    "#);
}

#[test]
fn a_failure_at_the_end_of_the_stack_is_not_a_pass() {
    // Each function asserts a little further from the end of the stack: at first there is no room to begin, then none to record
    // what was found, then enough.
    let functions: String = (0..60)
        .map(|n| {
            format!(
                "function Test{n}(t) {{ let n = 0
  const f = () => {{ try {{ f() }} catch (e) {{ if (n++ < {n}) throw e; try {{ t.assert.Equal([1], [2]) }} catch {{}} }} }}
  f(); t.assert.True(true); t.log(t.failed ? 'failed' : 'passed') }}\n"
            )
        })
        .collect();
    let (records, _) = records(&[("x_test.ts", &functions)], Duration::from_secs(20));
    for record in &records {
        let said = record.logs.first().map(|log| log.text.as_str());
        let status = format!("{:?}", record.status()).to_lowercase();
        assert_eq!(said, Some(status.as_str()), "{record:?}");
    }
    let last = records.last().expect("a record");
    assert_eq!(
        last.failures.first().map(|one| one.message.as_str()),
        Some("expected [2], got [1]")
    );
}
