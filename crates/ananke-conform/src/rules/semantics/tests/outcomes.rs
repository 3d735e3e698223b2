//! Interrupts, cancelled runs and usage.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{caller, judged, user};

fn finished(members: Value) -> String {
    let mut event = members;
    event["type"] = "RUN_FINISHED".into();
    event["threadId"] = "t".into();
    event["runId"] = "r".into();
    event.to_string()
}

fn interrupts(interrupts: &Value) -> String {
    finished(json!({"outcome": {"type": "interrupt", "interrupts": interrupts}}))
}

fn run(end: &str) -> String {
    format!("start\ntext m1 Hm.\n{end}")
}

fn usage(usage: &Value) -> String {
    run(&finished(json!({"usage": usage})))
}

#[test]
fn an_interrupt_about_a_call_of_the_request() {
    let ask = run(&interrupts(
        &json!([{"id": "i2", "reason": "approval", "toolCallId": "c1"}]),
    ));
    let request = json!({"messages": [user(), caller("m0", "c1", "delete_file", "{}")]});
    assert_snapshot!(judged(&[(request, &ask)]), @"nothing");
    assert_snapshot!(judged(&[(json!({}), &ask)]), @"
    4: semantics.interrupt-call: interrupt `i2` is about the call `c1`, which is neither in this answer nor in the request
    ");
    assert_snapshot!(judged(&[(Value::Null, &ask)]), @"nothing");
}

#[test]
fn interrupts_without_calls_and_calls_of_the_front_end() {
    let ask = interrupts(&json!([{"id": "i1", "reason": "input_required"}]));
    assert_snapshot!(judged(&[(json!({}), &run(&ask))]), @"nothing");
    let offered = json!({"tools": [{"name": "pick", "description": "picks"}]});
    let stream = format!("start\ncall c1 pick m1 {{}}\n{ask}");
    assert_snapshot!(judged(&[(offered, &stream)]), @"nothing");
    // The mode of a framework that tells neither call nor schema.
    let stream = format!("start\ncall c1 delete_file m1 {{}}\n{ask}");
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    4: semantics.interrupt-names-call: the call `c1` of `delete_file` waits, but no interrupt has a `toolCallId`
    ");
}

#[test]
fn dates_of_expiry() {
    let ask = |expiry: &str| {
        run(&interrupts(
            &json!([{"id": "i1", "reason": "approval", "expiresAt": expiry}]),
        ))
    };
    for good in [
        "2026-11-15T10:00:00Z",
        "2026-11-15T10:00:00.123+02:00",
        "2026-11-15T10:00:00",
        "2026-11-15",
    ] {
        assert_eq!(judged(&[(json!({}), &ask(good))]), "nothing", "{good}");
    }
    assert_snapshot!(judged(&[(json!({}), &ask("1794780000"))]), @r#"
    4: semantics.interrupt-expiry: `expiresAt` "1794780000" of interrupt `i1` is no ISO 8601 date and time
    "#);
    assert_snapshot!(judged(&[(json!({}), &ask(""))]), @r#"
    4: semantics.interrupt-expiry: `expiresAt` "" of interrupt `i1` is no ISO 8601 date and time
    "#);
}

#[test]
fn malformed_outcomes_are_left_to_the_rules_of_shapes() {
    for outcome in [
        json!(null),
        json!("interrupt"),
        json!({"type": "interrupt"}),
        json!({"type": "interrupt", "interrupts": [1, null, {}]}),
        json!({"type": "paused"}),
        json!({"type": "success", "interrupts": [{"id": "a"}, {"id": "a"}]}),
    ] {
        let stream = run(&finished(
            json!({"outcome": outcome, "usage": [1, {"inputTokens": -1, "totalTokens": "x"}, null]}),
        ));
        assert_eq!(judged(&[(json!({}), &stream)]), "nothing", "{outcome}");
    }
}

#[test]
fn a_suspended_subagent() {
    let suspended = |outcome: Value| {
        format!(
            "start\n{}\n{}\n",
            json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "buyer"}),
            json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s1", "outcome": outcome}),
        )
    };
    let ask = interrupts(&json!([{"id": "i1", "reason": "approval", "subagentRunId": "s1"}]));
    let named = suspended(json!({"type": "suspended", "interruptIds": ["i1"]}));
    assert_snapshot!(judged(&[(json!({}), &format!("{named}{ask}"))]), @"nothing");
    assert_snapshot!(judged(&[(json!({}), &format!("{named}text m1 Hm.\nfinish"))]), @"
    2: semantics.suspended-ids: the run finished without an interrupt `i1`, which this subagent waits for
    ");
    assert_snapshot!(judged(&[(json!({}), &format!("{named}error"))]), @"nothing");
    // Suspended because of a subagent of its own: it owns no interrupt.
    let unnamed = suspended(json!({"type": "suspended"}));
    assert_snapshot!(judged(&[(json!({}), &format!("{unnamed}{ask}"))]), @"nothing");
}

#[test]
fn usage_that_adds_up() {
    let stream = usage(&json!([
        {"provider": "acme", "model": "small", "inputTokens": 10, "outputTokens": 5, "totalTokens": 15,
         "reasoningTokens": 5, "cachedInputTokens": 4, "cacheWriteInputTokens": 6},
        {"provider": "acme", "model": "large", "outputTokens": 5, "reasoningTokens": 0, "totalTokens": 9},
        {"model": "small"},
        {"inputTokens": 3, "outputTokens": 0},
    ]));
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"nothing");
}

#[test]
fn usage_that_does_not() {
    let stream = usage(&json!([
        {"inputTokens": 10, "outputTokens": 5, "totalTokens": 10, "reasoningTokens": 6},
        {"inputTokens": 10, "cachedInputTokens": 6, "cacheWriteInputTokens": 5},
        {"inputTokens": 10, "totalTokens": 4},
        {"inputTokens": 0, "outputTokens": 0},
        {"inputTokens": 9_007_199_254_740_991_u64, "outputTokens": u64::MAX, "totalTokens": u64::MAX},
    ]));
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    4: semantics.usage-total: `usage[0].totalTokens` is 10, but `inputTokens` 10 and `outputTokens` 5 make 15
    4: semantics.usage-parts: `usage[0].outputTokens` is 5, but it has to include `reasoningTokens` 6
    4: semantics.usage-parts: `usage[1].inputTokens` is 10, but it has to include `cachedInputTokens` 6 and `cacheWriteInputTokens` 5
    4: semantics.usage-parts: `usage[2].totalTokens` is 4, but it has to include `inputTokens` 10
    4: semantics.usage-zero: all numbers of `usage[3]` are 0
    4: semantics.usage-total: `usage[4].totalTokens` is 18446744073709551615, but `inputTokens` 9007199254740991 and `outputTokens` 18446744073709551615 make 18455751272964292606
    ");
    let failed = json!({"type": "RUN_ERROR", "message": "boom", "usage": [{"inputTokens": 0}]});
    assert_snapshot!(judged(&[(json!({}), &format!("start\n{failed}"))]), @"1: semantics.usage-zero: all numbers of `usage[0]` are 0");
}

#[test]
fn usage_of_one_model_without_a_provider() {
    let stream = usage(&json!([
        {"model": "small", "inputTokens": 1},
        {"provider": "acme", "model": "small", "inputTokens": 1},
        {"model": "small", "inputTokens": 2},
    ]));
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"4: semantics.usage-models: `usage[0]` and `usage[2]` are both for the model `small` and name no provider");
}

#[test]
fn an_interrupt_about_a_call_of_the_front_end() {
    let offered = json!({"tools": [{"name": "pick", "description": "picks"}]});
    let stream = "start\ncall c1 pick m1 {}\ninterrupt";
    assert_snapshot!(judged(&[(offered, stream)]), @"4: semantics.interrupt-frontend: interrupt `i1` holds up the call `c1` of `pick`, which the request offers: the application is to answer it with its next request");
    assert_snapshot!(judged(&[(Value::Null, stream)]), @"nothing");
}

#[test]
fn an_interrupt_about_a_call_that_has_its_result() {
    let stream = "start\ncall c1 buy m1 {}\nresult t1 c1 bought\n";
    assert_snapshot!(judged(&[(json!({}), &format!("{stream}interrupt"))]), @"5: semantics.interrupt-answered: interrupt `i1` asks whether the call `c1` may be made, which has its result already: `t1`");
    let review = interrupts(&json!([{"id": "i1", "reason": "review", "toolCallId": "c1"}]));
    assert_snapshot!(judged(&[(json!({}), &format!("{stream}{review}"))]), @"nothing");
}

#[test]
fn calls_that_wait_beside_the_one_that_is_named() {
    let stream = "start\ncall c1 confirm_changes m1 {}\ncall c2 buy m1 {}\ninterrupt";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"7: semantics.interrupt-names-call: the call `c1` of `confirm_changes` waits, but no interrupt names it; they are about `c2`");
}

#[test]
fn an_interrupt_of_a_subagent_that_never_started() {
    let ask = run(&interrupts(
        &json!([{"id": "i1", "reason": "approval", "subagentRunId": "s1"}]),
    ));
    assert_snapshot!(judged(&[(json!({}), &ask)]), @"4: semantics.interrupt-subagent: interrupt `i1` is of the subagent `s1`, but no SUBAGENT_STARTED has this `subagentRunId`");
    // It may have started in a run that we know, or in one that we do not know.
    let started = json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "buyer"});
    let earlier = format!("start\n{started}\nerror");
    let again = json!({"runId": "r2"});
    let ask = ask.replace("text m1", "text m2");
    assert_snapshot!(judged(&[(json!({}), &earlier), (again, &ask)]), @"nothing");
    let resume = json!({"resume": [{"interruptId": "i0", "status": "resolved"}]});
    assert_snapshot!(judged(&[(resume, &ask)]), @"nothing");
    let past = json!({"messages": [user(), caller("m0", "c1", "delete_file", "{}")]});
    assert_snapshot!(judged(&[(past, &ask)]), @"nothing");
    assert_snapshot!(judged(&[(Value::Null, &ask)]), @"nothing");
}

#[test]
fn a_suspended_subagent_in_a_run_that_ends_as_success() {
    let suspended = format!(
        "start\n{}\n{}\n",
        json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "buyer"}),
        json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s1", "outcome": {"type": "suspended"}}),
    );
    assert_snapshot!(judged(&[(json!({}), &format!("{suspended}finish"))]), @"2: semantics.suspended-ids: the subagent `s1` is suspended, but the run finished as success, not with the outcome `interrupt`");
    assert_snapshot!(judged(&[(json!({}), &format!("{suspended}error"))]), @"nothing");
}
