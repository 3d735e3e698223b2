//! What comes back from an agent, whatever version it speaks.

use serde_json::Value;

use super::part::Part;

/// One thing that an agent says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Task(Task),
    Message(Message),
    Status(StatusUpdate),
    Artifact(ArtifactUpdate),
}

/// A task as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) id: String,
    pub(crate) context_id: String,
    pub(crate) status: Status,
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) history: Vec<Message>,
    pub(crate) metadata: Value,
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Status {
    pub(crate) state: State,
    pub(crate) message: Option<Message>,
    /// By the agent's clock.
    pub(crate) timestamp: Option<String>,
}

/// Somebody's words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) id: String,
    pub(crate) context_id: String,
    pub(crate) task_id: String,
    /// Whether it is the client's own, which agents repeat in histories.
    pub(crate) is_users: bool,
    pub(crate) parts: Vec<Part>,
    pub(crate) metadata: Value,
}

/// What a task made, or a piece of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Artifact {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) parts: Vec<Part>,
    pub(crate) metadata: Value,
}

/// A task came to another state, or says more about this one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatusUpdate {
    pub(crate) task_id: String,
    pub(crate) context_id: String,
    pub(crate) status: Status,
    pub(crate) metadata: Value,
}

/// A task made something, or went on with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArtifactUpdate {
    pub(crate) task_id: String,
    pub(crate) context_id: String,
    pub(crate) artifact: Artifact,
    /// Whether the parts go behind those that are there, or take their place.
    pub(crate) is_append: bool,
    pub(crate) metadata: Value,
}

impl Event {
    /// Returns all parts, wherever they stand.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Part> {
        let (mut artifacts, mut messages) = (Vec::new(), Vec::new());
        match self {
            Self::Task(task) => {
                artifacts.extend(&mut task.artifacts);
                messages.extend(&mut task.history);
                messages.extend(&mut task.status.message);
            }
            Self::Message(message) => messages.push(message),
            Self::Status(update) => messages.extend(&mut update.status.message),
            Self::Artifact(update) => artifacts.push(&mut update.artifact),
        }
        let made = artifacts
            .into_iter()
            .flat_map(|artifact| &mut artifact.parts);
        made.chain(messages.into_iter().flat_map(|message| &mut message.parts))
    }
}

impl Message {
    /// Returns the words, without thoughts.
    pub(crate) fn text(&self) -> String {
        self.parts.iter().filter_map(Part::text).collect()
    }

    /// Returns what a message that is repeated is known by: its id, or all that it says.
    pub(crate) fn key(&self) -> String {
        if !self.id.is_empty() {
            return self.id.clone();
        }
        let parts = self.parts.iter().map(|part| part.value().to_string());
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// The states of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Submitted,
    Working,
    Completed,
    Failed,
    Canceled,
    Rejected,
    InputRequired,
    AuthRequired,
    Unknown,
}

const STATES: [(State, &str); 9] = [
    (State::Submitted, "submitted"),
    (State::Working, "working"),
    (State::Completed, "completed"),
    (State::Failed, "failed"),
    (State::Canceled, "canceled"),
    (State::Rejected, "rejected"),
    (State::InputRequired, "input-required"),
    (State::AuthRequired, "auth-required"),
    (State::Unknown, "unknown"),
];

impl State {
    /// Reads either spelling: `TASK_STATE_INPUT_REQUIRED` or `input-required`.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let word = text.to_ascii_lowercase().replace('_', "-");
        let word = word.strip_prefix("task-state-").unwrap_or(&word);
        match word {
            "cancelled" => Some(Self::Canceled),
            "unspecified" | "" => Some(Self::Unknown),
            word => STATES
                .iter()
                .find_map(|(state, name)| (*name == word).then_some(*state)),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        let found = STATES.iter().find(|(state, _)| *state == self);
        found.map_or("unknown", |(_, name)| name)
    }

    /// Tells whether nothing more can come of the task.
    pub(crate) fn is_terminal(self) -> bool {
        matches!(self, Self::Completed) || self.is_failure()
    }

    /// Tells whether the task was given up.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Canceled | Self::Rejected)
    }

    /// Tells whether the task waits for its client.
    pub(crate) fn is_interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_name_the_same_state() {
        for (state, name) in STATES {
            let loud = format!("TASK_STATE_{}", name.to_ascii_uppercase().replace('-', "_"));
            assert_eq!(State::read(name), Some(state));
            assert_eq!(State::read(&loud), Some(state));
            assert_eq!(state.name(), name);
        }
        assert_eq!(State::read("TASK_STATE_UNSPECIFIED"), Some(State::Unknown));
        assert_eq!(State::read("done"), None);
    }
}
