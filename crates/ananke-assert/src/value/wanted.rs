//! What arguments and results must hold: members of objects, deeply; everything else as a whole.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::variables::{strings, text_form};
use serde_json::Value;

use super::json_equal::{brief, first_difference, member_path};
use crate::call_filter::GaveUp;
use crate::resolver::{Needle, Resolver};
use crate::shown::shorten;

/// How a text in a result begins that is a pattern.
const PATTERN_PREFIX: &str = "regex:";

/// A value that another one must hold.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// These members; others may be there too.
    Members(Vec<(String, Self)>),
    /// The same value.
    Value(Value),
    /// The same text, whatever type the other value has.
    Text(String),
    /// Text in which the pattern is found.
    Pattern(Needle),
}

/// Which texts are more than texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// They are values like others.
    Values,
    /// They are compared as text, and may be patterns.
    Patterns,
}

impl Wanted {
    /// Compiles what a user wrote; nothing if there is a mistake in it.
    pub(crate) fn compile(json: &Json, texts: Texts, resolver: &mut Resolver<'_>) -> Option<Self> {
        compile(&json.value, &json.place, texts, resolver)
    }

    /// Returns in words what is wrong with `actual`, which stands at `path`: one line for each member, none if all is well.
    pub(crate) fn differences(&self, actual: &Value, path: &str) -> Result<Vec<String>, GaveUp> {
        let line = match self {
            Self::Members(members) => return differing_members(members, actual, path),
            Self::Value(value) => first_difference(value, actual, path),
            Self::Text(text) => (text_form(actual) != *text).then(|| {
                let wanted = Value::from(text.as_str());
                format!(
                    "at {path}: expected {}, got {}",
                    brief(&wanted),
                    brief(actual)
                )
            }),
            Self::Pattern(needle) => match needle.is_match(&text_form(actual)) {
                Ok(true) => None,
                Ok(false) => Some(format!(
                    "at {path}: {} does not match {}",
                    brief(actual),
                    needle.shown
                )),
                Err(_) => return Err(GaveUp(needle.shown.clone())),
            },
        };
        Ok(line.into_iter().collect())
    }
}

fn differing_members(
    members: &[(String, Wanted)],
    actual: &Value,
    path: &str,
) -> Result<Vec<String>, GaveUp> {
    let Value::Object(seen) = actual else {
        return Ok(vec![format!(
            "at {path}: expected an object, got {}",
            brief(actual)
        )]);
    };
    let mut lines = Vec::new();
    for (key, wanted) in members {
        let path = member_path(path, key);
        match seen.get(key) {
            Some(value) => lines.extend(wanted.differences(value, &path)?),
            None => lines.push(format!("{path} is missing")),
        }
    }
    Ok(lines)
}

fn compile(
    value: &Value,
    place: &Place,
    texts: Texts,
    resolver: &mut Resolver<'_>,
) -> Option<Wanted> {
    match value {
        Value::Object(members) => {
            // Everything is compiled before giving up, so that every mistake is reported.
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| Some((key.clone(), compile(value, place, texts, resolver)?)))
                .collect();
            members
                .into_iter()
                .collect::<Option<_>>()
                .map(Wanted::Members)
        }
        Value::String(text) if texts == Texts::Patterns => {
            // The prefix is looked for before values come in: a value cannot turn itself into a pattern.
            if let Some(pattern) = text.strip_prefix(PATTERN_PREFIX) {
                let pattern = Text {
                    text: pattern.trim_start().to_owned(),
                    place: place.clone(),
                };
                return resolver.pattern(&pattern).map(Wanted::Pattern);
            }
            Some(match resolver.value(value, place)? {
                Value::String(text) => Wanted::Text(text),
                other => Wanted::Value(other),
            })
        }
        _ => {
            let is_pattern = |text: &&str| text.starts_with(PATTERN_PREFIX);
            let pattern = strings(value).into_iter().find(is_pattern);
            if let Some(pattern) = pattern.filter(|_| texts == Texts::Patterns) {
                let message = format!("the pattern `{}` stands in a list", shorten(pattern));
                resolver.diagnostics.push(
                    Diagnostic::error(place, message)
                        .label("lists are compared as a whole")
                        .hint("match the whole result: `result: \"regex:…\"`"),
                );
                return None;
            }
            resolver.value(value, place).map(Wanted::Value)
        }
    }
}
