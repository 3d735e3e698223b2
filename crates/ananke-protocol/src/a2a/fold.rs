//! Folding: the events of a turn into artifacts, words and states. A task that is sent as a whole and the same task as a
//! stream give the same.

use ananke_model::plan::CallRule;
use ananke_model::recording::StateChange;

use super::conventions::{Sighting, in_metadata, in_part};
use super::held::{Artifacts, HeldArtifacts};
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
}

/// What a turn has brought so far.
#[derive(Debug)]
pub(super) struct Fold<'a> {
    rules: &'a [CallRule],
    pub(super) calls: Calls,
    pub(super) artifacts: Artifacts,
    /// Messages that are the answer, and not about a task.
    pub(super) direct: Vec<Message>,
    pub(super) thoughts: Vec<(String, String)>,
    pub(super) status: Option<(Status, u64)>,
    /// The status with which the task waited before it was gone on with.
    pub(super) waited: Option<Status>,
    pub(super) states: Vec<StateChange>,
    pub(super) task_id: Option<String>,
    pub(super) context_id: Option<String>,
    has_task: bool,
    pub(super) first_text_us: Option<u64>,
    pub(super) first_tool_us: Option<u64>,
    pub(super) warnings: Vec<String>,
}

impl Memory {
    /// Forgets what belongs to a task that is not gone on with.
    pub(super) fn for_new_task(&self) -> Self {
        Self {
            calls: Calls::after(&self.calls),
            artifacts: HeldArtifacts::default(),
            waited: None,
        }
    }
}

impl<'a> Fold<'a> {
    pub(super) fn new(memory: Memory, rules: &'a [CallRule]) -> Self {
        Self {
            rules,
            calls: Calls::new(memory.calls),
            artifacts: Artifacts::after(memory.artifacts),
            direct: Vec::new(),
            thoughts: Vec::new(),
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

    /// Takes event number `number`, which came at `at_us`.
    pub(super) fn take(&mut self, event: Event, number: usize, at_us: u64) {
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
    }

    fn task(&mut self, task: Task, number: usize, at_us: u64) {
        self.about_task(&task.id, &task.context_id);
        self.calls.is_snapshot = true;
        for message in task.history.iter().filter(|message| !message.is_users) {
            self.look(message, number, at_us);
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
        if self.has_task {
            self.warn_once(
                "a message came after a task, which the protocol forbids: taken as the answer",
            );
        }
        for (held, id) in [
            (&mut self.task_id, &message.task_id),
            (&mut self.context_id, &message.context_id),
        ] {
            if !id.is_empty() {
                *held = Some(id.clone());
            }
        }
        self.look(&message, number, at_us);
        if message.parts.iter().any(has_text) {
            self.first_text_us.get_or_insert(at_us);
        }
        let same = |held: &&mut Message| !message.id.is_empty() && held.id == message.id;
        match self.direct.iter_mut().find(same) {
            Some(held) => *held = message,
            None => self.direct.push(message),
        }
    }

    fn status(&mut self, status: Status, number: usize, at_us: u64) {
        let message = status.message.as_ref().filter(|message| !message.is_users);
        if let Some(message) = message {
            self.look(message, number, at_us);
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
        // Word of the same status again is not news.
        if self
            .status
            .as_ref()
            .is_none_or(|(known, _)| *known != status)
        {
            self.status = Some((status, at_us));
        }
    }

    /// Looks for calls and thoughts in a message of the agent.
    fn look(&mut self, message: &Message, number: usize, at_us: u64) {
        let key = match message.id.as_str() {
            "" => {
                let parts: Vec<String> = message
                    .parts
                    .iter()
                    .map(|part| part.value().to_string())
                    .collect();
                parts.join(" ")
            }
            id => id.to_owned(),
        };
        let place = format!("message {key}");
        self.sightings(
            in_metadata(&message.metadata, self.rules),
            &place,
            number,
            at_us,
        );
        for (index, part) in message.parts.iter().enumerate() {
            let place = format!("{place} {index}");
            self.sightings(in_part(part, self.rules), &place, number, at_us);
            let thought = part.thought().filter(|thought| !thought.is_empty());
            if let Some(thought) = thought
                && !self.thoughts.iter().any(|(known, _)| *known == place)
            {
                self.thoughts.push((place, thought.to_owned()));
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
