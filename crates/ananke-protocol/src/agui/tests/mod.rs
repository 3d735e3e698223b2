//! Events in, text out. An event is written `TYPE member=value …`; a value is JSON if it parses, else a string.

mod corpus;
mod folding;
mod messages;
mod odd;
mod sequence;

use serde_json::{Map, Value, json};

use super::conversation::Conversation;
use super::fold::Fold;
use super::stream::{Framing, Stream};
use crate::sse::Decoder;

/// Turns the lines of `events` into JSON events.
fn events(events: &str) -> Vec<Value> {
    events
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(event)
        .collect()
}

fn event(line: &str) -> Value {
    let mut words = line.split(' ');
    let mut members = Map::new();
    let kind = words.next().unwrap_or_default();
    members.insert("type".to_owned(), kind.into());
    if matches!(kind, "RUN_STARTED" | "RUN_FINISHED") {
        members.insert("threadId".to_owned(), "t".into());
        members.insert("runId".to_owned(), "r".into());
    }
    for word in words {
        let (name, value) = word.split_once('=').unwrap();
        let value = value.replace('~', " ");
        members.insert(
            name.to_owned(),
            serde_json::from_str(&value).unwrap_or(Value::String(value)),
        );
    }
    Value::Object(members)
}

/// Folds events on `conversation` and renders everything that came of them.
fn fold_on(
    conversation: &mut Conversation,
    events: &[Value],
    user: Option<&str>,
    is_connect: bool,
) -> String {
    let mut stream = Stream::new(Fold::new(conversation, user, is_connect));
    let mut framing = Framing::Sse(Decoder::new(1 << 20));
    for (number, event) in events.iter().enumerate() {
        let at_us = 1000 * (number as u64 + 1);
        stream
            .push(&mut framing, format!("data: {event}\n\n").as_bytes(), at_us)
            .unwrap();
    }
    stream.finish_body(&mut framing, true);
    render(&mut stream)
}

fn render(stream: &mut Stream<'_>) -> String {
    let mut lines = vec![match stream.end() {
        Some(end) => format!("{end:?}"),
        None => "no end".to_owned(),
    }];
    let mut line = |name: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("{name}: {value}"));
        }
    };
    line("text", stream.fold.text());
    line("reasoning", stream.fold.reasoning.clone());
    for call in &stream.fold.calls {
        let result = call
            .result
            .as_deref()
            .map_or_else(String::new, |result| format!(" -> {result}"));
        let error = call
            .error
            .as_deref()
            .map_or_else(String::new, |error| format!(" !{error}"));
        let mut marks = String::new();
        for (mark, is_set) in [
            (" snapshot", call.from_snapshot),
            (" restreamed", call.restreamed),
        ] {
            marks.push_str(if is_set { mark } else { "" });
        }
        let times = format!("{}..{}", call.started_us / 1000, call.ended_us() / 1000);
        line(
            "call",
            format!(
                "{}({}){result}{error}{marks} @{times}",
                call.name, call.args_text
            ),
        );
    }
    for late in &stream.fold.late_results {
        line("late", format!("{} -> {}", late.id, late.result));
    }
    let state = &stream.fold.conversation.state;
    line(
        "state",
        if state.is_null() {
            String::new()
        } else {
            state.to_string()
        },
    );
    for message in stream.fold.conversation.messages() {
        line("message", message.to_string());
    }
    for interrupt in &stream.fold.conversation.interrupts {
        line("interrupt", interrupt.to_string());
    }
    for usage in &stream.fold.usage {
        line("usage", usage.to_string());
    }
    for finding in &stream.findings {
        line(
            "finding",
            format!("{} at {}: {}", finding.rule, finding.event, finding.message),
        );
    }
    for warning in stream.warnings.iter().chain(&stream.fold.warnings) {
        line("warning", warning.clone());
    }
    line("bad", stream.bad_event.clone().unwrap_or_default());
    lines.join("\n")
}

/// Folds the lines of `text` on an empty conversation.
fn fold(text: &str) -> String {
    fold_on(
        &mut Conversation::new(Value::Null),
        &events(text),
        None,
        false,
    )
}

/// Returns the findings of a run with these events between its start and its end.
fn findings(text: &str) -> String {
    let all = [events("RUN_STARTED"), events(text), events("RUN_FINISHED")].concat();
    let rendered = fold_on(&mut Conversation::new(json!({})), &all, None, false);
    let found: Vec<&str> = rendered
        .lines()
        .filter_map(|line| line.strip_prefix("finding: "))
        .collect();
    found.join("\n")
}
