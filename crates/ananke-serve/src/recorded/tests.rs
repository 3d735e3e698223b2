//! Recordings as text: which one answers, and what the client gets.

use ananke_model::plan::TestId;
use ananke_model::recording::{
    EventLog, Refusal, Trouble, TroubleKind, Turn, TurnStatus, TurnTiming,
};
use ananke_model::result::{JudgedTurn, Reach, TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::RecordedAgent;
use super::exchange::exchanges;
use super::rename::Renames;
use crate::agent::Agent as _;
use crate::engine::tests::{input, show};

/// A turn with the requests that were sent and the events that came, each a millisecond after the other.
pub(super) fn turn(kind: &str, user: Option<&str>, requests: Vec<Value>, events: &[&str]) -> Turn {
    let mut log = EventLog::default();
    for (number, event) in events.iter().enumerate() {
        log.push(event.as_bytes(), 1000 * (number as u64 + 1));
    }
    Turn {
        kind: kind.to_owned(),
        user: user.map(str::to_owned),
        requests,
        reached: true,
        status: TurnStatus::Finished,
        text: String::new(),
        reasoning: String::new(),
        messages: Vec::new(),
        tool_calls: Vec::new(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: Value::Null,
        server: Value::Null,
        no_calls_because: None,
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming::default(),
        findings: Vec::new(),
        warnings: Vec::new(),
        events: log,
    }
}

pub(super) fn test(id: &str, turns: Vec<Turn>) -> TestResult {
    TestResult {
        id: TestId(id.to_owned()),
        name: id.to_owned(),
        file: id.to_owned(),
        status: TestStatus::Passed,
        reason: None,
        reason_details: Vec::new(),
        n_turns: turns.len(),
        turns: turns
            .into_iter()
            .map(|turn| JudgedTurn {
                turn,
                checks: Vec::new(),
            })
            .collect(),
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Reached,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: 0,
        target: String::new(),
        variables: std::collections::BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
        case: None,
        connector: None,
        run: None,
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        logs: Vec::new(),
    }
}

fn request(said: &[&str]) -> Value {
    let messages: Vec<Value> = said
        .iter()
        .enumerate()
        .map(|(n, text)| json!({"id": format!("old-u{n}"), "role": "user", "content": text}))
        .collect();
    json!({"threadId": "old-t", "runId": "old-r", "messages": messages})
}

/// A recorded test that says one thing after another; the agent answers with the test's name and the turn.
fn talk(id: &str, said: &[&str]) -> TestResult {
    let turns = (0..said.len()).map(|n| {
        let answer = format!(r#"{{"type":"TEXT","delta":"{id} {n}","runId":"old-r"}}"#);
        turn(
            "user",
            said.get(n).copied(),
            vec![request(&said[..=n])],
            &[&answer],
        )
    });
    test(id, turns.collect())
}

fn ask(agent: &RecordedAgent, thread: &str, said: &[&str]) -> String {
    let messages: Vec<Value> = said
        .iter()
        .map(|text| json!({"id": "new-u", "role": "user", "content": text}))
        .collect();
    let input = input(json!({"threadId": thread, "runId": "new-r", "messages": messages}));
    show(&agent.reply(&input))
}

#[test]
fn the_same_conversation_wins_then_the_same_turn_then_the_same_message() {
    let agent = RecordedAgent::new(&[
        talk("a", &["Hi", "Buy"]),
        talk("b", &["Hello", "Buy"]),
        talk("c", &["One", "Two", "Pay"]),
    ]);
    assert_snapshot!(ask(&agent, "t1", &["Hello", "Buy"]), @r#"
    (1ms later)
    data: {"type":"TEXT","delta":"b 1","runId":"new-r"}
    "#);
    assert_snapshot!(ask(&agent, "t2", &["Other", "Buy"]), @r#"
    (1ms later)
    data: {"type":"TEXT","delta":"a 1","runId":"new-r"}
    "#);
    assert_snapshot!(ask(&agent, "t3", &["Pay"]), @r#"
    (1ms later)
    data: {"type":"TEXT","delta":"c 2","runId":"new-r"}
    "#);
}

#[test]
fn what_was_never_said_is_refused_with_the_nearest() {
    let agent = RecordedAgent::new(&[talk("a", &["Hi"]), talk("b", &["Buy a mug"])]);
    assert_snapshot!(ask(&agent, "t1", &["buy two MUG"]), @r#"
    HTTP 404 after 0ns
    content-type: application/json

    {"error":"no recording answers `buy two MUG` (turn 1); the nearest recorded message is `Buy a mug` (b)","nearest":"Buy a mug"}
    "#);
    let agent = RecordedAgent::new(&[talk("a", &["ask me"]), talk("b", &["hello"])]);
    assert!(ask(&agent, "t1", &["helo"]).contains("message is `hello` (b)"));
    assert_snapshot!(ask(&RecordedAgent::new(&[]), "t1", &["Hi"]), @r#"
    HTTP 404 after 0ns
    content-type: application/json

    {"error":"no recording answers `Hi` (turn 1)","nearest":null}
    "#);
}

/// What is heard, one answer after another.
fn heard(agent: &RecordedAgent, asked: &[(&str, &[&str])]) -> Vec<String> {
    let answers = asked.iter().map(|(thread, said)| ask(agent, thread, said));
    answers
        .map(|answer| answer.split('"').nth(7).unwrap().to_owned())
        .collect()
}

#[test]
fn recordings_of_one_conversation_take_turns_and_threads_stay_with_theirs() {
    let agent = RecordedAgent::new(&[
        talk("first", &["Hi", "Buy"]),
        talk("second", &["Hi", "Buy"]),
    ]);
    let asked: [(&str, &[&str]); 5] = [
        ("t1", &["Hi"]),
        ("t2", &["Hi"]),
        ("t2", &["Hi", "Buy"]),
        ("t1", &["Hi", "Buy"]),
        ("t3", &["Hi"]),
    ];
    assert_eq!(
        heard(&agent, &asked),
        ["first 0", "second 0", "second 1", "first 1", "first 0"]
    );
}

#[test]
fn only_the_attempt_that_counted_is_played() {
    let mut retried = talk("second", &["Hi"]);
    retried.earlier.push(talk("first", &["Hi"]));
    let agent = RecordedAgent::new(&[retried]);
    let asked: [(&str, &[&str]); 2] = [("t1", &["Hi"]), ("t2", &["Hi"])];
    assert_eq!(heard(&agent, &asked), ["second 0", "second 0"]);
}

#[test]
fn the_agent_that_a_request_names_comes_first() {
    let of = |target: &str| {
        let mut result = talk(target, &["Hi"]);
        target.clone_into(&mut result.target);
        result
    };
    let mut wrapped = of("wrapped");
    wrapped.turns[0].turn.requests = vec![json!({
        "method": "agent/run", "params": {"agentId": "id-7"}, "body": request(&["Hi"]),
    })];
    let mut stateful = of("stateful");
    stateful.turns[0].turn.requests[0]["state"] = json!({"a": 1});
    let agent = RecordedAgent::new(&[of("https://x/shop/v2?key=a"), of("b"), wrapped, stateful]);
    let heard = |path: &str, agent_id: Option<&str>, state: Value| {
        let messages = json!([{"id": "u", "role": "user", "content": "Hi"}]);
        let mut input = input(json!({"messages": messages, "state": state}));
        path.clone_into(&mut input.addressee.path);
        input.addressee.agent_id = agent_id.map(str::to_owned);
        let answer = show(&agent.reply(&input));
        answer.split('"').nth(7).unwrap().to_owned()
    };
    // Each is asked twice: without a name they would take turns.
    for _ in 0..2 {
        assert_eq!(
            heard("/shop/v2/", None, Value::Null),
            "https://x/shop/v2?key=a 0"
        );
        assert_eq!(heard("/api/b", None, Value::Null), "b 0");
        assert_eq!(heard("/", Some("id-7"), Value::Null), "wrapped 0");
        assert_eq!(heard("/", Some("b"), Value::Null), "b 0");
        assert_eq!(heard("/", None, json!({"a": 1})), "stateful 0");
    }
}

#[test]
fn recordings_that_differ_are_found() {
    let says = |id: &str, target: &str, said: &[&str], answers: &[&str]| {
        let mut result = talk(id, said);
        for (judged, answer) in result.turns.iter_mut().zip(answers) {
            (*answer).clone_into(&mut judged.turn.text);
        }
        target.clone_into(&mut result.target);
        result
    };
    let agent = RecordedAgent::new(&[
        says("a", "x", &["Hi", "Buy", "Pay"], &["Hello", "mug", "ok"]),
        says("b", "x", &["Hi", "Buy", "Pay"], &["Hello", "cup", "no"]),
        says("c", "x", &["Hi", "Sell"], &["Hello", "what?"]),
        says("d", "x", &["Bye"], &["Bye"]),
        says("e", "y", &["Bye"], &["Farewell"]),
    ]);
    let shown: Vec<String> = agent
        .ambiguities()
        .iter()
        .map(|a| format!("{a:?}"))
        .collect();
    assert_snapshot!(shown.join("\n"), @r#"
    Ambiguity { message: "Bye", tests: ["d", "e"], has_several_targets: true }
    Ambiguity { message: "Buy", tests: ["a", "b"], has_several_targets: false }
    "#);
}

#[test]
fn a_thread_that_sends_only_its_last_message_is_followed() {
    let agent = RecordedAgent::new(&[
        talk("a", &["Hi", "Yes"]),
        talk("b", &["Bye", "Yes"]),
        talk("c", &["Yes"]),
    ]);
    ask(&agent, "t1", &["Bye"]);
    assert_snapshot!(ask(&agent, "t1", &["Yes"]), @r#"
    (1ms later)
    data: {"type":"TEXT","delta":"b 1","runId":"new-r"}
    "#);
}

#[test]
fn requests_of_one_turn_are_told_apart() {
    let mut second = request(&["Hi"]);
    let results = [json!({"id": "old-m", "role": "tool", "toolCallId": "c", "content": "ok"})];
    second["messages"].as_array_mut().unwrap().extend(results);
    let events = [
        r#"{"type":"RUN_STARTED"}"#,
        r#"{"type":"RUN_FINISHED"}"#,
        r#"{"type":"RUN_STARTED"}"#,
        r#"{"type":"SNAPSHOT","ids":["old-u0","old-m","c"]}"#,
    ];
    let requests = vec![request(&["Hi"]), second];
    let agent = RecordedAgent::new(&[test("a", vec![turn("user", Some("Hi"), requests, &events)])]);
    assert_snapshot!(ask(&agent, "t1", &["Hi"]), @r#"
    (1ms later)
    data: {"type":"RUN_STARTED"}
    (1ms later)
    data: {"type":"RUN_FINISHED"}
    "#);
    let answered = input(json!({"messages": [
        {"id": "new-u", "role": "user", "content": "Hi"},
        {"id": "new-m", "role": "tool", "toolCallId": "c", "content": "ok"},
    ]}));
    assert_snapshot!(show(&agent.reply(&answered)), @r#"
    (1ms later)
    data: {"type":"RUN_STARTED"}
    (1ms later)
    data: {"type":"SNAPSHOT","ids":["new-u","new-m","c"]}
    "#);
}

#[test]
fn another_decision_is_not_answered() {
    let resume = |payload: bool| {
        let mut request = request(&["Pay"]);
        request["resume"] = json!([{"interruptId": "i", "status": "resolved", "payload": payload}]);
        request
    };
    let turns = vec![
        turn("user", Some("Pay"), vec![request(&["Pay"])], &["{}"]),
        turn(
            "agui:resume",
            None,
            vec![resume(true)],
            &[r#"{"type":"PAID"}"#],
        ),
    ];
    let agent = RecordedAgent::new(&[test("a", turns)]);
    let reply = |payload| show(&agent.reply(&serde_json::from_value(resume(payload)).unwrap()));
    assert_snapshot!(reply(true), @r#"
    (1ms later)
    data: {"type":"PAID"}
    "#);
    assert_snapshot!(reply(false), @r#"
    HTTP 404 after 0ns
    content-type: application/json

    {"error":"no recording has this answer to the interrupt after `Pay`; the nearest recorded message is `Pay` (a)","nearest":"Pay"}
    "#);
}

#[test]
fn a_client_without_history_goes_on_where_its_thread_is() {
    let mut answer = request(&[]);
    answer["resume"] = json!([{"interruptId": "i", "status": "resolved"}]);
    let turns = vec![
        turn("user", Some("Pay"), vec![request(&["Pay"])], &["{}"]),
        turn("agui:resume", None, vec![answer.clone()], &["[]"]),
    ];
    let agent = RecordedAgent::new(&[test("a", turns)]);
    let resume = || show(&agent.reply(&serde_json::from_value(answer.clone()).unwrap()));
    assert!(resume().starts_with("HTTP 404"));
    ask(&agent, "old-t", &["Pay"]);
    assert_snapshot!(resume(), @"
    (1ms later)
    data: []
    ");
}

#[test]
fn a_thread_is_attached_to_by_its_recording_or_by_its_name() {
    let wrapped = json!({"method": "agent/connect", "body": request(&[])});
    let connect = turn(
        "agui:connect",
        None,
        vec![wrapped],
        &[r#"{"threadId":"old-t"}"#],
    );
    let mut turns: Vec<Turn> = talk("a", &["Hi"])
        .turns
        .into_iter()
        .map(|judged| judged.turn)
        .collect();
    turns.push(connect);
    let agent = RecordedAgent::new(&[test("a", turns)]);
    let attach = |thread: &str| {
        let input = input(json!({"threadId": thread, "messages": []}));
        agent.connect(&input).map(|reply| show(&reply))
    };
    assert_eq!(attach("unknown"), None);
    assert_snapshot!(attach("old-t").unwrap(), @r#"
    (1ms later)
    data: {"threadId":"old-t"}
    "#);
    ask(&agent, "t7", &["Hi"]);
    assert_snapshot!(attach("t7").unwrap(), @r#"
    (1ms later)
    data: {"threadId":"t7"}
    "#);
}

#[test]
fn what_broke_breaks_again() {
    let broken = |kind, message: &str, refusal, events: &[&str]| {
        let mut turn = turn("user", Some("Hi"), vec![request(&["Hi"])], events);
        turn.status = TurnStatus::Broken(Trouble {
            kind,
            message: message.to_owned(),
            refusal,
        });
        ask(&RecordedAgent::new(&[test("a", vec![turn])]), "t", &["Hi"])
    };
    assert_snapshot!(broken(TroubleKind::Truncated, "", None, &["{}"]), @"
    (1ms later)
    data: {}
    ");
    assert_snapshot!(broken(TroubleKind::Truncated, "the stream ended before RUN_FINISHED: Connection reset by peer (os error 104)", None, &["{}"]), @"
    (1ms later)
    data: {}
    (reset)
    ");
    assert_snapshot!(broken(TroubleKind::Truncated, "the stream ended before RUN_FINISHED: unexpected EOF during chunk size line", None, &["{}"]), @"
    (1ms later)
    data: {}
    (closed)
    ");
    assert_snapshot!(broken(TroubleKind::Timeout, "", None, &["{}"]), @"
    (1ms later)
    data: {}
    (silence)
    ");
    assert_snapshot!(broken(TroubleKind::Transport, "", None, &[]), @"(reset)");
    let refusal = Refusal {
        status: 429,
        retry_after_ms: Some(1500),
    };
    assert_snapshot!(broken(TroubleKind::HttpStatus, "HTTP 429 Too Many Requests: {\"a\": 1}", Some(refusal), &[]), @r#"
    HTTP 429 after 0ns
    content-type: application/json
    retry-after: 2

    {"a": 1}
    "#);
    assert_snapshot!(broken(TroubleKind::HttpStatus, "HTTP 503 Service Unavailable: busy: later", None, &[]), @"
    HTTP 503 after 0ns
    content-type: text/plain; charset=utf-8

    busy: later
    ");
    assert_snapshot!(broken(TroubleKind::ContentType, "expected an event stream", None, &[]), @"
    HTTP 200 after 0ns
    content-type: text/plain; charset=utf-8

    expected an event stream
    ");
    assert_snapshot!(broken(TroubleKind::Cancelled, "", None, &["{}"]), @r#"
    HTTP 404 after 0ns
    content-type: application/json

    {"error":"no recording answers `Hi` (turn 1)","nearest":null}
    "#);
}

#[test]
fn requests_that_are_none_are_left_out() {
    let odd = turn(
        "user",
        Some("Hi"),
        vec![json!([]), json!({"method": "info"})],
        &[],
    );
    assert!(exchanges(&[test("a", vec![odd])]).is_empty());
}

#[test]
fn only_whole_values_are_renamed() {
    let recorded = serde_json::from_value(request(&["Hi"])).unwrap();
    let asked = input(json!({"threadId": "n\"ew", "runId": "r2"}));
    let renames = Renames::new(&recorded, &asked);
    let rename = |text: &str| renames.apply(text);
    assert_snapshot!(rename(r#"{"threadId" : "old-t", "old-t" : ["old-r", "x old-r", "\"old-t"], "n": 1}"#), @r#"{"threadId" : "n\"ew", "old-t" : ["r2", "x old-r", "\"old-t"], "n": 1}"#);
    assert_snapshot!(rename(r#"{"broken": "old-t"#), @r#"{"broken": "old-t"#);
    assert_snapshot!(rename("[1, 2]"), @"[1, 2]");
}

#[test]
fn several_lines_are_one_event() {
    let agent = RecordedAgent::new(&[test(
        "a",
        vec![turn("user", Some("Hi"), vec![request(&["Hi"])], &["{\n}"])],
    )]);
    assert_snapshot!(ask(&agent, "t", &["Hi"]), @"
    (1ms later)
    data: {
    data: }
    ");
}
