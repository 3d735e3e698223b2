//! The task of a turn in words: states, artifacts, and how the agent was spoken to. Nothing is escaped here.

use ananke_model::recording::{Artifact, Spoken, TaskRecord};

use crate::count::count;

/// Returns the states one after another.
pub(crate) fn path(task: &TaskRecord, arrow: &str) -> String {
    let states: Vec<&str> = match task.states.is_empty() {
        true => task.state.as_deref().into_iter().collect(),
        false => {
            let states = task.states.iter();
            states.map(|change| change.state.as_str()).collect()
        }
    };
    match states.is_empty() {
        true => "no task was begun".to_owned(),
        false => states.join(&format!(" {arrow} ")),
    }
}

/// Returns the ids of a task and of its conversation, as far as they are known.
pub(crate) fn ids(task: &TaskRecord) -> Option<String> {
    let id = task.id.iter().map(|id| format!("id {id}"));
    let context = task.context_id.iter();
    let context = context.map(|context| format!("context {context}"));
    let ids: Vec<String> = id.chain(context).collect();
    (!ids.is_empty()).then(|| ids.join(", "))
}

/// Returns how an agent was spoken to: `1.0 over JSONRPC at http://localhost:9999, streamed`.
pub(crate) fn spoken(spoken: &Spoken) -> String {
    let Spoken {
        version,
        binding,
        url,
        streamed,
    } = spoken;
    let streamed = if *streamed { ", streamed" } else { "" };
    format!("{version} over {binding} at {url}{streamed}")
}

/// Returns the name of an artifact; its id if it has none.
pub(crate) fn name(artifact: &Artifact) -> &str {
    artifact.name.as_deref().unwrap_or(&artifact.id)
}

/// Returns the text of an artifact, all of its parts together.
pub(crate) fn text(artifact: &Artifact) -> String {
    let parts = artifact.parts.iter();
    parts.filter_map(|part| part["text"].as_str()).collect()
}

/// Returns how much an artifact holds: `42 characters, 1 data part`.
pub(crate) fn size(artifact: &Artifact) -> String {
    let n_chars = text(artifact).chars().count();
    let with = |key: &str| {
        let parts = artifact.parts.iter();
        parts.filter(|part| part.get(key).is_some()).count()
    };
    let n_data = with("data");
    let n_others = artifact.parts.len() - n_data - with("text");
    let sizes = [
        (n_chars, "character"),
        (n_data, "data part"),
        (n_others, "file"),
    ];
    let sizes = sizes.into_iter().filter(|(n, _)| *n > 0);
    let sizes: Vec<String> = sizes.map(|(n, noun)| count(n, noun)).collect();
    match sizes.is_empty() {
        true => "empty".to_owned(),
        false => sizes.join(", "),
    }
}

/// Returns the first line that says something: of the text, else of the data.
pub(crate) fn first_line(artifact: &Artifact) -> Option<String> {
    let text = text(artifact);
    let line = text.lines().find(|line| !line.trim().is_empty());
    let data = || {
        let mut parts = artifact.parts.iter();
        parts.find_map(|part| Some(part.get("data")?.to_string()))
    };
    line.map(str::to_owned).or_else(data)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn artifacts_are_told_by_what_they_hold() {
        let told = |parts| {
            let artifact = Artifact {
                id: "a-1".to_owned(),
                parts,
                ..Artifact::default()
            };
            let line = first_line(&artifact).unwrap_or_default();
            format!("{} {}: {line}", name(&artifact), size(&artifact))
        };
        let text = json!({"text": "\n Total: 4é"});
        assert_eq!(told(vec![text.clone()]), "a-1 11 characters:  Total: 4é");
        let data = json!({"data": {"total": 4}});
        assert_eq!(told(vec![data.clone()]), r#"a-1 1 data part: {"total":4}"#);
        let file = json!({"url": "http://h/a.png"});
        assert_eq!(
            told(vec![file, text, data]),
            "a-1 11 characters, 1 data part, 1 file:  Total: 4é"
        );
        assert_eq!(told(Vec::new()), "a-1 empty: ");
    }
}
