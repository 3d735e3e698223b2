//! Subagents that wait, and the interrupts of the run that they raised.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::Held;
use super::reused::thread_of;
use super::run::{Outcome, Run, ids_of, list, runs, text};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static SUSPENDED: Rule = Rule {
    id: "semantics.suspended-ids",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "a suspended subagent belongs to a run that ends with its interrupts",
    reason: "A suspended subagent names the interrupts of the run that it raised, and only those can be answered.",
    section: "Subagents: SUBAGENT_FINISHED, outcome `suspended`",
    advice: "Finish the run with the outcome `interrupt`, and list every interrupt that a subagent names in `interruptIds`.",
    needs: "suspended subagent in a run that ended as success or with an interrupt",
};

static SUBAGENT: Rule = Rule {
    id: "semantics.interrupt-subagent",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "the `subagentRunId` of an interrupt names a subagent that the client has seen",
    reason: "A client shows the question at the subagent that asks it, and cannot if that one never started.",
    section: "Interrupts: `subagentRunId`",
    advice: "Use the id of the SUBAGENT_STARTED event, or leave it out if the run itself asks.",
    needs: "interrupt with a `subagentRunId`",
};

pub(super) const RULES: &[&Rule] = &[&SUSPENDED, &SUBAGENT];

/// Looks at the subagents of each run.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    for run in runs(&exchange.answer) {
        look_at_suspended(run, found);
    }
}

/// Looks at who raised the interrupts of each thread: a subagent that still waits started in an earlier run.
pub(super) fn look_at_threads(exchanges: &[Exchange], found: &mut Findings) {
    let mut threads: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        let Some(thread_id) = thread_of(exchange).filter(|_| exchange.answer.is_stream()) else {
            continue;
        };
        found.enter(number);
        let is_first = !threads.contains_key(thread_id);
        let known = threads.entry(thread_id).or_default();
        let started = exchange.answer.of_kind("SUBAGENT_STARTED");
        known.extend(started.filter_map(|(_, event)| event.text("subagentRunId")));
        // Where the thread began before we looked, earlier runs may have started it.
        let is_whole = !is_first || !Held::new(exchange.sent_messages()).has_agents_message();
        for run in runs(&exchange.answer) {
            look_at_owners(run, known, is_whole && !resumes(exchange), found);
        }
    }
}

fn look_at_owners(run: Run<'_>, known: &BTreeSet<&str>, is_whole: bool, found: &mut Findings) {
    let Some(end) = run.end() else {
        return;
    };
    let Outcome::Interrupt(interrupts) = end.outcome else {
        return;
    };
    for interrupt in interrupts {
        let Some(owner) = text(interrupt, "subagentRunId") else {
            continue;
        };
        if known.contains(owner) {
            found.saw(&SUBAGENT);
        } else if is_whole {
            let id = text(interrupt, "id").unwrap_or_default();
            let message = format!(
                "interrupt `{id}` is of the subagent `{owner}`, but no SUBAGENT_STARTED has this `subagentRunId`"
            );
            found.at(&SUBAGENT, end.at, message);
        }
    }
}

fn resumes(exchange: &Exchange) -> bool {
    let request = exchange.request.as_ref();
    list(request.and_then(|input| input.get("resume")))
        .next()
        .is_some()
}

/// A run that failed or was stopped lists no interrupts, whatever its subagents waited for.
fn look_at_suspended(run: Run<'_>, found: &mut Findings) {
    let listed: Option<BTreeSet<&str>> = match run.end().map(|end| end.outcome) {
        Some(Outcome::Interrupt(interrupts)) => Some(ids_of(&interrupts).collect()),
        Some(Outcome::Success) => None,
        _ => return,
    };
    for (number, event) in run.numbered() {
        let outcome = event.get("outcome").filter(|outcome| {
            event.kind() == Some("SUBAGENT_FINISHED") && text(outcome, "type") == Some("suspended")
        });
        let Some(outcome) = outcome else {
            continue;
        };
        found.saw(&SUSPENDED);
        let named = list(outcome.get("interruptIds")).filter_map(Value::as_str);
        let named: Vec<&str> = named.collect();
        if named.is_empty() && listed.is_none() {
            let id = event.text("subagentRunId").unwrap_or_default();
            let message = format!(
                "the subagent `{id}` is suspended, but the run finished as success, not with the outcome `interrupt`"
            );
            found.at(&SUSPENDED, number, message);
        }
        for id in named {
            if listed.as_ref().is_none_or(|listed| !listed.contains(id)) {
                let message = format!(
                    "the run finished without an interrupt `{id}`, which this subagent waits for"
                );
                found.at(&SUSPENDED, number, message);
            }
        }
    }
}
