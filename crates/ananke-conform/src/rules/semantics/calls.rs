//! Calls that a run leaves unanswered, and whose work they are.
//!
//! A call of a tool that the request offers is work for the application, any other is the agent's own work.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{answered_by, calls_of, id_of};
use super::story::{End, Run, Step, Story};
use super::unstreamed;
use crate::exchange::{Asked, Exchange};
use crate::rule::{Findings, Rule};

static PENDING_CALLS: Rule = Rule {
    id: "semantics.pending-calls",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "`pendingToolCallIds` lists exactly the calls that the run started and left unanswered, in order",
    reason: "A client works off the list as it is: a call that is missing is never answered, and one too many is answered twice.",
    section: "Frontend tools, pending tool calls",
    advice: "Collect the ids of calls as they start, take out those that get a `TOOL_CALL_RESULT` in the run, and list the rest.",
    needs: "`pendingToolCallIds`",
};

static PENDING_LISTED: Rule = Rule {
    id: "semantics.pending-listed",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Should),
    title: "a run that leaves calls to the application lists them in `pendingToolCallIds`",
    reason: "Without the list every client must find out by itself which calls wait for it, and a plain success hides that any do.",
    section: "Frontend tools, pending tool calls",
    advice: "End the run with `outcome: {type: \"success\", pendingToolCallIds: [...]}`, at least for clients that declare 1.0.",
    needs: "call of an offered tool in a run that ended as success",
};

pub(super) static BACKEND_CALL_ANSWERED: Rule = Rule {
    id: "semantics.backend-call-answered",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "every call of a tool of the agent itself has a `TOOL_CALL_RESULT` when the run ends as success",
    reason: "A call without a result is taken for work of the application, which does not know the tool and waits for ever.",
    section: "Frontend tools, pending tool calls",
    advice: "Send a `TOOL_CALL_RESULT` for every call that the agent runs, failed ones included; a call that waits for approval ends the run with an interrupt.",
    needs: "call of a tool of the agent itself in a run that ended as success",
};

static FRONTEND_CALL_ANSWERED: Rule = Rule {
    id: "semantics.frontend-call-answered",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a call of a tool that the request offers is not answered by the agent",
    reason: "The application runs its own tools and sends the result with the next run: a result from the agent was made up, and the tool never runs.",
    section: "Frontend tools",
    advice: "Stream the call, end the run, and wait for the `tool` message in the next request.",
    needs: "call of an offered tool",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[
    &PENDING_CALLS,
    &PENDING_LISTED,
    &BACKEND_CALL_ANSWERED,
    &FRONTEND_CALL_ANSWERED,
];

/// Looks at the calls of each run.
pub(super) fn look(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    for run in &story.runs {
        let calls = Calls::of(run, story);
        look_at_answers(exchange, story, run, &calls, found);
        let Some((at, End::Success { pending })) = run.end else {
            continue;
        };
        if let Some(listed) = pending {
            look_at_list(at, listed, &calls, found);
        }
        if story.is_asked(run) {
            look_at_rest(exchange, at, pending.is_some(), &calls, found);
            unstreamed::look(exchange, story, run, at, found);
        }
    }
}

/// The calls of a run.
struct Calls<'a> {
    /// Ids and names in the order in which they started.
    started: Vec<(&'a str, &'a str)>,
    /// Names by id.
    names: BTreeMap<&'a str, &'a str>,
    /// Those with a `TOOL_CALL_RESULT`.
    answered: BTreeSet<&'a str>,
    /// Those of which a snapshot tells something that no event does: their answer, or that they were made at all.
    in_snapshots: BTreeSet<&'a str>,
}

impl<'a> Calls<'a> {
    fn of(run: &Run<'a>, story: &Story<'a>) -> Self {
        let mut calls = Self {
            started: Vec::new(),
            names: BTreeMap::new(),
            answered: BTreeSet::new(),
            in_snapshots: BTreeSet::new(),
        };
        for told in &run.steps {
            match told.step {
                Step::Call { id, name, .. } => {
                    calls.names.entry(id).or_insert_with(|| {
                        calls.started.push((id, name));
                        name
                    });
                }
                Step::Answer { call_id, .. } => {
                    calls.answered.insert(call_id);
                }
                Step::Snapshot(messages) => {
                    let made = messages.iter().flat_map(calls_of).filter_map(id_of);
                    let is_new =
                        |id: &&str| story.held.call(id).is_none() && !calls.names.contains_key(id);
                    calls.in_snapshots.extend(made.filter(is_new));
                    calls
                        .in_snapshots
                        .extend(messages.iter().filter_map(answered_by));
                }
                _ => {}
            }
        }
        calls
    }

    fn open(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let started = self.started.iter().copied();
        started.filter(|(id, _)| !self.answered.contains(id))
    }
}

fn look_at_answers(
    exchange: &Exchange,
    story: &Story<'_>,
    run: &Run<'_>,
    calls: &Calls<'_>,
    found: &mut Findings,
) {
    let offered: BTreeSet<&str> = exchange.offered_tools().into_iter().collect();
    let name_of = |call_id: &str| {
        let name = calls.names.get(call_id).copied();
        name.filter(|name| offered.contains(name) && story.is_asked(run))
    };
    if run.end.is_some() && calls.started.iter().any(|(id, _)| name_of(id).is_some()) {
        found.saw(&FRONTEND_CALL_ANSWERED);
    }
    for told in &run.steps {
        if let Step::Answer { call_id, .. } = told.step
            && let Some(name) = name_of(call_id)
        {
            let message = format!(
                "`{call_id}` calls `{name}`, which the request offers: the application is to answer it, but a \
                 TOOL_CALL_RESULT came"
            );
            found.at(&FRONTEND_CALL_ANSWERED, told.event, message);
        }
    }
}

fn look_at_list(at: usize, listed: &[Value], calls: &Calls<'_>, found: &mut Findings) {
    found.saw(&PENDING_CALLS);
    let listed: Vec<&str> = listed.iter().filter_map(Value::as_str).collect();
    let mut wrong = Vec::new();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for id in &listed {
        if !named.insert(id) {
            wrong.push(format!("it names `{id}` twice"));
        } else if calls.answered.contains(id) {
            wrong.push(format!("it names `{id}`, which was answered in this run"));
        } else if !calls.names.contains_key(id) && !calls.in_snapshots.contains(id) {
            wrong.push(format!("it names `{id}`, which this run did not start"));
        }
    }
    let open = calls.open().map(|(id, _)| id);
    let (told, must): (Vec<&str>, Vec<&str>) = open.partition(|id| calls.in_snapshots.contains(id));
    let missing = must.iter().filter(|id| !named.contains(*id));
    wrong.extend(missing.map(|id| format!("it lacks `{id}`, which was started and not answered")));
    let may: BTreeSet<&str> = told.into_iter().collect();
    let in_list: Vec<&str> = listed
        .iter()
        .copied()
        .filter(|id| !may.contains(id) && calls.names.contains_key(id))
        .collect();
    if wrong.is_empty() && in_list != must {
        wrong.push(format!(
            "it says {}, but the calls were made in the order {}",
            names(&in_list),
            names(&must)
        ));
    }
    for wrong in wrong {
        found.at(
            &PENDING_CALLS,
            at,
            format!("`pendingToolCallIds` does not agree with the run: {wrong}"),
        );
    }
}

fn look_at_rest(
    exchange: &Exchange,
    at: usize,
    is_listed: bool,
    calls: &Calls<'_>,
    found: &mut Findings,
) {
    let offered: BTreeSet<&str> = exchange.offered_tools().into_iter().collect();
    let (front, back): (Vec<_>, Vec<_>) = calls
        .started
        .iter()
        .copied()
        .partition(|(_, name)| offered.contains(name));
    let open: BTreeSet<&str> = calls.open().map(|(id, _)| id).collect();
    let waiting: Vec<&str> = front
        .iter()
        .map(|(id, _)| *id)
        .filter(|id| open.contains(id))
        .collect();
    // Clients before 1.0 refuse the list, so a request without a version is rightly answered without it.
    if !waiting.is_empty() && declares_v1(exchange) {
        found.saw(&PENDING_LISTED);
        if !is_listed {
            let message = format!(
                "the run leaves {} to the application, but there is no `pendingToolCallIds`",
                names(&waiting)
            );
            found.at(&PENDING_LISTED, at, message);
        }
    }
    for (id, name) in back.iter().filter(|_| !is_approval(exchange)) {
        found.saw(&BACKEND_CALL_ANSWERED);
        if open.contains(id) {
            let in_snapshot = if calls.in_snapshots.contains(id) {
                "; only a MESSAGES_SNAPSHOT has one"
            } else {
                ""
            };
            let message = format!(
                "`{id}` calls `{name}`, which the request does not offer, and the run ends as success without a \
                 TOOL_CALL_RESULT for it{in_snapshot}"
            );
            found.at(&BACKEND_CALL_ANSWERED, at, message);
        }
    }
}

/// Tells whether an open call waits for approval; a rule of its own tells how such a run must end.
pub(super) fn is_approval(exchange: &Exchange) -> bool {
    exchange.scenario == "interrupt" && exchange.asked == Asked::Run
}

fn declares_v1(exchange: &Exchange) -> bool {
    let request = exchange.request.as_ref();
    let version = request.and_then(|input| input.get("protocolVersion")?.as_str());
    version.is_some_and(|version| !version.starts_with("0."))
}

fn names(ids: &[&str]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    quoted.join(", ")
}
