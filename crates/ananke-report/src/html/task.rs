//! The task of a turn as the page reads it. `assets/script/task.js` is the other side of this.

use std::borrow::Cow;

use ananke_model::recording::{Artifact, TaskRecord};
use serde::Serialize;

use super::detail::{Scale, some};
use super::format::LeftOut;
use super::island::cut;
use crate::task::{ids, name, size, spoken, text};

/// How much of an id or a name is kept.
const NAME_CHARS: usize = 200;

/// A task.
#[derive(Debug, Serialize)]
pub(super) struct TaskView<'a> {
    /// States with the microseconds since the request.
    #[serde(rename = "st", skip_serializing_if = "Vec::is_empty")]
    states: Vec<(Cow<'a, str>, u64)>,
    /// Ids in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    ids: Option<String>,
    /// How the agent was spoken to, in words.
    #[serde(rename = "sp", skip_serializing_if = "Option::is_none")]
    spoken: Option<String>,
    #[serde(rename = "arts", skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<ArtifactView<'a>>,
    /// Why no call was seen.
    #[serde(rename = "no", skip_serializing_if = "Option::is_none")]
    no_calls_because: Option<Cow<'a, str>>,
}

/// An artifact.
#[derive(Debug, Serialize)]
struct ArtifactView<'a> {
    #[serde(rename = "n")]
    name: Cow<'a, str>,
    /// How much it holds, in words.
    #[serde(rename = "z")]
    size: String,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    description: Option<Cow<'a, str>>,
    #[serde(rename = "x", skip_serializing_if = "String::is_empty")]
    text: String,
    /// Whatever is no text, as JSON text.
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    others: Vec<String>,
}

/// Returns a task as the page reads it.
pub(super) fn task_view<'a>(
    task: &'a TaskRecord,
    scale: Scale,
    left_out: &mut LeftOut,
) -> TaskView<'a> {
    TaskView {
        states: some(&task.states, scale, "st", left_out)
            .map(|change| (cut(&change.state, NAME_CHARS), change.at_us))
            .collect(),
        ids: ids(task).map(|ids| cut(&ids, 2 * NAME_CHARS).into_owned()),
        spoken: task
            .spoken
            .as_ref()
            .map(|how| cut(&spoken(how), 2 * NAME_CHARS).into_owned()),
        artifacts: some(&task.artifacts, scale, "arts", left_out)
            .map(|artifact| artifact_view(artifact, scale))
            .collect(),
        no_calls_because: task
            .no_calls_because
            .as_deref()
            .map(|why| cut(why, NAME_CHARS)),
    }
}

fn artifact_view(artifact: &Artifact, scale: Scale) -> ArtifactView<'_> {
    let others = artifact
        .parts
        .iter()
        .filter(|part| part.get("text").is_none());
    ArtifactView {
        name: cut(name(artifact), NAME_CHARS),
        size: size(artifact),
        description: artifact
            .description
            .as_deref()
            .map(|words| cut(words, scale.text / 10)),
        text: cut(&text(artifact), scale.text).into_owned(),
        others: others
            .take(scale.items)
            .map(|part| {
                let value = part.get("data").unwrap_or(part).to_string();
                cut(&value, scale.text).into_owned()
            })
            .collect(),
    }
}
