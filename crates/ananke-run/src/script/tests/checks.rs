//! Checks that functions decide, live.

use std::sync::Arc;

use ananke_model::agent::{AgentCall, Checkpoint, Dynamic};
use ananke_model::case::Case;
use ananke_model::check::{Check, Demand};
use ananke_model::plan::{Plan, Protocol};
use ananke_model::script::ScriptCheck;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::Scripts;
use super::judged::again;
use crate::dispatch::RunOptions;
use crate::judge::Lookup;
use crate::speakers::tests::{json as written, plan, shell, text};
use crate::testing::{Project, options, run_live, shown};

pub(super) const CHECKS: &str = "\
export function Total(output, input, expected, turn) {
  return {pass: output.total === expected, message: `total ${output.total}, wanted ${expected}, asked ${input}`};
}
export function Turn(output, input, expected, turn) {
  return turn.text === JSON.stringify(output) && turn.status === 'finished' && turn.tool_calls[0].name === 'find'
    && turn.tool_calls[0].args.id === 1 && turn.metadata.strict === true;
}
export function Maybe() { return 'yes' }
export function Throws() { console.log('looking'); throw new Error('no total') }
export function Loops() { for (;;) {} }
export function Region() { return env.REGION === 'eu' }
export function Asks() { return Process('agents.none.Stream', {}, 'Hi') }
";

const ANSWER: &str = r#"cat > /dev/null; echo '{"content": "{\"total\":5}", "tool_calls": [{"name": "find", "arguments": {"id": 1}}]}'"#;

/// Plans one test that a function judges.
pub(super) fn judged_by(
    scripts: &Scripts,
    function: &str,
    value: Option<Value>,
) -> (Project, Plan) {
    let protocol = Protocol::Command(Box::new(shell(ANSWER)));
    let test = "turns: [{user: Hello}]\nassert: {text: {must_match: total}}\n";
    let (project, mut plan) = plan(protocol, &[("a", test)]);
    let call = scripts.call("scripts/checks.ts", Some(function));
    let check = ScriptCheck {
        value: value.map(written),
        metadata: Some(written(json!({"strict": true}))),
        timeout_ms: (function == "Loops").then_some(300),
        negate: false,
        message: None,
        call,
    };
    let demands = &mut plan.tests[0].block.demands;
    demands[0] = Demand {
        check: Check::Script(Box::new(check)),
        ..demands[0].clone()
    };
    plan.scripts.root = scripts.project.path("");
    (project, plan)
}

async fn said(function: &str, value: Option<Value>) -> String {
    let scripts = Scripts::new(&[("scripts/checks.ts", CHECKS)]);
    let (_project, plan) = judged_by(&scripts, function, value);
    let how = RunOptions {
        cwd: scripts.project.path(""),
        ..options()
    };
    let (results, _) = run_live(&plan, how).await;
    let check = &results[0].checks[0];
    format!("{}\n{}", shown(&results), check.actual)
}

#[tokio::test]
async fn functions_judge_outputs() {
    assert_snapshot!(said("Total", Some(json!(5))).await, @"
    the a test: PASSED · 1 turns, 1 checks
    accepted: total 5, wanted 5, asked Hello
    ");
    assert_snapshot!(said("Total", Some(json!(6))).await, @"
    the a test: FAILED [script scripts.Total] · 1 turns, 1 checks
    refused: total 5, wanted 6, asked Hello
    ");
    assert_snapshot!(said("Turn", None).await, @"
    the a test: PASSED · 1 turns, 1 checks
    accepted: it returned true
    ");
}

#[tokio::test]
async fn what_is_no_verdict_is_no_pass() {
    assert_snapshot!(said("Maybe", None).await, @r#"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: it returned "yes", neither a boolean nor `{pass: boolean, message?: string}`
    "#);
    assert_snapshot!(said("Throws", None).await, @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: no total (scripts/checks.ts:9:58)
    ");
    assert_snapshot!(said("Loops", None).await, @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: no answer within 300ms
    ");
    assert_snapshot!(said("Asks", None).await, @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: there is no agent `none`: neither the config nor a folder has agents; name it under `agents:` of the config, or write assistants/none/package.yao (scripts/checks.ts:12:33)
    ");
    assert_snapshot!(said("None", None).await, @"
    the a test: INCONCLUSIVE · 1 turns, 1 checks
    no verdict: there is no function `None` in checks.ts
    ");
}

#[tokio::test]
async fn what_the_case_expects_is_handed_on() {
    let scripts = Scripts::new(&[("scripts/checks.ts", CHECKS)]);
    let (_project, mut plan) = judged_by(&scripts, "Total", None);
    plan.tests[0].case = Some(Arc::new(Case {
        id: "T1".to_owned(),
        input: json!("how much?"),
        expected: Some(json!(5)),
        ..Case::default()
    }));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(format!("{}\n{}", shown(&results), results[0].checks[0].actual), @"
    the a test: PASSED · 1 turns, 1 checks
    accepted: total 5, wanted 5, asked how much?
    ");
    assert_eq!(results[0].checks[0].samples[0].passed, Some(true));
    let about = &results[0].turns[0].turn.opinions[0].about;
    assert_eq!(about["script"], "scripts.Total");
}

#[tokio::test]
async fn functions_decide_about_checkpoints() {
    let scripts = Scripts::new(&[("scripts/checks.ts", CHECKS)]);
    let said = async |function: &str| {
        let (_project, mut plan) = judged_by(&scripts, function, Some(json!(5)));
        let test = &mut plan.tests[0];
        let place = test.name.place.clone();
        test.turns.clear();
        let block = std::mem::take(&mut test.block);
        test.dynamic = Some(Box::new(Dynamic {
            simulator: AgentCall {
                agent: "user".to_owned(),
                metadata: None,
                connector: None,
                place: place.clone(),
            },
            checkpoints: vec![Checkpoint {
                id: "total".to_owned(),
                description: None,
                after: Vec::new(),
                required: true,
                block,
                place,
            }],
            max_turns: 1,
            input: Some(text("Hello")),
        }));
        let (results, _) = run_live(&plan, options()).await;
        let judged = again(&plan, &results, Lookup::ById);
        assert_eq!(judged, results);
        shown(&results)
    };
    assert_snapshot!(said("Total").await, @"the a test: PASSED · 1 turns, 1 checks");
    assert_snapshot!(said("Maybe").await, @r#"the a test: INCONCLUSIVE checkpoint total failed: script: no verdict: it returned "yes", neither a boolean nor `{pass: boolean, message?: string}` · 1 turns, 1 checks"#);
}
