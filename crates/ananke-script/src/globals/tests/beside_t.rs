//! What scripts are given, together with `t`.

use insta::assert_snapshot;

use super::support::run;
use crate::globals::TYPE_DEFINITIONS;
use crate::testing::test_support::run_one;

#[test]
fn processes_services_and_functions_can_be_replaced() {
    assert_snapshot!(run_one(r#"
        async function TestReplaced(t, ctx) {
            const find = t.mockProcess("models.user.Find", (id) => ({ id }));
            t.assert.Equal(Process("models.user.Find", 7), { id: 7 });
            t.mockProcess("agents.*", () => ({ content: "mocked" }));
            t.assert.Equal(ctx.agent.Call("shop", "hi").content, "mocked");
            t.mock(ctx.llm, "Stream", () => "streamed");
            t.assert.Equal(ctx.llm.Stream(), "streamed");
            t.mock(ctx.llm.models, "List", () => ["m"]);
            t.assert.Equal(ctx.llm.models.List(), ["m"]);
            t.mock(globalThis, "fetch", async () => Response.json({ ok: 1 }));
            t.assert.Equal(await (await fetch("https://anything")).json(), { ok: 1 });
            t.mock(http, "Get", () => ({ status: 200 }));
            t.assert.Equal(http.Get("https://anything").status, 200);
            t.mock(ctx, "Send", () => "id");
            t.assert.Equal([ctx.Send("x"), ctx.sent.length, find.callCount], ["id", 0, 1]);
            t.mock(console, "log", () => {});
            console.log("not kept");
        }
        function TestAfterwards(t, ctx) {
            t.assert.Panic(() => Process("models.user.Find", 7));
            t.assert.Panic(() => ctx.llm.Stream());
            t.assert.Panic(() => ctx.llm.models.List());
            console.log("kept");
        }
    "#), @"
    TestReplaced: passed
    TestAfterwards: passed
      log: kept
    ");
}

#[test]
fn what_a_timer_throws_fails_the_test_once() {
    assert_snapshot!(run_one(r#"
        const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
        async function TestThrows(t) {
            setTimeout(() => { throw new TypeError("late"); }, 1);
            await sleep(10);
            t.assert.True(true);
        }
        async function TestAsserts(t) {
            setTimeout(() => t.assert.Equal(1, 2), 1);
            await sleep(10);
        }
        async function TestForgets(t) {
            setTimeout(() => { throw new Error("of another test"); }, 5);
            setInterval(() => { throw new Error("of another test"); }, 5);
            t.assert.True(true);
        }
        async function TestNext(t) {
            await sleep(15);
            t.assert.True(true);
        }
    "#), @"
    TestThrows: error
      thrown: TypeError: late [4:38]
    TestAsserts: failed
      assertion: expected 2, got 1 [9:39]
    TestForgets: error
      thrown: of another test [13:38]
      thrown: TestForgets ended while work that it began was still going on: an interval was never cleared [12:24]
    TestNext: passed
    ");
}

#[test]
fn each_function_has_a_context_of_its_own_and_memory_is_shared() {
    assert_snapshot!(run_one(r#"
        function TestFirst(t, ctx) {
            ctx.Metadata = { mine: 1 };
            ctx.User = { ID: "u" };
            ctx.memory.user.Set("k", 1);
            ctx.memory.context.Set("k", 1);
            t.assert.Equal(Authorized().user_id, "u");
        }
        function TestSecond(t, ctx) {
            t.assert.Nil(ctx.Metadata);
            t.assert.Nil(ctx.User);
            ctx.User = { ID: "u" };
            t.assert.Equal([ctx.memory.user.Get("k"), ctx.memory.context.Get("k")], [1, null]);
            t.assert.Equal(ctx.ChatID, "script-test-TestSecond");
        }
    "#), @"
    TestFirst: passed
    TestSecond: passed
    ");
}

/// Returns the methods that an interface of the type definitions has.
fn methods(interface: &str) -> Vec<&'static str> {
    let start = format!("interface {interface} {{");
    let (_, rest) = TYPE_DEFINITIONS.split_once(&start).unwrap();
    let (body, _) = rest.split_once("\n  }").unwrap();
    let names = body
        .lines()
        .filter_map(|line| line.trim().split_once(['(', '<']));
    let mut names: Vec<_> = names.map(|(name, _)| name).collect();
    names.retain(|name| name.chars().all(char::is_alphanumeric));
    names.dedup();
    names
}

#[test]
fn the_type_definitions_name_what_there_is() {
    let spaces = serde_json::to_string(&methods("Space")).unwrap();
    let found =
        format!("return {spaces}.filter((name) => typeof ctx.memory.user[name] !== 'function')");
    assert_eq!(run(&found), "[]");
    let known = "return Object.getOwnPropertyNames(Object.getPrototypeOf(ctx.memory.user)).filter((name) => name !== 'constructor').length";
    assert_eq!(run(known), methods("Space").len().to_string());
    let context = serde_json::to_string(&methods("Context")).unwrap();
    let found = format!("return {context}.filter((name) => typeof ctx[name] !== 'function')");
    assert_eq!(run(&found), "[]");
    let of_t = serde_json::to_string(&methods("T")).unwrap();
    let asserts = serde_json::to_string(&methods("Assert")).unwrap();
    assert_eq!(methods("Assert").len(), 22);
    let text = format!(
        "function TestNames(t) {{ for (const name of {of_t}) t.assert.Type(t[name], 'function');
         for (const name of {asserts}) t.assert.Type(t.assert[name], 'function');
         t.assert.Len(Object.keys(t.assert), 22); }}"
    );
    let told = run_one(&text);
    assert!(told.contains("passed"), "{told}");
}
