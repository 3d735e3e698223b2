//! The sequence rules V1–V18: what order events may come in. A violation is a finding; folding goes on.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::event::Event;

type Owner = Option<String>;

/// Where the stream is between its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    BeforeFirst,
    Active,
    Finished,
    Errored,
}

/// Items of one kind: which are open, and who owned each that was ever seen in this run.
#[derive(Debug, Default)]
struct Items {
    open: HashSet<String>,
    owners: HashMap<String, Owner>,
}

impl Items {
    fn owner(&self, id: &str) -> Option<&Owner> {
        self.owners.get(id)
    }

    fn own(&mut self, id: &str, owner: Option<&str>) {
        self.owners
            .entry(id.to_owned())
            .or_insert_with(|| owner.map(str::to_owned));
    }
}

/// The state of the rules; it begins anew with each `RUN_STARTED`.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    phase: Phase,
    texts: Items,
    calls: Items,
    spans: Items,
    reasonings: Items,
    activities: Items,
    steps: Vec<(Owner, String)>,
    subagents: HashSet<String>,
    closed_subagents: HashSet<String>,
}

/// Where violations go: the rule and what is wrong.
type Findings<'f> = &'f mut dyn FnMut(&'static str, String);

impl Rules {
    /// Checks one event (chunks expanded) of `owner`, whose type on the wire is `kind`.
    pub(crate) fn check(
        &mut self,
        kind: &str,
        event: &Event<'_>,
        owner: Option<&str>,
        found: Findings<'_>,
    ) {
        self.check_phase(kind, event, found);
        match event {
            Event::TextContent { id, .. } => {
                self.texts
                    .continued(id, owner, found, ("V8", "text message"), kind);
            }
            Event::TextStart { id, .. } => {
                self.texts.started(id, owner, found, ("V7", "text message"));
            }
            Event::TextEnd { id } => {
                self.texts
                    .ended(id, owner, found, ("V8", "text message"), kind);
            }
            Event::ToolArgs { id, .. } => {
                self.calls
                    .continued(id, owner, found, ("V10", "tool call"), kind);
            }
            Event::ToolStart { id, parent, .. } => {
                self.check_parent(id, parent.as_deref(), owner, found);
                self.calls.started(id, owner, found, ("V9", "tool call"));
            }
            Event::ToolEnd { id } => self
                .calls
                .ended(id, owner, found, ("V10", "tool call"), kind),
            Event::ToolResult {
                message_id: Some(id),
                ..
            } => self.texts.own(id, owner),
            Event::StepStarted { name } => self.step_started(name, owner, found),
            Event::StepFinished { name } => self.step_finished(name, owner, found),
            Event::ReasoningStart { id } => {
                self.spans
                    .started(id, owner, found, ("V13", "reasoning span"));
            }
            Event::ReasoningEnd { id } => {
                self.spans
                    .ended(id, owner, found, ("V13", "reasoning span"), kind);
            }
            Event::ReasoningMessageStart { id } => {
                self.reasonings
                    .started(id, owner, found, ("V14", "reasoning message"));
            }
            Event::ReasoningContent { id, .. } => {
                self.reasonings
                    .continued(id, owner, found, ("V14", "reasoning message"), kind);
            }
            Event::ReasoningMessageEnd { id } => {
                self.reasonings
                    .ended(id, owner, found, ("V14", "reasoning message"), kind);
            }
            Event::ReasoningEncrypted {
                subtype, entity, ..
            } => {
                let items = if subtype == "tool-call" {
                    &self.calls
                } else {
                    &self.reasonings
                };
                items.check_owner(entity, owner, found, "encrypted value");
            }
            Event::ActivitySnapshot { id, replace, .. } => {
                if *replace {
                    self.activities
                        .owners
                        .insert(id.to_string(), owner.map(str::to_owned));
                } else {
                    self.activities.own(id, owner);
                }
            }
            Event::ActivityDelta { id, .. } => {
                self.activities.check_owner(id, owner, found, "activity");
            }
            Event::SubagentStarted { name, parent } => {
                self.subagent_started(owner, name.as_deref(), parent.as_deref(), found);
            }
            Event::SubagentFinished { outcome } => {
                check_subagent_outcome(outcome, found);
                self.subagent_ended(owner, kind, found);
            }
            Event::SubagentError { message } => {
                if message.is_none() {
                    found("V17", "SUBAGENT_ERROR without a message".to_owned());
                }
                self.subagent_ended(owner, kind, found);
            }
            Event::MessagesSnapshot { messages } => self.take_owners(messages, true, found),
            Event::RunStarted { input: Some(input) } => {
                self.take_owners(&input["messages"], false, found);
            }
            Event::RunFinished { outcome, .. } => {
                check_interrupts(outcome, found);
                self.check_all_closed(found);
            }
            _ => {}
        }
    }

    /// Tells whether a run is active and the text message is open in it.
    pub(crate) fn is_open_text(&self, id: &str) -> bool {
        self.phase == Phase::Active && self.texts.open.contains(id)
    }

    fn check_phase(&mut self, kind: &str, event: &Event<'_>, found: Findings<'_>) {
        let starts = matches!(event, Event::RunStarted { .. });
        let errs = matches!(event, Event::RunError { .. });
        match self.phase {
            Phase::BeforeFirst if !starts && !errs => {
                found(
                    "V1",
                    format!("the first event is {kind}, not RUN_STARTED or RUN_ERROR"),
                );
                self.phase = Phase::Active; // told once
            }
            Phase::Errored if !starts => found("V2", format!("{kind} after RUN_ERROR")),
            Phase::Finished if !starts && !errs => {
                found("V3", format!("{kind} after RUN_FINISHED"));
            }
            Phase::Active if starts => found("V4", "RUN_STARTED while a run is active".to_owned()),
            Phase::BeforeFirst | Phase::Active | Phase::Finished | Phase::Errored => {}
        }
        match event {
            Event::RunStarted { .. } => {
                *self = Self {
                    phase: Phase::Active,
                    ..Self::default()
                }
            }
            Event::RunFinished { .. } => self.phase = Phase::Finished,
            Event::RunError { .. } => self.phase = Phase::Errored,
            _ => {}
        }
    }

    /// V11: a call belongs to the owner of its parent message.
    fn check_parent(
        &self,
        id: &str,
        parent: Option<&str>,
        owner: Option<&str>,
        found: Findings<'_>,
    ) {
        let Some(parent_owner) = parent.and_then(|parent| self.texts.owner(parent)) else {
            return;
        };
        let own = owner.or_else(|| self.calls.owner(id).and_then(Option::as_deref));
        let reopened = self.calls.owner(id).is_some();
        if (owner.is_some() || reopened) && own != parent_owner.as_deref() {
            found(
                "V11",
                format!("tool call '{id}' has another owner than its parent message"),
            );
        }
    }

    fn step_started(&mut self, name: &str, owner: Option<&str>, found: Findings<'_>) {
        if self.step_position(name, owner).is_some() {
            found("V12", format!("step '{name}' is started while it is open"));
        } else {
            self.steps.push((owner.map(str::to_owned), name.to_owned()));
        }
    }

    fn step_finished(&mut self, name: &str, owner: Option<&str>, found: Findings<'_>) {
        if let Some(at) = self.step_position(name, owner) {
            self.steps.remove(at);
        } else if self.steps.iter().any(|(_, open)| open == name) {
            found(
                "V12",
                format!("step '{name}' is finished by another owner than the one that started it"),
            );
        } else {
            found(
                "V12",
                format!("STEP_FINISHED for step '{name}' that was not started"),
            );
        }
    }

    fn step_position(&self, name: &str, owner: Option<&str>) -> Option<usize> {
        self.steps
            .iter()
            .position(|(open_owner, open)| open_owner.as_deref() == owner && open == name)
    }

    fn subagent_started(
        &mut self,
        id: Option<&str>,
        name: Option<&str>,
        parent: Option<&str>,
        found: Findings<'_>,
    ) {
        let (Some(id), Some(_)) = (id, name) else {
            return found(
                "V16",
                "SUBAGENT_STARTED without subagentRunId or name".to_owned(),
            );
        };
        if self.subagents.contains(id) {
            found(
                "V16",
                format!("subagent '{id}' is started while it is active"),
            );
        } else if self.closed_subagents.contains(id) {
            found(
                "V16",
                format!("subagent '{id}' is started again after its end"),
            );
        }
        if let Some(parent) = parent
            .filter(|id| !self.subagents.contains(*id) && !self.closed_subagents.contains(*id))
        {
            found(
                "V16",
                format!("subagent '{id}' names an unknown parent '{parent}'"),
            );
        }
        self.subagents.insert(id.to_owned());
    }

    fn subagent_ended(&mut self, id: Option<&str>, kind: &str, found: Findings<'_>) {
        match id {
            Some(id) if self.subagents.remove(id) => {
                self.closed_subagents.insert(id.to_owned());
            }
            Some(id) => found(
                "V17",
                format!("{kind} for subagent '{id}' that is not active"),
            ),
            None => found("V17", format!("{kind} without subagentRunId")),
        }
    }

    /// Messages in a snapshot overwrite recorded owners; messages in the input echo add those that are missing.
    fn take_owners(&mut self, messages: &Value, overwrite: bool, found: Findings<'_>) {
        for message in messages.as_array().into_iter().flatten() {
            let tag = &message["subagentRunId"];
            if message.get("subagentRunId").is_some_and(Value::is_null) {
                found("V5", "a message carries `subagentRunId: null`".to_owned());
            }
            let Some(id) = message["id"].as_str() else {
                continue;
            };
            let items = match message["role"].as_str() {
                Some("reasoning") => &mut self.reasonings,
                Some("activity") => &mut self.activities,
                _ => &mut self.texts,
            };
            if overwrite {
                items
                    .owners
                    .insert(id.to_owned(), tag.as_str().map(str::to_owned));
            } else {
                items.own(id, tag.as_str());
            }
        }
    }

    /// V18, in the order in which the reference client looks.
    fn check_all_closed(&self, found: Findings<'_>) {
        let first = |items: &Items| items.open.iter().min().cloned();
        let open = [
            ("step", self.steps.first().map(|(_, name)| name.clone())),
            ("text message", first(&self.texts)),
            ("reasoning message", first(&self.reasonings)),
            ("reasoning span", first(&self.spans)),
            ("tool call", first(&self.calls)),
            ("subagent", self.subagents.iter().min().cloned()),
        ];
        for (what, id) in open {
            if let Some(id) = id {
                found("V18", format!("RUN_FINISHED while {what} '{id}' is open"));
            }
        }
    }
}

impl Items {
    fn started(
        &mut self,
        id: &str,
        owner: Option<&str>,
        found: Findings<'_>,
        (rule, what): (&'static str, &str),
    ) {
        if self.open.contains(id) {
            found(rule, format!("{what} '{id}' is started while it is open"));
        }
        self.check_owner(id, owner, found, what);
        self.own(id, owner);
        self.open.insert(id.to_owned());
    }

    fn continued(
        &self,
        id: &str,
        owner: Option<&str>,
        found: Findings<'_>,
        (rule, what): (&'static str, &str),
        kind: &str,
    ) {
        if self.open.contains(id) {
            self.check_owner(id, owner, found, what);
        } else {
            found(
                rule,
                format!("{kind}: no active {what} found with ID '{id}'"),
            );
        }
    }

    fn ended(
        &mut self,
        id: &str,
        owner: Option<&str>,
        found: Findings<'_>,
        rule: (&'static str, &str),
        kind: &str,
    ) {
        self.continued(id, owner, found, rule, kind);
        self.open.remove(id);
    }

    /// V15: a tag that is present must be the opener's.
    fn check_owner(&self, id: &str, owner: Option<&str>, found: Findings<'_>, what: &str) {
        let Some(tag) = owner else { return };
        if self
            .owner(id)
            .is_some_and(|opener| opener.as_deref() != Some(tag))
        {
            found(
                "V15",
                format!("{what} '{id}' is tagged '{tag}' but another owner opened it"),
            );
        }
    }
}

fn check_subagent_outcome(outcome: &Value, found: Findings<'_>) {
    if outcome.is_null() {
        return;
    }
    if !matches!(outcome["type"].as_str(), Some("success" | "suspended")) {
        found(
            "V6",
            "the outcome of SUBAGENT_FINISHED is neither success nor suspended".to_owned(),
        );
    }
    let ids = outcome.get("interruptIds");
    let well_formed = ids.is_none_or(|ids| {
        ids.as_array()
            .is_some_and(|ids| ids.iter().all(Value::is_string))
    });
    if !well_formed {
        found("V6", "interruptIds is not a list of strings".to_owned());
    }
}

fn check_interrupts(outcome: &Value, found: Findings<'_>) {
    let interrupts = outcome["interrupts"].as_array().into_iter().flatten();
    for interrupt in interrupts {
        if interrupt.get("subagentRunId").is_some_and(Value::is_null) {
            found(
                "V5",
                "an interrupt carries `subagentRunId: null`".to_owned(),
            );
        }
    }
}
