//! What is left out of a turn, and words that come in unusual places.

use insta::assert_snapshot;

use super::peer::{Act, Peer, Setup, result, streamed, user};
use super::{fold, fold_whole};
use crate::a2a::CallRule;
use crate::a2a::wire::Version;

#[test]
fn events_of_another_task_are_left_out() {
    let peer = Peer::start(vec![Act::Say(streamed(
        r#"
        {"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}
        {"artifactUpdate":{"taskId":"x","contextId":"c2","artifact":{"artifactId":"a","parts":[{"text":"strange"}]}}}
        {"statusUpdate":{"taskId":"x","contextId":"c2","status":{"state":"TASK_STATE_COMPLETED"}}}
        {"task":{"id":"x","contextId":"c2","status":{"state":"TASK_STATE_COMPLETED"}}}
    "#,
    ))]);
    assert_snapshot!(Setup::new(&peer).say(&peer, &["Hi"]), @"
    Truncated: truncated: the stream ended before the task did, after 4 events; the last state is `working`
    states: working
    ids: t1 c1
    warning: an event of another task `x` came; it was left out
    events: 4
    reached: true
    ");
}

#[test]
fn nothing_comes_after_the_end() {
    assert_snapshot!(fold(Version::V1, r#"
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"Hi"}]}}}
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":" more"}]},"append":true}}
        {"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"and more"}]}}
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_FAILED","message":{"messageId":"s","role":"ROLE_AGENT","parts":[{"text":"oops"}]}}}}
    "#), @r#"
    completed
    text: Hi
    artifact: a {"text":"Hi"}
    warning: more came after the task had ended as `completed`; it was left out
    "#);
    // The same end may be told twice.
    assert_snapshot!(fold(Version::V1, r#"
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_FAILED","message":{"messageId":"s","role":"ROLE_AGENT","parts":[{"text":"oops"}]}}}}
        {"task":{"id":"t","status":{"state":"TASK_STATE_FAILED"}}}
    "#), @"
    failed
    text: oops
    ");
}

#[test]
fn messages_with_one_id_are_pieces_and_the_history_repeats_them() {
    assert_snapshot!(fold(Version::V1, r#"
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING"}}}
        {"message":{"messageId":"r","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"Is it "}],"metadata":{"agno_content_category":"reasoning"}}}
        {"message":{"messageId":"r","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"warm?"}],"metadata":{"agno_content_category":"reasoning"}}}
        {"message":{"messageId":"m","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"It is "}],"metadata":{"agno_content_category":"content"}}}
        {"message":{"messageId":"m","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"2"}]}}
        {"message":{"messageId":"m","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"2"}]}}
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}
        {"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"},"history":[{"messageId":"r","role":"ROLE_AGENT","parts":[{"text":"Is it warm?"}],"metadata":{"agno_content_category":"reasoning"}},{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"It is 22"}]}]}}
    "#), @"
    completed
    text: It is 22
    reasoning: Is it warm?
    warning: a message came after a task, which the protocol forbids: taken as the answer
    ");
}

#[test]
fn a_message_that_is_reasoning_is_no_answer() {
    assert_snapshot!(fold(Version::V1, r#"
        {"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING"}}}
        {"message":{"messageId":"r","role":"ROLE_AGENT","parts":[{"text":"Hm."}],"metadata":{"agno_content_category":"reasoning"}}}
        {"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"Hi"}]}}}
    "#), @r#"
    working
    text: Hi
    reasoning: Hm.
    artifact: a {"text":"Hi"}
    "#);
}

#[test]
fn the_history_speaks_where_nothing_else_does() {
    let task = |state: &str| {
        format!(
            r#"{{"task":{{"id":"t","status":{{"state":"TASK_STATE_{state}"}},"history":[{{"messageId":"m","role":"ROLE_AGENT","parts":[{{"text":"first"}}]}},{{"messageId":"n","role":"ROLE_AGENT","parts":[{{"text":"last"}}]}},{{"messageId":"u","role":"ROLE_USER","parts":[{{"text":"mine"}}]}}]}}}}"#
        )
    };
    assert_snapshot!(fold_whole(Version::V1, &task("COMPLETED"), &[]), @"
    completed
    text: last
    ");
    assert_snapshot!(fold_whole(Version::V1, &task("WORKING"), &[]), @"working");
    let artifact = r#"{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","parts":[{"text":"made"}]}}}"#;
    assert_snapshot!(fold(Version::V1, &format!("{artifact}\n{}", task("COMPLETED"))), @r#"
    completed
    text: made
    artifact: a {"text":"made"}
    "#);
    // What was seen as the status of a task at work is no answer; a history alone does not tell.
    let working = r#"{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"n","role":"ROLE_AGENT","parts":[{"text":"last"}]}}}}"#;
    assert_snapshot!(fold(Version::V1, &format!("{working}\n{}", task("COMPLETED"))), @"
    completed
    text: first
    ");
}

#[test]
fn the_history_of_earlier_turns_says_nothing() {
    let question =
        r#"{"messageId":"q","role":"ROLE_AGENT","parts":[{"text":"Which?"}]}"#.to_owned();
    let answer = r#"{"messageId":"a","role":"ROLE_AGENT","parts":[{"text":"Done"}]}"#;
    let task = |status: &str, history: &str| {
        Act::Say(result(&format!(
            r#"{{"task":{{"id":"t1","contextId":"c1","status":{{{status}}},"history":[{history}]}}}}"#
        )))
    };
    let asks = format!(r#""state":"TASK_STATE_INPUT_REQUIRED","message":{question}"#);
    let ends = r#""state":"TASK_STATE_COMPLETED""#;
    let peer = Peer::start(vec![
        task(&asks, ""),
        task(ends, &question),
        task(&asks, &question),
        task(ends, &format!("{question},{answer}")),
    ]);
    let turns = Setup::new(&peer).run(["Hi", "Red", "Hi", "Blue"].map(user).to_vec());
    let texts: Vec<&str> = turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["Which?", "", "Which?", "Done"]);
}

#[test]
fn rules_that_match_nothing_prove_nothing() {
    let task = r#"{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"metadata":{"tool":"find"}}}"#;
    let why = |rules: Vec<CallRule>| {
        let peer = Peer::start(vec![Act::Say(result(task))]);
        let mut setup = Setup::new(&peer);
        setup.options.tool_calls = rules;
        let turns = setup.run(vec![user("Hi")]);
        turns[0]
            .task
            .as_ref()
            .and_then(|task| task.no_calls_because.clone())
            .unwrap_or_default()
    };
    let rule = |name: &str| CallRule {
        name: Some(name.to_owned()),
        ..CallRule::default()
    };
    assert_snapshot!(why(Vec::new()), @"this agent exposes no tool calls over A2A");
    assert_snapshot!(why(vec![rule("/metadata/name")]), @"this agent showed no tool calls, and no rule of `toolCalls` matched");
    assert_snapshot!(why(vec![rule("/metadata/tool")]), @"");
}
