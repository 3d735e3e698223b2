//! What a turn brought beside words and calls, where the agent works on tasks: state, ids, artifacts, and the card that
//! describes the agent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The task that a turn worked on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskRecord {
    /// The task's id; absent if the agent answered with a message alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The conversation that the task belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_id: Option<String>,
    /// The last state, in lower case with hyphens: `completed`, `input-required`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The states one after another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<StateChange>,
    /// What the task made, in the order in which it first came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<Artifact>,
    /// What the agent says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<Arc<Value>>,
    /// How the agent was spoken to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spoken: Option<Spoken>,
    /// Why it says nothing about tools that no call was seen; absent where calls can be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_calls_because: Option<String>,
    /// What the agent or its server said went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<TaskError>,
}

/// A task came to a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateChange {
    /// The state.
    pub state: String,
    /// When word of it came, in microseconds since the request was sent.
    pub at_us: u64,
    /// When it happened by the agent's own clock, as it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// Something that a task made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    /// Its id within the task.
    pub id: String,
    /// Its name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Objects with `text`, `data`, `url` or `raw`. Pieces of text that follow one another are one part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Value>,
    /// Whatever else the agent says of it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub metadata: Value,
}

/// How an agent was spoken to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// The version of the protocol.
    pub version: String,
    /// How it is carried.
    pub binding: String,
    /// Where to, without secrets.
    pub url: String,
    /// Whether the answer was asked for as a stream.
    pub streamed: bool,
}

/// Something went wrong, and somebody said so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskError {
    /// Who said it.
    pub layer: ErrorLayer,
    /// The code, or the state of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// In words.
    pub message: String,
}

/// Who says that something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorLayer {
    /// The server refused the request or could not go on with it.
    Protocol,
    /// The agent gave its task up.
    Agent,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_members_are_left_out_and_found_again() {
        let record = TaskRecord {
            state: Some("completed".to_owned()),
            artifacts: vec![Artifact {
                id: "a".to_owned(),
                ..Artifact::default()
            }],
            ..TaskRecord::default()
        };
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(text, r#"{"state":"completed","artifacts":[{"id":"a"}]}"#);
        assert_eq!(serde_json::from_str::<TaskRecord>(&text).unwrap(), record);
    }
}
