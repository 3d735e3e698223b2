//! Text and reasoning messages: deltas gathered into the messages they belong to.

use serde_json::{Value, json};

use super::turn_fold::{Fold, Moment};
use crate::agui::conversation::{set_member, text_of};

/// The message that deltas are being added to.
#[derive(Debug)]
pub(super) struct OpenText {
    pub(super) id: String,
    pub(super) role: Role,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Assistant,
    Reasoning,
    Other,
}

impl Fold<'_> {
    pub(super) fn begin_text(&mut self, id: &str, role: &str, message: Value) {
        self.flush();
        let is_replayed = self.is_connect && self.known_messages.remove(id);
        match self.conversation.get_mut(id) {
            // A replay tells the message from its beginning, it adds nothing to it.
            Some(known) if is_replayed => set_member(known, "content", ""),
            Some(_) => {}
            None => self.conversation.put(message),
        }
        self.note_text(id, role);
        self.open_text = Some(OpenText {
            id: id.to_owned(),
            role: role_of(role),
            text: String::new(),
        });
    }

    /// Remembers that the assistant message `id` belongs to this turn.
    pub(super) fn note_text(&mut self, id: &str, role: &str) {
        if role == "assistant" && !self.noted_texts.contains(id) {
            self.noted_texts.insert(id.to_owned());
            self.texts.push((id.to_owned(), None));
        }
    }

    /// Makes the text message `id`, which is open, the one that [`Self::append`] adds to.
    pub(crate) fn go_on_with(&mut self, id: &str) {
        if self.open_text.as_ref().is_none_or(|open| open.id != id) {
            self.switch_text(id, Role::Assistant);
        }
    }

    /// Adds to the message that is open.
    pub(crate) fn append(&mut self, delta: &str, at_us: u64) {
        let open = self
            .open_text
            .as_mut()
            .expect("a message was opened before");
        if open.role == Role::Assistant && !delta.is_empty() {
            self.first_text_us.get_or_insert(at_us);
        }
        self.n_text_bytes += delta.len();
        open.text.push_str(delta);
    }

    pub(super) fn add_text(&mut self, id: &str, delta: &str, role: Role, moment: Moment) {
        if self.open_text.as_ref().is_none_or(|open| open.id != id) {
            self.switch_text(id, role);
        }
        self.append(delta, moment.at_us);
    }

    /// Goes on with another message, one that was never started included: what the agent said counts.
    fn switch_text(&mut self, id: &str, role: Role) {
        self.flush();
        let name = match role {
            Role::Reasoning => "reasoning",
            Role::Assistant | Role::Other => "assistant",
        };
        if self.conversation.get(id).is_none() {
            self.conversation
                .put(json!({"id": id, "role": name, "content": ""}));
        }
        let role = self
            .conversation
            .get(id)
            .and_then(|message| message["role"].as_str())
            .unwrap_or(name)
            .to_owned();
        self.note_text(id, &role);
        self.open_text = Some(OpenText {
            id: id.to_owned(),
            role: role_of(&role),
            text: String::new(),
        });
    }

    /// Moves the waiting text into its message.
    pub(crate) fn flush(&mut self) {
        let Some(open) = self.open_text.take() else {
            return;
        };
        if open.role == Role::Reasoning {
            if !self.reasoning.is_empty() && self.reasoning_id != open.id {
                self.reasoning.push('\n');
            }
            self.reasoning.push_str(&open.text);
            self.reasoning_id.clone_from(&open.id);
        }
        if let Some(message) = self.conversation.get_mut(&open.id) {
            match message.get_mut("content") {
                Some(Value::String(content)) if content.is_empty() => *content = open.text,
                Some(Value::String(content)) => content.push_str(&open.text),
                _ => set_member(message, "content", open.text),
            }
        }
    }

    /// Returns this turn's assistant messages joined with LF.
    pub(crate) fn text(&mut self) -> String {
        self.flush();
        let texts = std::mem::take(&mut self.texts)
            .into_iter()
            .map(|(id, saved)| {
                saved.unwrap_or_else(|| self.conversation.get(&id).map(text_of).unwrap_or_default())
            });
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        if texts.len() == 1 {
            texts.into_iter().next().unwrap_or_default()
        } else {
            texts.join("\n")
        }
    }
}

fn role_of(role: &str) -> Role {
    match role {
        "assistant" => Role::Assistant,
        "reasoning" => Role::Reasoning,
        _ => Role::Other,
    }
}
