//! What is no part of the turn: events of other tasks, what comes after the end, words of earlier turns.

use super::fold::Fold;
use super::wire::{Event, Message};

impl Fold<'_> {
    /// Tells whether an event is about another task than the first of the turn was.
    pub(super) fn is_of_other_task(&mut self, event: &Event) -> bool {
        let id = match event {
            Event::Task(task) => &task.id,
            Event::Status(update) => &update.task_id,
            Event::Artifact(update) => &update.task_id,
            Event::Message(_) => return false,
        };
        let own = self.task_id.as_ref().filter(|_| self.has_task);
        let is_other = !id.is_empty() && own.is_some_and(|own| own != id);
        if is_other {
            let shown: String = id.chars().take(100).collect();
            self.warn_once(&format!(
                "an event of another task `{shown}` came; it was left out"
            ));
        }
        is_other
    }

    /// Tells whether an event comes after the end of the task. Word of the same end again is no news, but not wrong.
    pub(super) fn is_too_late(&mut self, event: &Event) -> bool {
        let Some(end) = self.state().filter(|state| state.is_terminal()) else {
            return false;
        };
        let is_same = match event {
            Event::Task(task) => task.status.state == end,
            Event::Status(update) => update.status.state == end,
            Event::Artifact(_) => false,
            Event::Message(message) => message.is_users,
        };
        if !is_same {
            self.warn_once(&format!(
                "more came after the task had ended as `{}`; it was left out",
                end.name()
            ));
        }
        !is_same
    }

    /// Keeps the words of a message in the history, in case nothing else says anything.
    pub(super) fn remember(&mut self, message: &Message, at_us: u64) {
        let (key, text) = (message.key(), message.text());
        let is_known = self.heard_before.contains_key(&key) || self.statuses.contains(&key);
        let is_same = self
            .remembered
            .as_ref()
            .is_some_and(|(known, _)| *known == text);
        if !is_known && !is_same && !text.is_empty() {
            self.remembered = Some((text, at_us));
        }
    }
}
