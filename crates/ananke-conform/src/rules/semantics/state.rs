//! State: deltas apply to what the consumer holds, and a final snapshot does not take them back.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::patches::{Patched, operations, patch};
use super::run::{Outcome, Run, runs};
use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static DELTA: Rule = Rule {
    id: "semantics.state-delta",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every STATE_DELTA applies to the state that the client holds",
    reason: "A client that cannot apply a patch keeps the old state, so from then on it shows something else than the agent knows.",
    section: "State, deltas: RFC 6902 against the state of the request, or `{}`",
    advice: "Begin with the `state` of the request, or send a STATE_SNAPSHOT before the first delta. Create a parent before its members, and send a patch only after all before it were sent.",
    needs: "STATE_DELTA whose base is known",
};

static FINAL: Rule = Rule {
    id: "semantics.state-final",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "the last STATE_SNAPSHOT of a run does not take back what its deltas said",
    reason: "A snapshot may add and change facts, but one that drops or undoes what deltas of the same run set shows that they told what is not part of the state.",
    section: "State, snapshots and deltas",
    advice: "Make deltas and snapshots from one and the same state. Remove a passing member by a delta, and keep the framework's own members out of both.",
    needs: "STATE_SNAPSHOT after deltas at the end of a run",
};

pub(super) const RULES: &[&Rule] = &[&DELTA, &FINAL];

/// Paths that are named in a finding.
const MAX_NAMED: usize = 3;
/// How much of a value is shown.
const MAX_SHOWN: usize = 60;

/// What the consumer holds.
struct Held {
    /// `None` if it is not known.
    now: Option<Value>,
    /// As it was before the deltas.
    base: Option<Value>,
    /// Where the base comes from, for messages.
    source: String,
    /// Paths that deltas changed since then.
    touched: BTreeSet<String>,
}

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let mut held = Held::at_first(exchange);
    for run in runs(&exchange.answer) {
        held.go_on();
        look_at_run(run, &mut held, found);
    }
}

fn look_at_run(run: Run<'_>, held: &mut Held, found: &mut Findings) {
    let is_state =
        |event: &Observed| matches!(event.kind(), Some("STATE_SNAPSHOT" | "STATE_DELTA"));
    let last = run.numbered().filter(|(_, event)| is_state(event)).last();
    // A run that broke off might have said more.
    let is_finished = matches!(run.end(), Some(end) if !matches!(end.outcome, Outcome::Error(_)));
    for (number, event) in run.numbered() {
        match event.kind() {
            Some("STATE_DELTA") => delta(number, event, held, found),
            Some("STATE_SNAPSHOT") => {
                let is_final = is_finished && last.is_some_and(|(last, _)| last == number);
                if let Some(snapshot) = event.get("snapshot").filter(|_| is_final) {
                    compare(number, snapshot, held, found);
                }
                held.replace(event.get("snapshot").cloned(), number);
            }
            _ => {}
        }
    }
}

fn delta(number: usize, event: &Observed, held: &mut Held, found: &mut Findings) {
    let (Some(now), Some(operations)) = (held.now.as_mut(), event.get("delta")) else {
        held.now = None;
        return;
    };
    match patch(now, operations) {
        Patched::Yes => {
            found.saw(&DELTA);
            held.touch(operations);
        }
        Patched::No(why) => {
            let since = if held.touched.is_empty() {
                ""
            } else {
                " and the deltas since"
            };
            let message = format!(
                "the patch cannot be applied to the state {} ({}{since}): {why}",
                brief(now),
                held.source
            );
            found.at(&DELTA, number, message);
        }
        Patched::Unknown => held.now = None,
    }
}

/// Compares the last snapshot of a run with what the deltas before it made of the state.
fn compare(number: usize, snapshot: &Value, held: &Held, found: &mut Findings) {
    let (Some(now), Some(base)) = (&held.now, &held.base) else {
        return;
    };
    if held.touched.is_empty() {
        return;
    }
    found.saw(&FINAL);
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut taken_back = Vec::new();
    for path in &held.touched {
        // Paths are in order: what holds this one was told before, if at all.
        let mut holders = std::iter::successors(holder(path), |path| holder(path));
        let is_told = holders.any(|holder| told.contains(holder));
        if let Some(words) = difference(path, now, snapshot, base).filter(|_| !is_told) {
            told.insert(path);
            taken_back.push(words);
        }
    }
    if taken_back.is_empty() {
        return;
    }
    let n_more = taken_back.len().saturating_sub(MAX_NAMED);
    let mut named = taken_back;
    named.truncate(MAX_NAMED);
    if n_more > 0 {
        named.push(format!("{n_more} more"));
    }
    let message = format!(
        "the snapshot takes back what the deltas of the run said: {}",
        named.join("; ")
    );
    found.at(&FINAL, number, message);
}

/// Returns the path of what holds a path.
fn holder(path: &str) -> Option<&str> {
    Some(path.rsplit_once('/')?.0)
}

/// Tells what a snapshot drops or undoes at a path.
fn difference(path: &str, now: &Value, snapshot: &Value, base: &Value) -> Option<String> {
    let name = if path.is_empty() { "the state" } else { path };
    match (
        now.pointer(path),
        snapshot.pointer(path),
        base.pointer(path),
    ) {
        (Some(set), None, _) => Some(format!("`{name}` was set to {} and is gone", brief(set))),
        (Some(set), Some(seen), Some(before)) if seen != set && seen == before => Some(format!(
            "`{name}` was set to {} and is {} again",
            brief(set),
            brief(before)
        )),
        (None, Some(seen), Some(before)) if seen == before => {
            Some(format!("`{name}` was removed and is {} again", brief(seen)))
        }
        _ => None,
    }
}

impl Held {
    fn at_first(exchange: &Exchange) -> Self {
        let sent = exchange.request.as_ref();
        let given = sent.and_then(|input| input.get("state"));
        let (now, source) = match (sent, given) {
            (None, _) => match echo(exchange) {
                Some(state) => (Some(state.clone()), "from the echo of the request"),
                None => (None, "not known"),
            },
            (Some(_), None | Some(Value::Null)) => (
                Some(Value::Object(serde_json::Map::new())),
                "the request has none",
            ),
            (Some(_), Some(state)) => (Some(state.clone()), "from the request"),
        };
        Self {
            base: now.clone(),
            now,
            source: source.to_owned(),
            touched: BTreeSet::new(),
        }
    }

    /// Goes on to another run: its deltas are its own.
    fn go_on(&mut self) {
        if !self.touched.is_empty() {
            self.base.clone_from(&self.now);
            self.touched.clear();
        }
    }

    fn replace(&mut self, snapshot: Option<Value>, number: usize) {
        self.base.clone_from(&snapshot);
        self.now = snapshot;
        self.source = format!("from the STATE_SNAPSHOT of event {number}");
        self.touched.clear();
    }

    /// Notes which paths a patch changed. An item that is appended changes its list.
    fn touch(&mut self, patch: &Value) {
        for (op, path) in operations(patch) {
            if op != "test" {
                let path = path.strip_suffix("/-").unwrap_or(path);
                self.touched.insert(path.to_owned());
            }
        }
    }
}

/// Returns the state that `RUN_STARTED` repeats from the request. A server may leave it out: then nothing is known.
fn echo(exchange: &Exchange) -> Option<&Value> {
    let (_, started) = exchange.answer.of_kind("RUN_STARTED").next()?;
    started.get("input")?.get("state")
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    let end = text.floor_char_boundary(MAX_SHOWN);
    match text.split_at(end) {
        (all, "") => format!("`{all}`"),
        (some, _) => format!("`{some}…`"),
    }
}
