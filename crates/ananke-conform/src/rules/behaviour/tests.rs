//! What servers do, in the manner of each: streams in, verdicts out.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::rule::{Findings, Profile};
use crate::rules::behaviour;

/// Judges exchanges; tells the rules that had something to look at.
fn judged(exchanges: &[Value]) -> String {
    judged_with(exchanges, &Value::Null)
}

fn judged_with(exchanges: &[Value], capabilities: &Value) -> String {
    let fixture = json!({"trips": "", "exchanges": exchanges, "capabilities": capabilities});
    let fixture: Fixture = serde_json::from_value(fixture).unwrap();
    let case = fixture.case();
    let mut found = Findings::new(Profile::V1);
    for (number, exchange) in case.exchanges.iter().enumerate() {
        found.enter(number);
        behaviour::look(exchange, &mut found);
    }
    behaviour::look_at_all(&case, &mut found);
    let broken = found.in_order();
    let mut lines: Vec<String> = broken
        .iter()
        .map(|found| {
            let event = found
                .event
                .map_or("whole".to_owned(), |event| event.to_string());
            format!(
                "{}/{event}: {}: {}",
                found.exchange, found.rule, found.message
            )
        })
        .collect();
    let rules = behaviour::RULES.iter().flat_map(|list| list.iter());
    let passed = rules
        .filter(|rule| found.has_seen(rule.id) && broken.iter().all(|found| found.rule != rule.id));
    lines.extend(passed.map(|rule| format!("pass: {}", rule.id)));
    if lines.is_empty() {
        return "nothing".to_owned();
    }
    lines.join("\n")
}

fn started() -> Value {
    json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
}

fn finished() -> Value {
    json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"})
}

fn failed(message: &str) -> Value {
    json!({"type": "RUN_ERROR", "message": message})
}

fn text() -> Value {
    json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Hm."})
}

fn call() -> Value {
    json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "charge_card", "delta": "{}"})
}

fn result(content: &str) -> Value {
    json!({"type": "TOOL_CALL_RESULT", "messageId": "x1", "toolCallId": "c1", "content": content})
}

fn asks(interrupt: &Value) -> Value {
    let outcome = json!({"type": "interrupt", "interrupts": [interrupt]});
    json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome})
}

fn exchange(scenario: &str, asked: &str, thread: &str, events: &[Value]) -> Value {
    let request = json!({"threadId": thread, "runId": "r", "messages": []});
    json!({"scenario": scenario, "asked": asked, "request": request, "events": events})
}

/// The question, and what comes after an answer to it.
fn resumed(way: &str, events: &[Value]) -> [Value; 2] {
    let schema = json!({"type": "object", "required": ["approved"]});
    let interrupt =
        json!({"id": "i1", "reason": "approval", "toolCallId": "c1", "responseSchema": schema});
    resumed_from(&interrupt, way, events)
}

fn resumed_from(interrupt: &Value, way: &str, events: &[Value]) -> [Value; 2] {
    let asked = format!("resume: {way}");
    let question = exchange(
        "interrupt",
        "run",
        way,
        &[started(), call(), asks(interrupt)],
    );
    let mut answer = exchange("interrupt", &asked, way, events);
    let status = if way == "cancelled" {
        "cancelled"
    } else {
        "resolved"
    };
    if way != "uncovered" {
        let entry = json!({"interruptId": "i1", "status": status, "payload": {"approved": true}});
        answer["request"]["resume"] = json!([entry]);
    }
    [question, answer]
}

fn approved() -> [Value; 2] {
    resumed(
        "resolved",
        &[started(), result("charged"), text(), finished()],
    )
}

/// What follows the approval and one other answer. The approval itself passes, which is not told again.
fn after_approval(other: [Value; 2]) -> String {
    let told = judged(&[approved(), other].concat());
    let lines = told.lines().filter(|line| {
        !line.ends_with("behaviour.approval-not-success")
            && !line.ends_with("behaviour.resume-resolved")
    });
    let lines: Vec<&str> = lines.collect();
    if lines.is_empty() {
        "nothing".to_owned()
    } else {
        lines.join("\n")
    }
}

#[test]
fn approvals_that_end_as_success() {
    let run = |events: &[Value]| judged(&[exchange("interrupt", "run", "t", events)]);
    let custom =
        |name: &str| json!({"type": "CUSTOM", "name": name, "value": "{\"question\": \"ok?\"}"});
    assert_snapshot!(run(&[started(), call(), custom("on_interrupt"), finished()]), @"
    0/2: behaviour.approval-not-success: a CUSTOM event `on_interrupt` asks for an answer, but the run finished as success, not with the outcome `interrupt`
    ");
    assert_snapshot!(run(&[started(), call(), text(), finished()]), @"
    0/3: behaviour.approval-not-success: the call `c1` of `charge_card` got no result, and the run finished as success, not with the outcome `interrupt`
    ");
    let interrupt = json!({"id": "i1", "reason": "approval"});
    assert_snapshot!(run(&[started(), call(), custom("function_approval_request"), asks(&interrupt)]), @"pass: behaviour.approval-not-success");
    // Nobody asked, or it failed.
    assert_snapshot!(run(&[started(), text(), finished()]), @"nothing");
    assert_snapshot!(run(&[started(), call(), result("charged"), finished()]), @"nothing");
    assert_snapshot!(run(&[started(), call(), failed("boom")]), @"nothing");
    // Elsewhere only the one name tells.
    let hello = |name: &str| {
        judged(&[exchange(
            "hello",
            "run",
            "t",
            &[started(), call(), custom(name), finished()],
        )])
    };
    assert_snapshot!(hello("acme.approval_policy"), @"nothing");
    assert_snapshot!(hello("on_interrupt"), @"
    0/2: behaviour.approval-not-success: a CUSTOM event `on_interrupt` asks for an answer, but the run finished as success, not with the outcome `interrupt`
    ");
}

#[test]
fn a_tool_of_the_front_end_that_asks_is_no_interrupt() {
    let mut run = exchange("interrupt", "run", "t", &[started(), call(), finished()]);
    run["request"]["tools"] = json!([{"name": "charge_card", "description": "asks first"}]);
    assert_snapshot!(judged(&[run]), @"nothing");
}

#[test]
fn answers_that_resolve() {
    assert_snapshot!(judged(&approved()), @"
    pass: behaviour.approval-not-success
    pass: behaviour.resume-resolved
    ");
    let further = json!({"id": "i2", "reason": "approval"});
    assert_snapshot!(judged(&resumed("resolved", &[started(), asks(&further)])), @"
    pass: behaviour.approval-not-success
    pass: behaviour.resume-resolved
    ");
    let same = json!({"id": "i1", "reason": "approval"});
    assert_snapshot!(judged(&resumed("resolved", &[started(), asks(&same)])), @"
    1/1: behaviour.resume-resolved: the interrupt `i1` was answered, and the run waits for it again
    pass: behaviour.approval-not-success
    ");
    // Another payload may have been wanted.
    assert_snapshot!(judged(&resumed("resolved", &[started(), failed("bad payload")])), @"pass: behaviour.approval-not-success");
    // Without the question, the answer tells nothing.
    let [_, answer] = resumed("resolved", &[started(), asks(&same)]);
    assert_snapshot!(judged(&[answer]), @"pass: behaviour.approval-not-success");
}

#[test]
fn answers_that_cancel() {
    assert_snapshot!(after_approval(resumed("cancelled", &[started(), result("declined"), text(), finished()])), @"pass: behaviour.resume-cancelled");
    assert_snapshot!(after_approval(resumed("cancelled", &[started(), result("charged"), finished()])), @"
    3/1: behaviour.resume-cancelled: the call `c1` has the same result as when it is approved, although it was cancelled
    ");
    assert_snapshot!(after_approval(resumed("cancelled", &[started(), failed("cancelled")])), @r#"
    3/1: behaviour.resume-cancelled: every interrupt was cancelled, and the run failed: "cancelled"
    "#);
    let cancelled = json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "cancelled"}});
    assert_snapshot!(after_approval(resumed("cancelled", &[started(), cancelled])), @"pass: behaviour.resume-cancelled");
    let mut refused = resumed("cancelled", &[]);
    refused[1]["status"] = 422.into();
    refused[1]["text"] = "no payload".into();
    assert_snapshot!(after_approval(refused), @"
    3/whole: behaviour.resume-cancelled: every interrupt was cancelled, and the server answered with the status 422
    ");
}

#[test]
fn no_answer_at_all() {
    let after = |events: &[Value]| after_approval(resumed("uncovered", events));
    assert_snapshot!(after(&[started(), failed("APPROVAL_RESUME_REQUIRED")]), @"pass: behaviour.resume-uncovered");
    assert_snapshot!(after(&[failed("PENDING_INTERRUPTS")]), @"pass: behaviour.resume-uncovered");
    assert_snapshot!(after(&[started(), asks(&json!({"id": "i1", "reason": "approval"}))]), @"pass: behaviour.resume-uncovered");
    assert_snapshot!(after(&[started(), result("charged"), text(), finished()]), @"
    3/1: behaviour.resume-uncovered: the call `c1` has the same result as when it is approved, although nobody answered the interrupt
    ");
    // A server that keeps nothing may go on, and may close the call.
    assert_snapshot!(after(&[started(), text(), finished()]), @"nothing");
    assert_snapshot!(after(&[started(), result("not approved"), text(), finished()]), @"nothing");
}

#[test]
fn an_answer_to_something_that_never_was() {
    let after = |events: &[Value]| after_approval(resumed("unknown", events));
    assert_snapshot!(after(&[started(), result("charged"), text(), finished()]), @"pass: behaviour.resume-unknown");
    assert_snapshot!(after(&[started(), failed("unknown interrupt")]), @r#"
    3/1: behaviour.resume-unknown: besides the right answers there was one to an interrupt that never was, and the run failed: "unknown interrupt"
    "#);
    // Where the right answers alone fail too, it is not because of this one.
    let failing = resumed("resolved", &[started(), failed("boom")]);
    let unknown = resumed("unknown", &[started(), failed("boom")]);
    assert_snapshot!(judged(&[failing, unknown].concat()), @"pass: behaviour.approval-not-success");
}

#[test]
fn an_answer_of_the_wrong_form() {
    let after = |events: &[Value]| after_approval(resumed("wrong-payload", events));
    assert_snapshot!(after(&[started(), result("charged"), text(), finished()]), @"
    3/1: behaviour.resume-wrong-payload: the call `c1` has the same result as when it is approved, although the payload does not match the `responseSchema` of the interrupt
    ");
    assert_snapshot!(after(&[started(), result("declined"), text(), finished()]), @"pass: behaviour.resume-wrong-payload");
    assert_snapshot!(after(&[started(), failed("bad payload")]), @"pass: behaviour.resume-wrong-payload");
    assert_snapshot!(after(&[started(), asks(&json!({"id": "i1", "reason": "approval"}))]), @"pass: behaviour.resume-wrong-payload");
    // Who does not say what is wanted gets what is sent.
    let free = json!({"id": "i1", "reason": "approval", "toolCallId": "c1"});
    let charged = [started(), result("charged"), finished()];
    assert_snapshot!(after_approval(resumed_from(&free, "wrong-payload", &charged)), @"nothing");
}

#[test]
fn a_payload_that_denies_is_no_measure() {
    let mut denied = resumed("resolved", &[started(), result("declined"), finished()]);
    denied[1]["request"]["resume"][0]["payload"] = json!({"approved": false});
    let cancelled = resumed("cancelled", &[started(), result("declined"), finished()]);
    assert_snapshot!(judged(&[denied, cancelled].concat()), @"
    pass: behaviour.approval-not-success
    pass: behaviour.resume-resolved
    pass: behaviour.resume-cancelled
    ");
}

#[test]
fn clients_that_leave() {
    let mut left = exchange("abort", "abort", "t", &[started(), text()]);
    left["ending"] = "given up".into();
    let next = exchange("abort", "run", "t2", &[started(), text(), finished()]);
    assert_snapshot!(judged(&[left.clone(), next.clone()]), @"pass: behaviour.abort");
    let broken =
        json!({"scenario": "abort", "step": "run after the abort", "status": 503, "text": "busy"});
    assert_snapshot!(judged(&[left.clone(), broken]), @"
    0/whole: behaviour.abort: after the client left this run, the next request (`abort`, run after the abort) got the status 503
    ");
    // Nothing came after it, or the run was over before.
    assert_snapshot!(judged(&[left]), @"nothing");
    assert_snapshot!(judged(&[exchange("abort", "abort", "t", &[started(), finished()]), next]), @"nothing");
}

#[test]
fn runs_that_fail() {
    let run = |events: &[Value]| judged(&[exchange("error", "error", "t", events)]);
    assert_snapshot!(run(&[started(), text(), failed("boom")]), @"pass: behaviour.error-reported");
    assert_snapshot!(run(&[failed("boom")]), @"pass: behaviour.error-reported");
    assert_snapshot!(run(&[started(), finished()]), @"
    0/1: behaviour.error-reported: the run was to fail, and it finished as success without a word
    ");
    assert_snapshot!(run(&[started(), text()]), @"nothing");
    // An agent that answers did not fail.
    assert_snapshot!(run(&[started(), text(), finished()]), @"nothing");
    let refused = json!({"scenario": "error", "asked": "error", "status": 500, "text": "boom"});
    assert_snapshot!(judged(&[refused]), @"pass: behaviour.error-reported");
    let mut cut = exchange("error", "error", "t", &[started(), text()]);
    cut["ending"] = "given up".into();
    assert_snapshot!(judged(&[cut]), @"nothing");
}

#[test]
fn what_is_declared_and_what_is_seen() {
    let state = exchange(
        "state",
        "run",
        "t",
        &[
            started(),
            json!({"type": "STATE_SNAPSHOT", "snapshot": {}}),
            finished(),
        ],
    );
    let both = json!({"state": {"snapshots": true, "deltas": true}});
    assert_snapshot!(judged_with(std::slice::from_ref(&state), &both), @"
    0/whole: capabilities.shown: `state.deltas` is declared, and the scenario `state` had no STATE_DELTA
    pass: capabilities.shape
    ");
    assert_snapshot!(judged_with(std::slice::from_ref(&state), &json!({"state": {"snapshots": false}})), @"
    0/whole: capabilities.denied: `state.snapshots` is declared as `false`, and here is a STATE_SNAPSHOT
    pass: capabilities.shape
    ");
    // Scenarios that were not run, and what is not declared, tell nothing.
    let much = json!({"tools": {"supported": true, "parallelCalls": true}, "humanInTheLoop": {"interrupts": true}});
    assert_snapshot!(judged_with(std::slice::from_ref(&state), &much), @"pass: capabilities.shape");
    let any =
        json!({"reasoning": {"supported": true}, "multiAgent": {"subagents": [{"name": "buyer"}]}});
    assert_snapshot!(judged_with(&[state], &any), @"
    0/whole: capabilities.shown: `reasoning.supported` is declared, and no run of any scenario had a REASONING event
    0/whole: capabilities.shown: `multiAgent.subagents` is declared, and no run of any scenario had a SUBAGENT event
    pass: capabilities.shape
    ");
    let tools = exchange(
        "parallel-tools",
        "run",
        "t",
        &[started(), call(), call(), result("ok"), finished()],
    );
    assert_snapshot!(judged_with(&[tools], &much), @"
    0/whole: capabilities.shown: `tools.parallelCalls` is declared, and the scenario `parallel-tools` had no run with two tool calls
    pass: capabilities.shape
    ");
    assert_snapshot!(judged_with(&[], &json!({"tools": []})), @"
    0/whole: capabilities.shape: /tools: expected an object, saw a list
    ");
}
