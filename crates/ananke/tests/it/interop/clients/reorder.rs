//! What can be wrong with the order of events: one is left out, comes twice, early, for another item or another owner.

use serde_json::{Value, json};

/// Returns a stream with one event out of place, for every event and every way; each with words that tell what it is.
pub(super) fn reordered(events: &[Value]) -> Vec<(String, Vec<Value>)> {
    let mut all = Vec::new();
    for number in 0..events.len() {
        let mut add = |what: &str, change: &dyn Fn(&mut Vec<Value>)| {
            let mut copy = events.to_vec();
            change(&mut copy);
            if copy != events {
                all.push((format!("{number} {what}"), copy));
            }
        };
        add("is missing", &|events| {
            events.remove(number);
        });
        add("comes twice", &|events| {
            events.insert(number, events[number].clone());
        });
        add("changes places", &|events| {
            if number + 1 < events.len() {
                events.swap(number, number + 1);
            }
        });
        add("comes last", &|events| {
            let event = events.remove(number);
            events.push(event);
        });
        add("is the last", &|events| events.truncate(number));
        add("is of another owner", &|events| {
            events[number]["subagentRunId"] = json!("s9");
        });
        add("is of nobody", &|events| {
            let members = events[number].as_object_mut().expect("events are objects");
            members.remove("subagentRunId");
        });
        for id in ["messageId", "toolCallId", "stepName"] {
            add(&format!("has another {id}"), &|events| {
                if let Some(value) = events[number].get_mut(id) {
                    *value = json!("other");
                }
            });
        }
    }
    all
}
