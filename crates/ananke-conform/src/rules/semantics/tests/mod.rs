//! Streams in, findings out. Both are text: see [`events`] for the words of a stream.

mod extensions;
mod ids;
mod legal;
mod many;
mod odd;
mod outcomes;
mod servers;
mod single;
mod state;

use serde_json::{Value, json};

use crate::exchange::{Answer, Asked, Exchange, Observed};
use crate::rule::{Findings, Profile};
use crate::rules::semantics;

/// Judges runs of one thread; each is a request, as the messages and tools it has, and a stream.
fn judged(runs: &[(Value, &str)]) -> String {
    let exchanges: Vec<Exchange> = runs
        .iter()
        .map(|(request, stream)| Exchange {
            scenario: "test".to_owned(),
            step: "run".to_owned(),
            asked: Asked::Run,
            request: (!request.is_null()).then(|| whole(request)),
            answer: Answer {
                events: events(stream),
                ..Answer::default()
            },
        })
        .collect();
    let mut found = Findings::new(Profile::V1);
    for (number, exchange) in exchanges.iter().enumerate() {
        found.enter(number);
        semantics::look(exchange, &mut found);
    }
    semantics::look_at_threads(&exchanges, &mut found);
    let lines: Vec<String> = found
        .in_order()
        .into_iter()
        .map(|found| {
            let run = if runs.len() > 1 {
                format!("run {}, ", found.exchange + 1)
            } else {
                String::new()
            };
            let event = found
                .event
                .map_or("whole".to_owned(), |event| event.to_string());
            format!("{run}{event}: {}: {}", found.rule, found.message)
        })
        .collect();
    if lines.is_empty() {
        return "nothing".to_owned();
    }
    lines.join("\n")
}

/// Adds what a request always has.
fn whole(request: &Value) -> Value {
    let mut input =
        json!({"threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [user()]});
    for (name, value) in request.as_object().unwrap() {
        input[name.as_str()] = value.clone();
    }
    input
}

fn user() -> Value {
    json!({"id": "u1", "role": "user", "content": "hi"})
}

fn assistant(id: &str, text: &str) -> Value {
    json!({"id": id, "role": "assistant", "content": text})
}

fn caller(id: &str, call_id: &str, name: &str, arguments: &str) -> Value {
    let function = json!({"name": name, "arguments": arguments});
    let call = json!({"id": call_id, "type": "function", "function": function});
    json!({"id": id, "role": "assistant", "toolCalls": [call]})
}

fn result(id: &str, call_id: &str, content: &str) -> Value {
    json!({"id": id, "role": "tool", "toolCallId": call_id, "content": content})
}

fn snapshot(messages: &[Value]) -> String {
    json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}).to_string()
}

/// Reads a stream, one line each: `start`, `finish`, `pending <ids>`, `interrupt` (about the last call), `error`, `text <id> <words>`,
/// `call <id> <tool> <parent or -> <arguments>`, `result <id> <call> <content>`, or an event as JSON.
fn events(stream: &str) -> Vec<Observed> {
    let mut events = Vec::new();
    let mut last_call: Option<String> = None;
    for line in stream
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let mut words = line.splitn(2, ' ');
        let (verb, rest) = (words.next().unwrap(), words.next().unwrap_or_default());
        let mut part = rest.splitn(4, ' ');
        let mut word = || part.next().unwrap_or_default();
        let ids = json!({"threadId": "t", "runId": "r"});
        match verb {
            "start" => events.push(event("RUN_STARTED", ids)),
            "finish" => events.push(event("RUN_FINISHED", ids)),
            "pending" => {
                let pending: Vec<&str> = rest.split(' ').collect();
                let outcome = json!({"type": "success", "pendingToolCallIds": pending});
                events.push(event(
                    "RUN_FINISHED",
                    json!({"threadId": "t", "runId": "r", "outcome": outcome}),
                ));
            }
            "interrupt" => {
                let mut interrupt = json!({"id": "i1", "reason": "approval"});
                if let Some(id) = &last_call {
                    interrupt["toolCallId"] = id.as_str().into();
                }
                let outcome = json!({"type": "interrupt", "interrupts": [interrupt]});
                events.push(event(
                    "RUN_FINISHED",
                    json!({"threadId": "t", "runId": "r", "outcome": outcome}),
                ));
            }
            "error" => events.push(event("RUN_ERROR", json!({"message": "boom"}))),
            "text" => {
                let (id, text) = rest.split_once(' ').unwrap_or((rest, ""));
                events.push(event("TEXT_MESSAGE_START", json!({"messageId": id})));
                if !text.is_empty() {
                    events.push(event(
                        "TEXT_MESSAGE_CONTENT",
                        json!({"messageId": id, "delta": text}),
                    ));
                }
                events.push(event("TEXT_MESSAGE_END", json!({"messageId": id})));
            }
            "call" => {
                let (id, name, parent, arguments) = (word(), word(), word(), word());
                last_call = Some(id.to_owned());
                let mut start = json!({"toolCallId": id, "toolCallName": name});
                if parent != "-" {
                    start["parentMessageId"] = parent.into();
                }
                events.push(event("TOOL_CALL_START", start));
                if !arguments.is_empty() {
                    events.push(event(
                        "TOOL_CALL_ARGS",
                        json!({"toolCallId": id, "delta": arguments}),
                    ));
                }
                events.push(event("TOOL_CALL_END", json!({"toolCallId": id})));
            }
            "result" => {
                let (id, call_id) = (word(), word());
                let content = rest.splitn(3, ' ').nth(2).unwrap_or_default();
                events.push(event(
                    "TOOL_CALL_RESULT",
                    json!({"messageId": id, "toolCallId": call_id, "content": content}),
                ));
            }
            _ => events.push(line.to_owned()),
        }
    }
    events
        .into_iter()
        .map(|data| Observed::new(data, 0))
        .collect()
}

fn event(kind: &str, members: Value) -> String {
    let mut event = members;
    event["type"] = kind.into();
    event.to_string()
}
