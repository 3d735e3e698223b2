//! Events in, text out. An event is written `TYPE member=value …`; a value is JSON if it parses, else a string.

mod corpus;
mod evidence;
mod grammar;
mod legal;
mod mutations;
mod words;

use serde_json::{Map, Value, json};

use crate::exchange::{Answer, Asked, Ending, Exchange, Observed};
use crate::rule::{Findings, Profile};

fn event(line: &str) -> Value {
    let mut words = line.split(' ');
    let mut members = Map::new();
    let kind = words.next().unwrap();
    members.insert("type".to_owned(), kind.into());
    if matches!(kind, "RUN_STARTED" | "RUN_FINISHED") {
        members.insert("threadId".to_owned(), "t".into());
        members.insert("runId".to_owned(), "r".into());
    }
    if kind == "RUN_STARTED" {
        members.insert("protocolVersion".to_owned(), "1.0".into());
    }
    for word in words {
        let (name, value) = word.split_once('=').unwrap();
        match serde_json::from_str(value) {
            // A member is taken away like this: `protocolVersion=-`.
            Err(_) if value == "-" => members.remove(name),
            Ok(value) => members.insert(name.to_owned(), value),
            Err(_) => members.insert(name.to_owned(), value.into()),
        };
    }
    Value::Object(members)
}

/// Returns the answer to a request of run `r` on thread `t`.
fn exchange(events: &[Value]) -> Exchange {
    let events = events
        .iter()
        .map(|event| Observed::new(event.to_string(), 0));
    Exchange {
        scenario: "hello".to_owned(),
        step: "run".to_owned(),
        asked: Asked::Run,
        request: Some(json!({
            "threadId": "t", "runId": "r", "protocolVersion": "1.0", "messages": [],
        })),
        answer: Answer {
            status: Some(200),
            events: events.collect(),
            ending: Ending::Closed,
            ..Answer::default()
        },
    }
}

fn read(text: &str) -> Exchange {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    exchange(&lines.map(event).collect::<Vec<_>>())
}

fn look(exchange: &Exchange, profile: Profile) -> Findings {
    let mut found = Findings::new(profile);
    super::look(exchange, &mut found);
    found
}

/// Renders what is found, one line each, without the layer.
fn broken(exchange: &Exchange, profile: Profile) -> String {
    let found = look(exchange, profile);
    let lines = found.in_order().into_iter().map(|found| {
        let place = found
            .event
            .map_or_else(|| "end".to_owned(), |event| event.to_string());
        let rule = found.rule.trim_start_matches("sequence.");
        format!("{place} {rule}: {}", found.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}
