//! Looks at each way to answer.

use super::resumed::Resumed;
use super::rules::{CANCELLED, RESOLVED, UNCOVERED, UNKNOWN, WRONG_PAYLOAD};
use crate::case::Case;
use crate::exchange::Resume;
use crate::rule::{Findings, Rule};
use crate::rules::semantics::run::Outcome;

pub(in crate::rules::behaviour) fn look_at_all(case: &Case, found: &mut Findings) {
    let all = Resumed::all(case);
    for resumed in &all {
        found.enter(resumed.number);
        let approved = all
            .iter()
            .find(|other| other.kind == Resume::Resolved && other.scenario() == resumed.scenario());
        match resumed.kind {
            Resume::Resolved => resolved(resumed, found),
            Resume::Cancelled => cancelled(resumed, approved, found),
            Resume::Uncovered => uncovered(resumed, approved, found),
            Resume::Unknown => unknown(resumed, approved, found),
            Resume::WrongPayload => wrong_payload(resumed, approved, found),
        }
    }
}

/// An error says little here: the agent may have wanted another payload than the one that is set up.
fn resolved(resumed: &Resumed<'_>, found: &mut Findings) {
    if resumed.is_finished() {
        found.saw(&RESOLVED);
    }
    asks_again(&RESOLVED, resumed, found);
}

fn cancelled(resumed: &Resumed<'_>, approved: Option<&Resumed<'_>>, found: &mut Findings) {
    if resumed.is_finished() {
        found.saw(&CANCELLED);
    }
    refuses(&CANCELLED, resumed, "every interrupt was cancelled", found);
    asks_again(&CANCELLED, resumed, found);
    acts(
        &CANCELLED,
        resumed,
        approved,
        "although it was cancelled",
        found,
    );
}

/// A server that keeps nothing cannot know what is open, so success alone is no finding.
fn uncovered(resumed: &Resumed<'_>, approved: Option<&Resumed<'_>>, found: &mut Findings) {
    if resumed.is_refused() || matches!(resumed.outcome(), Some(Outcome::Interrupt(_))) {
        found.saw(&UNCOVERED);
    }
    acts(
        &UNCOVERED,
        resumed,
        approved,
        "although nobody answered the interrupt",
        found,
    );
}

/// Compared with the same answers without the unknown one: if these fail too, it is not because of it.
fn unknown(resumed: &Resumed<'_>, approved: Option<&Resumed<'_>>, found: &mut Findings) {
    let Some(approved) = approved.filter(|approved| approved.is_finished()) else {
        return;
    };
    if resumed.is_finished() {
        found.saw(&UNKNOWN);
    }
    let what = "besides the right answers there was one to an interrupt that never was";
    refuses(&UNKNOWN, resumed, what, found);
    if approved.asked_again().is_empty() {
        asks_again(&UNKNOWN, resumed, found);
    }
}

/// A payload is wrong only if the interrupt said what it should be.
fn wrong_payload(resumed: &Resumed<'_>, approved: Option<&Resumed<'_>>, found: &mut Findings) {
    if !resumed.has_schema() {
        return;
    }
    let is_told = approved.is_some_and(|approved| !approved.results().is_empty());
    let asks = matches!(resumed.outcome(), Some(Outcome::Interrupt(_)));
    if resumed.is_refused() || asks || is_told && resumed.is_finished() {
        found.saw(&WRONG_PAYLOAD);
    }
    let why = "although the payload does not match the `responseSchema` of the interrupt";
    acts(&WRONG_PAYLOAD, resumed, approved, why, found);
}

/// Notes that a run was refused or failed.
fn refuses(rule: &'static Rule, resumed: &Resumed<'_>, what: &str, found: &mut Findings) {
    if let Some(status) = resumed.refusal() {
        found.whole(
            rule,
            format!("{what}, and the server answered with the status {status}"),
        );
    } else if let Some((at, Outcome::Error(message))) = resumed.end() {
        found.at(rule, at, format!("{what}, and the run failed: {message:?}"));
    }
}

/// Notes that a run waits again for what was answered.
fn asks_again(rule: &'static Rule, resumed: &Resumed<'_>, found: &mut Findings) {
    if let Some((at, _)) = resumed.end() {
        for id in resumed.asked_again() {
            found.at(
                rule,
                at,
                format!("the interrupt `{id}` was answered, and the run waits for it again"),
            );
        }
    }
}

/// Notes that a call has the result that it has when it is approved.
fn acts(
    rule: &'static Rule,
    resumed: &Resumed<'_>,
    approved: Option<&Resumed<'_>>,
    why: &str,
    found: &mut Findings,
) {
    let Some(approved) = approved.filter(|approved| approved.is_approval()) else {
        return;
    };
    let when_approved = approved.results();
    for (at, call, content) in resumed.results() {
        if when_approved
            .iter()
            .any(|(_, _, approved)| *approved == content)
        {
            let message =
                format!("the call `{call}` has the same result as when it is approved, {why}");
            found.at(rule, at, message);
        }
    }
}
