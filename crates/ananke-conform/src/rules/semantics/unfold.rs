//! From events to what happens: chunks become the beginnings, pieces and ends that they stand for, runs are kept apart,
//! and what cannot be understood is left out, as other rules tell about it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::story::{End, Run, Step, Told};
use crate::exchange::Observed;

/// Reads the runs of an answer.
pub(super) fn runs(events: &[Observed]) -> Vec<Run<'_>> {
    let mut reader = Reader {
        runs: Vec::new(),
        lanes: BTreeMap::new(),
        owners: BTreeMap::new(),
    };
    for (number, event) in events.iter().enumerate() {
        if let Some(kind) = event.kind() {
            reader.take(number, event, kind);
        }
    }
    reader.runs
}

/// What an owner's chunks may go on with.
#[derive(Clone, Copy)]
struct Lane<'a> {
    kind: Kind,
    id: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Text,
    Call,
    Reasoning,
}

struct Reader<'a> {
    runs: Vec<Run<'a>>,
    /// By owner: each has at most one.
    lanes: BTreeMap<Option<&'a str>, Lane<'a>>,
    /// The owners of the lanes, by what is in them.
    owners: BTreeMap<(Kind, &'a str), Option<&'a str>>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, number: usize, event: &'a Observed, kind: &str) {
        let owner = event.text("subagentRunId");
        match kind {
            "TEXT_MESSAGE_CHUNK" => return self.chunk(number, event, owner, Kind::Text),
            "TOOL_CALL_CHUNK" => return self.chunk(number, event, owner, Kind::Call),
            "REASONING_MESSAGE_CHUNK" => return self.chunk(number, event, owner, Kind::Reasoning),
            _ => self.close(number, kind, owner),
        }
        match kind {
            "RUN_STARTED" => self.runs.push(Run {
                id: event.text("runId"),
                thread: event.text("threadId"),
                ..Run::default()
            }),
            "RUN_FINISHED" => self.end(number, finished(event)),
            "RUN_ERROR" => self.end(number, End::Other),
            _ => {
                if let Some(step) = step(event, kind) {
                    self.tell(number, owner, step);
                }
            }
        }
    }

    fn tell(&mut self, event: usize, owner: Option<&'a str>, step: Step<'a>) {
        if self.runs.is_empty() {
            self.runs.push(Run::default());
        }
        let run = self.runs.last_mut().expect("one was just pushed");
        // What follows the end of a run belongs to none.
        if run.end.is_none() {
            run.steps.push(Told { event, owner, step });
        }
    }

    fn end(&mut self, number: usize, end: End<'a>) {
        if self.runs.is_empty() {
            self.runs.push(Run::default());
        }
        let run = self.runs.last_mut().expect("one was just pushed");
        // An error may follow RUN_FINISHED, and then counts.
        if run.end.is_none() || end == End::Other {
            run.end = Some((number, end));
        }
    }

    fn close(&mut self, number: usize, kind: &str, owner: Option<&'a str>) {
        let all = matches!(
            kind,
            "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT"
        );
        let own = [
            "TEXT_",
            "TOOL_",
            "STEP_",
            "STATE_",
            "CUSTOM",
            "REASONING_",
            "THINKING_",
        ];
        let own = own.iter().any(|start| kind.starts_with(start))
            || matches!(kind, "SUBAGENT_FINISHED" | "SUBAGENT_ERROR");
        if !all && (!own || kind == "REASONING_ENCRYPTED_VALUE") {
            return;
        }
        if !all {
            return self.finish(number, owner);
        }
        let owners: Vec<Option<&str>> = self.lanes.keys().copied().collect();
        for owner in owners {
            self.finish(number, owner);
        }
    }

    fn finish(&mut self, number: usize, owner: Option<&'a str>) {
        let Some(Lane { kind, id }) = self.lanes.remove(&owner) else {
            return;
        };
        self.owners.remove(&(kind, id));
        match kind {
            Kind::Text => self.tell(number, owner, Step::TextEnd { id }),
            Kind::Call => self.tell(number, owner, Step::CallEnd { id }),
            Kind::Reasoning => {}
        }
    }

    fn chunk(&mut self, number: usize, event: &'a Observed, owner: Option<&'a str>, kind: Kind) {
        let member = if kind == Kind::Call {
            "toolCallId"
        } else {
            "messageId"
        };
        let lane = match event.text(member) {
            Some(id) => match self.owners.get(&(kind, id)) {
                Some(opener) => Some((id, *opener)),
                None => self
                    .open(number, event, owner, kind, id)
                    .then_some((id, owner)),
            },
            None => self.continued(kind, owner),
        };
        let Some((id, owner)) = lane else {
            return;
        };
        let Some(delta) = event.text("delta") else {
            return;
        };
        match kind {
            Kind::Text => self.tell(number, owner, Step::TextPiece { id, delta }),
            Kind::Call => self.tell(number, owner, Step::CallPiece { id, delta }),
            Kind::Reasoning => {}
        }
    }

    /// Opens a lane; a call without a name cannot be opened.
    fn open(
        &mut self,
        number: usize,
        event: &'a Observed,
        owner: Option<&'a str>,
        kind: Kind,
        id: &'a str,
    ) -> bool {
        let step = match (kind, event.text("toolCallName")) {
            (Kind::Text, _) => Step::Text {
                id,
                role: event.text("role"),
                name: event.text("name"),
            },
            (Kind::Reasoning, _) => Step::Reasoning { id },
            (Kind::Call, Some(name)) => Step::Call {
                id,
                name,
                parent: event.text("parentMessageId"),
            },
            (Kind::Call, None) => return false,
        };
        self.finish(number, owner);
        self.tell(number, owner, step);
        self.lanes.insert(owner, Lane { kind, id });
        self.owners.insert((kind, id), owner);
        true
    }

    /// Finds what a chunk without an id continues, and its owner; `None` if there is nothing, or more than one.
    fn continued(&self, kind: Kind, owner: Option<&'a str>) -> Option<(&'a str, Option<&'a str>)> {
        let own = self.lanes.get(&owner).filter(|lane| lane.kind == kind);
        if own.is_some() || owner.is_some() {
            return own.map(|lane| (lane.id, owner));
        }
        let others = self.owners.range((kind, "")..);
        let mut others = others.take_while(|((other, _), _)| *other == kind);
        match (others.next(), others.next()) {
            (Some(((_, id), owner)), None) => Some((id, *owner)),
            _ => None,
        }
    }
}

fn step<'a>(event: &'a Observed, kind: &str) -> Option<Step<'a>> {
    let message = || event.text("messageId");
    let call = || event.text("toolCallId");
    Some(match kind {
        "TEXT_MESSAGE_START" => Step::Text {
            id: message()?,
            role: event.text("role"),
            name: event.text("name"),
        },
        "TEXT_MESSAGE_CONTENT" => Step::TextPiece {
            id: message()?,
            delta: event.text("delta")?,
        },
        "TEXT_MESSAGE_END" => Step::TextEnd { id: message()? },
        "TOOL_CALL_START" => Step::Call {
            id: call()?,
            name: event.text("toolCallName")?,
            parent: event.text("parentMessageId"),
        },
        "TOOL_CALL_ARGS" => Step::CallPiece {
            id: call()?,
            delta: event.text("delta")?,
        },
        "TOOL_CALL_END" => Step::CallEnd { id: call()? },
        "TOOL_CALL_RESULT" => Step::Answer {
            message_id: message()?,
            call_id: call()?,
            content: event.get("content"),
        },
        "REASONING_START" => Step::Span { id: message()? },
        "REASONING_MESSAGE_START" => Step::Reasoning { id: message()? },
        "ACTIVITY_SNAPSHOT" => Step::Activity { id: message()? },
        "REASONING_ENCRYPTED_VALUE" => Step::Encrypted {
            subtype: event.text("subtype")?,
            entity: event.text("entityId")?,
        },
        "MESSAGES_SNAPSHOT" => Step::Snapshot(event.get("messages")?.as_array()?),
        _ => return None,
    })
}

fn finished(event: &Observed) -> End<'_> {
    let Some(outcome) = event.get("outcome").filter(|outcome| !outcome.is_null()) else {
        return End::Success { pending: None };
    };
    match outcome.get("type").and_then(Value::as_str) {
        Some("success") => {
            let pending = outcome.get("pendingToolCallIds").and_then(Value::as_array);
            // An empty list says nothing: the producer named none.
            let pending = pending.map(Vec::as_slice).filter(|ids| !ids.is_empty());
            End::Success { pending }
        }
        Some("interrupt") => End::Interrupt,
        _ => End::Other,
    }
}
