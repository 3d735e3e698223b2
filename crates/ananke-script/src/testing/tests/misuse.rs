//! Calls of `t.assert` that make no sense, and judges that give no verdict: never a pass.

use insta::assert_snapshot;

use super::assertions::each;
use crate::testing::test_support::run_one;

#[test]
fn what_makes_no_sense_is_never_a_pass() {
    assert_snapshot!(each(
        r#"
        assert.Equals(1, 1);
        assert.equal(1, 1);
        assert.Something();
        assert.Equal(1);
        assert.True();
        assert.Len([1], "1");
        assert.Greater(undefined, 1);
        assert.Less(null, 1);
        assert.Less("", 1);
        assert.LessOrEqual("abc", 1);
        assert.Less([], 1);
        assert.Contains(null, "x");
        assert.NotContains(undefined, "x");
        assert.NotContains({ a: 1 }, "a");
        assert.NotContains("abc", undefined);
        assert.Panic(5);
        assert.NoPanic("x");
        assert.Match("abc", "(");
        assert.NotMatch("abc", 5);
        assert.NotMatch(null, "x");
        assert.NotMatch({}, "x");
        assert.JSONPath({}, "", 1);
        assert.JSONPath({}, 5, 1);
        assert.Type(1, "nubmer");
        assert.Type(1, Number);
        assert.True(Promise.resolve(false));
        assert.NotNil(Promise.resolve(null));
        assert.Equal(1, Promise.resolve(2));
        assert.Agent("x", "");
        assert.Agent("x", "nobody", { criteria: "y" });
        "#,
    ), @r#"
    Test0: error
      thrown: TypeError: there is no t.assert.Equals: did you mean `Equal`?
    Test1: error
      thrown: TypeError: there is no t.assert.equal: did you mean `Equal`?
    Test2: error
      thrown: TypeError: there is no t.assert.Something
    Test3: error
      thrown: t.assert.Equal takes (actual, expected, message?): it was given 1 argument
    Test4: error
      thrown: t.assert.True takes (value, message?): it was given 0 arguments
    Test5: error
      thrown: t.assert.Len takes a length that is a number, not "1"
    Test6: failed
      assertion: cannot compare undefined > 1: undefined is no number
    Test7: failed
      assertion: cannot compare null < 1: null is no number
    Test8: failed
      assertion: cannot compare "" < 1: "" is no number
    Test9: failed
      assertion: cannot compare "abc" <= 1: "abc" is no number
    Test10: failed
      assertion: cannot compare [] < 1: [] is no number
    Test11: error
      thrown: t.assert.Contains cannot look into null
    Test12: error
      thrown: t.assert.NotContains cannot look into undefined
    Test13: error
      thrown: t.assert.NotContains looks into texts, lists and sets, not into an object
    Test14: error
      thrown: t.assert.NotContains cannot look for undefined in a text
    Test15: error
      thrown: t.assert.Panic takes a function, not 5
    Test16: error
      thrown: t.assert.NoPanic takes a function, not "x"
    Test17: error
      thrown: t.assert.Match has no valid pattern '(': an open group
    Test18: error
      thrown: t.assert.NotMatch takes a pattern that is a text or a RegExp, not 5
    Test19: error
      thrown: t.assert.NotMatch cannot look into null
    Test20: error
      thrown: t.assert.NotMatch takes a text, not an object
    Test21: error
      thrown: t.assert.JSONPath has no valid path '': it is empty
    Test22: error
      thrown: t.assert.JSONPath takes a path that is a text, not 5
    Test23: error
      thrown: t.assert.Type knows no type "nubmer": did you mean `number`?
    Test24: error
      thrown: t.assert.Type knows no type [Function: Number]
    Test25: error
      thrown: t.assert.True was given a promise: is an `await` missing?
    Test26: error
      thrown: t.assert.NotNil was given a promise: is an `await` missing?
    Test27: error
      thrown: t.assert.Equal was given a promise: is an `await` missing?
    Test28: error
      thrown: t.assert.Agent takes the id of an agent, not ""
    Test29: inconclusive
      undecided: there is no agent `nobody`
    "#);
}

#[test]
fn a_judge_is_asked_only_what_can_be_judged() {
    assert_snapshot!(each(
        r#"
        assert.Agent(undefined, "lenient", { criteria: "x" });
        assert.Agent(null, "lenient", { criteria: "x" });
        assert.Agent(() => 1, "lenient", { criteria: "x" });
        assert.Agent("hello", "lenient");
        assert.Agent("hello", "lenient", {});
        assert.Agent("hello", "lenient", null);
        assert.Agent("hello", "lenient", "is polite");
        assert.Agent("hello", "lenient", ["is polite"]);
        assert.Agent("hello", "lenient", { criteria: "" });
        assert.Agent("hello", "lenient", { criteria: " " });
        assert.Agent("hello", "lenient", { criteria: [] });
        assert.Agent("hello", "lenient", { criteria: true });
        assert.Agent("hello", "lenient", { critera: "x" });
        assert.Agent("hello", "lenient", { criteria: "x", metdata: {} });
        assert.Agent("hello", "lenient", { metadata: { criteria: "" } });
        assert.Agent("hello", "lenient", { metadata: "is polite" });
        assert.Agent("hello", "lenient", { criteria: "x", connector: 5 });
        "#,
    ), @r#"
    Test0: error
      thrown: t.assert.Agent takes a response, not undefined
    Test1: error
      thrown: t.assert.Agent takes a response, not null
    Test2: error
      thrown: t.assert.Agent takes a response, not [Function]
    Test3: error
      thrown: t.assert.Agent needs criteria: pass {criteria: "is polite"}
    Test4: error
      thrown: t.assert.Agent needs criteria: pass {criteria: "is polite"}
    Test5: error
      thrown: t.assert.Agent needs criteria: pass {criteria: "is polite"}
    Test6: error
      thrown: t.assert.Agent takes options such as {criteria: "is polite"}, not "is polite"
    Test7: error
      thrown: t.assert.Agent takes options such as {criteria: "is polite"}, not ["is polite"]
    Test8: error
      thrown: t.assert.Agent takes criteria that say something, not ""
    Test9: error
      thrown: t.assert.Agent takes criteria that say something, not " "
    Test10: error
      thrown: t.assert.Agent takes criteria that say something, not []
    Test11: error
      thrown: t.assert.Agent takes criteria that say something, not true
    Test12: error
      thrown: t.assert.Agent knows no option `critera`: did you mean `criteria`?
    Test13: error
      thrown: t.assert.Agent knows no option `metdata`: did you mean `metadata`?
    Test14: error
      thrown: t.assert.Agent takes criteria that say something, not ""
    Test15: error
      thrown: t.assert.Agent takes metadata that is an object, not "is polite"
    Test16: error
      thrown: t.assert.Agent takes the name of a connector, not 5
    "#);
}

#[test]
fn a_judge_that_gives_no_verdict_decides_nothing() {
    assert_snapshot!(run_one(
        r#"function TestA(t) {
  t.assert.True(true)
  t.assert.Agent("x", "nobody", { criteria: "y" })
}"#,
    ), @r#"
    TestA: inconclusive
      undecided: there is no agent `nobody` [3:12]
    "#);
}

#[test]
fn what_would_hide_a_mistake_is_refused() {
    assert_snapshot!(run_one(
        r#"class Query { constructor(n) { this.n = n } then(done) { done(this.n) } }
function TestThenable({ assert }) { assert.True(new Query(0)) }
function TestOther({ assert }) { assert.Equal(1, new Query(1)) }
function TestNoThenable({ assert }) { assert.True({ then: 1 }) }
async function TestPanics({ assert }) { await assert.NoPanic(() => new Query(0)) }
function TestNowhere({ assert }) { assert.JSONPath(undefined, "a", undefined) }
function TestMissing({ assert }) { assert.JSONPath({ total: 1 }, "totl", undefined) }
function TestNull({ assert }) { assert.JSONPath({ total: null }, "total", undefined) }
function TestDate({ assert }) { assert.Len(new Date(0), 0) }
function TestMemory({ assert }) { assert.Panic(() => { const all = []; for (;;) all.push(new Uint8Array(16 << 20)) }) }
function TestTypo(t) { t.asert.True(true) }"#,
    ), @r#"
    TestThenable: error
      thrown: t.assert.True was given a promise: is an `await` missing? [2:44]
    TestOther: error
      thrown: t.assert.Equal was given a promise: is an `await` missing? [3:41]
    TestNoThenable: passed
    TestPanics: passed
    TestNowhere: error
      thrown: t.assert.JSONPath cannot look into undefined [6:43]
    TestMissing: failed
      assertion: path 'totl': nothing there [7:43]
    TestNull: passed
    TestDate: failed
      assertion: "1970-01-01T00:00:00.000Z" has no length [9:40]
    TestMemory: error
      memory: the script used more memory than it may (256 MiB) [10:111]
    TestTypo: error
      thrown: TypeError: there is no t.asert: did you mean `assert`? [11:32]
    "#);
}
