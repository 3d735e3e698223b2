use ananke_model::check::Count;
use ananke_model::task_check::TaskCheck;
use insta::assert_snapshot;

use crate::testing::{
    artifact, capability, card_match, judge_test, judge_turn, task, task_state, text,
};

fn task_states(states: &[&str]) -> ananke_model::check::Check {
    let states = states.iter().map(|state| (*state).to_owned());
    task(TaskCheck::States(states.collect()))
}

fn count(min: u64, max: Option<u64>) -> ananke_model::check::Check {
    task(TaskCheck::Artifacts(Count { min, max }))
}

const CARD: &str = r#"card {"name":"Shop","version":"1.4.0","provider":{"organization":"Acme"},"skills":[{"id":"refund"},{"id":"search"}],"capabilities":{"streaming":true,"extensions":[]},"securitySchemes":{"key":{"apiKeySecurityScheme":{"name":"X-Key"}}}}"#;
const OLD_CARD: &str = r#"card {"protocolVersion":"0.3.0","supportsAuthenticatedExtendedCard":true,"capabilities":{"pushNotifications":false},"securitySchemes":{"bearer":{"type":"http","scheme":"bearer"}}}"#;

#[test]
fn the_last_state_counts() {
    assert_snapshot!(judge_turn(task_state(&["completed"]), "task submitted working completed"), @"
    Passed task.state completed
    expected completed
    actual completed (after submitted, working)
    ");
    assert_snapshot!(judge_turn(task_state(&["completed"]), "task submitted working input-required"), @"
    Failed task.state completed
    expected completed
    actual input-required (after submitted, working)
    - the agent waits for an answer, which a further turn gives
    ");
    assert_snapshot!(judge_turn(task_state(&["completed", "input-required"]), "task input-required"), @"
    Passed task.state completed or input-required
    expected completed or input-required
    actual input-required
    ");
    assert_snapshot!(judge_turn(task_state(&["failed"]), "
        task rejected
        refused not for sale
    "), @"
    Failed task.state failed
    expected failed
    actual rejected
    - the agent says: not for sale
    ");
}

#[test]
fn over_a_test_the_last_task_counts() {
    assert_snapshot!(judge_test(task_state(&["completed"]), "
        turn
        task input-required
        turn
        task working completed
        turn
        task
    "), @"
    Passed task.state completed
    expected completed
    actual completed (after working)
    ");
}

#[test]
fn where_nothing_is_told_there_is_no_verdict() {
    assert_snapshot!(judge_turn(task_state(&["completed"]), "say hello"), @"
    Inconclusive task.state completed
    expected completed
    actual nothing: this agent told of no task
    - only agents that work on tasks can be judged by them
    ");
    assert_snapshot!(judge_turn(task_states(&["completed"]), "say hello"), @"
    Inconclusive task.states completed
    expected the state completed
    actual nothing: this agent told of no task
    - only agents that work on tasks can be judged by them
    ");
    assert_snapshot!(judge_turn(count(0, Some(0)), "say hello"), @"
    Inconclusive artifacts.count exactly 0
    expected exactly 0 artifacts
    actual nothing: this agent told of no task
    - only agents that work on tasks can be judged by them
    ");
    assert_snapshot!(judge_turn(task(TaskCheck::Skill(text("refund"))), "say hello"), @"
    Inconclusive card.skills refund
    expected a skill with the id `refund`
    actual nothing: this agent told of no card
    ");
    assert_snapshot!(judge_turn(task(TaskCheck::Skill(text("refund"))), "task completed"), @"
    Inconclusive card.skills refund
    expected a skill with the id `refund`
    actual nothing: no card of this agent was read
    - `agentCardUrl` or `agentCard` of the target says where the card is
    ");
}

#[test]
fn a_message_is_no_task() {
    assert_snapshot!(judge_turn(task_state(&["completed"]), "task"), @"
    Failed task.state completed
    expected completed
    actual no state: the agent answered with a message and began no task
    ");
    assert_snapshot!(judge_turn(task_states(&["completed"]), "
        task
        refused no such task
    "), @"
    Failed task.states completed
    expected the state completed
    actual no state, but the error: no such task
    ");
    assert_snapshot!(judge_turn(artifact("{}"), "task"), @"
    Failed artifacts.require any
    expected at least 1 artifact
    actual no artifact
    - the agent answered with a message and began no task
    ");
    assert_snapshot!(judge_turn(count(0, Some(0)), "task"), @"
    Passed artifacts.count exactly 0
    expected exactly 0 artifacts
    actual no artifact
    ");
}

#[test]
fn states_come_in_order_with_others_between_them() {
    let seen = "task submitted working input-required working completed";
    assert_snapshot!(judge_turn(task_states(&["working", "completed"]), seen), @"
    Passed task.states working, completed
    expected the states working, then completed
    actual submitted, working, input-required, working, completed
    ");
    assert_snapshot!(judge_turn(task_states(&["completed", "working"]), seen), @"
    Failed task.states completed, working
    expected the states completed, then working
    actual submitted, working, input-required, working, completed
    - working did not come after completed
    ");
    assert_snapshot!(judge_turn(task_states(&["auth-required"]), seen), @"
    Failed task.states auth-required
    expected the state auth-required
    actual submitted, working, input-required, working, completed
    - auth-required did not come
    ");
    assert_snapshot!(judge_test(task_states(&["input-required", "completed"]), "
        turn
        task input-required
        turn
        task completed
    "), @"
    Passed task.states input-required, completed
    expected the states input-required, then completed
    actual input-required, completed
    ");
}

#[test]
fn artifacts_are_counted_once_over_all_turns() {
    let turns = "
        turn
        task working
        artifact invoice Total: 4
        turn
        task completed
        artifact invoice Total: 42
        artifact -
    ";
    assert_snapshot!(judge_test(count(2, Some(2)), turns), @"
    Passed artifacts.count exactly 2
    expected exactly 2 artifacts
    actual 2 artifacts: `invoice`, without a name (id `artifact-1`)
    ");
    assert_snapshot!(judge_test(count(3, None), turns), @"
    Failed artifacts.count at least 3
    expected at least 3 artifacts
    actual 2 artifacts: `invoice`, without a name (id `artifact-1`)
    ");
    assert_snapshot!(judge_test(artifact(r#"{"text_match":"Total: 4$"}"#), turns), @r#"
    Failed artifacts.require text /Total: 4$/
    expected at least 1 artifact with text /Total: 4$/
    actual 0 of 2 artifacts
    - closest artifact: `invoice`
    - text: "Total: 42" does not match /Total: 4$/
    "#);
    assert_snapshot!(judge_test(artifact(r#"{"name":"invoice","count":{"min":0,"max":0}}"#), turns), @"
    Failed artifacts.require name /invoice/
    expected exactly 0 artifacts with name /invoice/
    actual 1 of 2 artifacts
    - `invoice`
    ");
}

#[test]
fn the_nearest_artifact_tells_what_is_missing() {
    let turn = r#"
        task completed
        artifact report Nothing to see
        artifact invoice Total: 42
        holds {"total": 42, "lines": [{"id": "a"}]}
        holds {"total": 7}
    "#;
    let all =
        r#"{"name":"^inv","text_match":"Total","data_match":{"total":"^42$","lines[0].id":"a"}}"#;
    assert_snapshot!(judge_turn(artifact(all), turn), @"
    Passed artifacts.require name /^inv/ and text /Total/ and data total /^42$/ and data lines[0].id /a/
    expected at least 1 artifact with name /^inv/ and text /Total/ and data total /^42$/ and data lines[0].id /a/
    actual 1 of 2 artifacts
    ");
    let wrong = r#"{"name":"^inv","text_match":"total","data_match":{"total":"^43$","line":"a"}}"#;
    assert_snapshot!(judge_turn(artifact(wrong), turn), @r#"
    Failed artifacts.require name /^inv/ and text /total/ and data total /^43$/ and data line /a/
    expected at least 1 artifact with name /^inv/ and text /total/ and data total /^43$/ and data line /a/
    actual 0 of 2 artifacts
    - closest artifact: `invoice`
    - text: "Total: 42" does not match /total/
    - data total: "42" does not match /^43$/
    - data line is missing
    "#);
    assert_snapshot!(judge_turn(artifact(r#"{"name":"report","data_match":{"a":"b"}}"#), turn), @"
    Failed artifacts.require name /report/ and data a /b/
    expected at least 1 artifact with name /report/ and data a /b/
    actual 0 of 2 artifacts
    - closest artifact: `report`
    - it has no data
    ");
}

#[test]
fn cards_of_both_shapes_are_read() {
    let skill = |id: &str, turn| judge_turn(task(TaskCheck::Skill(text(id))), turn);
    assert_snapshot!(skill("refund", CARD), @"
    Passed card.skills refund
    expected a skill with the id `refund`
    actual the skill `refund`
    ");
    assert_snapshot!(skill("refunds", CARD), @"
    Failed card.skills refunds
    expected a skill with the id `refunds`
    actual refund, search
    - did you mean `refund`?
    ");
    assert_snapshot!(skill("refund", OLD_CARD), @"
    Failed card.skills refund
    expected a skill with the id `refund`
    actual no skill at all
    ");
    let security = |name: &str, turn| judge_turn(task(TaskCheck::Security(text(name))), turn);
    assert_snapshot!(security("key", CARD), @"
    Passed card.security key
    expected a security scheme named `key`
    actual the security scheme `key`
    ");
    assert_snapshot!(security("key", OLD_CARD), @"
    Failed card.security key
    expected a security scheme named `key`
    actual bearer
    ");
}

#[test]
fn what_a_card_does_not_name_the_agent_cannot_do() {
    assert_snapshot!(judge_turn(capability("streaming", true), CARD), @"
    Passed card.capabilities streaming
    expected `streaming: true` among the capabilities
    actual true
    ");
    assert_snapshot!(judge_turn(capability("extensions", true), CARD), @"
    Failed card.capabilities extensions
    expected `extensions: true` among the capabilities
    actual []
    ");
    assert_snapshot!(judge_turn(capability("pushNotifications", true), CARD), @"
    Failed card.capabilities pushNotifications
    expected `pushNotifications: true` among the capabilities
    actual nothing: the card does not name `pushNotifications`, which means false
    ");
    assert_snapshot!(judge_turn(capability("pushNotifications", false), OLD_CARD), @"
    Passed card.capabilities pushNotifications
    expected `pushNotifications: false` among the capabilities
    actual false
    ");
    assert_snapshot!(judge_turn(capability("extendedAgentCard", true), OLD_CARD), @"
    Passed card.capabilities extendedAgentCard
    expected `extendedAgentCard: true` among the capabilities
    actual true
    ");
}

#[test]
fn patterns_look_at_the_card_as_it_came() {
    assert_snapshot!(judge_turn(card_match("provider.organization", "^Acme$"), CARD), @r#"
    Passed card.match provider.organization
    expected `provider.organization` matching /^Acme$/
    actual "Acme"
    "#);
    assert_snapshot!(judge_turn(card_match("version", r"^2\."), CARD), @r#"
    Failed card.match version
    expected `version` matching /^2\./
    actual "1.4.0"
    "#);
    assert_snapshot!(judge_turn(card_match("providers.url", "."), CARD), @"
    Failed card.match providers.url
    expected `providers.url` matching /./
    actual nothing there
    - did you mean `provider`?
    - the card has: name, version, provider, skills, capabilities, securitySchemes
    ");
    assert_snapshot!(judge_turn(card_match("a..b", "("), CARD), @"
    `a..b` is not a path: a name is missing at character 3
    `(` is not a pattern: the group is not closed at character 1
    ");
}

#[test]
fn states_on_the_way_may_not_be_seen_without_a_stream() {
    let turn = "
        task completed
        unstreamed
    ";
    assert_snapshot!(judge_turn(task_states(&["working", "completed"]), turn), @"
    Inconclusive task.states working, completed
    expected the states working, then completed
    actual completed
    - working did not come
    - without a stream only the state in which the task is left can be seen
    ");
    assert_snapshot!(judge_turn(task_states(&["completed"]), turn), @"
    Passed task.states completed
    expected the state completed
    actual completed
    ");
    assert_snapshot!(judge_turn(task_states(&["working", "failed"]), turn), @"
    Failed task.states working, failed
    expected the states working, then failed
    actual completed
    - failed did not come
    ");
}
