//! Turns as they should be, in both versions and over both bindings.

use insta::assert_snapshot;
use serde_json::json;

use super::peer::{Act, Peer, Setup, error, json, render, respond, result, streamed, user};
use crate::a2a::options::Streaming;
use crate::a2a::saying::SendMessage;
use crate::a2a::wire::{Binding, Version};
use crate::agui::Action;

const DONE: &str = r#"
    {"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_SUBMITTED"}}}
    {"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"Hello"}]}}}
    {"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}
"#;

const QUESTION: &str = r#"
    {"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}
    {"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"q","role":"ROLE_AGENT","parts":[{"text":"Which?"}]}}}}
"#;

#[test]
fn a_stream_is_a_turn() {
    let peer = Peer::start(vec![Act::Say(streamed(DONE))]);
    let setup = Setup::new(&peer);
    assert_snapshot!(setup.say(&peer, &["Hi", "Again"]), @r#"
    finished
    text: Hello
    states: submitted completed
    ids: t1 c1
    artifact: a {"text":"Hello"}
    events: 3
    reached: true
    finished
    text: Hello
    states: submitted completed
    ids: t1 c1
    artifact: a {"text":"Hello"}
    events: 3
    reached: true
    "#);
    assert_snapshot!(peer.asked(), @r#"
    POST /a2a
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}}
    POST /a2a
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":2,"method":"SendStreamingMessage","params":{"message":{"messageId":"m3","role":"ROLE_USER","parts":[{"text":"Again"}],"contextId":"c1"}}}
    "#);
}

#[test]
fn a_question_is_answered_by_the_next_turn() {
    // A stream that goes on with a task need not begin with it.
    let more = DONE.lines().skip(2).collect::<Vec<_>>().join("\n");
    let peer = Peer::start(vec![
        Act::Say(streamed(QUESTION)),
        Act::Say(streamed(&more)),
        Act::Say(streamed(DONE)),
    ]);
    let setup = Setup::new(&peer);
    assert_snapshot!(setup.say(&peer, &["Hi", "The red one", "Next"]), @r#"
    finished
    text: Which?
    interrupt: {"id":"t1","reason":"input_required","message":"Which?"}
    states: working input-required
    ids: t1 c1
    events: 2
    reached: true
    finished
    text: Hello
    states: completed
    ids: t1 c1
    artifact: a {"text":"Hello"}
    events: 2
    reached: true
    finished
    text: Hello
    states: submitted completed
    ids: t1 c1
    artifact: a {"text":"Hello"}
    events: 3
    reached: true
    "#);
    assert_snapshot!(peer.asked(), @r#"
    POST /a2a
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}}
    POST /a2a
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":2,"method":"SendStreamingMessage","params":{"message":{"messageId":"m3","role":"ROLE_USER","parts":[{"text":"The red one"}],"contextId":"c1","taskId":"t1"}}}
    POST /a2a
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":3,"method":"SendStreamingMessage","params":{"message":{"messageId":"m5","role":"ROLE_USER","parts":[{"text":"Next"}],"contextId":"c1"}}}
    "#);
}

#[test]
fn what_an_earlier_turn_of_the_task_told_is_not_told_again() {
    let call = |id: &str| {
        format!(
            r#"{{"messageId":"h{id}","role":"ROLE_AGENT","parts":[{{"data":{{"id":"{id}","name":"find","args":{{}}}},"metadata":{{"adk_type":"function_call"}}}}]}}"#
        )
    };
    let made = |id: &str| format!(r#"{{"artifactId":"{id}","parts":[{{"text":"made {id}"}}]}}"#);
    let task = |state: &str, history: String, artifacts: String| {
        result(&format!(
            r#"{{"task":{{"id":"t1","contextId":"c1","status":{{"state":"TASK_STATE_{state}"}},"history":[{history}],"artifacts":[{artifacts}]}}}}"#
        ))
    };
    let both = format!("{},{}", call("c1"), call("c2"));
    let second = task("COMPLETED", both, format!("{},{}", made("a"), made("b")));
    let peer = Peer::start(vec![
        Act::Say(task("INPUT_REQUIRED", call("c1"), made("a"))),
        Act::Say(second.clone()),
        // Another task may use the ids again.
        Act::Say(second),
    ]);
    let setup = Setup::new(&peer);
    assert_snapshot!(setup.say(&peer, &["Hi", "More", "Next"]), @r#"
    finished
    text: made a
    call: c1 find({})
    interrupt: {"id":"t1","reason":"input_required","message":"made a"}
    states: input-required
    ids: t1 c1
    artifact: a {"text":"made a"}
    events: 1
    reached: true
    finished
    text: made b
    call: c2 find({})
    states: completed
    ids: t1 c1
    artifact: a {"text":"made a"}
    artifact: b {"text":"made b"}
    events: 1
    reached: true
    finished
    text: made a
    made b
    call: c1 find({})
    call: c2 find({})
    states: completed
    ids: t1 c1
    artifact: a {"text":"made a"}
    artifact: b {"text":"made b"}
    events: 1
    reached: true
    "#);
}

#[test]
fn calls_may_end_in_a_later_turn_and_may_be_told_again() {
    let status = |state: &str, message: &str, parts: &str| {
        format!(
            r#"{{"statusUpdate":{{"taskId":"t1","contextId":"c1","status":{{"state":"TASK_STATE_{state}","message":{{"messageId":"{message}","role":"ROLE_AGENT","parts":[{parts}]}}}}}}}}"#
        )
    };
    let call = r#"{"data":{"type":"tool-call","id":"c1","name":"pay","arguments":{"n":1}}}"#;
    let end = r#"{"data":{"type":"tool-result","toolCallId":"c1","payload":"paid"}}"#;
    let first = status("INPUT_REQUIRED", "a", call);
    let second = status("INPUT_REQUIRED", "b", end);
    let third = status("COMPLETED", "c", call);
    let acts = [first, second, third].map(|event| Act::Say(streamed(&event)));
    let peer = Peer::start(acts.to_vec());
    let turns = Setup::new(&peer).run(["Hi", "Yes", "And?"].map(user).to_vec());
    let shown: Vec<String> = turns.iter().map(render).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    finished
    call: c1 pay({"n":1})
    interrupt: {"id":"t1","reason":"input_required","message":""}
    states: input-required
    ids: t1 c1
    events: 1
    reached: true
    finished
    late: c1 -> paid
    interrupt: {"id":"t1","reason":"input_required","message":""}
    states: input-required
    ids: t1 c1
    events: 1
    reached: true
    finished
    call: c1 pay({"n":1})
    states: completed
    ids: t1 c1
    events: 1
    reached: true
    "#);
    // It is kept as one that an earlier turn had.
    assert!(turns[2].tool_calls[0].restreamed && !turns[0].tool_calls[0].restreamed);
}

#[test]
fn another_task_may_begin_while_one_waits() {
    let peer = Peer::start(vec![Act::Say(streamed(QUESTION)), Act::Say(streamed(DONE))]);
    let setup = Setup::new(&peer);
    let send = SendMessage {
        parts: vec![
            json!({"text": "Look"}),
            json!({"data": {"n": 1}}),
            json!({"raw": "aGk=", "mediaType": "text/plain", "filename": "x"}),
        ],
        metadata: Some(json!({"k": 1})),
        new_task: true,
        ..SendMessage::default()
    };
    let turns = setup.run(vec![user("Hi"), Action::Send(Box::new(send))]);
    assert_eq!(turns[1].kind, "a2a:send");
    assert_eq!(turns[1].user.as_deref(), Some("Look"));
    assert_snapshot!(turns[1].requests[0], @r#"{"jsonrpc":"2.0","id":2,"method":"SendStreamingMessage","params":{"message":{"messageId":"m3","role":"ROLE_USER","parts":[{"text":"Look"},{"data":{"n":1}},{"raw":"aGk=","mediaType":"text/plain","filename":"x"}],"contextId":"c1","metadata":{"k":1}}}}"#);
}

#[test]
fn a_task_is_asked_for_until_it_is_done() {
    let task = |state: &str| {
        format!(
            r#"{{"kind":"task","id":"t1","contextId":"c1","status":{{"state":"{state}"}},"artifacts":[{{"artifactId":"a","parts":[{{"kind":"text","text":"{state}"}}]}}]}}"#
        )
    };
    let peer = Peer::start(vec![
        Act::Say(result(&task("submitted"))),
        Act::Say(result(&task("working"))),
        Act::Say(result(&task("working"))),
        Act::Say(result(&task("completed"))),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.version = Some(Version::V03);
    setup.options.stream = Streaming::Never;
    setup.options.blocking = false;
    setup.options.history_length = Some(3);
    assert_snapshot!(setup.say(&peer, &["Hi"]), @r#"
    finished
    text: completed
    states: submitted working completed
    ids: t1 c1
    artifact: a {"text":"completed"}
    events: 3
    reached: true
    "#);
    assert_snapshot!(peer.asked(), @r#"
    POST /a2a
    a2a-version: 0.3
    x-team: blue
    {"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m1","role":"user","parts":[{"kind":"text","text":"Hi"}]},"configuration":{"historyLength":3,"blocking":false}}}
    POST /a2a
    a2a-version: 0.3
    x-team: blue
    {"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"id":"t1","historyLength":3}}
    POST /a2a
    a2a-version: 0.3
    x-team: blue
    {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"id":"t1","historyLength":3}}
    POST /a2a
    a2a-version: 0.3
    x-team: blue
    {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"id":"t1","historyLength":3}}
    "#);
}

#[test]
fn an_answer_at_once_may_be_older_than_the_message() {
    let task = |state: &str, time: &str| {
        result(&format!(
            r#"{{"kind":"task","id":"t1","contextId":"c1","status":{{"state":"{state}","timestamp":"{time}"}}}}"#
        ))
    };
    let peer = Peer::start(vec![
        Act::Say(task("input-required", "12:00")),
        // The same question still, and then another one.
        Act::Say(task("input-required", "12:00")),
        Act::Say(task("input-required", "12:01")),
        Act::Say(task("input-required", "12:01")),
        Act::Say(task("completed", "12:02")),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.version = Some(Version::V03);
    setup.options.stream = Streaming::Never;
    setup.options.blocking = false;
    assert_snapshot!(setup.say(&peer, &["Hi", "One", "Two"]), @r#"
    finished
    interrupt: {"id":"t1","reason":"input_required","message":""}
    states: input-required
    ids: t1 c1
    events: 1
    reached: true
    finished
    interrupt: {"id":"t1","reason":"input_required","message":""}
    states: input-required
    ids: t1 c1
    events: 2
    reached: true
    finished
    states: input-required completed
    ids: t1 c1
    events: 2
    reached: true
    "#);
}

#[test]
fn http_and_json_need_no_envelope() {
    let events = "data: {\"task\":{\"id\":\"t/1\",\"contextId\":\"c1\",\"status\":{\"state\":\"TASK_STATE_WORKING\"}}}\n\ndata: {\"statusUpdate\":{\"taskId\":\"t/1\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}\n\n";
    let peer = Peer::start(vec![
        Act::Say(respond("200 OK", "text/event-stream", events)),
        Act::Say(json(
            r#"{"task":{"id":"t/2","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}"#,
        )),
        Act::Say(json(
            r#"{"id":"t/2","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}"#,
        )),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.binding = Some(Binding::HttpJson);
    setup.options.tenant = Some("blue".to_owned());
    setup.options.extensions = vec!["http://ext/1".to_owned(), "http://ext/2".to_owned()];
    assert_snapshot!(setup.say(&peer, &["Hi"]), @"
    finished
    states: working completed
    ids: t/1 c1
    events: 2
    reached: true
    ");
    let mut whole = Setup::new(&peer);
    whole.options.binding = Some(Binding::HttpJson);
    whole.options.stream = Streaming::Never;
    assert_snapshot!(whole.say(&peer, &["Hi"]), @"
    finished
    states: working completed
    ids: t/2 c1
    warning: the agent answered before its task was done, although it was asked to wait: the task is asked for again
    events: 2
    reached: true
    ");
    assert_snapshot!(peer.asked(), @r#"
    POST /a2a/blue/message:stream
    a2a-version: 1.0
    a2a-extensions: http://ext/1, http://ext/2
    x-team: blue
    {"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}
    POST /a2a/message:send
    a2a-version: 1.0
    x-team: blue
    {"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Hi"}]}}
    GET /a2a/tasks/t%2F2
    a2a-version: 1.0
    x-team: blue
    "#);
}

#[test]
fn an_agent_that_refuses_a_version_is_spoken_to_in_the_other() {
    let old = r#"{"kind":"message","messageId":"m","contextId":"c1","role":"agent","parts":[{"kind":"text","text":"Hello"}]}"#;
    let peer = Peer::start(vec![
        Act::Say(error(-32601, "Method not found")),
        Act::Say(error(-32004, "This agent does not stream")),
        Act::Say(result(old)),
    ]);
    let setup = Setup::new(&peer);
    // What was learned in the first turn holds in the second.
    assert_snapshot!(setup.say(&peer, &["Hi", "Again"]), @"
    finished
    text: Hello
    ids: c1
    warning: the agent does not take version 1.0 (Method not found): spoken to in version 0.3
    warning: the agent does not stream (This agent does not stream): asked for the answer as a whole
    events: 3
    reached: true
    finished
    text: Hello
    ids: c1
    events: 1
    reached: true
    ");
    assert_eq!(peer.n_requests(), 4);
    let asked = peer.asked();
    assert!(asked.contains("a2a-version: 0.3") && asked.contains(r#""method":"message/send""#));
}

#[test]
fn what_belongs_to_another_protocol_is_refused() {
    let peer = Peer::start(vec![Act::Say(streamed(DONE))]);
    let history = vec![
        json!({"role": "user", "content": "a"}),
        json!({"role": "assistant", "content": "b"}),
    ];
    let sayings = [
        Action::Connect { allow_empty: true },
        Action::Messages(history),
        Action::Messages(vec![
            json!({"role": "user", "content": [{"type": "text", "text": "a"}]}),
        ]),
    ];
    let turns = Setup::new(&peer).run(sayings.to_vec());
    let shown: Vec<String> = turns.iter().map(render).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    BadEvent: `agui:connect` needs an `agui` target: an A2A agent has no run to connect to
    events: 0
    reached: false
    BadEvent: a message of the role `assistant` cannot be sent: an A2A agent keeps the conversation itself and takes messages of the user alone
    events: 0
    reached: false
    finished
    text: Hello
    states: submitted completed
    ids: t1 c1
    artifact: a {"text":"Hello"}
    events: 3
    reached: true
    "#);
    assert_eq!(peer.n_requests(), 1);
}
