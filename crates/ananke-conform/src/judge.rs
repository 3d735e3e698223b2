//! From what rules found to a report: severities, the baseline, verdicts.

use std::collections::BTreeMap;

use ananke_model::conformance::{
    Baseline, BaselineVerdict, ConformanceReport, ExchangeSummary, Finding, KnownFailure, Layer,
    Level, RuleVerdict, ScenarioVerdict, Severity, Verdict,
};

use crate::case::{Case, Shown};
use crate::exchange::{Ending, Exchange};
use crate::rule::{Findings, Found, Profile, Rule, Spoken};
use crate::{clients, rules};

/// Findings of one rule that are kept; the others are counted.
const MAX_FINDINGS: usize = 20;
/// Findings of one rule that a baseline is held against: a hostile server can bring any number of them.
const MAX_HELD: usize = 2000;
/// How much of what is wrong is told: ids can be as long as a server likes.
const MAX_MESSAGE: usize = 2000;
/// How much of an event is shown.
const MAX_EXCERPT: usize = 300;

/// How to judge.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the server is held to.
    pub profile: Profile,
    /// Severities by rule; the others have that of their level.
    pub severities: BTreeMap<String, Severity>,
    /// Failures that are known.
    pub baseline: Option<Baseline>,
    /// Whether what could not be judged counts against the server.
    pub strict: bool,
}

/// Judges a case.
pub fn judge(case: &Case, settings: &Settings) -> ConformanceReport {
    let mut findings = Findings::new(settings.profile);
    rules::look(case, &mut findings);
    let found = findings.in_order();
    let checks: Vec<RuleVerdict> = rules::of(settings.profile)
        .filter_map(|rule| {
            let level = rule.level(settings.profile)?;
            Some(verdict(rule, level, &findings, &found, case, settings))
        })
        .collect();
    let mut report = ConformanceReport {
        profile: settings.profile.name().to_owned(),
        subject: case.subject.clone(),
        scenarios: Vec::new(),
        checks,
        clients: match settings.profile.spoken() {
            Spoken::AgUi => clients::verdicts(case),
            Spoken::A2a | Spoken::Mcp => Vec::new(),
        },
        exchanges: case.exchanges.iter().map(summary).collect(),
        baseline: None,
        harness_error: case.harness_error.clone(),
        notes: case.notes.clone(),
        strict: settings.strict,
        duration_ms: case.duration_ms,
    };
    if let Some(baseline) = &settings.baseline {
        let evidence = |rule: &str, scenario: &str| {
            let rule = rules::all().find(|known| known.id == rule);
            rule.is_some_and(|rule| {
                let mut seen = findings.seen_in(rule.id);
                seen.any(|number| {
                    let exchange = case.exchanges.get(number);
                    exchange.is_some_and(|exchange| exchange.scenario == scenario)
                })
            })
        };
        apply_baseline(&mut report, baseline, evidence);
    }
    report.scenarios = scenarios(case, &report.checks);
    report.checks.iter_mut().for_each(shorten);
    report
}

/// Keeps so many findings as anybody reads, and of these rather those that are not known.
fn shorten(check: &mut RuleVerdict) {
    if check.findings.len() > MAX_FINDINGS {
        check.findings.sort_by_key(|finding| finding.known);
        check.n_more += check.findings.len() - MAX_FINDINGS;
        check.findings.truncate(MAX_FINDINGS);
    }
}

fn verdict(
    rule: &'static Rule,
    level: Level,
    findings: &Findings,
    found: &[&Found],
    case: &Case,
    settings: &Settings,
) -> RuleVerdict {
    let usual = match level {
        Level::Must => Severity::Error,
        Level::Should | Level::Convention => Severity::Warn,
    };
    let severity = settings.severities.get(rule.id).copied().unwrap_or(usual);
    let is_own = |found: &&&Found| found.rule == rule.id && severity != Severity::Off;
    let n_found = found.iter().filter(is_own).count();
    let own = found.iter().filter(is_own).take(MAX_HELD);
    let own: Vec<Finding> = own.map(|found| told(found, case)).collect();
    let verdict = match severity {
        Severity::Off => Verdict::Off,
        _ if own.is_empty() && !findings.has_seen(rule.id) => Verdict::Inconclusive,
        _ if own.is_empty() => Verdict::Pass,
        Severity::Warn => Verdict::Warn,
        Severity::Error => Verdict::Fail,
    };
    RuleVerdict {
        rule: rule.facts(level),
        severity,
        verdict,
        detail: (verdict == Verdict::Inconclusive).then(|| format!("no {} was seen", rule.needs)),
        n_more: n_found - own.len(),
        findings: own,
    }
}

pub(crate) fn told(found: &Found, case: &Case) -> Finding {
    let exchange = case.exchanges.get(found.exchange);
    let event = found
        .event
        .and_then(|number| exchange?.answer.events.get(number));
    // What belongs to no request is about the document beside them.
    let words = |pick: fn(&Exchange) -> &String| match exchange {
        Some(exchange) => pick(exchange).clone(),
        None => "capabilities".to_owned(),
    };
    Finding {
        scenario: words(|exchange| &exchange.scenario),
        step: words(|exchange| &exchange.step),
        exchange: found.exchange,
        event: found.event,
        event_type: event.and_then(|event| event.kind()).map(str::to_owned),
        message: beginning(&found.message, MAX_MESSAGE),
        excerpt: event.map(|event| beginning(&event.data, MAX_EXCERPT)),
        known: false,
    }
}

fn beginning(text: &str, most: usize) -> String {
    let end = text.floor_char_boundary(most);
    match text.split_at(end) {
        (all, "") => all.to_owned(),
        (some, _) => format!("{some}…"),
    }
}

fn scenarios(case: &Case, checks: &[RuleVerdict]) -> Vec<ScenarioVerdict> {
    let found_in = |name: &str| {
        let bad = checks.iter().flat_map(|check| {
            let here = check.findings.iter();
            let here = here.filter(|finding| finding.scenario == name);
            // What is known does not fail anything.
            here.map(|finding| match finding.known {
                true => (Verdict::Warn, check.rule.layer),
                false => (check.verdict, check.rule.layer),
            })
        });
        bad.collect::<Vec<_>>()
    };
    let verdict = |name: &str, shown| {
        let bad = found_in(name);
        // In a scenario that was not shown, only what the server did about it counts: the rest is told by the rules.
        let is_about_it = |layer| matches!(layer, Layer::Http | Layer::Behaviour);
        let worst = |only_about_it: bool| {
            let bad = bad
                .iter()
                .filter(|(_, layer)| !only_about_it || is_about_it(*layer));
            bad.map(|(verdict, _)| *verdict).max()
        };
        match shown {
            Shown::Off => Verdict::Off,
            Shown::No if worst(true) == Some(Verdict::Fail) => Verdict::Fail,
            Shown::No => Verdict::Inconclusive,
            Shown::Yes => worst(false).unwrap_or(Verdict::Pass),
        }
    };
    let scenarios = case.scenarios.iter();
    scenarios
        .map(|seen| ScenarioVerdict {
            name: seen.name.to_owned(),
            verdict: verdict(seen.name, seen.shown),
            detail: seen.detail.clone(),
        })
        .collect()
}

fn summary(exchange: &Exchange) -> ExchangeSummary {
    let answer = &exchange.answer;
    ExchangeSummary {
        scenario: exchange.scenario.clone(),
        step: exchange.step.clone(),
        status: answer.status,
        n_events: answer.events.len(),
        ending: match &answer.ending {
            Ending::Closed => "closed".to_owned(),
            Ending::Broken(why) => format!("broken: {why}"),
            Ending::GivenUp(why) => format!("given up: {why}"),
            Ending::NoAnswer(why) => format!("no answer: {why}"),
            Ending::Unknown => "not known".to_owned(),
        },
        duration_ms: answer.duration_us / 1000,
    }
}

/// Takes known failures out of the verdict, and finds entries that are no longer true. `has_evidence` tells whether a rule
/// had something to be judged by in a scenario: an entry about one that was left out this time is not stale.
pub fn apply_baseline(
    report: &mut ConformanceReport,
    baseline: &Baseline,
    has_evidence: impl Fn(&str, &str) -> bool,
) {
    let mut outcome = BaselineVerdict::default();
    for known in &baseline.known {
        let Some(check) = report
            .checks
            .iter_mut()
            .find(|check| check.rule.id == known.rule)
        else {
            outcome.unseen.push(known.clone());
            continue;
        };
        let mut n_here = 0;
        for finding in &mut check.findings {
            if names(known, finding) {
                finding.known = true;
                n_here += 1;
            }
        }
        match check.verdict {
            _ if n_here > 0 => outcome.n_matched += 1,
            Verdict::Inconclusive | Verdict::Off => outcome.unseen.push(known.clone()),
            _ if !known
                .scenario
                .as_ref()
                .is_none_or(|name| has_evidence(&known.rule, name)) =>
            {
                outcome.unseen.push(known.clone());
            }
            Verdict::Pass | Verdict::Warn | Verdict::Fail => outcome.stale.push(known.clone()),
        }
    }
    for check in &mut report.checks {
        let all_known = check.findings.iter().all(|finding| finding.known);
        if check.verdict == Verdict::Fail && all_known {
            check.verdict = Verdict::Warn;
        }
    }
    report.baseline = Some(outcome);
}

fn names(known: &KnownFailure, finding: &Finding) -> bool {
    let scenario = known.scenario.as_ref();
    scenario.is_none_or(|scenario| *scenario == finding.scenario)
}
