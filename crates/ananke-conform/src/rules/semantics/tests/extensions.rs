//! Timestamps, custom and raw events.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::judged;

/// A run whose events have these timestamps.
fn timed(times: &[Value]) -> String {
    let n_inner = times.len() - 2;
    let mut lines = vec![json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})];
    lines.extend(
        (0..n_inner).map(|number| json!({"type": "STATE_SNAPSHOT", "snapshot": {"n": number}})),
    );
    lines.push(json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}));
    let lines = lines.into_iter().zip(times).map(|(mut line, time)| {
        if !time.is_null() {
            line["timestamp"] = time.clone();
        }
        line.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn times(times: &[Value]) -> String {
    judged(&[(json!({}), &timed(times))])
}

#[test]
fn timestamps_as_they_should_be() {
    let good = [
        json!(1_794_780_000_000_u64),
        json!(1_794_780_000_900_u64),
        json!(1_794_780_000_100_u64),
    ];
    assert_snapshot!(times(&good), @"nothing");
    assert_snapshot!(times(&[Value::Null, Value::Null, Value::Null]), @"nothing");
    // Fractions are told by the rules of shapes.
    assert_snapshot!(times(&[json!(1_794_780_000_000.5), json!(1_794_780_000_001.5)]), @"nothing");
}

#[test]
fn seconds_from_a_framework() {
    assert_snapshot!(times(&[json!(1_794_780_000), json!(1_794_780_000), json!(1_794_780_001)]), @"
    0: semantics.timestamp-unit: `timestamp` 1794780000 looks like seconds, not milliseconds; so do 2 more events
    ");
    assert_snapshot!(times(&[json!(1_794_780_000), json!(1_794_780_000_000_u64)]), @"
    0: semantics.timestamp-unit: `timestamp` 1794780000 looks like seconds, not milliseconds
    ");
    assert_snapshot!(times(&[json!("soon"), json!(1_794_780_000_000_000_u64)]), @"
    1: semantics.timestamp-unit: `timestamp` 1794780000000000 looks like microseconds or finer, not milliseconds
    ");
}

#[test]
fn time_that_runs_back() {
    let steps = [5000, 3000, 4000, 2500, 9000].map(|step: u64| json!(1_794_780_000_000 + step));
    assert_snapshot!(times(&steps), @"
    1: semantics.timestamp-order: `timestamp` 1794780003000 is before that of event 0, 1794780005000, by more than a second
    3: semantics.timestamp-order: `timestamp` 1794780002500 is before that of event 2, 1794780004000, by more than a second
    ");
    let seconds = [30, 20, 21].map(|step| json!(1_794_780_000 + step));
    assert_snapshot!(times(&seconds), @"
    0: semantics.timestamp-unit: `timestamp` 1794780030 looks like seconds, not milliseconds; so do 2 more events
    1: semantics.timestamp-order: `timestamp` 1794780020 is before that of event 0, 1794780030, by more than a second
    ");
}

#[test]
fn a_run_that_is_played_again_has_times_of_its_own() {
    let now = timed(&[json!(1_794_780_000_000_u64), json!(1_794_780_000_001_u64)]);
    let before = timed(&[json!(1_694_780_000_000_u64), json!(1_694_780_000_001_u64)]);
    assert_snapshot!(judged(&[(json!({}), &format!("{now}\n{before}"))]), @"nothing");
}

#[test]
fn an_end_that_was_made_by_hand() {
    let time = json!(1_794_780_000_000_u64);
    assert_snapshot!(times(&[time.clone(), time.clone(), Value::Null, time]), @"
    2: semantics.timestamp-all: 3 of 4 events of the run have a `timestamp`; this one has none
    ");
}

#[test]
fn names_with_and_without_a_prefix() {
    let custom = |name: &str| json!({"type": "CUSTOM", "name": name, "value": 1}).to_string();
    let names = |names: &[&str]| {
        let lines: Vec<String> = names.iter().map(|name| custom(name)).collect();
        judged(&[(json!({}), &format!("start\n{}\nfinish", lines.join("\n")))])
    };
    assert_snapshot!(names(&["acme.progress", "com.acme/progress", "acme:progress", "acme-progress"]), @"nothing");
    assert_snapshot!(
        names(&["on_interrupt", "PredictState", "PredictState", "function_approval_request", ".hidden", "acme.", ""]),
        @r#"
        1: semantics.custom-prefix: the name "on_interrupt" has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        2: semantics.custom-prefix: the name "PredictState" has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        4: semantics.custom-prefix: the name "function_approval_request" has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        5: semantics.custom-prefix: the name ".hidden" has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        6: semantics.custom-prefix: the name "acme." has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        7: semantics.custom-prefix: the name "" has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`
        "#
    );
}

#[test]
fn raw_events_beside_and_instead() {
    let raw = json!({"type": "RAW", "event": {"event": "on_chain_start"}, "source": "langgraph"});
    let judge = |rest: &str| judged(&[(json!({}), &format!("start\n{raw}\n{raw}\n{rest}"))]);
    assert_snapshot!(judge("text m1 Hi.\nfinish"), @"nothing");
    assert_snapshot!(judge("finish"), @"
    3: semantics.raw-alone: the run finished as success with 2 RAW events and no text, tool, state or other event of the protocol
    ");
    assert_snapshot!(judge("error"), @"nothing");
    assert_snapshot!(judge("interrupt"), @"nothing");
    assert_snapshot!(judge(r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"answer":42}}"#), @"nothing");
    // Who knows what would have come?
    assert_snapshot!(judge(""), @"nothing");
}
