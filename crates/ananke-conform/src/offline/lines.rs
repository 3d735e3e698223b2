//! Events as JSON: one on a line, in one array, or with their requests.
//!
//! A line is an event (`{"type": …}`), an event in a wrapper (`{"event": {…}, "at_ms": 12}`, also with `payload` or
//! `data`), or a whole answer (`{"request": {…}, "events": […]}`, also with `input` and `stream`).

use serde_json::{Deserializer, Value};

use super::file::exchange;
use crate::exchange::{Answer, Exchange, Observed};
use crate::surrogates;

/// Reads everything, also text that holds half a character, which is JSON by its grammar.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Exchange>, String> {
    let strict = read_strict(bytes);
    let text = std::str::from_utf8(bytes).ok();
    let Some(mended) = text
        .filter(|_| strict.is_err())
        .and_then(surrogates::mended)
    else {
        return strict;
    };
    let mut exchanges = read_strict(mended.as_bytes())?;
    let answers = exchanges.iter_mut().map(|exchange| &mut exchange.answer);
    for event in answers.flat_map(|answer| &mut answer.events) {
        event.has_halves |= event.data.contains(char::REPLACEMENT_CHARACTER);
    }
    Ok(exchanges)
}

fn read_strict(bytes: &[u8]) -> Result<Vec<Exchange>, String> {
    let mut values = Vec::new();
    for document in Deserializer::from_slice(bytes).into_iter::<Value>() {
        let value = document.map_err(|error| match error.is_eof() {
            true => "its last line is cut: the JSON there has no end".to_owned(),
            false => format!("line {} is no JSON: {error}", error.line()),
        })?;
        match value {
            Value::Array(items) => values.extend(items),
            value => values.push(value),
        }
    }
    let mut exchanges = Vec::new();
    let mut events: Vec<Observed> = Vec::new();
    for (position, value) in values.into_iter().enumerate() {
        // Among events, what has no `type` is an event that is wrong, for the rules to say.
        let is_among_events = !events.is_empty() && value.is_object();
        match read_value(&value) {
            None if is_among_events => events.push(observed(&value, 0)),
            Some(Line::Event(event)) => events.push(event),
            Some(Line::Answer(request, events)) => {
                let step = format!("answer {}", exchanges.len() + 1);
                exchanges.push(exchange(step, request, answer(events)));
            }
            None => {
                return Err(format!(
                    "item {} is neither an event (an object with `type`) nor an answer (an object with `events`)",
                    position + 1
                ));
            }
        }
    }
    if !events.is_empty() {
        let step = if exchanges.is_empty() {
            "capture".to_owned()
        } else {
            format!("answer {}", exchanges.len() + 1)
        };
        exchanges.push(exchange(step, None, answer(events)));
    }
    if exchanges.is_empty() {
        return Err("it holds no event: there is nothing to judge".to_owned());
    }
    Ok(exchanges)
}

enum Line {
    Event(Observed),
    Answer(Option<Value>, Vec<Observed>),
}

fn read_value(value: &Value) -> Option<Line> {
    let object = value.as_object()?;
    let member = |names: &[&str]| names.iter().find_map(|name| object.get(*name));
    if object.contains_key("type") {
        return Some(Line::Event(observed(value, 0)));
    }
    if let Some(events) = member(&["events", "stream"]).and_then(Value::as_array) {
        let request = member(&["request", "input"]).filter(|input| input.is_object());
        let events = events.iter().map(|event| observed(event, 0)).collect();
        return Some(Line::Answer(request.cloned(), events));
    }
    let event = member(&["event", "payload", "data"])?;
    let at_ms = member(&["at_ms", "atMs"]).and_then(Value::as_u64);
    match event {
        Value::Object(_) => Some(Line::Event(observed(event, at_ms.unwrap_or_default()))),
        Value::String(text) => Some(Line::Event(Observed::new(
            text.clone(),
            at_ms.unwrap_or_default().saturating_mul(1000),
        ))),
        _ => None,
    }
}

fn observed(event: &Value, at_ms: u64) -> Observed {
    Observed {
        at_us: at_ms.saturating_mul(1000),
        data: event.to_string(),
        has_halves: false,
        value: Ok(event.clone()),
    }
}

fn answer(events: Vec<Observed>) -> Answer {
    Answer {
        events,
        ..Answer::default()
    }
}
