//! Turns: conversations, tools, and answers that are not streamed.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::peer::{Act, Peer, Setup, render, respond, streamed};
use super::tool;
use crate::agui::Action;

const HELLO: &str = r#"
    {"role":"assistant","content":"Hello"}
    finish stop
    raw {"choices":[],"usage":{"total_tokens":5}}
    [DONE]
"#;

const CALL: &str = r#"
    {"reasoning":"Look.","content":"One moment.","tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":"{}"}}]}
    finish tool_calls
    [DONE]
"#;

fn sent(request: &Value) -> String {
    let messages = request["messages"].as_array().into_iter().flatten();
    messages
        .map(Value::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_turn_is_recorded_and_the_next_one_goes_on() {
    let peer = Peer::start(vec![Act::Say(streamed(HELLO))]);
    let turns = Setup::new(&peer).run(vec![
        Action::User("Hi".to_owned()),
        Action::Messages(vec![
            json!({"role": "system", "content": "Be brief."}),
            json!({"role": "user", "content": "And you?"}),
        ]),
    ]);
    assert_snapshot!(turns[0].requests[0], @r#"{"model":"m-1","messages":[{"role":"user","content":"Hi"}],"stream":true,"stream_options":{"include_usage":true}}"#);
    assert_snapshot!(render(&turns[0]), @r#"
    finished
    kind: user
    text: Hello
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hello"}
    usage: {"total_tokens":5}
    events: 3
    reached: true
    "#);
    assert_snapshot!(sent(&turns[1].requests[0]), @r#"
    {"role":"user","content":"Hi"}
    {"role":"assistant","content":"Hello"}
    {"role":"system","content":"Be brief."}
    {"role":"user","content":"And you?"}
    "#);
    assert_eq!(turns[1].kind, "messages");
    assert_eq!(turns[1].user.as_deref(), Some("And you?"));
}

#[test]
fn moments_come_in_order() {
    let peer = Peer::start(vec![Act::Say(streamed(CALL)), Act::Say(streamed(HELLO))]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!("found")))];
    let turn = setup.run(vec![Action::User("Hi".to_owned())]).remove(0);
    let (timing, call) = (&turn.timing, &turn.tool_calls[0]);
    let moments = [
        timing.connect_us,
        timing.first_event_us,
        timing.first_text_us,
        timing.first_tool_us,
        Some(call.started_us),
        call.args_done_us,
        call.completed_us,
        Some(timing.total_us),
    ];
    let moments: Vec<u64> = moments.into_iter().map(Option::unwrap).collect();
    assert!(moments.is_sorted(), "{moments:?}");
    assert_eq!(timing.total_us, turn.events.iter().last().unwrap().1);
}

#[test]
fn tools_with_a_result_are_answered() {
    let peer = Peer::start(vec![Act::Say(streamed(CALL)), Act::Say(streamed(HELLO))]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!({"n": 1})))];
    let turn = setup.run(vec![Action::User("Hi".to_owned())]).remove(0);
    assert_snapshot!(render(&turn), @r#"
    finished
    kind: user
    text: One moment.
    Hello
    reasoning: Look.
    call: c1 find({}) -> {"n":1}
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2-reasoning","role":"reasoning","content":"Look."}
    message: {"id":"m2","role":"assistant","content":"One moment.","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    message: {"id":"m3","role":"tool","toolCallId":"c1","content":"{\"n\":1}"}
    message: {"id":"m4","role":"assistant","content":"Hello"}
    usage: {"total_tokens":5}
    events: 5
    reached: true
    "#);
    assert_snapshot!(sent(&turn.requests[1]), @r#"
    {"role":"user","content":"Hi"}
    {"role":"assistant","content":"One moment.","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    {"role":"tool","content":"{\"n\":1}","tool_call_id":"c1"}
    "#);
}

#[test]
fn the_same_call_id_in_every_answer_is_no_trouble() {
    let peer = Peer::start(vec![
        Act::Say(streamed(CALL)),
        Act::Say(streamed(CALL)),
        Act::Say(streamed(HELLO)),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!("found")))];
    let turn = setup.run(vec![Action::User("Hi".to_owned())]).remove(0);
    assert_snapshot!(sent(&turn.requests[2]), @r#"
    {"role":"user","content":"Hi"}
    {"role":"assistant","content":"One moment.","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    {"role":"tool","content":"found","tool_call_id":"c1"}
    {"role":"assistant","content":"One moment.","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    {"role":"tool","content":"found","tool_call_id":"c1"}
    "#);
}

#[test]
fn calls_that_cannot_all_be_answered_end_the_turn() {
    let both = r#"
        {"tool_calls":[{"index":0,"id":"c1","function":{"name":"find","arguments":"{}"}}]}
        {"tool_calls":[{"index":1,"id":"c2","function":{"name":"buy","arguments":"{"}}]}
        finish tool_calls
        [DONE]
    "#;
    let peer = Peer::start(vec![Act::Say(streamed(both))]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!("found"))), tool("buy", None)];
    assert_snapshot!(setup.say_hi(), @r#"
    finished
    kind: user
    call: c1 find({})
    call: c2 buy({) !EOF while parsing an object at line 1 column 1
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"buy","arguments":"{"}}]}
    warning: no call was answered, because `buy` has no `result`: an endpoint takes all results or none
    events: 3
    reached: true
    "#);
    // A call that is cut is not answered either.
    let peer = Peer::start(vec![Act::Say(streamed(
        &CALL.replace("finish tool_calls", "finish length"),
    ))]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!("found")))];
    assert_snapshot!(setup.say_hi(), @r#"
    Truncated: truncated: the answer is cut at the token limit (finish_reason `length`); a larger `max_tokens` may help
    kind: user
    text: One moment.
    reasoning: Look.
    call: c1 find({})
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2-reasoning","role":"reasoning","content":"Look."}
    message: {"id":"m2","role":"assistant","content":"One moment.","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    events: 2
    reached: true
    "#);
    assert_eq!(peer.n_requests(), 1);
}

#[test]
fn a_model_that_only_calls_tools_is_stopped() {
    let peer = Peer::start(vec![Act::Say(streamed(CALL))]);
    let mut setup = Setup::new(&peer);
    setup.options.tools = vec![tool("find", Some(json!("found")))];
    let turn = setup.run(vec![Action::User("Hi".to_owned())]).remove(0);
    assert_eq!(turn.requests.len(), 16);
    assert_snapshot!(render(&turn).lines().next().unwrap(), @"Limit: tools were called in 16 answers one after another");
}

#[test]
fn an_answer_may_come_as_a_whole() {
    let whole = r#"{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"total_tokens":5}}"#;
    let peer = Peer::start(vec![Act::Say(respond("200 OK", "application/json", whole))]);
    let mut setup = Setup::new(&peer);
    assert_snapshot!(setup.say_hi(), @r#"
    finished
    kind: user
    text: Hello
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hello"}
    usage: {"total_tokens":5}
    events: 1
    reached: true
    "#);
    setup.options.stream = false;
    let turn = setup.run(vec![Action::User("Hi".to_owned())]).remove(0);
    assert_snapshot!(turn.requests[0], @r#"{"model":"m-1","messages":[{"role":"user","content":"Hi"}],"stream":false}"#);
}

#[test]
fn there_is_nothing_to_connect_to() {
    let peer = Peer::start(vec![Act::Say(streamed(HELLO))]);
    let turns = Setup::new(&peer).run(vec![Action::Connect { allow_empty: true }]);
    assert_snapshot!(render(&turns[0]), @"
    BadEvent: `agui:connect` needs an `agui` target: a chat endpoint takes messages only
    kind: agui:connect
    events: 0
    reached: false
    ");
    assert_eq!(peer.n_requests(), 0);
}
