//! Recordings of agents of every kind are judged again without them.

use ananke_model::plan::{OpenAiTarget, Plan, Protocol};
use ananke_model::result::TestResult;
use insta::assert_snapshot;
use serde_json::json;

use super::{Peer, chat, plan, script, shell, streamed, system, text};
use crate::dispatch::Repeat;
use crate::judge::judge_test;
use crate::session::FlakyResult;
use crate::testing::{options, run_live, shown, variables};

const HI: &str = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: Hi}}\n";

/// Judges the first test of a plan by a recording.
pub(super) fn judged(plan: &Plan, recorded: &TestResult) -> TestResult {
    let repeat = Repeat {
        runs: 1,
        min_pass_rate: None,
    };
    judge_test(
        &plan.tests[0],
        recorded.clone(),
        &variables(),
        FlakyResult::Pass,
        repeat,
    )
}

/// Runs a plan, and tells whether judging it again gives the same.
pub(super) async fn same(plan: &Plan) -> TestResult {
    let recorded = run_live(plan, options()).await.0.remove(0);
    assert_eq!(recorded.status.word(), "PASSED", "{}", shown([&recorded]));
    let again = judged(plan, &recorded);
    assert_eq!(json!(again), json!(recorded));
    recorded
}

fn with_prompt(peer: &Peer, prompt: &str) -> Protocol {
    Protocol::OpenAi(Box::new(OpenAiTarget {
        prompts: vec![system(prompt, true)],
        ..chat(peer)
    }))
}

#[tokio::test]
async fn chats_are_the_same_whatever_the_day() {
    let peer = Peer::start(&[streamed(&[r#"{"content":"Hi"}"#])]);
    let (_project, mut plan) = plan(
        with_prompt(
            &peer,
            "It is $SYS.DATE in $CTX.CHAT_ID for $CTX.USER_ID. {{input}}",
        ),
        &[("a", HI)],
    );
    let recorded = same(&plan).await;
    let mut now = |protocol: Protocol| {
        plan.tests[0].target.protocol = protocol;
        shown([&judged(&plan, &recorded)])
    };
    assert_snapshot!(now(with_prompt(&peer, "It is $SYS.TIME in $CTX.CHAT_ID for $CTX.USER_ID. {{input}}")), @"the a test: PASSED · 2 turns, 1 checks");
    let changed = now(with_prompt(&peer, "Be short on $SYS.DATE."));
    assert_snapshot!(changed.lines().take(2).collect::<Vec<_>>().join("\n"), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/0/content: "Be short on …."
    "#);
    let other_model = OpenAiTarget {
        model: text("m-2"),
        prompts: vec![system(
            "It is $SYS.DATE in $CTX.CHAT_ID for $CTX.USER_ID. {{input}}",
            true,
        )],
        ..chat(&peer)
    };
    assert_snapshot!(now(Protocol::OpenAi(Box::new(other_model))), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      request/model: "m-2"
        turn 1 recorded: request/model: "m-1"
        run the test against the agent to record it
    "#);
    let without_prompts = now(Protocol::OpenAi(Box::new(chat(&peer))));
    assert!(
        without_prompts.contains("turn 1 is not the recorded one"),
        "{without_prompts}"
    );
}

#[tokio::test]
async fn a_case_with_a_file_is_the_same_until_the_file_changes() {
    let peer = Peer::start(&[streamed(&[r#"{"content":"Hi"}"#])]);
    let target = with_prompt(&peer, "For $CTX.USER_ID.");
    let (project, _) = plan(
        target.clone(),
        &[(
            "a",
            "turns: [{user: a}]\nassert: {text: {must_match: Hi}}\n",
        )],
    );
    project.write("image.png", &"x".repeat(9000));
    let source = json!({"type": "data", "value": "", "mimeType": "image/png"});
    let content = json!([{"type": "text", "text": "Look"}, {"type": "image", "source": source}]);
    let messages = json!([{"role": "user", "content": content}]);
    let mut plan = project.case(messages, &[("image.png", 0, 1)]);
    plan.tests[0].target = super::target(target);
    let recorded = same(&plan).await;
    project.write("image.png", &"y".repeat(9000));
    let now = shown([&judged(&plan, &recorded)]);
    assert!(
        now.contains("turn 1 now:      messages/0/content/1/image_url/url"),
        "{now}"
    );
    // Who asks is a part of what was said.
    project.write("image.png", &"x".repeat(9000));
    let case = std::sync::Arc::make_mut(plan.tests[0].case.as_mut().unwrap());
    case.identity.user_id = "u-2".to_owned();
    assert_snapshot!(shown([&judged(&plan, &recorded)]), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/0/content: "For u-2."
        turn 1 recorded: messages/0/content: "For test-user."
        run the test against the agent to record it
    "#);
}

#[tokio::test]
async fn programs_and_scripts_are_judged_again_too() {
    let command = Protocol::Command(Box::new(shell("cat > /dev/null; echo '\"Hi\"'")));
    let (_project, mut with_command) = plan(command, &[("a", HI)]);
    let recorded = same(&with_command).await;
    with_command.tests[0].target.connector = Some("fast".to_owned());
    assert_snapshot!(shown([&judged(&with_command, &recorded)]), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      options/connector: "fast"
        turn 1 recorded: no options/connector
        run the test against the agent to record it
    "#);
    let scripted = script(json!({"rules": [{"reply": [{"text": "Hi"}]}]}));
    let (_project, mut with_script) =
        plan(Protocol::Scripted(Box::new(scripted.clone())), &[("a", HI)]);
    let recorded = same(&with_script).await;
    let mut told = scripted;
    told.forwarded_props = Some(super::json(json!({"mood": "bad"})));
    with_script.tests[0].target.protocol = Protocol::Scripted(Box::new(told));
    assert_snapshot!(shown([&judged(&with_script, &recorded)]), @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      forwardedProps/mood: "bad"
        turn 1 recorded: no forwardedProps/mood
        run the test against the agent to record it
    "#);
}
