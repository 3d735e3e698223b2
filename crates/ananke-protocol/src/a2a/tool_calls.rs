//! The calls of a turn, put together from what was seen of them. The first word about a call counts: agents repeat
//! themselves in histories, artifacts and snapshots.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::recording::{LateResult, ToolCall};

use super::conventions::{CallEnd, Sighting};

/// One event may tell of a great many calls, and each takes far more memory than its text.
const MAX_CALLS: usize = 4096;

/// What is known of the calls of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownCalls {
    /// Ids, and whether the call has ended.
    ids: BTreeMap<String, bool>,
    /// Where calls without an id were told of.
    places: BTreeSet<String>,
    n_nameless: usize,
    /// Whether the agent ever told of a call.
    pub(super) is_any: bool,
}

/// The calls of a turn.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) known: KnownCalls,
    pub(super) list: Vec<ToolCall>,
    pub(super) late: Vec<LateResult>,
    /// Whether calls were left out because there are too many.
    pub(super) is_too_many: bool,
    /// Whether what is seen now is a task as a whole, which holds what earlier turns told.
    pub(super) is_snapshot: bool,
}

impl Calls {
    pub(super) fn new(known: KnownCalls) -> Self {
        Self {
            known,
            ..Self::default()
        }
    }

    /// Returns what is known when another task begins, where ids may be used again.
    pub(super) fn after(known: &KnownCalls) -> KnownCalls {
        KnownCalls {
            n_nameless: known.n_nameless,
            is_any: known.is_any,
            ..KnownCalls::default()
        }
    }

    /// Takes what was seen at `place` in event number `event`, which came at `at_us`.
    pub(super) fn take(&mut self, sighting: Sighting, place: &str, event: usize, at_us: u64) {
        self.known.is_any = true;
        let position = match &sighting.id {
            Some(id) => self.list.iter().rposition(|call| call.id == *id),
            // The same words at the same place are the same call.
            None if !self.known.places.insert(place.to_owned()) => return,
            None if sighting.args.is_some() => None,
            None => self.open_call(sighting.name.as_deref()),
        };
        if let Some(position) = position {
            return self.complete(position, sighting, at_us);
        }
        let known = sighting
            .id
            .as_ref()
            .and_then(|id| self.known.ids.get_mut(id));
        let is_told_again = known.is_some() && sighting.args.is_some() && !self.is_snapshot;
        if let Some(has_ended) = known.filter(|_| !is_told_again) {
            let result = sighting.end.and_then(|end| end.result.or(end.error));
            if let (false, Some(id), Some(result)) = (*has_ended, sighting.id, result) {
                *has_ended = true;
                self.late.push(LateResult { id, result });
            }
            return;
        }
        self.begin(sighting, event, at_us);
        if let (true, Some(call)) = (is_told_again, self.list.last_mut()) {
            call.restreamed = true;
        }
    }

    /// Returns the newest call that has not ended, of this name if there is one.
    fn open_call(&self, name: Option<&str>) -> Option<usize> {
        self.list.iter().rposition(|call| {
            call.completed_us.is_none() && name.is_none_or(|name| call.name == name)
        })
    }

    fn begin(&mut self, sighting: Sighting, event: usize, at_us: u64) {
        if self.list.len() >= MAX_CALLS {
            self.is_too_many = true;
            return;
        }
        let id = sighting.id.unwrap_or_else(|| {
            self.known.n_nameless += 1;
            format!("call-{}", self.known.n_nameless)
        });
        self.known.ids.insert(id.clone(), sighting.end.is_some());
        self.list.push(ToolCall {
            id,
            name: sighting.name.unwrap_or_default(),
            args_text: sighting.args.unwrap_or_default(),
            args_error: None,
            result: None,
            error: None,
            started_us: at_us,
            args_done_us: Some(at_us),
            completed_us: None,
            event_clock: None,
            event,
            from_snapshot: false,
            restreamed: false,
        });
        if let Some(end) = sighting.end {
            self.end(self.list.len() - 1, end, at_us);
        }
    }

    /// Adds to a call what is not known of it yet.
    fn complete(&mut self, position: usize, sighting: Sighting, at_us: u64) {
        let call = &mut self.list[position];
        if call.name.is_empty() {
            call.name = sighting.name.unwrap_or_default();
        }
        if call.args_text.is_empty() {
            call.args_text = sighting.args.unwrap_or_default();
        }
        if let Some(end) = sighting.end.filter(|_| call.completed_us.is_none()) {
            self.end(position, end, at_us);
        }
    }

    fn end(&mut self, position: usize, end: CallEnd, at_us: u64) {
        let call = &mut self.list[position];
        call.result = end.result;
        call.error = end.error;
        call.completed_us = Some(at_us);
        self.known.ids.insert(call.id.clone(), true);
    }
}

/// Says what a turn has passed.
pub(super) fn too_many_calls() -> String {
    format!("the turn makes more than {MAX_CALLS} tool calls")
}
