//! Each method of `t.assert`, in both directions.

use std::time::Duration;

use insta::assert_snapshot;

use crate::testing::test_support::{records, run_one};

/// Makes one function of each line, and runs them all.
pub(super) fn each(lines: &str) -> String {
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
    let functions: String = lines
        .enumerate()
        .map(|(n, line)| format!("function Test{n}({{ assert }}) {{ {line} }}\n"))
        .collect();
    let told = run_one(&functions);
    // Where the call stands is the same everywhere: after the head of the function.
    told.lines()
        .map(|line| {
            format!(
                "{}\n",
                line.rsplit_once(" [").map_or(line, |(line, _)| line)
            )
        })
        .collect()
}

/// Tells that all lines hold.
pub(super) fn hold(lines: &str) {
    let told = each(lines);
    assert!(
        told.lines().all(|line| line.ends_with(": passed")),
        "{told}"
    );
}

#[test]
fn what_is_as_demanded_passes() {
    hold(
        r#"
        assert.True(true); assert.True(1); assert.True("x"); assert.True({}); assert.True([]);
        assert.False(false); assert.False(0); assert.False(""); assert.False(null); assert.False(undefined);
        assert.Equal(1, 1); assert.Equal({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] });
        assert.NotEqual(1, 2); assert.NotEqual("1", 1);
        assert.Nil(null); assert.Nil(undefined);
        assert.NotNil(0); assert.NotNil(""); assert.NotNil(false);
        assert.Contains("hello", "ell"); assert.Contains([1, { a: 2 }], { a: 2 }); assert.Contains(["a", "bc"], "a,b"); assert.Contains(new Set([1]), 1); assert.Contains(123, 2);
        assert.NotContains("hello", "x"); assert.NotContains([1, 2], 3); assert.NotContains(["a"], "b");
        assert.Len([1, 2], 2); assert.Len("añ€😀", 4); assert.Len({ a: 1 }, 1); assert.Len(new Map([[1, 2]]), 1); assert.Len(new Set(), 0); assert.Len("", 0);
        assert.Greater(2, 1); assert.Greater("10", 9); assert.Greater(2n, 1); assert.Greater(new Date(2), new Date(1));
        assert.GreaterOrEqual(2, 2); assert.Less(1, 2); assert.LessOrEqual(2, 2);
        assert.Error(new Error("x")); assert.Error("why"); assert.Error({ code: 1 });
        assert.NoError(null); assert.NoError(undefined);
        assert.Panic(() => { throw new Error("x") }); assert.Equal(assert.Panic(() => { throw 7 }), 7);
        assert.NoPanic(() => 1); assert.Equal(assert.NoPanic(() => 5), 5);
        assert.Match("abc", "bc"); assert.Match("ABC", /b/i); assert.Match(123, /2/);
        assert.NotMatch("abc", "x"); assert.NotMatch("abc", /^b/);
        assert.JSONPath({ a: { b: [1] } }, "a.b", [1]); assert.JSONPath('{"a":1}', "a", 1); assert.JSONPath({}, "a", null);
        assert.Type(null, "null"); assert.Type(undefined, "undefined"); assert.Type("", "string"); assert.Type(1, "number"); assert.Type(true, "boolean");
        assert.Type([], "array"); assert.Type(() => 1, "function"); assert.Type({}, "object"); assert.Type(1n, "bigint"); assert.Type(Promise.resolve(), "object");
        assert.Agent("yes please", "strict", { criteria: "is polite" }); assert.Agent("please", "agents:strict", { metadata: { criteria: "is polite" } });
        assert.Agent("", "lenient", { criteria: ["is short"], connector: null }); assert.Agent(["please"], "strict", { criteria: "x", metadata: {} }, "message");
        "#,
    );
}

#[test]
fn what_is_not_as_demanded_fails_with_words_of_its_own() {
    assert_snapshot!(each(
        r#"
        assert.True(false);
        assert.True(0);
        assert.False(true);
        assert.False("x");
        assert.Equal({ a: 2 }, { a: 1 });
        assert.Equal("1", 1);
        assert.Equal(undefined, 1);
        assert.Equal(new Date(0), "1970-01-01T00:00:00.000Z");
        assert.NotEqual([1], [1]);
        assert.Nil({ a: 1 });
        assert.NotNil(undefined);
        assert.Contains("hello", "x");
        assert.Contains([1, 2], 3);
        assert.NotContains("hello", "ell");
        assert.NotContains([{ a: 1 }], { a: 1 });
        assert.Len([1, 2], 3);
        assert.Len("😀", 2);
        assert.Len(5, 1);
        assert.Greater(1, 2);
        assert.GreaterOrEqual(1, 2);
        assert.Less(2, 1);
        assert.LessOrEqual(2, 1);
        assert.Error(null);
        assert.NoError(new TypeError("broken"));
        assert.NoError("why");
        assert.Panic(() => 1);
        assert.NoPanic(() => { throw new Error("broken") });
        assert.NoPanic(() => { throw { code: 5 } });
        assert.Match("abc", "x");
        assert.Match("abc", /x/i);
        assert.NotMatch("abc", "b");
        assert.NotMatch("abc", /B/i);
        assert.JSONPath({ a: { b: 1 } }, "a.b", 2);
        assert.JSONPath({ a: 1 }, "b", 2);
        assert.Type(1, "string");
        assert.Type(null, "object");
        assert.Agent("now!", "strict", { criteria: "is polite" });
        assert.Agent("now!", "silent", { criteria: "is polite" });
        "#,
    ), @r#"
    Test0: failed
      assertion: expected true, got false
    Test1: failed
      assertion: expected true, got 0
    Test2: failed
      assertion: expected false, got true
    Test3: failed
      assertion: expected false, got "x"
    Test4: failed
      assertion: expected {"a":1}, got {"a":2}
    Test5: failed
      assertion: expected 1, got "1"
    Test6: failed
      assertion: expected 1, got undefined
    Test7: failed
      assertion: expected "1970-01-01T00:00:00.000Z", got "1970-01-01T00:00:00.000Z", which looks the same but is of another kind
    Test8: failed
      assertion: expected values to be different, both are [1]
    Test9: failed
      assertion: expected nil, got {"a":1}
    Test10: failed
      assertion: expected non-nil value, got nil
    Test11: failed
      assertion: expected 'hello' to contain 'x'
    Test12: failed
      assertion: expected '[1,2]' to contain '3'
    Test13: failed
      assertion: expected 'hello' to not contain 'ell'
    Test14: failed
      assertion: expected '[{"a":1}]' to not contain '{"a":1}'
    Test15: failed
      assertion: expected length 3, got 2
    Test16: failed
      assertion: expected length 2, got 1
    Test17: failed
      assertion: 5 has no length
    Test18: failed
      assertion: expected 1 > 2
    Test19: failed
      assertion: expected 1 >= 2
    Test20: failed
      assertion: expected 2 < 1
    Test21: failed
      assertion: expected 2 <= 1
    Test22: failed
      assertion: expected an error, got nil
    Test23: failed
      assertion: expected no error, got TypeError: broken
    Test24: failed
      assertion: expected no error, got "why"
    Test25: failed
      assertion: expected function to panic, but it didn't
    Test26: failed
      assertion: expected function not to panic, but got: broken
    Test27: failed
      assertion: expected function not to panic, but got: {"code":5}
    Test28: failed
      assertion: expected 'abc' to match pattern 'x'
    Test29: failed
      assertion: expected 'abc' to match pattern '/x/i'
    Test30: failed
      assertion: expected 'abc' to not match pattern 'b'
    Test31: failed
      assertion: expected 'abc' to not match pattern '/B/i'
    Test32: failed
      assertion: path 'a.b': expected 2, got 1
    Test33: failed
      assertion: path 'b': expected 2, got nothing
    Test34: failed
      assertion: expected type 'string', got 'number'
    Test35: failed
      assertion: expected type 'object', got 'null'
    Test36: failed
      assertion: not polite: "is polite"
    Test37: failed
      assertion: agent assertion failed
    "#);
}

#[test]
fn a_message_replaces_the_words() {
    assert_snapshot!(each(
        r#"
        assert.Equal(1, 2, "the totals differ");
        assert.JSONPath({}, "a", 1, "no a");
        assert.Agent("now!", "strict", { criteria: "is polite" }, "rude");
        assert.True(false, { not: "a text" });
        assert.True(false, "");
        "#,
    ), @r#"
    Test0: failed
      assertion: the totals differ
    Test1: failed
      assertion: no a
    Test2: failed
      assertion: rude
    Test3: failed
      assertion: expected true, got false
    Test4: failed
      assertion: expected true, got false
    "#);
}

#[test]
fn the_record_holds_what_was_expected_and_seen() {
    let text = r#"function TestA(t) {
  const self = { n: 1 }; self.self = self
  t.assert.Equal({ map: new Map([["k", 1]]), set: new Set([1]), date: new Date(0), re: /a/i, error: new TypeError("x"), big: 5n, nan: NaN, fn: parseInt, bytes: new Uint8Array([1]), self }, { plain: [1, null] }, "all kinds")
}"#;
    let (records, _) = records(&[("x_test.ts", text)], Duration::from_secs(20));
    let assertion = records[0].failures[0]
        .assertion
        .as_ref()
        .expect("an assertion");
    assert_snapshot!(serde_json::to_string_pretty(assertion).expect("JSON"), @r#"
    {
      "type": "Equal",
      "expected": {
        "plain": [
          1,
          null
        ]
      },
      "actual": {
        "map": {
          "[Map]": [
            [
              "k",
              1
            ]
          ]
        },
        "set": {
          "[Set]": [
            1
          ]
        },
        "date": "1970-01-01T00:00:00.000Z",
        "re": "/a/i",
        "error": {
          "[Error]": "TypeError: x"
        },
        "big": "5n",
        "nan": "NaN",
        "fn": "[Function: parseInt]",
        "bytes": {
          "[Uint8Array]": [
            1
          ]
        },
        "self": {
          "n": 1,
          "self": "[itself]"
        }
      },
      "message": "all kinds"
    }
    "#);
}

#[test]
fn the_place_of_the_call_is_told() {
    assert_snapshot!(run_one(
        r#"
function helper(assert) {
  assert.Equal(
    [1, 2].map((n) => n),
    [1],
  )
}
function TestA(t) {
  const { assert } = t
  const { Equal } = assert
  helper({ Equal })
}
const TestB = async ({ assert: { True } }) => {
  await null
  True(false)
}"#,
    ), @r#"
    TestA: failed
      assertion: expected [1], got [1,2] [3:10]
    TestB: failed
      assertion: expected true, got false [15:3]
    "#);
}

#[test]
fn a_pattern_with_a_memory_keeps_it() {
    assert_snapshot!(run_one(
        r#"function TestA({ assert }) {
  const p = /a/g
  p.lastIndex = 1
  assert.Match("a", p)
  assert.Match("a", p)
  assert.Equal(p.lastIndex, 1)
  assert.NotMatch("ba", /a/y)
}"#,
    ), @"TestA: passed");
}

#[test]
fn functions_that_panic_later_are_waited_for() {
    assert_snapshot!(run_one(
        r#"
const fails = async () => { await null; throw new Error("later") }
async function TestPasses({ assert }) {
  const error = await assert.Panic(fails)
  assert.Equal(error.message, "later")
  await assert.NoPanic(async () => 1)
}
async function TestFails({ assert }) {
  await assert.Panic(async () => 1)
  assert.True(true, "not reached")
}
function TestNotAwaited({ assert }) {
  assert.NoPanic(fails)
}"#,
    ), @r#"
    TestPasses: passed
    TestFails: failed
      assertion: expected function to panic, but it didn't [9:16]
    TestNotAwaited: failed
      assertion: expected function not to panic, but got: later [13:10]
    "#);
}

#[test]
fn what_looks_the_same_is_told_apart() {
    assert_snapshot!(run_one(
        r#"function TestFunctions({ assert }) { assert.Equal(() => 1, () => 1) }
function TestSymbols({ assert }) { assert.Equal(Symbol("x"), Symbol("x")) }
function TestMark({ assert }) { assert.Equal("a\u00a0b", "a b") }
function TestForm({ assert }) { assert.Equal("\u00e9", "e\u0301") }
function TestHalf({ assert }) { assert.Equal("\ud800", "\ufffd") }
function TestDeep({ assert }) { assert.Equal({ a: "\u00e9" }, { a: "e\u0301" }) }
function TestClasses({ assert }) { class A { x = 1 } const B = class A { x = 1 }; assert.Equal(new A(), new B()) }
function TestPromise({ assert }) { assert.Equal([Promise.resolve(1)], [Promise.resolve(1)]) }"#,
    ), @r#"
    TestFunctions: failed
      assertion: expected [Function], got [Function], which looks the same but is another function [1:45]
    TestSymbols: failed
      assertion: expected Symbol(x), got Symbol(x), which looks the same but is another symbol [2:43]
    TestMark: failed
      assertion: expected "a b", got "a\u00a0b" [3:40]
    TestForm: failed
      assertion: expected "e\u0301", got "\u00e9" [4:40]
    TestHalf: failed
      assertion: expected "�", got "\ud800" [5:40]
    TestDeep: failed
      assertion: expected {"a":"e\u0301"}, got {"a":"\u00e9"} [6:40]
    TestClasses: failed
      assertion: expected {"x":1}, got {"x":1}, which looks the same but is of another class [7:90]
    TestPromise: failed
      assertion: expected [[Promise]], got [[Promise]], which looks the same but holds something that is not [8:43]
    "#);
}

#[test]
fn a_panic_that_nobody_awaits_is_awaited() {
    assert_snapshot!(run_one(
        "const rejects = async () => { throw new Error('no stock') }
function TestHolds(t) { t.assert.Panic(() => rejects()) }
function TestFails(t) { t.assert.Panic(async () => 1) }
function TestLook(t) { const e = t.assert.Panic(() => { throw new Error('no stock left') }); t.assert.Contains(e.message, 'no stock') }",
    ), @"
    TestHolds: passed
    TestFails: failed
      assertion: expected function to panic, but it didn't [3:34]
    TestLook: passed
    ");
}
