//! The sequence rules V1–V18: what order events may come in. A violation is a finding; folding goes on.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conversation::tool_calls;
use super::event::Event;

type Owner = Option<String>;

/// Where the stream is between its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    BeforeFirst,
    /// The stream began with another event: told once, and what follows is held to the other rules.
    Unstarted,
    Active,
    Finished,
    Errored,
}

/// Who owns each item of one kind that was ever seen in this run.
#[derive(Debug, Default)]
struct Owners(HashMap<String, Owner>);

/// The items of one kind: which are open, who owns them, and what they are called. The rules are those of a start and of
/// what needs an open item.
struct Items<'r> {
    open: &'r mut HashSet<String>,
    owners: &'r mut Owners,
    what: &'static str,
    rules: [&'static str; 2],
}

/// The state of the rules; it begins anew with each `RUN_STARTED`.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    phase: Phase,
    open_texts: HashSet<String>,
    open_calls: HashSet<String>,
    open_spans: HashSet<String>,
    open_reasonings: HashSet<String>,
    message_owners: Owners,
    call_owners: Owners,
    /// A span and the messages inside it often share an id, and then an owner.
    reasoning_owners: Owners,
    activity_owners: Owners,
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
        if !self.check_phase(kind, event, found) {
            return;
        }
        match event {
            Event::TextStart { id, .. } => self.texts().started(id, owner, found),
            Event::TextContent { id, .. } => self.texts().continued(id, owner, found, kind),
            Event::TextEnd { id } => self.texts().ended(id, owner, found, kind),
            Event::ToolStart { id, parent, .. } => {
                let inherited = self.check_parent(id, parent.as_deref(), owner, found);
                self.calls().started(id, owner, found);
                if owner.is_none() && inherited.is_some() {
                    self.call_owners.set(id, inherited.as_deref());
                }
            }
            Event::ToolArgs { id, .. } => self.calls().continued(id, owner, found, kind),
            Event::ToolEnd { id } => self.calls().ended(id, owner, found, kind),
            Event::ToolResult {
                message_id: Some(id),
                ..
            } => self.message_owners.set(id, owner),
            Event::StepStarted { name } => self.step_started(name, owner, found),
            Event::StepFinished { name } => self.step_finished(name, owner, found),
            Event::ReasoningStart { id } => self.spans().started(id, owner, found),
            Event::ReasoningEnd { id } => self.spans().ended(id, owner, found, kind),
            Event::ReasoningMessageStart { id } => self.reasonings().started(id, owner, found),
            Event::ReasoningContent { id, .. } => {
                self.reasonings().continued(id, owner, found, kind);
            }
            Event::ReasoningMessageEnd { id } => self.reasonings().ended(id, owner, found, kind),
            Event::ReasoningEncrypted {
                subtype, entity, ..
            } => {
                let owners = match subtype.as_ref() {
                    "tool-call" => &self.call_owners,
                    "message" if self.message_owners.of(entity).is_some() => &self.message_owners,
                    _ => &self.reasoning_owners,
                };
                owners.check(entity, owner, found, "encrypted value");
            }
            Event::ActivitySnapshot { id, replace, .. } => {
                if *replace {
                    self.activity_owners.set(id, owner);
                } else {
                    self.activity_owners.first(id, owner);
                }
            }
            Event::ActivityDelta { id, .. } => {
                self.activity_owners.check(id, owner, found, "activity");
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
        self.phase == Phase::Active && self.open_texts.contains(id)
    }

    fn texts(&mut self) -> Items<'_> {
        Items {
            open: &mut self.open_texts,
            owners: &mut self.message_owners,
            what: "text message",
            rules: ["V7", "V8"],
        }
    }

    fn calls(&mut self) -> Items<'_> {
        Items {
            open: &mut self.open_calls,
            owners: &mut self.call_owners,
            what: "tool call",
            rules: ["V9", "V10"],
        }
    }

    fn spans(&mut self) -> Items<'_> {
        Items {
            open: &mut self.open_spans,
            owners: &mut self.reasoning_owners,
            what: "reasoning span",
            rules: ["V13"; 2],
        }
    }

    fn reasonings(&mut self) -> Items<'_> {
        Items {
            open: &mut self.open_reasonings,
            owners: &mut self.reasoning_owners,
            what: "reasoning message",
            rules: ["V14"; 2],
        }
    }

    /// Checks the event against the run that it is in; says whether it is in one. What comes after the end of a run is
    /// told once, not by every other rule too.
    fn check_phase(&mut self, kind: &str, event: &Event<'_>, found: Findings<'_>) -> bool {
        let starts = matches!(event, Event::RunStarted { .. });
        let errs = matches!(event, Event::RunError { .. });
        match self.phase {
            Phase::BeforeFirst if !starts && !errs => {
                found(
                    "V1",
                    format!("the first event is {kind}, not RUN_STARTED or RUN_ERROR"),
                );
                self.phase = Phase::Unstarted;
            }
            Phase::Errored if !starts => {
                found("V2", format!("{kind} after RUN_ERROR"));
                return false;
            }
            Phase::Finished if !starts && !errs => {
                found("V3", format!("{kind} after RUN_FINISHED"));
                return false;
            }
            Phase::Active if starts => found("V4", "RUN_STARTED while a run is active".to_owned()),
            _ => {}
        }
        match event {
            // What came before a late start is taken for a part of its run.
            Event::RunStarted { .. } if self.phase == Phase::Unstarted => {
                self.phase = Phase::Active;
            }
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
        true
    }

    /// V11: a call belongs to the owner of its parent message. Returns the owner that a new call without a tag gets from it.
    fn check_parent(
        &self,
        id: &str,
        parent: Option<&str>,
        owner: Option<&str>,
        found: Findings<'_>,
    ) -> Owner {
        let parent_owner = parent.and_then(|parent| self.message_owners.of(parent))?;
        let opener = self.call_owners.of(id);
        let own = match (owner, opener) {
            (Some(tag), _) => Some(tag),
            (None, Some(opener)) => opener.as_deref(),
            (None, None) => return parent_owner.clone(),
        };
        if own != parent_owner.as_deref() {
            found(
                "V11",
                format!("tool call '{id}' has another owner than its parent message"),
            );
        }
        None
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
        if id.is_none() || name.is_none() {
            found(
                "V16",
                "SUBAGENT_STARTED without subagentRunId or name".to_owned(),
            );
        }
        let Some(id) = id else { return };
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
            let owners = match message["role"].as_str() {
                Some("reasoning") => &mut self.reasoning_owners,
                Some("activity") => &mut self.activity_owners,
                _ => &mut self.message_owners,
            };
            let put = |owners: &mut Owners, id: &str| {
                if overwrite {
                    owners.set(id, tag.as_str());
                } else {
                    owners.first(id, tag.as_str());
                }
            };
            put(owners, id);
            // A call has no owner of its own: it is in the message.
            for call_id in tool_calls(message).filter_map(|call| call["id"].as_str()) {
                put(&mut self.call_owners, call_id);
            }
        }
    }

    /// V18, in the order in which the reference client looks.
    fn check_all_closed(&self, found: Findings<'_>) {
        let first = |open: &HashSet<String>| open.iter().min().cloned();
        let open = [
            ("step", self.steps.first().map(|(_, name)| name.clone())),
            ("text message", first(&self.open_texts)),
            ("reasoning message", first(&self.open_reasonings)),
            ("reasoning span", first(&self.open_spans)),
            ("tool call", first(&self.open_calls)),
            ("subagent", first(&self.subagents)),
        ];
        for (what, id) in open {
            if let Some(id) = id {
                found("V18", format!("RUN_FINISHED while {what} '{id}' is open"));
            }
        }
    }
}

impl Items<'_> {
    fn started(&mut self, id: &str, owner: Option<&str>, found: Findings<'_>) {
        let what = self.what;
        if self.open.contains(id) {
            found(
                self.rules[0],
                format!("{what} '{id}' is started while it is open"),
            );
        }
        self.owners.check(id, owner, found, what);
        self.owners.first(id, owner);
        self.open.insert(id.to_owned());
    }

    fn continued(&self, id: &str, owner: Option<&str>, found: Findings<'_>, kind: &str) {
        let what = self.what;
        if !self.open.contains(id) {
            found(
                self.rules[1],
                format!("{kind}: no active {what} found with ID '{id}'"),
            );
        }
        // Clients before 1.0 ask whose reasoning goes on, not whether it is open.
        self.owners.check(id, owner, found, what);
    }

    fn ended(&mut self, id: &str, owner: Option<&str>, found: Findings<'_>, kind: &str) {
        self.continued(id, owner, found, kind);
        self.open.remove(id);
    }
}

impl Owners {
    fn of(&self, id: &str) -> Option<&Owner> {
        self.0.get(id)
    }

    fn set(&mut self, id: &str, owner: Option<&str>) {
        self.0.insert(id.to_owned(), owner.map(str::to_owned));
    }

    /// The first owner stays.
    fn first(&mut self, id: &str, owner: Option<&str>) {
        if !self.0.contains_key(id) {
            self.set(id, owner);
        }
    }

    /// V15: a tag that is present must be the opener's.
    fn check(&self, id: &str, owner: Option<&str>, found: Findings<'_>, what: &str) {
        let Some(tag) = owner else { return };
        if self
            .of(id)
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
