//! Artifacts as they grow: replaced or appended to, in the order in which they first came.

use std::collections::HashMap;

use ananke_model::recording::Artifact as Record;

use super::wire::{Artifact, Content, Part};

/// The artifacts of a task, at the end of a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldArtifacts {
    task_id: String,
    list: Vec<Held>,
}

#[derive(Clone, Debug)]
struct Held {
    artifact: Artifact,
    /// Parts that came, before those of text were joined.
    n_parts: usize,
    /// Whether it is just as an earlier turn left it.
    is_old: bool,
}

/// The artifacts of a turn.
#[derive(Debug, Default)]
pub(super) struct Artifacts {
    held: HeldArtifacts,
    positions: HashMap<String, usize>,
}

impl Artifacts {
    /// Begins a turn that may go on with the task of the turn before.
    pub(super) fn after(mut held: HeldArtifacts) -> Self {
        for one in &mut held.list {
            one.is_old = true;
        }
        let positions = held.list.iter().enumerate();
        let positions = positions
            .map(|(at, one)| (one.artifact.id.clone(), at))
            .collect();
        Self { held, positions }
    }

    /// Says which task the next artifacts belong to; those of another one are of no concern any more.
    pub(super) fn of_task(&mut self, task_id: &str) {
        if self.held.task_id != task_id {
            let is_other = !self.held.task_id.is_empty();
            self.held.task_id = task_id.to_owned();
            if is_other {
                self.held.list.clear();
                self.positions.clear();
            }
        }
    }

    /// Returns how many parts of an artifact came so far.
    pub(super) fn n_parts(&self, id: &str) -> usize {
        self.positions
            .get(id)
            .map_or(0, |at| self.held.list[*at].n_parts)
    }

    /// Notes that word of an artifact itself came: it is news then, even if it says what an earlier turn said.
    pub(super) fn is_told(&mut self, id: &str) {
        if let Some(at) = self.positions.get(id) {
            self.held.list[*at].is_old = false;
        }
    }

    /// Takes an artifact, or more of it. Tells whether it is news.
    pub(super) fn put(&mut self, artifact: Artifact, is_append: bool) -> bool {
        let known = self.positions.get(&artifact.id).copied();
        let n_parts = artifact.parts.len();
        let Some(at) = known else {
            self.positions
                .insert(artifact.id.clone(), self.held.list.len());
            self.held.list.push(Held {
                artifact: with_joined_parts(artifact),
                n_parts,
                is_old: false,
            });
            return true;
        };
        let held = &mut self.held.list[at];
        if is_append {
            for part in artifact.parts {
                push(&mut held.artifact.parts, part);
            }
            held.n_parts += n_parts;
            held.artifact.name = artifact.name.or_else(|| held.artifact.name.take());
            held.artifact.description = artifact
                .description
                .or_else(|| held.artifact.description.take());
            if !artifact.metadata.is_null() {
                held.artifact.metadata = artifact.metadata;
            }
            held.is_old &= n_parts == 0;
            return !held.is_old;
        }
        let artifact = with_joined_parts(artifact);
        held.is_old &= artifact.parts == held.artifact.parts;
        held.n_parts = n_parts;
        held.artifact = artifact;
        !held.is_old
    }

    /// Returns the texts of the artifacts that are news, thoughts left out.
    pub(super) fn texts(&self) -> impl Iterator<Item = String> {
        self.news()
            .map(|artifact| artifact.parts.iter().filter_map(Part::text).collect())
    }

    /// Returns the thoughts in the artifacts that are news.
    pub(super) fn thoughts(&self) -> impl Iterator<Item = String> {
        self.news()
            .map(|artifact| artifact.parts.iter().filter_map(Part::thought).collect())
    }

    fn news(&self) -> impl Iterator<Item = &Artifact> {
        let news = self.held.list.iter().filter(|held| !held.is_old);
        news.map(|held| &held.artifact)
    }

    /// Returns the artifacts of the task as they are recorded.
    pub(super) fn records(&self) -> Vec<Record> {
        let artifacts = self.held.list.iter().map(|held| &held.artifact);
        let records = artifacts.map(|artifact| Record {
            id: artifact.id.clone(),
            name: artifact.name.clone(),
            description: artifact.description.clone(),
            parts: artifact.parts.iter().map(Part::value).collect(),
            metadata: artifact.metadata.clone(),
        });
        records.collect()
    }

    pub(super) fn into_held(self) -> HeldArtifacts {
        self.held
    }
}

fn with_joined_parts(artifact: Artifact) -> Artifact {
    let mut parts = Vec::with_capacity(artifact.parts.len());
    for part in artifact.parts {
        push(&mut parts, part);
    }
    Artifact { parts, ..artifact }
}

/// Adds a part; text goes on with the text before it, since chunks of one text come as parts.
fn push(parts: &mut Vec<Part>, part: Part) {
    if let (Content::Text(more), Some(last)) = (&part.content, parts.last_mut())
        && last.metadata == part.metadata
        && let Content::Text(text) = &mut last.content
    {
        text.push_str(more);
        return;
    }
    parts.push(part);
}
