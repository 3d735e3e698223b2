//! `Process` and what else is known by name.

use insta::assert_snapshot;

use super::support::{lines, module, project, run};

#[test]
fn an_agent_is_asked_with_context_messages_and_options() {
    assert_snapshot!(run(r#"
        const answer = Process("agents.shop.cart.Stream", ctx, [{ role: "user", content: "hi" }], { connector: "c" });
        return [answer.content, answer.asked.agent, answer.asked.context.authorized.user_id, answer.asked.messages, answer.asked.options];
    "#), @r#"["hello from shop.cart","shop.cart","test-user",[{"role":"user","content":"hi"}],{"connector":"c"}]"#);
}

#[test]
fn a_changed_copy_of_the_context_asks_as_changed() {
    assert_snapshot!(run(r#"
        const as = (context) => Process("agents.shop.Stream", context, "hi").asked.context;
        console.log(as({ ...ctx, User: { ID: "other" } }).authorized);
        console.log(as({ ...ctx, locale: "de" }).locale, as({ ...ctx, Locale: "fr" }).locale);
        console.log(as(undefined).chat_id, ctx.authorized.user_id, Object.keys(as({ ...ctx })));
    "#), @r#"
    info: {"user_id":"other","team_id":"test-team"}
    info: de fr
    info: chat-1 test-user ["chat_id","assistant_id","locale","referer","accept","client","metadata","authorized"]
    "#);
}

#[test]
fn an_agent_that_fails_throws() {
    assert_snapshot!(run(r#"try { Process("agents.broken.Stream", ctx, "hi"); } catch (error) { return error.message; }"#), @"the agent `broken` failed: no answer");
    assert_snapshot!(run(r#"Process("agents.broken.Stream", ctx, "hi");"#), @"Thrown: the agent `broken` failed: no answer (main.ts:2:1)");
}

#[test]
fn functions_of_other_scripts_run_in_the_same_engine() {
    let files = [
        (
            "orders.ts",
            "let n = 0; function Find(id: string, x: any) { n++; return { id, n, x }; }\nexport async function Later() { return 'later'; }",
        ),
        (
            "waits.ts",
            "await new Promise(() => {}); export function F() {}",
        ),
        ("broken.ts", "export function F( {"),
        ("throws.ts", "throw new Error('at the top')"),
    ];
    assert_snapshot!(project(&files, r#"
        console.log(Process("scripts.orders.Find", "a", { b: 1 }), Process("scripts.orders.Find", "b").n);
        console.log(await Process("scripts.orders.Later"));
        for (const name of ["scripts.orders.Missing", "scripts.none.F", "scripts.waits.F", "scripts.broken.F", "scripts.throws.F"]) {
            try { Process(name); } catch (error) { console.log(name, error); }
        }
    "#), @r#"
    info: {"id":"a","n":1,"x":{"b":1}} 2
    info: later
    info: scripts.orders.Missing Error: there is no function `Missing` in orders.ts
    info: scripts.none.F Error: there is no script for `scripts.none.F`
    info: scripts.waits.F Error: waits.ts waits for something at its top level: import it instead
    info: scripts.broken.F Error: broken.ts:1:21: expected `}` but found the end of the file
    info: scripts.throws.F Error: at the top
    "#);
}

#[test]
fn what_nobody_answers_says_how_to_answer_it() {
    assert_snapshot!(lines(&[
        "Process('models.user.Find', 1)",
        "Process('agents..Stream', ctx, 'hi')",
        "Process(7)",
        "Process('agents.shop.Stream', ctx)",
        "new Process('x')",
        "new FS('system')",
        "Studio('x')",
        "new Store('x')",
        "Authorized()",
        "(() => { try { throw new Exception('denied', 403); } catch (e) { return [e instanceof Error, e.code, e.name]; } })()",
        "[typeof process, typeof require, typeof Deno, typeof std, typeof os, typeof module]",
    ]), @r#"
    Process('models.user.Find', 1) ✗ Error: there is no process `models.user.Find` in a test; answer it with t.mockProcess("models.user.Find", fn)
    Process('agents..Stream', ctx, 'hi') ✗ Error: there is no process `agents..Stream` in a test; answer it with t.mockProcess("agents..Stream", fn)
    Process(7) ✗ TypeError: Process needs the name of a process, such as Process("agents.shop.Stream", ctx, messages)
    Process('agents.shop.Stream', ctx) ✗ TypeError: agents.shop.Stream needs messages: Process("agents.shop.Stream", ctx, messages)
    new Process('x') ✗ TypeError: not a constructor
    new FS('system') ✗ Error: FS is not available in tests; keep it behind a function that a test can replace with t.mock
    Studio('x') ✗ Error: Studio is not available in tests; keep it behind a function that a test can replace with t.mock
    new Store('x') ✗ Error: Store is not available in tests; keep it behind a function that a test can replace with t.mock
    Authorized() → {"user_id":"test-user","team_id":"test-team"}
    (() => { try { throw new Exception('denied', 403); } catch (e) { return [e instanceof Error, e.code, e.name]; } })() → [true,403,"Exception"]
    [typeof process, typeof require, typeof Deno, typeof std, typeof os, typeof module] → ["undefined","undefined","undefined","undefined","undefined","undefined"]
    "#);
}

#[test]
fn an_exception_that_nobody_catches_has_its_place() {
    assert_snapshot!(run("throw new Exception('denied', 403)"), @"Thrown: Exception: denied (main.ts:2:11)");
}

#[test]
fn the_runtime_module_hands_out_the_same_things() {
    let script = r#"
        import { Process, http, log, Authorized, type Context } from "@yao/runtime";
        import { agent, testing } from "@yao/runtime";
        export default function (ctx: agent.Context & Context) {
            log.Info("from %s", "module");
            return [Process === globalThis.Process, http === globalThis.http, Authorized().user_id];
        }
    "#;
    assert_snapshot!(module(&[], script), @r#"
    info: from module
    [true,true,"test-user"]
    "#);
}

#[test]
fn a_name_that_the_runtime_module_has_not_is_a_mistake() {
    assert_snapshot!(module(&[], "import { Nothing } from '@yao/runtime'; export default () => Nothing();"), @"Load: SyntaxError: Could not find export 'Nothing' in module 'ananke:runtime'");
}

#[test]
fn exceptions_are_made_with_and_without_new() {
    assert_snapshot!(lines(&[
        "[Exception('m', 400).code, Exception('m').code, Exception('m', 400) instanceof Exception, Exception('m') instanceof Error]",
        "[new Exception('m', 400).code, new Exception('m') instanceof Exception, new Exception('m').constructor === Exception, Exception.name]",
        "(() => { class Own extends Exception {} const it = new Own('m', 4); return [it instanceof Own, it instanceof Exception, it.code]; })()",
        "String(Exception('m', 400))",
        "(() => { throw Exception('broken', 400); })()",
    ]), @r#"
    [Exception('m', 400).code, Exception('m').code, Exception('m', 400) instanceof Exception, Exception('m') instanceof Error] → [400,500,true,true]
    [new Exception('m', 400).code, new Exception('m') instanceof Exception, new Exception('m').constructor === Exception, Exception.name] → [400,true,true,"Exception"]
    (() => { class Own extends Exception {} const it = new Own('m', 4); return [it instanceof Own, it instanceof Exception, it.code]; })() → [true,true,4]
    String(Exception('m', 400)) → Exception: m
    (() => { throw Exception('broken', 400); })() ✗ Exception: broken
    "#);
    assert_snapshot!(run("throw Exception('broken', 400)"), @"Thrown: Exception: broken (main.ts:2:7)");
}
