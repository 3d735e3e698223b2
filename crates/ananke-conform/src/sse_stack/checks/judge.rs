//! From what was seen to a report: every check, its severity, the requests.

use std::collections::BTreeMap;

use ananke_model::conformance::{ExchangeSummary, Finding, RuleFacts, Severity};

use super::{Check, Outcome, Problem, Step, auth, events, headers, ordering, reconnect, wire};
use crate::sse_stack::frames::Payload;
use crate::sse_stack::report::{PROFILE, StackCheck, StackReport, StackStatus, joined};
use crate::sse_stack::seen::{Answered, Asked, Seen, Short};

/// How much of an event is shown.
const MAX_EXCERPT: usize = 300;

/// Returns the checks in the order in which they are told.
fn all() -> impl Iterator<Item = &'static Check> {
    let lists = [
        headers::CHECKS,
        wire::CHECKS,
        events::CHECKS,
        ordering::CHECKS,
        reconnect::CHECKS,
        auth::CHECKS,
    ];
    lists.into_iter().flatten()
}

/// Returns what is told of each check.
pub fn catalogue() -> impl Iterator<Item = RuleFacts> {
    all().map(Check::facts)
}

/// Judges what was seen.
pub(in crate::sse_stack) fn judge(
    seen: &Seen,
    severities: &BTreeMap<String, Severity>,
) -> StackReport {
    let asked = asked(seen);
    let checks: Vec<StackCheck> = all()
        .map(|check| {
            let severity = severities.get(check.id).copied();
            judged(check, severity.unwrap_or(Severity::Error), seen, &asked)
        })
        .collect();
    StackReport {
        ok: checks.iter().all(|check| check.ok),
        checks,
        subject: seen.subject.clone(),
        exchanges: asked.into_iter().map(|(_, summary)| summary).collect(),
        duration_ms: seen.duration_ms,
    }
}

fn judged(
    check: &Check,
    severity: Severity,
    seen: &Seen,
    asked: &[(Step, ExchangeSummary)],
) -> StackCheck {
    let outcome = match severity {
        Severity::Off => None,
        Severity::Warn | Severity::Error => Some((check.look)(seen)),
    };
    let mut findings = Vec::new();
    let (status, detail) = match outcome {
        None => (StackStatus::Off, "switched off".to_owned()),
        Some(Outcome::Pass(detail)) => (StackStatus::Pass, detail),
        Some(Outcome::Inconclusive(why)) => (StackStatus::Inconclusive, why),
        Some(Outcome::Fail(problems)) => {
            let exchange = asked.iter().position(|(step, _)| *step == check.step);
            let exchange = exchange.unwrap_or_default();
            let told = |problem| finding(problem, check.step, exchange, seen);
            findings = problems.into_iter().map(told).collect();
            let status = match severity {
                Severity::Warn => StackStatus::Warn,
                Severity::Error | Severity::Off => StackStatus::Fail,
            };
            (status, joined(&findings))
        }
    };
    StackCheck {
        id: check.id,
        ok: status != StackStatus::Fail,
        status,
        detail,
        facts: check.facts(),
        severity,
        findings,
    }
}

fn finding(problem: Problem, step: Step, exchange: usize, seen: &Seen) -> Finding {
    let answered = match step {
        Step::Reconnect => seen.reconnect.as_ref(),
        _ => None,
    };
    let answered = answered.and_then(|asked| asked.answer.as_ref().ok());
    let frames = &answered.unwrap_or(&seen.stream).frames;
    let frame = problem.event.and_then(|number| frames.get(number));
    let kind = frame.and_then(|frame| match &frame.payload {
        Payload::Json(value) => value.get("type")?.as_str(),
        Payload::Empty | Payload::Bad(_) => None,
    });
    Finding {
        scenario: PROFILE.to_owned(),
        step: step.words().to_owned(),
        exchange,
        event: problem.event,
        event_type: kind.map(str::to_owned),
        message: problem.message,
        excerpt: frame.and_then(|frame| frame.data.as_deref()).map(beginning),
        known: false,
    }
}

fn beginning(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_EXCERPT);
    match text.split_at(end) {
        (all, "") => all.to_owned(),
        (some, _) => format!("{some}…"),
    }
}

/// Returns the requests in the order in which they were sent.
fn asked(seen: &Seen) -> Vec<(Step, ExchangeSummary)> {
    let mut asked = vec![(Step::Stream, of_stream(Step::Stream, &seen.stream))];
    if let Some(found) = &seen.reconnect {
        let summary = match &found.answer {
            Ok(answered) => of_stream(Step::Reconnect, answered),
            Err(why) => summary(Step::Reconnect, None, why, found.duration_ms),
        };
        asked.push((Step::Reconnect, summary));
    }
    let probes = [
        (Step::MissingBearer, &seen.missing_bearer),
        (Step::Write, &seen.write),
        (Step::Bound, &seen.bound),
    ];
    for (step, probe) in probes {
        asked.extend(probe.as_ref().map(|probe| (step, of_probe(step, probe))));
    }
    asked
}

fn of_stream(step: Step, answered: &Answered) -> ExchangeSummary {
    ExchangeSummary {
        n_events: answered.frames.len(),
        ..summary(
            step,
            Some(answered.status),
            &answered.ending.words(),
            answered.duration_ms,
        )
    }
}

fn of_probe(step: Step, probe: &Asked<Short>) -> ExchangeSummary {
    match &probe.answer {
        Ok(short) => summary(step, Some(short.status), "answered", probe.duration_ms),
        Err(why) => summary(step, None, why, probe.duration_ms),
    }
}

fn summary(step: Step, status: Option<u16>, ending: &str, duration_ms: u64) -> ExchangeSummary {
    ExchangeSummary {
        scenario: PROFILE.to_owned(),
        step: step.words().to_owned(),
        status,
        n_events: 0,
        ending: ending.to_owned(),
        duration_ms,
    }
}
