//! Recordings of assistants are judged again without their model, and without their scripts.

use insta::assert_snapshot;
use serde_json::json;

use super::{App, finds, says};
use crate::dispatch::Repeat;
use crate::judge::judge_test;
use crate::session::FlakyResult;
use crate::testing::{shown, variables};

const FIND: &str = "function Find(args) { return { id: args.id, status: 'paid' }; }";

/// Runs the test of an app, and judges it again after the app was changed.
async fn again(app: &App, change: impl FnOnce(&App)) -> String {
    let recorded = app.run().await.remove(0);
    change(app);
    let plan = app.project.plan();
    let repeat = Repeat {
        runs: 1,
        min_pass_rate: None,
    };
    let judged = judge_test(
        &plan.tests[0],
        recorded.clone(),
        &variables(),
        FlakyResult::Pass,
        repeat,
    );
    if judged.status == recorded.status {
        assert_eq!(json!(judged), json!(recorded));
    }
    shown([&judged])
}

#[tokio::test]
async fn assistants_are_judged_again() {
    let answers = [finds(&json!({"id": "7"})), says("It is paid.")];
    let app = App::with_tool(&answers, FIND, &[]);
    assert_snapshot!(again(&app, |_| {}).await, @"the a test: PASSED · 1 turns, 1 checks");
    let app = App::with_tool(&answers, FIND, &[]);
    let wider = |app: &App| {
        app.write(
            "assistants/shop/refund/mcps/mapping/orders/schemes/find.in.yao",
            r#"{"type": "object", "description": "Finds anything"}"#,
        );
    };
    assert_snapshot!(again(&app, wider).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      request/tools/0/function/description: "Finds anything"
        turn 1 recorded: request/tools/0/function/description: "Find an order"
        run the test against the agent to record it
    "#);
}

#[tokio::test]
async fn what_hooks_decide_is_not_compared() {
    let hooks = "function Create() { return { temperature: 1, messages: 'Hi' }; }\nfunction Next() { return { data: 'paid' }; }";
    let app = App::with_tool(&[says("Hi")], FIND, &[]).hooks(hooks);
    assert_snapshot!(again(&app, |_| {}).await, @"the a test: PASSED · 1 turns, 1 checks");
    let app = App::new(
        &[says("From the desk")],
        &[
            (
                "assistants/desk/package.yao",
                r#"{"name": "Desk", "connector": "openai.big"}"#,
            ),
            (
                "assistants/desk/prompts.yml",
                "- {role: system, content: You are the desk.}\n",
            ),
        ],
    );
    std::fs::remove_file(app.project.path("assistants/shop/refund/prompts.yml")).unwrap();
    let app = app.hooks("function Next() { return { delegate: { agent_id: 'desk' } }; }");
    assert_snapshot!(again(&app, |_| {}).await, @"the a test: PASSED · 1 turns, 1 checks");
}
