//! The task of a turn as it is written. The card is left out: it is the same in every turn, and the bundle has it.

use std::borrow::Cow;

use ananke_model::recording::{Artifact, Spoken, StateChange, TaskError, TaskRecord};
use serde::Serialize;
use serde_json::Value;

use super::convert::shallow;
use super::format::Ms;

/// The task that a turn worked on.
#[derive(Debug, Serialize)]
pub(super) struct TaskEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_id: Option<&'a str>,
    /// Null if the agent answered with a message and began no task.
    state: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    states: Vec<StateEntry<'a>>,
    artifacts: Vec<ArtifactEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spoken: Option<&'a Spoken>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_calls_because: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a TaskError>,
}

/// A task came to a state.
#[derive(Debug, Serialize)]
struct StateEntry<'a> {
    state: &'a str,
    /// Milliseconds from sending the request.
    at_ms: Ms,
    /// By the agent's own clock, as it was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<&'a str>,
}

/// Something that a task made.
#[derive(Debug, Serialize)]
struct ArtifactEntry<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    parts: Vec<Cow<'a, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Cow<'a, Value>>,
}

/// Returns a task as it is written.
pub(super) fn task_entry(task: &TaskRecord) -> TaskEntry<'_> {
    TaskEntry {
        id: task.id.as_deref(),
        context_id: task.context_id.as_deref(),
        state: task.state.as_deref(),
        states: task.states.iter().map(state_entry).collect(),
        artifacts: task.artifacts.iter().map(artifact_entry).collect(),
        spoken: task.spoken.as_ref(),
        no_calls_because: task.no_calls_because.as_deref(),
        error: task.error.as_ref(),
    }
}

fn state_entry(change: &StateChange) -> StateEntry<'_> {
    StateEntry {
        state: &change.state,
        at_ms: Ms(change.at_us),
        timestamp: change.timestamp.as_deref(),
    }
}

fn artifact_entry(artifact: &Artifact) -> ArtifactEntry<'_> {
    let metadata = Some(&artifact.metadata).filter(|value| !value.is_null());
    ArtifactEntry {
        id: &artifact.id,
        name: artifact.name.as_deref(),
        description: artifact.description.as_deref(),
        parts: artifact.parts.iter().map(shallow).collect(),
        metadata: metadata.map(shallow),
    }
}
