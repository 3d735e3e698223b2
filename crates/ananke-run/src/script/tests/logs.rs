//! What scripts around a test log, and what their `ctx` tells them.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::Case;
use ananke_model::plan::{Plan, Protocol};
use ananke_model::result::TestResult;
use insta::assert_snapshot;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Scripts;
use super::checks::{CHECKS, judged_by};
use crate::dispatch::{RunOptions, run};
use crate::speakers::tests::{plan, shell};
use crate::testing::{Project, options, run_live, shown};

const HI: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: Hi}}\n";

const HOOKS: &str = "\
export function Before(ctx) { console.log('ready for', ctx.metadata, ctx.assistant_id, ctx.chat_id.length > 8); return ctx.chat_id }
export function After(ctx, testCase, result, chat) { console.warn('same chat', chat === ctx.chat_id) }
export function AllBefore() { console.log('open') }
export function AllAfter() { console.log('close') }
export function AllBroken() { console.log('close'); throw new Error('still open') }
export function Answer(request, ctx) { console.log('asked', request.input, ctx.metadata, ctx.assistant_id, ctx.chat_id === request.thread_id); return 'Hi' }
export function Loops() { for (;;) {} }
";

fn hooked(scripts: &Scripts, protocol: Protocol) -> (Project, Plan) {
    let (project, mut plan) = plan(protocol, &[("a", HI), ("b", HI)]);
    plan.scripts.root = scripts.project.path("");
    for test in &mut plan.tests {
        test.target.name = Some("shop".to_owned());
    }
    let mut case = Case {
        id: "a".to_owned(),
        input: json!("Hello"),
        ..Case::default()
    };
    case.identity.metadata.insert("run".to_owned(), json!(1));
    case.metadata.insert("case".to_owned(), json!(2));
    plan.tests[0].case = Some(Arc::new(case));
    (project, plan)
}

fn logs(results: &[TestResult]) -> String {
    let lines = results.iter().flat_map(|result| {
        let logs = result.logs.iter();
        let logs = logs.map(|log| format!("{} {:?} {}", result.name, log.level, log.text));
        let warnings = result.warnings.iter();
        logs.chain(warnings.map(|text| format!("{} warning {text}", result.name)))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn what_hooks_and_agents_log_is_kept() {
    let scripts = Scripts::new(&[("scripts/hooks.ts", HOOKS)]);
    let call = |function| Some(scripts.call("scripts/hooks.ts", Some(function)));
    let agent = scripts.protocol("scripts/hooks.ts", Some("Answer"));
    let (_project, mut plan) = hooked(&scripts, agent);
    plan.tests[0].before = call("Before");
    plan.tests[0].after = call("After");
    plan.scripts.before_all = call("AllBefore");
    plan.scripts.after_all = call("AllAfter");
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, _) = run_live(&plan, how.clone()).await;
    assert_snapshot!(logs(&results), @r#"
    the a test Info --before-all: open
    the a test Info before: ready for {"run":1,"case":2} shop true
    the a test Info agent: asked Hello {"run":1,"case":2} shop true
    the a test Warn after: same chat true
    the b test Info agent: asked Hello {} shop true
    the b test Info --after-all: close
    "#);
    plan.scripts.after_all = call("AllBroken");
    let (results, _) = run_live(&plan, how).await;
    assert_snapshot!(logs(&results[1..]), @"
    the b test Info agent: asked Hello {} shop true
    the b test Info --after-all: close
    the b test warning --after-all failed (scripts.AllBroken): still open (scripts/hooks.ts:5:59)
    ");
    let (sender, _events) = mpsc::channel(1000);
    let outcome = run(plan, options(), sender, CancellationToken::new()).await;
    assert!(outcome.after_all.is_some());
}

#[tokio::test]
async fn what_checks_log_is_kept() {
    let scripts = Scripts::new(&[("scripts/checks.ts", CHECKS)]);
    let (_project, plan) = judged_by(&scripts, "Throws", None);
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(logs(&results), @"the a test Info scripts.Throws: looking");
}

#[tokio::test]
async fn logs_of_agents_that_functions_ask_are_kept() {
    let mut scripts = Scripts::new(&[
        ("scripts/hooks.ts", HOOKS),
        (
            "a_test.ts",
            "function TestA(t, ctx) { ctx.chat_id = 'chat-1234567'; t.assert.Equal(Process('agents.shop.Stream', ctx, 'Hello').content, 'Hi') }\n",
        ),
    ]);
    let mut agent =
        crate::speakers::tests::target(scripts.protocol("scripts/hooks.ts", Some("Answer")));
    agent.name = Some("shop".to_owned());
    scripts
        .plan
        .scripts
        .agents
        .insert("shop".to_owned(), Ok(agent));
    let (results, _) = run_live(&scripts.plan, options()).await;
    assert_snapshot!(format!("{}\n{}", shown(&results), logs(&results)), @"
    TestA: PASSED · 1 turns, 0 checks
    TestA Info agent: asked Hello {} shop true
    ");
    let request = &results[0].turns[0].turn.requests[0];
    assert_eq!(request["thread_id"], "chat-1234567");
}

#[tokio::test]
async fn hooks_take_no_longer_than_the_test_may() {
    let scripts = Scripts::new(&[("scripts/hooks.ts", HOOKS)]);
    let call = |function| Some(scripts.call("scripts/hooks.ts", Some(function)));
    let shell = Protocol::Command(Box::new(shell("echo '\"Hi\"'")));
    let (_project, mut plan) = hooked(&scripts, shell);
    plan.tests.truncate(1);
    let how = RunOptions {
        test_timeout: Duration::from_secs(1),
        ..options()
    };
    plan.tests[0].before = call("Loops");
    let (results, _) = run_live(&plan, how.clone()).await;
    let reasons =
        |results: &[TestResult]| format!("{:?} {:?}", results[0].status, results[0].reason);
    assert_snapshot!(reasons(&results), @r#"Timeout Some("before failed (scripts.Loops): timeout after 1s")"#);
    (plan.tests[0].before, plan.tests[0].after) = (None, call("Loops"));
    let (results, _) = run_live(&plan, how.clone()).await;
    assert_snapshot!(reasons(&results), @r#"Error Some("after failed (scripts.Loops): timeout after 1s")"#);
    assert!(
        results[0].duration_us >= 1_000_000,
        "{}",
        results[0].duration_us
    );
    (plan.tests[0].after, plan.scripts.before_all) = (None, call("Loops"));
    let (results, _) = run_live(&plan, how).await;
    assert_snapshot!(reasons(&results), @r#"Timeout Some("--before-all failed (scripts.Loops): timeout after 1s")"#);
}
