//! The messages of a case: what is sent of them, and what of the answer is new.

use ananke_model::plan::{Envelope, Era, History};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::super::observe;
use super::super::request::{AguiOptions, Method, build};
use super::super::spoken::{last_user_text, say};
use super::{Conversation, events, fold_on};
use crate::action::Action;

/// A question that a tool has already answered.
fn messages() -> Vec<Value> {
    let messages = json!([
        {"role": "system", "content": "Be brief."},
        {"id": "own", "role": "user", "content": "Where is my order?"},
        {"role": "assistant", "content": "Let me look.", "toolCalls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{\"n\":1}"}},
        ]},
        {"role": "tool", "toolCallId": "c1", "content": "shipped"},
    ]);
    messages.as_array().cloned().unwrap()
}

/// Puts messages into an empty conversation; ids are counted.
fn said(messages: Vec<Value>) -> (Conversation, Vec<String>, Option<String>) {
    let mut conversation = Conversation::new(Value::Null);
    let mut n_ids = 0;
    let mut new_id = || {
        n_ids += 1;
        format!("m{n_ids}")
    };
    let (news, user) = say(&Action::Messages(messages), &mut conversation, &mut new_id);
    (conversation, news.message_ids, user)
}

fn sent(history: History) -> String {
    let mut conversation = Conversation::new(Value::Null);
    let mut n_ids = 0;
    let mut new_id = || {
        n_ids += 1;
        format!("m{n_ids}")
    };
    let action = Action::Messages(messages());
    let (news, _) = say(&action, &mut conversation, &mut new_id);
    let options = AguiOptions {
        endpoint: "http://localhost".to_owned(),
        agent_id: None,
        envelope: Envelope::Plain,
        history,
        era: Era::V1,
        thread_id: "t".to_owned(),
        forwarded_props: json!({}),
        context: Vec::new(),
        tools: Vec::new(),
    };
    let (_, body) = build(&options, Method::Run, &conversation, &news, "r");
    let sent = body["messages"].as_array().into_iter().flatten();
    sent.map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_messages_are_sent_with_ids_of_their_own() {
    assert_snapshot!(sent(History::Full), @r#"
    {"id":"m1","role":"system","content":"Be brief."}
    {"id":"m2","role":"user","content":"Where is my order?"}
    {"id":"m3","role":"assistant","content":"Let me look.","toolCalls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{\"n\":1}"}}]}
    {"id":"m4","role":"tool","toolCallId":"c1","content":"shipped"}
    "#);
    assert_eq!(
        sent(History::Last),
        sent(History::Full),
        "all of them are new"
    );
}

#[test]
fn the_last_words_of_the_user_are_shown() {
    let (_, ids, user) = said(messages());
    assert_eq!(ids, ["m1", "m2", "m3", "m4"]);
    assert_eq!(user.as_deref(), Some("Where is my order?"));
    let parts = json!([{"role": "user", "content": [
        {"type": "text", "text": "What is"}, {"type": "image", "source": {}}, {"type": "text", "text": "this?"},
    ]}]);
    let parts = parts.as_array().unwrap();
    assert_eq!(last_user_text(parts).as_deref(), Some("What is\nthis?"));
    let silent = [
        json!({"role": "user", "content": [{"type": "image", "source": {}}]}),
        json!({"role": "system", "content": "x"}),
        json!(7),
    ];
    for message in silent {
        assert_eq!(last_user_text(&[message]), None);
    }
}

/// Folds a snapshot on a conversation that a case began; its calls and its text.
fn answered(snapshot: &Value) -> String {
    let (mut conversation, ids, _) = said(messages());
    let mut run = events("RUN_STARTED");
    run.push(json!({"type": "MESSAGES_SNAPSHOT", "messages": snapshot}));
    run.extend(events("RUN_FINISHED"));
    let last = ids.last().map(String::as_str);
    let folded = fold_on(&mut conversation, &run, last, false);
    let told = folded
        .lines()
        .filter(|line| line.starts_with("call: ") || line.starts_with("text: "));
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn calls_and_texts_that_the_request_held_are_no_answer() {
    let (conversation, _, _) = said(messages());
    let held: Vec<Value> = conversation
        .messages()
        .iter()
        .map(|message| message.as_ref().clone())
        .collect();
    assert_eq!(answered(&json!(held)), "");
    let new = [
        json!({"id": "a1", "role": "assistant", "content": "It is on its way.", "toolCalls": [
            {"id": "c2", "type": "function", "function": {"name": "track", "arguments": "{}"}},
        ]}),
        json!({"id": "a2", "role": "tool", "toolCallId": "c2", "content": "Berlin"}),
    ];
    let with_answer: Vec<Value> = held.into_iter().chain(new).collect();
    assert_snapshot!(answered(&json!(with_answer)), @"
    text: It is on its way.
    call: track({}) -> Berlin snapshot @2..2
    ");
    // A server that gives ids of its own: calls are known by theirs, texts by where they stand.
    let renamed: Vec<Value> = (1..)
        .zip(with_answer)
        .map(|(number, mut message)| {
            message["id"] = format!("s{number}").into();
            message
        })
        .collect();
    assert_snapshot!(answered(&json!(renamed)), @"
    text: It is on its way.
    call: track({}) -> Berlin snapshot @2..2
    ");
}

#[test]
fn a_result_of_an_old_call_that_comes_now_is_late() {
    let mut unanswered = messages();
    unanswered.pop();
    let (mut conversation, ids, _) = said(unanswered);
    let run = events(
        "RUN_STARTED\nTOOL_CALL_RESULT messageId=x toolCallId=c1 content=found\nRUN_FINISHED",
    );
    let folded = fold_on(
        &mut conversation,
        &run,
        ids.last().map(String::as_str),
        false,
    );
    let late: Vec<&str> = folded
        .lines()
        .filter(|line| !line.starts_with("message"))
        .collect();
    assert_eq!(late, ["Finished", "late: c1 -> found"]);
}

#[test]
fn many_calls_and_results_take_no_longer_each() {
    // Quadratic work on so many would take minutes.
    const N: usize = 20_000;
    let event = |kind: &str, call: usize, more: &str| {
        format!(r#"{{"type":"{kind}","toolCallId":"c{call}"{more}}}"#)
    };
    let mut payloads = vec![r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned()];
    for call in 0..N {
        let start = r#","toolCallName":"search","parentMessageId":"m""#;
        payloads.push(event("TOOL_CALL_START", call, start));
        payloads.push(event("TOOL_CALL_ARGS", call, r#","delta":"{}""#));
        payloads.push(event("TOOL_CALL_END", call, ""));
    }
    for call in 0..2 * N {
        let result = format!(r#","messageId":"r{call}","content":"found""#);
        payloads.push(event("TOOL_CALL_RESULT", call, &result));
    }
    let mut conversation = Conversation::new(Value::Null);
    observe(&mut conversation, payloads.iter().map(String::as_str));
    let messages = conversation.messages();
    assert_eq!(messages.len(), 1 + 2 * N);
    assert_eq!(messages[0]["toolCalls"].as_array().map(Vec::len), Some(N));
    assert_eq!(
        messages[0]["toolCalls"][N - 1]["function"]["arguments"],
        "{}"
    );
    assert_eq!(messages[N]["toolCallId"], format!("c{}", N - 1));
}
