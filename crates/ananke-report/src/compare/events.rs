//! The first event that differs. How a text was cut into deltas is no difference, nor are ids and times.

use std::collections::BTreeSet;

use ananke_model::recording::EventLog;
use serde_json::{Map, Value};

use super::comparison::EventChange;
use super::renamer::Renamer;
use super::side::SideTest;
use super::values::shorten;

/// Payloads longer than this are cut around the difference.
const LONGEST: usize = 300;

/// Members that say when and through what an event came, not what it says.
const CIRCUMSTANCES: &[&str] = &["timestamp", "rawEvent"];

/// Members whose values are ids of the protocol.
const IDS: &[&str] = &[
    "threadId",
    "runId",
    "parentRunId",
    "messageId",
    "parentMessageId",
    "toolCallId",
    "interruptId",
    "activityId",
];

/// Tells whether the events of every turn that was run are known.
pub(super) fn are_known(test: &SideTest) -> bool {
    test.turns.iter().all(|turn| turn.events.is_some())
}

/// Returns the first event that differs between two tests whose events are known.
pub(super) fn first_change(a: &SideTest, b: &SideTest) -> Option<EventChange> {
    if !are_known(a) || !are_known(b) {
        return None;
    }
    let (known_a, known_b) = (protocol_ids(a), protocol_ids(b));
    let (mut renamer_a, mut renamer_b) = (Renamer::new(&known_a), Renamer::new(&known_b));
    let nothing = EventLog::default();
    for index in 0..a.turns.len().max(b.turns.len()) {
        let mut events_a = Events::new(log(a, index).unwrap_or(&nothing));
        let mut events_b = Events::new(log(b, index).unwrap_or(&nothing));
        loop {
            let next_a = events_a
                .next()
                .map(|(at, event)| (at, renamer_a.value(&event)));
            let next_b = events_b
                .next()
                .map(|(at, event)| (at, renamer_b.value(&event)));
            match (next_a, next_b) {
                (None, None) => break,
                (Some((_, left)), Some((_, right))) if left == right => {}
                (left, right) => return Some(event_change(index + 1, left, right)),
            }
        }
    }
    None
}

fn log(test: &SideTest, index: usize) -> Option<&EventLog> {
    test.turns.get(index)?.events.as_ref()
}

fn event_change(turn: usize, a: Option<(usize, Value)>, b: Option<(usize, Value)>) -> EventChange {
    let text = |event: &Option<(usize, Value)>| event.as_ref().map(|(_, event)| event.to_string());
    let (text_a, text_b) = (text(&a), text(&b));
    let shared = match (&text_a, &text_b) {
        (Some(a), Some(b)) => a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count(),
        _ => 0,
    };
    EventChange {
        turn,
        event_a: a.map(|(at, _)| at),
        event_b: b.map(|(at, _)| at),
        a: text_a.map(|text| around(&text, shared)),
        b: text_b.map(|text| around(&text, shared)),
    }
}

/// Cuts a long text so that character number `at` is shown, and its beginning, which names the event.
fn around(text: &str, at: usize) -> String {
    const HEAD: usize = 60;
    if at < LONGEST / 2 {
        return shorten(text, LONGEST);
    }
    let head: String = text.chars().take(HEAD).collect();
    let from: String = text.chars().skip(at - HEAD).collect();
    format!("{head}…{}", shorten(&from, LONGEST - HEAD))
}

/// Returns every id that the protocol itself made up for a test.
fn protocol_ids(test: &SideTest) -> BTreeSet<String> {
    let mut ids = test.call_ids();
    for log in test.turns.iter().filter_map(|turn| turn.events.as_ref()) {
        for (payload, _) in log.iter() {
            if let Ok(event) = serde_json::from_slice::<Value>(payload) {
                collect_ids(&event, &mut ids);
            }
        }
    }
    ids
}

fn collect_ids(event: &Value, ids: &mut BTreeSet<String>) {
    let mut keep = |holder: &Value, keys: &[&str]| {
        let values = keys.iter().filter_map(|key| holder.get(*key)?.as_str());
        ids.extend(values.map(str::to_owned));
    };
    keep(event, IDS);
    // Snapshots and interrupts hold ids of their own, further down.
    for message in listed(event, "messages") {
        keep(message, &["id", "toolCallId"]);
        for call in listed(message, "toolCalls") {
            keep(call, &["id"]);
        }
    }
    for holder in [Some(event), event.get("outcome")].into_iter().flatten() {
        for interrupt in listed(holder, "interrupts") {
            keep(interrupt, &["id", "toolCallId"]);
        }
    }
}

fn listed<'v>(holder: &'v Value, key: &str) -> &'v [Value] {
    let list = holder.get(key).and_then(Value::as_array);
    list.map(Vec::as_slice).unwrap_or_default()
}

/// The events of a turn, deltas of one message joined.
struct Events<'a> {
    log: &'a EventLog,
    at: usize,
}

impl<'a> Events<'a> {
    fn new(log: &'a EventLog) -> Self {
        Self { log, at: 0 }
    }

    fn read(&self, at: usize) -> Option<Value> {
        let (payload, _) = self.log.get(at)?;
        Some(match serde_json::from_slice(payload) {
            Ok(Value::Object(mut event)) => {
                event.retain(|key, _| !CIRCUMSTANCES.contains(&key.as_str()));
                Value::Object(event)
            }
            Ok(event) => event,
            Err(_) => String::from_utf8_lossy(payload).into_owned().into(),
        })
    }
}

impl Iterator for Events<'_> {
    type Item = (usize, Value);

    fn next(&mut self) -> Option<(usize, Value)> {
        let first = self.at;
        let mut event = self.read(first)?;
        self.at += 1;
        let mut joined = match delta(&event) {
            Some(delta) => delta.to_owned(),
            None => return Some((first, event)),
        };
        while let Some(next) = self.read(self.at) {
            match delta(&next) {
                Some(delta) if is_continued(&event, &next) => joined.push_str(delta),
                _ => break,
            }
            self.at += 1;
        }
        event["delta"] = joined.into();
        Some((first, event))
    }
}

/// Returns the text that an event adds to a message or to arguments.
fn delta(event: &Value) -> Option<&str> {
    let kind = event.get("type")?.as_str()?;
    let is_stream = kind.ends_with("_CONTENT") || kind == "TOOL_CALL_ARGS";
    event.get("delta")?.as_str().filter(|_| is_stream)
}

/// Tells whether two events are alike but for their deltas.
fn is_continued(event: &Value, next: &Value) -> bool {
    let (Some(event), Some(next)) = (event.as_object(), next.as_object()) else {
        return false;
    };
    let others = |members: &Map<String, Value>| -> Vec<(String, Value)> {
        let others = members.iter().filter(|(key, _)| *key != "delta");
        others
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    event.len() == next.len() && others(event) == others(next)
}
