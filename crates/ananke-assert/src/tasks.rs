//! What turns tell of tasks, of artifacts and of the agent itself. Where they tell nothing, the verdict is ready.

use ananke_model::recording::{Artifact, TaskRecord};
use serde_json::Value;

use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::verdict::Verdict;

/// Returns what every turn tells of its task, with its number; at least one.
pub(crate) fn records<'a>(evidence: &Evidence<'a>) -> Result<Vec<&'a TaskRecord>, Verdict> {
    let records: Vec<_> = evidence
        .turns
        .iter()
        .filter_map(|turn| turn.task.as_deref())
        .collect();
    match records.is_empty() {
        true => Err(Verdict::inconclusive("nothing: this agent told of no task")
            .details(["only agents that work on tasks can be judged by them".to_owned()])),
        false => Ok(records),
    }
}

/// Returns the last task and its last state.
pub(crate) fn last_state<'a>(
    evidence: &Evidence<'a>,
) -> Result<(&'a TaskRecord, &'a str), Verdict> {
    let records = records(evidence)?;
    let mut with_state = records
        .iter()
        .rev()
        .filter_map(|record| Some((*record, record.state.as_deref()?)));
    with_state.next().ok_or_else(|| no_task(&records))
}

/// Returns that no turn began a task, and what came instead.
pub(crate) fn no_task(records: &[&TaskRecord]) -> Verdict {
    let error = records
        .iter()
        .rev()
        .find_map(|record| record.error.as_ref());
    Verdict::failed(match error {
        Some(error) => format!("no state, but the error: {}", shorten(&error.message)),
        None => "no state: the agent answered with a message and began no task".to_owned(),
    })
}

/// Returns the artifacts of all turns, each of them as it was last told.
pub(crate) fn artifacts<'a>(evidence: &Evidence<'a>) -> Result<Vec<&'a Artifact>, Verdict> {
    let mut known: Vec<(Option<&str>, &Artifact)> = Vec::new();
    for record in records(evidence)? {
        for artifact in &record.artifacts {
            let task = record.id.as_deref();
            let same = known
                .iter_mut()
                .find(|(of, held)| *of == task && held.id == artifact.id);
            match same {
                Some((_, held)) => *held = artifact,
                None => known.push((task, artifact)),
            }
        }
    }
    Ok(known.into_iter().map(|(_, artifact)| artifact).collect())
}

/// Returns what the agent says of itself.
pub(crate) fn card<'a>(evidence: &Evidence<'a>) -> Result<&'a Value, Verdict> {
    let turns = evidence.turns.iter().rev();
    let mut records = turns.filter_map(|turn| turn.task.as_deref()).peekable();
    if records.peek().is_none() {
        return Err(Verdict::inconclusive("nothing: this agent told of no card"));
    }
    let card = records.find_map(|record| record.card.as_deref());
    card.ok_or_else(|| {
        let hint = "`agentCardUrl` or `agentCard` of the target says where the card is";
        Verdict::inconclusive("nothing: no card of this agent was read").details([hint.to_owned()])
    })
}

/// Returns the name of an artifact as it is shown; its id if it has none.
pub(crate) fn named(artifact: &Artifact) -> String {
    match &artifact.name {
        Some(name) => format!("`{}`", shorten(name)),
        None => format!("without a name (id `{}`)", shorten(&artifact.id)),
    }
}

/// Returns the names of artifacts in one line.
pub(crate) fn names(artifacts: &[&Artifact]) -> String {
    listed(artifacts.iter().map(|artifact| named(artifact))).join(", ")
}

/// Returns the text of an artifact, all of its parts together.
pub(crate) fn text(artifact: &Artifact) -> String {
    let parts = artifact.parts.iter();
    parts.filter_map(|part| part["text"].as_str()).collect()
}

/// Goes through what an artifact holds as data.
pub(crate) fn data(artifact: &Artifact) -> impl Iterator<Item = &Value> {
    let parts = artifact.parts.iter();
    parts.filter_map(|part| part.get("data"))
}
