//! What a test sends beside its words, set against what was sent when it was recorded.

use ananke_model::plan::ResumeStatus;
use ananke_model::recording::Turn;
use ananke_protocol::agui::Action;
use serde_json::Value;

use crate::session::shorten_parts;
use crate::speakers::{Pair, Sent};

/// How what was hidden in a recording begins.
const HIDDEN: &str = "[redacted ";
/// How much of a value is shown.
const SHOWN_CHARS: usize = 200;

/// The first place in which two requests differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Differs {
    pub(super) now: String,
    pub(super) recorded: String,
}

/// Returns what a recorded turn was sent otherwise than `action`, the turn with this number, would be now.
pub(super) fn difference(
    sent: &Sent,
    number: usize,
    action: &Action,
    recorded: &Turn,
) -> Option<Differs> {
    let body = recorded.requests.first()?;
    if number == 1 {
        let mut pairs = sent.pairs(action, body).into_iter();
        let differs = pairs.find_map(|pair| differs_in(&pair));
        if differs.is_some() {
            return differs;
        }
    }
    let own = sent.own_pairs(action, &recorded.requests).into_iter();
    let mut own = own.map(|mut pair| {
        // As a recording holds them.
        shorten_parts(&mut pair.now);
        pair
    });
    if let Some(differs) = own.find_map(|pair| differs_in(&pair)) {
        return Some(differs);
    }
    let Action::Resume { status, payload } = action else {
        return None;
    };
    let status = match status {
        ResumeStatus::Resolved => "resolved",
        ResumeStatus::Cancelled => "cancelled",
    };
    let nothing = Value::Null;
    let now = [
        ("resume/status", Value::from(status)),
        ("resume/payload", payload.clone().unwrap_or_default()),
    ];
    let mut answers = sent.resume(body).as_array().into_iter().flatten();
    answers.find_map(|answer| {
        let then = ["status", "payload"].map(|name| answer.get(name).unwrap_or(&nothing));
        let mut both = now.iter().zip(then);
        both.find_map(|((name, now), then)| differs(name, now, then))
    })
}

/// Returns the first place in which what is sent differs from what was recorded.
pub(super) fn differs_in(pair: &Pair) -> Option<Differs> {
    differs(&pair.name, &pair.now, &pair.then)
}

/// Returns the first place below `name` in which two values differ.
fn differs(name: &str, now: &Value, then: &Value) -> Option<Differs> {
    let mut path = name.to_owned();
    let (now, then) = first_difference(now, then, &mut path)?;
    let shown = |value: Option<&Value>| match value {
        Some(value) => format!("{path}: {}", cut(&value.to_string())),
        None => format!("no {path}"),
    };
    Some(Differs {
        now: shown(now),
        recorded: shown(then),
    })
}

type Sides<'a> = (Option<&'a Value>, Option<&'a Value>);

/// Returns the first values that differ, and makes `path` name their place. Of what was hidden nobody can tell.
fn first_difference<'a>(now: &'a Value, then: &'a Value, path: &mut String) -> Option<Sides<'a>> {
    let is_hidden = |text: &str| text.contains(HIDDEN);
    if [now, then]
        .iter()
        .any(|value| value.as_str().is_some_and(is_hidden))
    {
        return None;
    }
    let n_chars = path.len();
    let mut inner = |name: &str, now: Option<&'a Value>, then: Option<&'a Value>| {
        path.truncate(n_chars);
        path.push('/');
        path.push_str(name);
        match (now, then) {
            (Some(now), Some(then)) => first_difference(now, then, path),
            sides => Some(sides),
        }
    };
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            let has_hidden_keys = now.keys().chain(then.keys()).any(|key| is_hidden(key));
            let added = then.keys().filter(|key| !now.contains_key(*key));
            now.keys().chain(added).find_map(|key| {
                let (now, then) = (now.get(key), then.get(key));
                let is_unknown = has_hidden_keys && (now.is_none() || then.is_none());
                if is_unknown {
                    None
                } else {
                    inner(key, now, then)
                }
            })
        }
        (Value::Array(now), Value::Array(then)) => (0..now.len().max(then.len()))
            .find_map(|index| inner(&index.to_string(), now.get(index), then.get(index))),
        (now, then) if now == then => None,
        (now, then) => Some((Some(now), Some(then))),
    }
}

fn cut(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN_CHARS).collect();
    let ellipsis = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown}{ellipsis}")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn seen(now: &str, then: &str) -> String {
        let [now, then] = [now, then].map(|text| serde_json::from_str(text).unwrap());
        differs("state", &now, &then).map_or("the same".to_owned(), |differs| {
            format!("{} | {}", differs.now, differs.recorded)
        })
    }

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        assert_snapshot!(seen("{}", "{}"), @"the same");
        assert_snapshot!(seen(r#"{"a": 1, "b": [2]}"#, r#"{"b": [2], "a": 1}"#), @"the same");
        assert_snapshot!(seen(r#"{"a": {"b": [1, 2]}}"#, r#"{"a": {"b": [1, 3]}}"#), @"state/a/b/1: 2 | state/a/b/1: 3");
        assert_snapshot!(seen(r#"{"a": 1}"#, "{}"), @"state/a: 1 | no state/a");
        assert_snapshot!(seen("{}", r#"{"a": 1}"#), @"no state/a | state/a: 1");
        assert_snapshot!(seen("[1]", "[1, 2]"), @"no state/1 | state/1: 2");
        assert_snapshot!(seen(r#""a""#, "null"), @r#"state: "a" | state: null"#);
    }

    #[test]
    fn what_was_hidden_is_no_difference() {
        let hidden = r#"{"key": "[redacted KEY]", "n": "[redacted N]", "x": 1}"#;
        assert_snapshot!(seen(r#"{"key": "sk-1", "n": 1234, "x": 1}"#, hidden), @"the same");
        assert_snapshot!(seen(r#"{"key": "sk-1", "n": 1234, "x": 2}"#, hidden), @"state/x: 2 | state/x: 1");
        assert_snapshot!(seen(r#"{"sk-1": 1, "x": 1}"#, r#"{"[redacted KEY]": 1, "x": 1}"#), @"the same");
        assert_snapshot!(seen(r#"{"type": "[redacted KEY]"}"#, r#"{"type": "abcd"}"#), @"the same");
    }
}
