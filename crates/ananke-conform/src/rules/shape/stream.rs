//! Holds every event of an answer against the tables.

use serde_json::Value;

use super::catalogue::{ENUM, JSON, RETIRED, SURROGATE, TYPE, UNKNOWN_MEMBER};
use super::walk::{Walk, seen};
use crate::exchange::{Answer, Exchange, Framing, Observed};
use crate::rule::{Findings, Profile, Rule};

/// Returns the rules that an event breaks, by id, and how. A retired type is told here whatever the server declared.
pub fn check_event(event: &Value, profile: Profile) -> Vec<(&'static str, String)> {
    let mut walk = Walk::new(profile);
    look_at(event, &mut walk);
    let found = walk.found.into_iter();
    found.map(|(rule, message)| (rule.id, message)).collect()
}

/// Looks at the events of an answer.
pub(in crate::rules) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    let declared = match found.profile {
        // Clients before 1.0 do not look at it.
        Profile::Old => Declared::V1,
        _ => declared(answer),
    };
    let mut walk = Walk::new(found.profile);
    for (number, event) in answer.events.iter().enumerate() {
        if is_done_marker(event) {
            continue;
        }
        if answer.framing == Framing::Sse {
            found.saw(&JSON);
        }
        if answer.framing == Framing::Sse && event.value.is_ok() {
            found.saw(&SURROGATE);
        }
        if event.has_halves {
            let message = "its text holds half a character, such as `\\ud83d` without the other half; read as U+FFFD";
            found.at(&SURROGATE, number, message);
        }
        match &event.value {
            Ok(value) => look_at(value, &mut walk),
            Err(why) => found.at(
                &JSON,
                number,
                format!("expected a JSON object, saw no JSON: {why}"),
            ),
        }
        for (rule, message) in walk.found.drain(..) {
            if is_judged(rule, declared) {
                found.at(rule, number, message);
            }
        }
    }
    for rule in walk.seen {
        if is_judged(rule, declared) {
            found.saw(rule);
        }
    }
}

fn look_at(event: &Value, walk: &mut Walk) {
    match event {
        Value::Object(members) => walk.event(members),
        other => {
            let message = format!("expected a JSON object, saw {}", seen(other));
            walk.found.push((&JSON, message));
        }
    }
}

/// The end marker of another protocol has a rule of its own, of how the body is framed.
fn is_done_marker(event: &Observed) -> bool {
    event.data.trim() == "[DONE]"
}

/// The version that a server says it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Nothing,
    V1,
    /// A later version, which may describe more than the tables do.
    Later,
}

fn declared(answer: &Answer) -> Declared {
    let mut versions = answer.of_kind("RUN_STARTED").filter_map(|(_, event)| {
        let (major, minor) = event.text("protocolVersion")?.split_once('.')?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    match versions.find(|(major, _)| *major >= 1) {
        None => Declared::Nothing,
        Some((1, 0)) => Declared::V1,
        Some(_) => Declared::Later,
    }
}

fn is_judged(rule: &Rule, declared: Declared) -> bool {
    let is = |other: &Rule| rule.id == other.id;
    match declared {
        Declared::Nothing => !is(&RETIRED),
        Declared::V1 => true,
        Declared::Later => !(is(&TYPE) || is(&ENUM) || is(&UNKNOWN_MEMBER)),
    }
}
