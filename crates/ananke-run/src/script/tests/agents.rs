//! Agents that are functions.

use std::time::Duration;

use ananke_model::plan::Protocol;
use insta::assert_snapshot;
use serde_json::{Map, json};
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::agents::{AskError, AskOptions, ask_script};
use crate::dispatch::RunOptions;
use crate::probe::{Probed, probe};
use crate::speakers::tests::{plan, target};
use crate::testing::{options, run_live, shown, variables};

const HI: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: Hi}}\n";

const AGENT: &str = "\
export function Greets(request, ctx) {
  return {content: 'Hi ' + request.input + ' ' + ctx.locale, tool_calls: [{name: 'find', arguments: {id: 1}, result: 'ok'}]};
}
export async function Text() { return 'Hi' }
export function Throws() { console.log('looking'); throw new Error('no stock') }
export function Nothing() {}
export function Loops() { for (;;) {} }
";

/// Runs one test with a function as its agent.
async fn said(function: &str) -> String {
    let scripts = Scripts::new(&[("scripts/agent.ts", AGENT)]);
    let mut protocol = scripts.protocol("scripts/agent.ts", Some(function));
    if let Protocol::Script(script) = &mut protocol
        && function == "Loops"
    {
        script.timeout_ms = 300;
    }
    let (_project, mut plan) = plan(protocol, &[("a", HI)]);
    plan.scripts.root = scripts.project.path("");
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, _) = run_live(&plan, how).await;
    let turns = results[0].turns.iter().map(|judged| &judged.turn);
    let calls = turns.clone().flat_map(|turn| &turn.tool_calls);
    let calls: String = calls
        .map(|call| format!("\n{} {} {:?}", call.name, call.args_text, call.result))
        .collect();
    let text: String = turns.map(|turn| format!("\n{}", turn.text)).collect();
    format!("{}{text}{calls}", shown(&results))
}

#[tokio::test]
async fn functions_answer_as_programs_do() {
    assert_snapshot!(said("Greets").await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    Hi Hello en-us
    find {"id":1} Some("ok")
    "#);
    assert_snapshot!(said("Text").await, @"
    the a test: PASSED · 1 turns, 1 checks
    Hi
    ");
    assert_snapshot!(said("Throws").await, @"
    the a test: ERROR turn 1: `scripts.Throws` failed: no stock (scripts/agent.ts:5:58) · 1 turns, 0 checks
        log: looking
    ");
    assert_snapshot!(said("Nothing").await, @"the a test: ERROR turn 1: the function returned nothing: it must return a text, or an object with `content` · 1 turns, 0 checks");
    assert_snapshot!(said("Loops").await, @"the a test: TIMEOUT turn 1: timeout after 300ms (timeout_ms): `scripts.Loops` had not answered · 1 turns, 0 checks");
    assert_snapshot!(said("None").await, @"the a test: ERROR turn 1: `scripts.None` failed: there is no function `None` in agent.ts · 1 turns, 0 checks");
}

#[tokio::test]
async fn agents_that_call_themselves_come_to_an_end() {
    let mut scripts = Scripts::new(&[
        (
            "scripts/agent.ts",
            "export default function (request, ctx) { return Process('agents.self.Stream', ctx, 'again') }\n",
        ),
        (
            "a_test.ts",
            "function TestSelf(t, ctx) { Process('agents.self.Stream', ctx, 'Hello') }\n",
        ),
    ]);
    let agent = target(scripts.protocol("scripts/agent.ts", None));
    scripts
        .plan
        .scripts
        .agents
        .insert("self".to_owned(), Ok(agent));
    let (results, _) = run_live(&scripts.plan, options()).await;
    let reason = results[0].reason.clone().unwrap_or_default();
    assert!(
        reason.contains("call each other more than 8 deep"),
        "{reason}"
    );
}

#[tokio::test]
async fn functions_generate_what_agents_would() {
    let scripts = Scripts::new(&[(
        "scripts/gen.ts",
        "\
export function Cases(message, metadata) { return [{id: 'T1', input: 'Hi ' + message.count + metadata.test_mode}] }
export function Text() { return 'plain' }
export function Nothing() {}
export function Throws() { throw new TypeError('broken') }
",
    )]);
    let ask = async |function: &str| {
        let metadata = Map::from_iter([("test_mode".to_owned(), json!("generator"))]);
        let (variables, how) = (variables(), options());
        let options = AskOptions {
            message: &json!({"count": 2}),
            metadata: &metadata,
            timeout: Duration::from_secs(10),
            variables: &variables,
            proxies: &how.proxies,
            root: &scripts.plan.root,
            identity: None,
            redactor: &how.redactor,
            unix_ms: 0,
            cancel: &CancellationToken::new(),
            scripts: &scripts.plan.scripts,
        };
        let function = scripts.call("scripts/gen.ts", Some(function));
        match ask_script(&function, options).await {
            Ok(answer) => answer.text,
            Err(AskError { kind, message }) => format!("{kind:?}: {message}"),
        }
    };
    assert_snapshot!(ask("Cases").await, @r#"[{"id":"T1","input":"Hi 2generator"}]"#);
    assert_snapshot!(ask("Text").await, @"plain");
    assert_snapshot!(ask("Nothing").await, @"Failed: `scripts.Nothing` returned nothing: it must return a text, or a value that is JSON");
    assert_snapshot!(ask("Throws").await, @"Failed: `scripts.Throws` failed: TypeError: broken (scripts/gen.ts:4:34)");
}

#[tokio::test]
async fn answers_that_json_cannot_say_are_errors() {
    let said = async |returned: &str| {
        let file = format!("export function Odd() {{ {returned} }}\n");
        let scripts = Scripts::new(&[("scripts/odd.ts", &file)]);
        let protocol = scripts.protocol("scripts/odd.ts", Some("Odd"));
        let test = "turns: [{user: Hello}]\nassert: {text: {must_match: .}}\n";
        let (_project, mut plan) = plan(protocol, &[("a", test)]);
        plan.scripts.root = scripts.project.path("");
        let (results, _) = run_live(&plan, options()).await;
        results[0].reason.clone().unwrap_or_default()
    };
    assert_snapshot!(said("return () => 1").await, @"turn 1: `scripts.Odd` failed: it returned a function, which JSON cannot say");
    assert_snapshot!(said("return {content: Symbol('x')}").await, @"turn 1: `scripts.Odd` failed: it returned a symbol at content, which JSON cannot say");
    assert_snapshot!(said("return new Map()").await, @"turn 1: `scripts.Odd` failed: it returned a Map, which JSON cannot say");
    assert_snapshot!(said("return [0, {n: NaN}]").await, @"turn 1: `scripts.Odd` failed: it returned NaN at 1.n, which JSON cannot say");
    assert_snapshot!(said("const a = {}; a.a = a; return a").await, @"turn 1: `scripts.Odd` failed: it returned something that holds itself, or is nested too deep at a.a.a.a.a.a.a.a…, which JSON cannot say");
    assert_snapshot!(said("return {content: 'Hi', at: undefined}").await, @"");
}

#[tokio::test]
async fn doctors_look_whether_the_function_is_there() {
    let only = "export function One() {}\nfunction other() {}\n";
    let scripts = Scripts::new(&[
        ("scripts/agent.ts", AGENT),
        ("scripts/only.ts", only),
        ("scripts/bad.ts", "function (\n"),
    ]);
    let look = async |file: &str, function: Option<&str>| {
        let target = target(scripts.protocol(file, function));
        let how = options();
        let probed = probe(&target, &variables(), &how.proxies, &scripts.plan.root);
        let Ok(Probed::Other(probe)) = probed else {
            panic!("{probed:?}");
        };
        let seen = probe.look(Duration::from_secs(1)).await;
        format!("{} {seen:?}", probe.address())
    };
    assert_snapshot!(look("scripts/agent.ts", Some("Greets")).await, @r#"`scripts.Greets` in scripts/agent.ts Fine("`Greets` is in scripts/agent.ts")"#);
    assert_snapshot!(look("scripts/agent.ts", Some("None")).await, @r#"`scripts.None` in scripts/agent.ts Wrong("there is no function `None` in scripts/agent.ts")"#);
    assert_snapshot!(look("scripts/agent.ts", None).await, @r#"`scripts.default` in scripts/agent.ts Wrong("scripts/agent.ts has neither a default export nor exactly one exported function")"#);
    assert_snapshot!(look("scripts/only.ts", None).await, @r#"`scripts.default` in scripts/only.ts Fine("`One` is in scripts/only.ts")"#);
    assert_snapshot!(look("scripts/none.ts", None).await, @r#"`scripts.default` in scripts/none.ts Wrong("scripts/none.ts cannot be read: No such file or directory (os error 2)")"#);
    let seen = look("scripts/bad.ts", None).await;
    assert!(seen.contains("is no script"), "{seen}");
}
