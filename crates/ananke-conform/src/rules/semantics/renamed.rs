//! What a snapshot calls a message or call that was streamed under another id.

use std::collections::BTreeMap;

use serde_json::Value;

use super::held::{answered_by, calls_of, id_of, name_of, role_of, said};

/// Ids of messages that only a snapshot has, by what the stream may have called them.
#[derive(Default)]
pub(super) struct Names<'a> {
    answers: BTreeMap<&'a str, &'a str>,
    callers: BTreeMap<&'a str, &'a str>,
    texts: BTreeMap<(&'a str, String), &'a str>,
}

impl<'a> Names<'a> {
    /// Takes the messages of a snapshot that were not streamed. Of those that were there before, an equal text says
    /// nothing.
    pub(super) fn of(
        snapshot: &'a [Value],
        is_streamed: impl Fn(&str) -> bool,
        is_older: impl Fn(&str) -> bool,
    ) -> Self {
        let mut names = Self::default();
        for message in snapshot {
            let Some(id) = id_of(message).filter(|id| !is_streamed(id)) else {
                continue;
            };
            if let Some(call_id) = answered_by(message) {
                names.answers.entry(call_id).or_insert(id);
            }
            for call_id in calls_of(message).filter_map(id_of) {
                names.callers.entry(call_id).or_insert(id);
            }
            let text = said(message.get("content"));
            if !text.trim().is_empty() && !is_older(id) {
                let text = (role_of(message), text.trim().to_owned());
                names.texts.entry(text).or_insert(id);
            }
        }
        names
    }

    /// Returns the id of the message that answers a call.
    pub(super) fn answer_to(&self, call_id: &str) -> Option<&'a str> {
        self.answers.get(call_id).copied()
    }

    /// Returns the id of a message with a text, or with a call. Servers cut blanks off texts when they store them.
    pub(super) fn message(&self, role: &str, text: &str, call_id: Option<&str>) -> Option<&'a str> {
        let text = text.trim();
        let named = (!text.is_empty()).then(|| self.texts.get(&(role, text.to_owned())));
        let named = named.flatten().copied();
        named.or_else(|| self.callers.get(call_id?).copied())
    }
}

/// Ids of calls that only a snapshot has, by tool and arguments.
#[derive(Default)]
pub(super) struct CallNames<'a>(BTreeMap<(&'a str, String), &'a str>);

impl<'a> CallNames<'a> {
    /// Takes the calls of a snapshot, but for those that are known to be others.
    pub(super) fn of(snapshot: &'a [Value], is_other: impl Fn(&str) -> bool) -> Self {
        let mut names = BTreeMap::new();
        for call in snapshot.iter().flat_map(calls_of) {
            let Some(id) = id_of(call).filter(|id| !is_other(id)) else {
                continue;
            };
            let arguments = call
                .get("function")
                .and_then(|f| f.get("arguments")?.as_str());
            if let (Some(name), Some(arguments)) = (name_of(call), arguments) {
                names.entry((name, plain(arguments))).or_insert(id);
            }
        }
        Self(names)
    }

    /// Returns the id of a call.
    pub(super) fn call(&self, name: &str, arguments: &str) -> Option<&'a str> {
        self.0.get(&(name, plain(arguments))).copied()
    }
}

/// Returns arguments in one spelling.
fn plain(arguments: &str) -> String {
    let read = serde_json::from_str::<Value>(arguments);
    read.map_or_else(|_| arguments.trim().to_owned(), |value| value.to_string())
}
