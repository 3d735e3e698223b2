//! The ids of a request in the place of the recorded ones: a client must find its own thread, run and messages again.

use serde_json::Value;

use crate::input::{Message, RunInput};

/// Which ids stand for which, both as they stand between the quotes of JSON.
#[derive(Debug)]
pub(crate) struct Renames(Vec<(String, String)>);

impl Renames {
    /// Pairs the ids that a client gives: of the thread, the run, the user's messages and the results of its tools. What
    /// the agent named keeps its name.
    pub(super) fn new(recorded: &RunInput, asked: &RunInput) -> Self {
        let mut pairs = vec![
            (recorded.thread_id.as_str(), asked.thread_id.as_str()),
            (recorded.run_id.as_str(), asked.run_id.as_str()),
        ];
        let users = users(recorded).zip(users(asked));
        pairs.extend(users.filter_map(|(old, new)| Some((id(old)?, id(new)?))));
        let results = recorded.messages.iter().filter(|m| m.role == "tool");
        pairs.extend(results.filter_map(|old| {
            let mut asked = asked.messages.iter();
            let new = asked.find(|m| m.role == "tool" && m.tool_call_id == old.tool_call_id)?;
            Some((id(old)?, id(new)?))
        }));
        Self::of(pairs)
    }

    /// Pairs ids: the recorded one, and the one that stands for it.
    pub(crate) fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let pairs = pairs.into_iter().filter(|(old, _)| !old.is_empty());
        Self(
            pairs
                .map(|(old, new)| (inside_quotes(old), inside_quotes(new)))
                .collect(),
        )
    }

    /// Replaces the ids in an event, where they are whole strings and no keys. Everything else keeps its bytes.
    pub(crate) fn apply(&self, payload: &str) -> String {
        let mut renamed = String::with_capacity(payload.len());
        let mut rest = payload;
        while let Some((before, after)) = rest.split_once('"') {
            renamed.push_str(before);
            renamed.push('"');
            let Some(end) = closing_quote(after) else {
                rest = after;
                break;
            };
            let (content, closed) = after.split_at(end);
            let is_key = closed
                .get(1..)
                .is_some_and(|next| next.trim_start().starts_with(':'));
            let pair = self.0.iter().find(|(old, _)| old == content);
            renamed.push_str(match pair {
                Some((_, new)) if !is_key => new,
                _ => content,
            });
            renamed.push('"');
            rest = closed.strip_prefix('"').unwrap_or(closed);
        }
        renamed.push_str(rest);
        renamed
    }
}

/// Goes through the user's messages, newest first: a client may leave out old ones.
fn users(input: &RunInput) -> impl Iterator<Item = &Message> {
    input.messages.iter().rev().filter(|m| m.role == "user")
}

fn id(message: &Message) -> Option<&str> {
    message.id.as_str()
}

fn inside_quotes(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    let inside = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"'));
    inside.unwrap_or(&quoted).to_owned()
}

/// Returns the offset of the quote that ends a string.
fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (offset, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(offset),
            _ => {}
        }
    }
    None
}
