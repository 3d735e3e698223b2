//! Hooks around cases, and around the whole run.

use ananke_model::plan::Protocol;
use insta::assert_snapshot;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Scripts;
use crate::dispatch::{RunOptions, run};
use crate::judge::Lookup;
use crate::speakers::tests::{plan, shell};
use crate::testing::{options, run_live, shown};

const HI: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: Hi}}\n";

const HOOKS: &str = "\
export function Before(ctx, testCase) { return {data: {name: testCase.name, locale: ctx.locale}} }
export function After(ctx, testCase, result, data) {
  if (data.name !== testCase.name || data.locale !== ctx.locale) throw new Error('other data: ' + JSON.stringify(data));
  if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
}
export function Broken() { throw new Error('no database') }
export function AllBefore(ctx, cases) { return {data: cases.length} }
export function AllAfter(ctx, results, data) {
  if (data !== results.length || results[0].status !== 'passed') throw new Error(JSON.stringify([data, results]));
}
";

async fn said(before: Option<&str>, after: Option<&str>) -> String {
    let scripts = Scripts::new(&[("scripts/hooks.ts", HOOKS)]);
    let protocol = Protocol::Command(Box::new(shell("echo '\"Hi\"'")));
    let (_project, mut plan) = plan(protocol, &[("a", HI)]);
    plan.scripts.root = scripts.project.path("");
    let call = |function| scripts.call("scripts/hooks.ts", Some(function));
    plan.tests[0].before = before.map(call);
    plan.tests[0].after = after.map(call);
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    shown(&run_live(&plan, how).await.0)
}

#[tokio::test]
async fn hooks_of_a_case_stand_around_it() {
    assert_snapshot!(said(Some("Before"), Some("After")).await, @"the a test: PASSED · 1 turns, 1 checks");
    assert_snapshot!(said(Some("Broken"), Some("After")).await, @"
    the a test: ERROR before failed (scripts.Broken): no database (scripts/hooks.ts:6:34) · 0 turns, 0 checks
        at scripts/hooks.ts:6:34
          4 |   if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
          5 | }
        > 6 | export function Broken() { throw new Error('no database') }
            |                                  ^
          7 | export function AllBefore(ctx, cases) { return {data: cases.length} }
    ");
    assert_snapshot!(said(Some("Before"), Some("Broken")).await, @"
    the a test: ERROR after failed (scripts.Broken): no database (scripts/hooks.ts:6:34) · 1 turns, 1 checks
        at scripts/hooks.ts:6:34
          4 |   if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
          5 | }
        > 6 | export function Broken() { throw new Error('no database') }
            |                                  ^
          7 | export function AllBefore(ctx, cases) { return {data: cases.length} }
    ");
    assert_snapshot!(said(None, Some("Broken")).await, @"
    the a test: ERROR after failed (scripts.Broken): no database (scripts/hooks.ts:6:34) · 1 turns, 1 checks
        at scripts/hooks.ts:6:34
          4 |   if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
          5 | }
        > 6 | export function Broken() { throw new Error('no database') }
            |                                  ^
          7 | export function AllBefore(ctx, cases) { return {data: cases.length} }
    ");
}

async fn around(before: Option<&str>, after: Option<&str>) -> String {
    let scripts = Scripts::new(&[("scripts/hooks.ts", HOOKS)]);
    let protocol = Protocol::Command(Box::new(shell("echo '\"Hi\"'")));
    let (_project, mut plan) = plan(protocol, &[("a", HI), ("b", HI)]);
    plan.scripts.root = scripts.project.path("");
    let call = |function| scripts.call("scripts/hooks.ts", Some(function));
    plan.scripts.before_all = before.map(call);
    plan.scripts.after_all = after.map(call);
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, _) = run_live(&plan, how.clone()).await;
    let (sender, _events) = mpsc::channel(1000);
    let outcome = run(plan, how, sender, CancellationToken::new()).await;
    format!("{}\n{:?}", shown(&results), outcome.after_all)
}

#[tokio::test]
async fn hooks_of_a_run_stand_around_all_tests() {
    assert_snapshot!(around(Some("AllBefore"), Some("AllAfter")).await, @"
    the a test: PASSED · 1 turns, 1 checks
    the b test: PASSED · 1 turns, 1 checks
    None
    ");
    assert_snapshot!(around(Some("Broken"), Some("AllAfter")).await, @"
    the a test: ERROR --before-all failed (scripts.Broken): no database (scripts/hooks.ts:6:34) · 0 turns, 0 checks
        at scripts/hooks.ts:6:34
          4 |   if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
          5 | }
        > 6 | export function Broken() { throw new Error('no database') }
            |                                  ^
          7 | export function AllBefore(ctx, cases) { return {data: cases.length} }
    the b test: ERROR --before-all failed (scripts.Broken): no database (scripts/hooks.ts:6:34) · 0 turns, 0 checks
        at scripts/hooks.ts:6:34
          4 |   if (result.status !== 'passed' || result.output !== 'Hi' || !result.checks[0].passed) throw new Error('other result: ' + JSON.stringify(result));
          5 | }
        > 6 | export function Broken() { throw new Error('no database') }
            |                                  ^
          7 | export function AllBefore(ctx, cases) { return {data: cases.length} }
    None
    ");
    assert_snapshot!(around(None, Some("Broken")).await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    the b test: PASSED · 1 turns, 1 checks
        --after-all failed (scripts.Broken): no database (scripts/hooks.ts:6:34)
    Some("--after-all failed (scripts.Broken): no database (scripts/hooks.ts:6:34)")
    "#);
}

#[tokio::test]
async fn a_failed_after_is_still_one_when_the_recording_is_judged() {
    let scripts = Scripts::new(&[("scripts/hooks.ts", HOOKS)]);
    let protocol = Protocol::Command(Box::new(shell("echo '\"Hi\"'")));
    let (_project, mut plan) = plan(protocol, &[("a", HI)]);
    plan.scripts.root = scripts.project.path("");
    plan.tests[0].after = Some(scripts.call("scripts/hooks.ts", Some("Broken")));
    let (results, _) = run_live(&plan, options()).await;
    let judged = super::judged::again(&plan, &results, Lookup::ById);
    assert_eq!(judged, results);
    // Without the hook there is nothing that failed.
    plan.tests[0].after = None;
    let judged = super::judged::again(&plan, &results, Lookup::ById);
    assert_snapshot!(shown(&judged), @"the a test: PASSED · 1 turns, 1 checks");
}
