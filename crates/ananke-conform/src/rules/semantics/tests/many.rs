//! Long streams. Work that grows with the square of their length would take minutes here.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{assistant, caller, judged, result, snapshot, user};

const MANY: usize = 50_000;

/// Writes what each number stands for, one line each.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    let mut stream = String::from("start\n");
    for number in 0..n {
        writeln!(stream, "{}", line(number)).unwrap();
    }
    stream
}

fn first_line(request: Value, stream: &str) -> String {
    let judged = judged(&[(request, stream)]);
    judged.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn messages_and_a_snapshot_of_them() {
    let n = MANY / 3;
    let mut stream = lines(n, |number| format!("text m{number} Words."));
    let messages: Vec<Value> = (0..n)
        .map(|number| assistant(&format!("m{number}"), "Words."))
        .collect();
    let all = snapshot(&[&[user()], messages.as_slice()].concat());
    write!(stream, "{all}\n{}\nfinish", snapshot(&[user()])).unwrap();
    let judged = judged(&[(json!({}), &stream)]);
    assert_eq!(judged.lines().count(), n);
    assert!(judged.contains("semantics.snapshot-drops: the `assistant` message `m16000`"));
}

#[test]
fn chunks_of_many_subagents() {
    let mut stream = lines(MANY, |number| {
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": format!("m{number}"), "subagentRunId": format!("s{number}"), "delta": "a"})
            .to_string()
    });
    stream.push_str("finish");
    assert_eq!(judged(&[(json!({}), &stream)]), "nothing");
}

#[test]
fn a_call_that_is_opened_again_and_again() {
    let mut stream = lines(MANY / 3, |_| "call c1 add m1 1".to_owned());
    stream.push_str("result t1 c1 3\nfinish");
    assert_eq!(judged(&[(json!({}), &stream)]), "nothing");
}

#[test]
fn calls_of_many_offered_tools() {
    let tools: Vec<Value> = (0..MANY / 5)
        .map(|number| json!({"name": format!("tool{number}")}))
        .collect();
    let mut stream = lines(MANY / 5, |number| {
        format!("call c{number} tool{number} m{number} {{}}\nresult t{number} c{number} done")
    });
    stream.push_str("interrupt");
    assert_eq!(
        first_line(json!({"tools": tools}), &stream),
        "4: semantics.frontend-call-answered: `c0` calls `tool0`, which the request offers: the application is to answer \
         it, but a TOOL_CALL_RESULT came"
    );
}

#[test]
fn calls_that_wait() {
    let mut stream = lines(MANY / 3, |number| format!("call c{number} buy m1 {{}}"));
    stream.push_str("interrupt");
    let judged = judged(&[(json!({}), &stream)]);
    assert_eq!(judged.lines().count(), MANY / 3 - 1);
}

#[test]
fn runs_in_one_answer() {
    let mut stream = lines(MANY / 6, |number| {
        let ids = json!({"type": "RUN_STARTED", "threadId": "t", "runId": format!("r{number}")});
        format!("{ids}\ntext m{number} Words.\nresult t{number} c1 done\nfinish")
    });
    stream.push_str("start\ntext m7 Again.\nfinish");
    let judged = judged(&[(Value::Null, &stream)]);
    assert!(judged.contains(
        "semantics.message-id-reused: `m7` is used for a message of the role `assistant`, but the run `r7` of this answer"
    ));
}

#[test]
fn snapshots_that_drop_what_is_open() {
    let empty = snapshot(&[]);
    let mut stream = lines(MANY / 2, |number| {
        format!(
            "{}\n{empty}",
            json!({"type": "TEXT_MESSAGE_START", "messageId": format!("m{number}")})
        )
    });
    stream.push_str("finish");
    assert_eq!(judged(&[(json!({}), &stream)]), "nothing");
}

#[test]
fn calls_that_only_a_snapshot_shows() {
    let n = MANY / 10;
    let mut messages = vec![user()];
    for number in 0..n {
        let call = format!("c{number}");
        messages.push(caller(&format!("m{number}"), &call, "look", "{}"));
        messages.push(result(&format!("t{number}"), &call, "seen"));
    }
    let stream = format!("start\n{}\nfinish", snapshot(&messages));
    assert_eq!(judged(&[(json!({}), &stream)]), "nothing");
}

#[test]
fn deltas_of_state_and_activities() {
    let mut stream = lines(MANY / 2, |number| {
        let state =
            json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/n", "value": number}]});
        let patch = json!([{"op": "add", "path": "/n", "value": number}]);
        let activity = json!({"type": "ACTIVITY_DELTA", "messageId": "a1", "activityType": "plan", "patch": patch});
        let base = json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "a1", "activityType": "plan", "content": {}});
        match number {
            0 => format!("{base}\n{state}\n{activity}"),
            _ => format!("{state}\n{activity}"),
        }
    });
    stream.push_str("finish");
    assert_eq!(judged(&[(json!({}), &stream)]), "nothing");
}
