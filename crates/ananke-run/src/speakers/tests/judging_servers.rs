//! Recordings of tasks and of servers are judged again without them: what was sent has to be what would be sent.

use ananke_model::plan::{
    A2aTarget, McpTarget, Plan, Protocol, ServerAsk, TaskMessage, TurnAction,
};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::a2a::{agent, card, says};
use super::judging::{judged, same};
use super::mcp_server::{COUNTS, script, server};
use super::{Peer, plan, text};
use crate::testing::shown;

const HI: &str = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: Hi}}\n";

fn call(args: Value) -> TurnAction {
    TurnAction::Ask(Box::new(ServerAsk::Call {
        tool: text("ask"),
        args: Some(super::json(args)),
    }))
}

/// Says what judging says of a plan that was changed, without the last line.
fn changed(plan: &Plan, recorded: &ananke_model::result::TestResult) -> String {
    let judged = shown([&judged(plan, recorded)]);
    let lines: Vec<&str> = judged.lines().take(3).collect();
    lines.join("\n")
}

#[tokio::test]
async fn questions_to_a_server_are_those_that_were_asked() {
    let target = server(&script(COUNTS));
    let (_project, mut plan) = plan(Protocol::Mcp(Box::new(target.clone())), &[("a", HI)]);
    plan.tests[0].turns[1].action = call(json!({"question": "why"}));
    let recorded = same(&plan).await;
    plan.tests[0].turns[1].action = call(json!({"question": "how"}));
    assert_snapshot!(changed(&plan, &recorded), @r#"
    the a test: ERROR turn 2 is not the recorded one · 1 turns, 0 checks
        turn 2 now:      args/question: "how"
        turn 2 recorded: args/question: "why"
    "#);
    plan.tests[0].turns[1].action = call(json!({"question": "why"}));
    let mut other = target;
    other.user_tool.as_mut().unwrap().argument = text("words");
    plan.tests[0].target.protocol = Protocol::Mcp(Box::new(McpTarget { ..other }));
    assert_snapshot!(changed(&plan, &recorded), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      args/words: "Hello"
        turn 1 recorded: no args/words
    "#);
}

#[tokio::test]
async fn messages_about_tasks_are_those_that_were_sent() {
    let peer = Peer::start(&[card(), says(1, "Hi"), says(2, "Hi")]);
    let protocol = |target: A2aTarget| Protocol::A2a(Box::new(target));
    let message = |n: u64, task_id: Option<&str>| {
        let raw = "aGVsbG8g".repeat(1000);
        TurnAction::Send(Box::new(TaskMessage {
            parts: super::json(
                json!([{"text": "Hello"}, {"data": {"n": n}}, {"raw": raw, "mediaType": "text/plain"}]),
            ),
            metadata: None,
            task_id: task_id.map(text),
            new_task: false,
            context_id: None,
        }))
    };
    let (_project, mut plan) = plan(protocol(agent(&peer.host())), &[("a", HI)]);
    plan.tests[0].turns[0].action = message(1, None);
    let recorded = same(&plan).await;
    assert!(!json!(recorded).to_string().contains("aGVsbG8gaGVsbG8g"));
    plan.tests[0].turns[0].action = message(2, None);
    assert_snapshot!(changed(&plan, &recorded), @"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      parts/1/data/n: 2
        turn 1 recorded: parts/1/data/n: 1
    ");
    plan.tests[0].turns[0].action = message(1, Some("t7"));
    assert_snapshot!(changed(&plan, &recorded), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      taskId: "t7"
        turn 1 recorded: taskId: null
    "#);
    plan.tests[0].turns[0].action = message(1, None);
    plan.tests[0].target.protocol = protocol(A2aTarget {
        metadata: Some(super::json(json!({"tier": 1}))),
        ..agent(&peer.host())
    });
    assert_snapshot!(changed(&plan, &recorded), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      request/metadata: {"tier":1}
        turn 1 recorded: no request/metadata
    "#);
}
