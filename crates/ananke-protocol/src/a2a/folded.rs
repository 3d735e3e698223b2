//! What a folded turn says: how far the task is, the answer, and what the agent thought.

use super::fold::{Fold, Memory};
use super::wire::{Message, State};

impl Fold<'_> {
    /// Returns the last state.
    pub(super) fn state(&self) -> Option<State> {
        self.status.as_ref().map(|(status, _)| status.state)
    }

    /// Tells whether a message alone is the answer.
    pub(super) fn has_message(&self) -> bool {
        !self.direct.is_empty()
    }

    /// Tells whether all was said: the task is over or waits, or a message was the answer.
    pub(super) fn is_done(&self) -> bool {
        let Some((status, _)) = &self.status else {
            return self.has_message();
        };
        // Servers that answer at once tell how the task was before they looked at the message.
        let waits = status.state.is_interrupted() && self.waited.as_ref() != Some(status);
        status.state.is_terminal() || waits || self.has_message()
    }

    /// Returns what the last status says.
    pub(super) fn status_text(&self) -> String {
        let message = self
            .status
            .as_ref()
            .and_then(|(status, _)| status.message.as_ref());
        let message = message.filter(|message| !message.is_users);
        message.map_or_else(String::new, Message::text)
    }

    /// Returns the answer, and when its first words came: a message, else artifacts, else what the last status
    /// says, else the last words in the history of a task that has ended.
    pub(super) fn text(&self) -> (String, Option<u64>) {
        let direct = joined(self.direct.texts());
        if !direct.is_empty() {
            return (direct, self.first_text_us);
        }
        let made = joined(self.artifacts.texts());
        if !made.is_empty() {
            return (made, self.first_text_us);
        }
        match &self.status {
            Some((status, at_us)) if !matches!(status.state, State::Submitted | State::Working) => {
                let said = self.status_text();
                if !said.is_empty() {
                    return (said, Some(*at_us));
                }
                match &self.remembered {
                    Some((words, at_us)) if status.state.is_terminal() => {
                        (words.clone(), Some(*at_us))
                    }
                    _ => (said, None),
                }
            }
            _ => (String::new(), None),
        }
    }

    /// Returns what the agent thought.
    pub(super) fn reasoning(&self) -> String {
        joined(self.thoughts.texts().chain(self.artifacts.thoughts()))
    }

    /// Returns what the next turn is to know.
    pub(super) fn into_memory(self) -> Memory {
        let status = self.status.map(|(status, _)| status);
        Memory {
            calls: self.calls.known,
            artifacts: self.artifacts.into_held(),
            waited: status.filter(|status| {
                let is_marked = status.timestamp.is_some() || status.message.is_some();
                status.state.is_interrupted() && is_marked
            }),
            heard: self.heard,
        }
    }
}

/// Joins texts with LF, without the empty ones.
fn joined(texts: impl Iterator<Item = String>) -> String {
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}
