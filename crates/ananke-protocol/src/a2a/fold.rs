//! Folding: the events of a turn into artifacts, words and states. A task that is sent as a whole and the same task as a
//! stream give the same, unless only the history speaks: it does not tell what was said at work from an answer.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::plan::CallRule;
use ananke_model::recording::StateChange;

use super::conventions::{Sighting, in_metadata, in_part};
use super::held::{Artifacts, HeldArtifacts};
use super::pieces::Pieces;
use super::tool_calls::{Calls, KnownCalls};
use super::wire::{ArtifactUpdate, Event, Message, Part, Status, Task};
use crate::agui::MAX_NOTES;

/// What a conversation remembers from one turn to the next, so that what an agent repeats is not new again.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) calls: KnownCalls,
    /// The artifacts of the last task.
    pub(super) artifacts: HeldArtifacts,
    /// With which status the last task waited, if that status can be told from another.
    pub(super) waited: Option<Status>,
    /// Messages of the agent by their keys, and whether these are ids, which no other message may have.
    pub(super) heard: BTreeMap<String, bool>,
}

/// What a turn has brought so far.
#[derive(Debug)]
pub(super) struct Fold<'a> {
    rules: &'a [CallRule],
    pub(super) calls: Calls,
    pub(super) artifacts: Artifacts,
    /// Messages that are the answer, and not about a task.
    pub(super) direct: Pieces,
    pub(super) thoughts: Pieces,
    /// The last words of the agent in the task's history that are of this turn and no status, and when they came.
    pub(super) remembered: Option<(String, u64)>,
    /// Messages of the agent in earlier turns, in this one, and those of this one that were a status.
    pub(super) heard_before: BTreeMap<String, bool>,
    pub(super) heard: BTreeMap<String, bool>,
    pub(super) statuses: BTreeSet<String>,
    pub(super) status: Option<(Status, u64)>,
    /// The status with which the task waited before it was gone on with.
    pub(super) waited: Option<Status>,
    pub(super) states: Vec<StateChange>,
    pub(super) task_id: Option<String>,
    pub(super) context_id: Option<String>,
    pub(super) has_task: bool,
    pub(super) first_text_us: Option<u64>,
    pub(super) first_tool_us: Option<u64>,
    pub(super) warnings: Vec<String>,
}

impl Memory {
    /// Forgets what belongs to a task that is not gone on with.
    pub(super) fn for_new_task(&self) -> Self {
        let ids = self.heard.iter().filter(|(_, is_id)| **is_id);
        Self {
            calls: Calls::after(&self.calls),
            artifacts: HeldArtifacts::default(),
            waited: None,
            heard: ids.map(|(id, is_id)| (id.clone(), *is_id)).collect(),
        }
    }
}

impl<'a> Fold<'a> {
    pub(super) fn new(memory: Memory, rules: &'a [CallRule]) -> Self {
        Self {
            rules,
            calls: Calls::new(memory.calls),
            artifacts: Artifacts::after(memory.artifacts),
            direct: Pieces::default(),
            thoughts: Pieces::default(),
            remembered: None,
            heard: memory.heard.clone(),
            heard_before: memory.heard,
            statuses: BTreeSet::new(),
            status: None,
            waited: memory.waited,
            states: Vec::new(),
            task_id: None,
            context_id: None,
            has_task: false,
            first_text_us: None,
            first_tool_us: None,
            warnings: Vec::new(),
        }
    }

    /// Takes event number `number`, which came at `at_us`. Tells whether it belongs to the turn.
    pub(super) fn take(&mut self, event: Event, number: usize, at_us: u64) -> bool {
        if self.is_of_other_task(&event) || self.is_too_late(&event) {
            return false;
        }
        match event {
            Event::Task(task) => self.task(task, number, at_us),
            Event::Status(update) => {
                self.about_task(&update.task_id, &update.context_id);
                let place = format!("status {number}");
                self.sightings(
                    in_metadata(&update.metadata, self.rules),
                    &place,
                    number,
                    at_us,
                );
                self.status(update.status, number, at_us);
            }
            Event::Artifact(update) => {
                self.artifacts.is_told(&update.artifact.id);
                self.put(update, number, at_us);
            }
            Event::Message(message) => self.message(message, number, at_us),
        }
        true
    }

    fn task(&mut self, task: Task, number: usize, at_us: u64) {
        self.about_task(&task.id, &task.context_id);
        self.calls.is_snapshot = true;
        let said = task.status.message.iter().map(Message::key);
        self.statuses.extend(said);
        for message in task.history.iter().filter(|message| !message.is_users) {
            self.look(message, number, at_us);
            self.remember(message, at_us);
        }
        let place = format!("task {}", task.id);
        self.sightings(
            in_metadata(&task.metadata, self.rules),
            &place,
            number,
            at_us,
        );
        for artifact in task.artifacts {
            let update = ArtifactUpdate {
                task_id: String::new(),
                context_id: String::new(),
                artifact,
                is_append: false,
                metadata: serde_json::Value::Null,
            };
            self.put(update, number, at_us);
        }
        self.status(task.status, number, at_us);
        self.calls.is_snapshot = false;
    }

    fn put(&mut self, update: ArtifactUpdate, number: usize, at_us: u64) {
        self.about_task(&update.task_id, &update.context_id);
        let artifact = update.artifact;
        if artifact.id.is_empty() {
            self.warn_once("an artifact came without an id");
        }
        let first = match update.is_append {
            true => self.artifacts.n_parts(&artifact.id),
            false => 0,
        };
        let place = format!("artifact {}", artifact.id);
        for metadata in [&update.metadata, &artifact.metadata] {
            self.sightings(in_metadata(metadata, self.rules), &place, number, at_us);
        }
        for (index, part) in artifact.parts.iter().enumerate() {
            let place = format!("{place} {}", first + index);
            self.sightings(in_part(part, self.rules), &place, number, at_us);
        }
        let has_text = artifact.parts.iter().any(has_text);
        let is_new = self.artifacts.put(artifact, update.is_append);
        if is_new && has_text {
            self.first_text_us.get_or_insert(at_us);
        }
    }

    fn message(&mut self, message: Message, number: usize, at_us: u64) {
        if message.is_users {
            return;
        }
        if !message.task_id.is_empty() {
            self.task_id.get_or_insert_with(|| message.task_id.clone());
        }
        if !message.context_id.is_empty() {
            self.context_id = Some(message.context_id.clone());
        }
        self.look(&message, number, at_us);
        if message.parts.iter().any(has_text) {
            self.first_text_us.get_or_insert(at_us);
        }
        let is_thought = message.parts.iter().any(|part| part.thought().is_some());
        if self.has_task {
            // Thoughts beside a task are not its answer.
            if is_thought && !message.parts.iter().any(has_text) {
                return;
            }
            self.warn_once(
                "a message came after a task, which the protocol forbids: taken as the answer",
            );
        }
        self.direct.take(&message.id, message.text());
    }

    fn status(&mut self, status: Status, number: usize, at_us: u64) {
        let message = status.message.as_ref().filter(|message| !message.is_users);
        if let Some(message) = message {
            self.look(message, number, at_us);
            self.statuses.insert(message.key());
        }
        let name = status.state.name();
        if self.states.last().is_none_or(|last| last.state != name) && self.states.len() < MAX_NOTES
        {
            self.states.push(StateChange {
                state: name.to_owned(),
                at_us,
                timestamp: status.timestamp.clone(),
            });
        }
        // Word of the same status again is not news, nor is that of the same end without its words.
        let is_known = self.status.as_ref().is_some_and(|(known, _)| {
            let is_ended = known.state.is_terminal() && known.message.is_some();
            is_ended || *known == status
        });
        if !is_known {
            self.status = Some((status, at_us));
        }
    }

    /// Looks for calls and thoughts in a message of the agent.
    fn look(&mut self, message: &Message, number: usize, at_us: u64) {
        let key = message.key();
        let place = format!("message {key}");
        self.heard.insert(key, !message.id.is_empty());
        self.sightings(
            in_metadata(&message.metadata, self.rules),
            &place,
            number,
            at_us,
        );
        for (index, part) in message.parts.iter().enumerate() {
            let place = format!("{place} {index}");
            self.sightings(in_part(part, self.rules), &place, number, at_us);
            // A task as a whole repeats what was said.
            let is_repeated = self.calls.is_snapshot && self.thoughts.has(&place);
            let thought = part.thought().filter(|thought| !thought.is_empty());
            if let Some(thought) = thought.filter(|_| !is_repeated) {
                self.thoughts.take(&place, thought.to_owned());
            }
        }
    }

    fn sightings(&mut self, found: Vec<Sighting>, place: &str, number: usize, at_us: u64) {
        for (index, sighting) in found.into_iter().enumerate() {
            let place = format!("{place} {index}");
            self.calls.take(sighting, &place, number, at_us);
        }
        if !self.calls.list.is_empty() {
            self.first_tool_us.get_or_insert(at_us);
        }
    }

    fn about_task(&mut self, task_id: &str, context_id: &str) {
        self.has_task = true;
        if !task_id.is_empty() {
            self.artifacts.of_task(task_id);
            self.task_id = Some(task_id.to_owned());
        }
        if !context_id.is_empty() {
            self.context_id = Some(context_id.to_owned());
        }
    }

    pub(super) fn warn(&mut self, message: String) {
        if self.warnings.len() < MAX_NOTES {
            self.warnings.push(message);
        }
    }

    pub(super) fn warn_once(&mut self, message: &str) {
        if !self.warnings.iter().any(|known| known == message) {
            self.warn(message.to_owned());
        }
    }
}

fn has_text(part: &Part) -> bool {
    part.text().is_some_and(|text| !text.is_empty())
}
