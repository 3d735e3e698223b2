//! Conversations that a scripted simulator leads with a scripted agent: every way in which they can end. Each is judged
//! again from what was recorded, which gives the same.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::testing::{Play, case, played, says, shown, simulates};
use crate::dispatch::RunOptions;
use crate::redact::Secrets;
use crate::testing::{options, run_until};

/// An agent that takes expenses in three steps.
fn clerk() -> Value {
    json!({"rules": [
        {"when": {"user_contains": "expense"}, "reply": [{"text": "What type?"}]},
        {"when": {"user_contains": "dinner"}, "reply": [
            {"tool": {"name": "create_expense", "args": {"amount": 250}, "result": {"id": 7}}},
            {"text": "Confirm?"},
        ]},
        {"when": {"user_contains": "yes"}, "reply": [{"text": "Submitted!"}]},
        {"when": {"user_contains": "fail"}, "reply": [{"error": {"message": "quota exceeded", "code": "Q1"}}]},
        {"when": {"user_contains": "stall"}, "reply": [{"text": "wait"}, "stall"]},
        {"reply": [{"text": "Sorry?"}]},
    ]})
}

fn employee() -> Value {
    simulates(&[
        r#"{"input": "Help me file an expense", "goal_achieved": false, "reasoning": "begin"}"#,
        r#"{"message": "Client dinner, $250"}"#,
        r#"{"input": "Yes", "goal_achieved": false}"#,
    ])
}

const STEPS: &str = r#""checkpoints": [
    {"id": "ask_type", "description": "asks for the type", "assertion": {"type": "contains", "value": "type"}},
    {"id": "call_create", "after": ["ask_type"], "assertion": {"type": "tool_called", "name": "create_expense"}},
    {"id": "confirm", "after": ["call_create"], "assert": {"type": "regex", "pattern": "(?i)submitted"}}
], "timeout": "20s""#;

/// A checkpoint that is never reached.
const NEVER: &str =
    r#""checkpoints": [{"id": "never", "assert": {"type": "contains", "value": "zzz"}}]"#;

#[tokio::test]
async fn a_case_passes_as_soon_as_all_checkpoints_are_reached() {
    assert_snapshot!(played(clerk(), employee(), STEPS).await, @"
    PASSED
    1 simulator: Help me file an expense -> What type?
    2 simulator: Client dinner, $250 -> Confirm?
    3 simulator: Yes -> Submitted!
    ask_type: turn 1 [contains Passed @5]
    call_create: turn 2 [tool_called Passed @1]
    confirm: turn 3 [regex Passed @4]
    ");
}

#[tokio::test]
async fn the_first_message_may_be_the_case_s() {
    let keys = format!(r#""input": "expense for ${{SHOP}}", {STEPS}"#);
    assert_snapshot!(played(clerk(), employee(), &keys).await, @"
    PASSED
    1 case: expense for Corner -> What type?
    2 simulator: Client dinner, $250 -> Confirm?
    3 simulator: Yes -> Submitted!
    ask_type: turn 1 [contains Passed @5]
    call_create: turn 2 [tool_called Passed @1]
    confirm: turn 3 [regex Passed @4]
    ");
}

#[tokio::test]
async fn a_goal_with_checkpoints_missing_fails() {
    let replies = [
        r#"{"input": "my expense"}"#,
        r#"{"goal_achieved": true, "reasoning": "I am happy"}"#,
    ];
    assert_snapshot!(played(clerk(), simulates(&replies), STEPS).await, @"
    FAILED missing checkpoints: call_create, confirm
      the simulator: I am happy
    1 simulator: my expense -> What type?
    ask_type: turn 1 [contains Passed @5]
    call_create: not reached [tool_called Failed]
    confirm: not reached
    ");
    let at_once = simulates(&[r#"{"input": "", "goal_achieved": true}"#]);
    assert_snapshot!(played(clerk(), at_once, STEPS).await, @"
    FAILED missing checkpoints: ask_type, call_create, confirm
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    ");
}

#[tokio::test]
async fn the_last_words_of_a_simulator_are_still_said() {
    let replies = [
        r#"{"input": "my expense"}"#,
        r#"{"input": "bye", "goal_achieved": true, "reasoning": "I am happy"}"#,
    ];
    assert_snapshot!(played(clerk(), simulates(&replies), STEPS).await, @"
    FAILED missing checkpoints: call_create, confirm
      the simulator: I am happy
    1 simulator: my expense -> What type?
    2 simulator (goal): bye -> Sorry?
    ask_type: turn 1 [contains Passed @5]
    call_create: not reached [tool_called Failed]
    confirm: not reached
    ");
    let one =
        r#""checkpoints": [{"id": "sorry", "assert": {"type": "contains", "value": "Sorry"}}]"#;
    assert_snapshot!(played(clerk(), simulates(&replies), one).await, @"
    PASSED
    1 simulator: my expense -> What type?
    2 simulator (goal): bye -> Sorry?
    sorry: turn 2 [contains Passed @4]
    ");
}

#[tokio::test]
async fn too_many_turns_fail() {
    let replies = [
        r#"{"input": "a"}"#,
        r#"{"input": "b"}"#,
        r#"{"input": "c"}"#,
    ];
    let keys = format!(r#""max_turns": 2, {NEVER}"#);
    assert_snapshot!(played(clerk(), simulates(&replies), &keys).await, @"
    FAILED max turns (2) exceeded
      missing checkpoints: never
    1 simulator: a -> Sorry?
    2 simulator: b -> Sorry?
    never: not reached [contains Failed]
    ");
}

#[tokio::test]
async fn a_timeout_interrupts_the_turn_and_the_simulator() {
    let since = Instant::now();
    let keys = format!(r#""input": "stall", "timeout": "400ms", {NEVER}"#);
    assert_snapshot!(played(clerk(), employee(), &keys).await, @"
    TIMEOUT timeout after 400ms
    1 case: stall -> wait
    never: not reached
    ");
    let stalls = json!({"rules": [{"reply": ["stall"]}]});
    let keys = format!(r#""input": "hi", "timeout": "400ms", {NEVER}"#);
    assert_snapshot!(played(clerk(), stalls, &keys).await, @"
    TIMEOUT timeout after 400ms
    1 case: hi -> Sorry?
    never: not reached [contains Failed]
    ");
    assert!(since.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn a_simulator_that_cannot_be_asked_is_an_error() {
    let fails = json!({"rules": [{"reply": [{"error": {"message": "out of tokens"}}]}]});
    assert_snapshot!(played(clerk(), fails, STEPS).await, @"
    ERROR simulator error: the agent ended with an error: out of tokens
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    ");
    let broken = json!({"rules": [{"reply": [{"text": "x"}, "truncate"]}]});
    assert_snapshot!(played(clerk(), broken, STEPS).await, @"
    ERROR simulator error: truncated: the stream ended before RUN_FINISHED, after 4 events
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    ");
    let nobody = format!(
        r#"{{"id": "T1", "input": "my expense", "simulator": {{"use": "nobody"}}, {STEPS}}}"#
    );
    let play = Play::new(clerk(), employee(), &nobody).await;
    let shown = play.played().await;
    assert!(shown.starts_with("ERROR simulator error: "), "{shown}");
    assert!(
        shown.contains("\n1 case: my expense -> What type?"),
        "{shown}"
    );
}

#[tokio::test]
async fn a_simulator_that_breaks_its_contract_decides_nothing() {
    assert_snapshot!(played(clerk(), says("I want a refund"), STEPS).await, @r#"
    INCONCLUSIVE the simulator broke its contract: the reply holds no JSON object
      its reply: "I want a refund"
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    "#);
    assert_snapshot!(played(clerk(), says(r#"{"role": "assistant", "input": "hi"}"#), STEPS).await, @r#"
    INCONCLUSIVE the simulator broke its contract: `role` is "assistant", not "user"
      its reply: "{\"role\": \"assistant\", \"input\": \"hi\"}"
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    "#);
    assert_snapshot!(played(clerk(), says(r#"{"input": " "}"#), STEPS).await, @r#"
    INCONCLUSIVE the simulator broke its contract: the message is empty and the goal is not achieved
      its reply: "{\"input\": \" \"}"
    ask_type: not reached
    call_create: not reached
    confirm: not reached
    "#);
    assert_snapshot!(played(clerk(), says(r#"{"input": "hi"}"#), STEPS).await, @r#"
    INCONCLUSIVE the simulator broke its contract: it said the same 3 times in a row
      its reply: "{\"input\": \"hi\"}"
    1 simulator: hi -> Sorry?
    2 simulator: hi -> Sorry?
    ask_type: not reached [contains Failed]
    call_create: not reached
    confirm: not reached
    "#);
}

#[tokio::test]
async fn an_agent_that_fails_ends_the_conversation() {
    let replies = [r#"{"input": "my expense"}"#, r#"{"input": "fail"}"#];
    assert_snapshot!(played(clerk(), simulates(&replies), STEPS).await, @"
    ERROR agent error: quota exceeded
      code: Q1
    1 simulator: my expense -> What type?
    2 simulator: fail -> 
    ask_type: turn 1 [contains Passed @5]
    call_create: not reached [tool_called Failed]
    confirm: not reached
    ");
}

#[tokio::test]
async fn an_error_may_be_what_is_wanted() {
    let replies = [r#"{"input": "fail"}"#, r#"{"input": "my expense"}"#];
    let keys = r#""checkpoints": [
        {"id": "type", "after": ["quota"], "assert": {"type": "contains", "value": "type"}},
        {"id": "quota", "assert": {"error": "quota"}}
    ]"#;
    assert_snapshot!(played(clerk(), simulates(&replies), keys).await, @"
    PASSED
    1 simulator: fail -> 
    2 simulator: my expense -> What type?
    type: turn 2 [contains Passed @5]
    quota: turn 1 [error Passed @1]
    ");
    // The error that the whole case wants ends it, and is no substitute for a checkpoint.
    let keys = format!(r#""assert": {{"error": "quota"}}, {NEVER}"#);
    assert_snapshot!(played(clerk(), simulates(&replies), &keys).await, @"
    FAILED missing checkpoints: never
    1 simulator: fail -> 
    never: not reached
    case: [error Passed]
    ");
}

#[tokio::test]
async fn what_can_be_reached_in_one_turn_is_reached_in_one_turn() {
    let replies = [r#"{"input": "my expense"}"#, r#"{"input": "dinner"}"#];
    let keys = r#""checkpoints": [
        {"id": "c", "after": "b", "assert": {"type": "contains", "value": "Confirm"}},
        {"id": "b", "after": ["a"], "assert": {"tools": {"require": [{"name": "create_expense"}]}}},
        {"id": "a", "assert": [{"type": "contains", "value": "?"}, {"type": "not_contains", "value": "type"}]},
        {"id": "extra", "required": false, "assert": {"type": "contains", "value": "Submitted"}}
    ]"#;
    assert_snapshot!(played(clerk(), simulates(&replies), keys).await, @"
    PASSED
    1 simulator: my expense -> What type?
    2 simulator: dinner -> Confirm?
    c: turn 2 [contains Passed @8]
    b: turn 2 [tools.require Passed @1]
    a: turn 2 [contains Passed @8] [not_contains Passed @8]
    extra (optional): not reached [contains Failed]
    ");
}

#[tokio::test]
async fn the_case_is_judged_by_the_whole_conversation() {
    let asserts = r#""assert": [{"type": "contains", "value": "What type?\nConfirm?"}, {"type": "not_contains", "value": "Submitted"}]"#;
    let keys = format!("{asserts}, {STEPS}");
    assert_snapshot!(played(clerk(), employee(), &keys).await, @"
    FAILED
    1 simulator: Help me file an expense -> What type?
    2 simulator: Client dinner, $250 -> Confirm?
    3 simulator: Yes -> Submitted!
    ask_type: turn 1 [contains Passed @5]
    call_create: turn 2 [tool_called Passed @1]
    confirm: turn 3 [regex Passed @4]
    case: [contains Passed]
    case: [not_contains Failed]
    ");
}

#[tokio::test]
async fn judges_decide_checkpoints() {
    let keys = r#""input": "my expense", "max_turns": 2, "checkpoints": [
        {"id": "polite", "assert": {"type": "agent", "use": "agents:judge", "value": "is polite"}},
        {"id": "later", "after": ["polite"], "assert": {"type": "agent", "use": "agents:judge", "value": "is late"}}
    ]"#;
    let said = async |reply: &str| {
        let simulator = simulates(&[r#"{"input": "Yes"}"#]);
        Play::with_judge(clerk(), simulator, says(reply), &case(keys))
            .await
            .played()
            .await
    };
    assert_snapshot!(said(r#"{"passed": true, "reason": "kind"}"#).await, @"
    PASSED
    1 case: my expense -> What type?
    polite: turn 1 [agent Passed @5]
    later: turn 1 [agent Passed @5]
    ");
    assert_snapshot!(said(r#"{"passed": false, "reason": "cold"}"#).await, @"
    FAILED max turns (2) exceeded
      missing checkpoints: polite, later
    1 case: my expense -> What type?
    2 simulator: Yes -> Submitted!
    polite: not reached [agent Failed]
    later: not reached
    ");
    assert_snapshot!(said("hm").await, @"
    INCONCLUSIVE checkpoint polite failed: agent: no verdict: its reply is not JSON with `passed` and `reason`: hm
    1 case: my expense -> What type?
    polite: not reached [agent Inconclusive]
    later: not reached
    ");
}

#[tokio::test]
async fn a_checkpoint_that_cannot_be_evaluated_ends_the_case() {
    let hostile = says(&format!("{}!", "a".repeat(40)));
    let keys = r#""checkpoints": [
        {"id": "slow", "assert": {"type": "regex", "pattern": "^(?:a+|(?!x)a)+(?=b)"}},
        {"id": "other", "assert": {"type": "contains", "value": "zzz"}}
    ]"#;
    assert_snapshot!(played(hostile, simulates(&[r#"{"input": "hi"}"#]), keys).await, @"
    ERROR checkpoint slow failed: regex: the pattern took too many steps
      the pattern took too many steps
      /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
    1 simulator: hi -> aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
    slow: not reached [regex Failed]
    other: not reached
    ");
}

#[tokio::test]
async fn an_optional_checkpoint_that_cannot_be_decided_spoils_nothing() {
    let keys = r#""checkpoints": [
        {"id": "polite", "required": false, "assert": {"type": "agent", "use": "agents:judge", "value": "polite"}},
        {"id": "asks", "assert": {"type": "contains", "value": "type"}}
    ]"#;
    assert_snapshot!(played(says("What type?"), simulates(&[r#"{"input": "hi"}"#]), keys).await, @"
    PASSED
    1 simulator: hi -> What type?
    polite (optional): not reached [agent Inconclusive]
    asks: turn 1 [contains Passed @5]
    ");
    assert_snapshot!(played(says("Hm."), simulates(&[r#"{"input": "hi"}"#, r#"{"goal_achieved": true}"#]), keys).await, @"
    FAILED missing checkpoints: asks
    1 simulator: hi -> Hm.
    polite (optional): not reached [agent Inconclusive]
    asks: not reached [contains Failed]
    ");
}

#[tokio::test]
async fn a_simulator_that_does_not_finish_breaks_its_contract() {
    let keys =
        r#""checkpoints": [{"id": "asks", "assert": {"type": "contains", "value": "type"}}]"#;
    let interrupts = json!({"rules": [{"reply": [{"text": "{\"input\": \"hi\"}"}, {"interrupt": {"reason": "approve"}}]}]});
    assert_snapshot!(played(says("Hm."), interrupts, keys).await, @"
    INCONCLUSIVE the simulator broke its contract: the agent did not finish: it ended with an interrupt
    asks: not reached
    ");
    let calls = json!({"rules": [{"reply": [{"text": "{\"input\": \"hi\"}"}, {"tool": {"name": "look"}}]}]});
    assert_snapshot!(played(says("Hm."), calls, keys).await, @"
    INCONCLUSIVE the simulator broke its contract: the agent did not finish: nobody answered its call of `look`
    asks: not reached
    ");
}

#[tokio::test]
async fn the_time_of_a_case_may_end_while_a_judge_is_asked() {
    let keys = r#""timeout": "300ms", "checkpoints": [{"id": "polite", "assert": {"type": "agent", "use": "agents:judge", "value": "polite"}}]"#;
    let stalls = json!({"rules": [{"reply": ["stall"]}]});
    let simulator = simulates(&[r#"{"input": "hi"}"#]);
    let play = Play::with_judge(says("Hm."), simulator, stalls, &case(keys)).await;
    assert_snapshot!(play.played().await, @"
    TIMEOUT timeout after 300ms
    1 simulator: hi -> Hm.
    polite: not reached [agent Inconclusive]
    ");
}

#[tokio::test]
async fn a_simulator_is_told_how_far_it_has_come() {
    let echo = |what: &str| json!({"rules": [{"reply": [{"echo": what}]}]});
    let keys = r#""input": "my expense", "max_turns": 7, "checkpoints": [
        {"id": "ask", "assert": {"type": "contains", "value": "type"}},
        {"id": "late", "assert": {"type": "contains", "value": "zzz"}}
    ]"#;
    let cases = format!(
        r#"{{"id": "T1", "simulator": {{"use": "user", "options": {{"metadata": {{"persona": "new at ${{SHOP}}", "goal": "file", "mood": 3}}}}}}, {keys}}}"#
    );
    let told = async |what: &str| {
        let play = Play::new(clerk(), echo(what), &cases).await;
        let result = play.run(options()).await.remove(0);
        let told = result.reason_details[0].replace("\\\\\\\"", "'");
        let told = told.replace("\\\"", "'");
        // The id of a message is another one each time.
        let begin = told.find("'persona'").unwrap();
        told.chars().skip(begin).collect::<String>()
    };
    assert_snapshot!(told("last_message").await, @r#"'persona':'new at Corner','goal':'file','conversation':[{'role':'user','content':'my expense'},{'role':'assistant','content':'What type?'}],'turn_number':2,'max_turns':7,'checkpoints_reached':['ask'],'checkpoints_pending':['late'],'mood':3}'}""#);
    assert_snapshot!(told("forwarded_props").await, @r#"'persona':'new at Corner','goal':'file','conversation':[{'role':'user','content':'my expense'},{'role':'assistant','content':'What type?'}],'turn_number':2,'max_turns':7,'checkpoints_reached':['ask'],'checkpoints_pending':['late'],'mood':3,'test_mode':'simulator'}}""#);
}

#[tokio::test]
async fn many_conversations_do_not_disturb_one_another() {
    let cases: String = (0..24)
        .map(|n| format!("{{\"id\": \"T{n}\", \"simulator\": {{\"use\": \"user\"}}, {STEPS}}}\n"))
        .collect();
    let play = Play::new(clerk(), employee(), &cases).await;
    let results = play.run(options()).await;
    let first = shown(&results[0]);
    assert!(first.starts_with("PASSED"), "{first}");
    assert!(results.iter().all(|result| shown(result) == first));
}

#[tokio::test]
async fn an_interrupt_stops_the_simulator() {
    static ASKED: Notify = Notify::const_new();
    let stalls = json!({"rules": [{"reply": ["stall"]}]});
    let play = Play::new(clerk(), stalls, &case(NEVER)).await;
    let options = RunOptions {
        // It is looked at when the run begins, and then for each request.
        unix_ms: || {
            ASKED.notify_one();
            0
        },
        ..options()
    };
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    let interrupt = async move {
        ASKED.notified().await;
        later.cancel();
    };
    let plan = play.project.plan();
    let ((results, summary), ()) = tokio::join!(run_until(&plan, options, cancel), interrupt);
    assert!(summary.interrupted);
    assert_eq!(results[0].status, ananke_model::result::TestStatus::Skipped);
}

#[tokio::test]
async fn secrets_are_hidden_in_what_a_simulator_says() {
    const KEY: &str = "sk-live-7f3a2b9c";
    let reply = format!(r#"{{"input": "my key is {KEY}", "reasoning": "{KEY}"}}"#);
    let keys = format!(
        r#""max_turns": 1, "checkpoints": [{{"id": "never", "description": "says {KEY}", "assert": {{"type": "contains", "value": "{KEY}"}}}}]"#
    );
    let play = Play::new(clerk(), simulates(&[&reply]), &case(&keys)).await;
    let mut secrets = Secrets::default();
    secrets.add("API_KEY", KEY);
    let options = RunOptions {
        redactor: secrets.redactor(),
        ..options()
    };
    let results = play.run(options).await;
    let all = serde_json::to_string(&results).unwrap();
    assert!(!all.contains("7f3a2b9c"), "{all}");
    assert!(all.contains("my key is [redacted API_KEY]"), "{all}");
}
