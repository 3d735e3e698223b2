//! What all formats say alike: words for levels and verdicts, where a finding is, and what came of it all.

use ananke_model::conformance::{
    ConformanceReport, Finding, KnownFailure, Layer, Level, RuleVerdict, Severity, Verdict,
};

use crate::count::count;
use crate::duration::duration;
use crate::style::Style;

/// What came of it all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overall {
    /// Nothing broke a rule.
    Passed,
    /// Something did, or the baseline is out of date.
    Failed,
    /// Nothing was seen that a rule could be judged by.
    Inconclusive,
    /// Nothing broke a rule, but not all could be judged, and the user wants that.
    Unclear,
    /// The harness is wrong, and no verdict counts.
    HarnessError,
}

impl Overall {
    /// Returns what came of a report.
    pub(super) fn of(report: &ConformanceReport) -> Self {
        if report.harness_error.is_some() {
            Self::HarnessError
        } else if report.fails() {
            Self::Failed
        } else if !report.has_evidence() {
            Self::Inconclusive
        } else if report.is_unclear() {
            Self::Unclear
        } else {
            Self::Passed
        }
    }

    /// Returns the word for a machine.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Inconclusive | Self::Unclear => "inconclusive",
            Self::HarnessError => "harness-error",
        }
    }
}

/// Returns what came of it all, as one sentence.
pub(super) fn sentence(report: &ConformanceReport) -> String {
    match Overall::of(report) {
        Overall::HarnessError => {
            "a request of ananke itself breaks the protocol, so nothing was found out".to_owned()
        }
        Overall::Inconclusive => "nothing was seen that a rule could be judged by".to_owned(),
        Overall::Unclear => {
            let mut parts = Vec::new();
            match report.count(Verdict::Inconclusive) {
                0 => {}
                n => parts.push(format!("{} could not be judged", count(n, "rule"))),
            }
            let scenarios = report.scenarios.iter();
            let is_open = |verdict: &Verdict| *verdict == Verdict::Inconclusive;
            match scenarios.map(|one| one.verdict).filter(is_open).count() {
                0 => {}
                1 => parts.push("1 scenario was not shown".to_owned()),
                n => parts.push(format!("{n} scenarios were not shown")),
            }
            parts.join(", ")
        }
        Overall::Failed => {
            let n_stale = n_stale(report);
            let mut parts = Vec::new();
            match report.count(Verdict::Fail) {
                0 => {}
                1 => parts.push("1 rule is broken".to_owned()),
                n => parts.push(format!("{n} rules are broken")),
            }
            match n_stale {
                0 => {}
                1 => parts.push("1 entry of the baseline is out of date".to_owned()),
                n => parts.push(format!("{n} entries of the baseline are out of date")),
            }
            parts.join(", ")
        }
        Overall::Passed => {
            let judged = report.count(Verdict::Pass) + report.count(Verdict::Warn);
            let known = report.checks.iter().filter(|check| is_known(check)).count();
            let besides = match known {
                0 => String::new(),
                n => format!(" besides {}", count(n, "known failure")),
            };
            format!("no rule is broken{besides}, {judged} judged")
        }
    }
}

/// Returns the sentence where no word of the verdict stands before it.
pub(super) fn summary(report: &ConformanceReport) -> String {
    let sentence = sentence(report);
    match Overall::of(report) {
        Overall::Unclear => format!("{sentence} (--strict)"),
        _ => sentence,
    }
}

/// Returns how many entries of the baseline pass now.
pub(super) fn n_stale(report: &ConformanceReport) -> usize {
    report
        .baseline
        .as_ref()
        .map_or(0, |found| found.stale.len())
}

/// Returns `76 rules: 50 passed, 2 warned, …`, without what is zero.
pub(super) fn counts(report: &ConformanceReport) -> String {
    let words = [
        (Verdict::Pass, "passed"),
        (Verdict::Warn, "warned"),
        (Verdict::Fail, "failed"),
        (Verdict::Inconclusive, "inconclusive"),
        (Verdict::Off, "off"),
    ];
    let some = words.iter().filter_map(|(verdict, word)| {
        let n = report.count(*verdict);
        (n > 0).then(|| format!("{n} {word}"))
    });
    let some: Vec<String> = some.collect();
    let rules = count(report.checks.len(), "rule");
    match some.is_empty() {
        true => rules,
        false => format!("{rules}: {}", some.join(", ")),
    }
}

/// Tells whether all that fails in a rule is in the baseline.
pub(super) fn is_known(check: &RuleVerdict) -> bool {
    check.verdict == Verdict::Warn && check.severity == Severity::Error
}

/// Returns the rules with a verdict; those whose failures are known stand for themselves.
pub(super) fn with(
    report: &ConformanceReport,
    verdict: Verdict,
) -> impl Iterator<Item = &RuleVerdict> {
    let checks = report.checks.iter();
    checks.filter(move |check| check.verdict == verdict && !is_known(check))
}

/// Returns the rules whose failures are all known.
pub(super) fn known(report: &ConformanceReport) -> impl Iterator<Item = &RuleVerdict> {
    report.checks.iter().filter(|check| is_known(check))
}

/// Returns the level as specifications write it.
pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "MUST",
        Level::Should => "SHOULD",
        Level::Convention => "convention",
    }
}

/// Returns the name of a layer.
pub(super) fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Http => "http",
        Layer::Shape => "shape",
        Layer::Sequence => "sequence",
        Layer::Semantics => "semantics",
        Layer::Behaviour => "behaviour",
    }
}

/// Returns the word for a verdict.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Off => "off",
    }
}

/// Returns the event that a finding is about.
pub(super) fn event(finding: &Finding) -> Option<String> {
    finding.event.map(|number| match &finding.event_type {
        Some(kind) => format!("event {number} {kind}"),
        None => format!("event {number}"),
    })
}

/// Returns the parts of where a finding is: scenario, step, event.
pub(super) fn place(finding: &Finding) -> Vec<String> {
    let parts = [&finding.scenario, &finding.step];
    let parts = parts.into_iter().filter(|part| !part.is_empty()).cloned();
    parts.chain(event(finding)).collect()
}

/// Returns a finding as one line: where it is, and what is wrong.
pub(super) fn finding(finding: &Finding, dot: &str) -> String {
    told(&place(finding), &finding.message, finding.known, dot)
}

/// Returns the line of what is wrong at a place.
pub(super) fn told(place: &[String], message: &str, is_known: bool, dot: &str) -> String {
    let known = if is_known { " (known)" } else { "" };
    match place.is_empty() {
        true => format!("{message}{known}"),
        false => format!("{}: {message}{known}", place.join(&format!(" {dot} "))),
    }
}

/// Returns which failure an entry of the baseline names.
pub(super) fn entry(known: &KnownFailure) -> String {
    match &known.scenario {
        Some(scenario) => format!("`{}` in `{scenario}`", known.rule),
        None => format!("`{}`", known.rule),
    }
}

/// Returns `, 1.2s`, and nothing for what took no time, such as a file.
pub(super) fn time(ms: u64, style: &Style) -> String {
    match ms {
        0 => String::new(),
        ms => format!(", {}", duration(ms.saturating_mul(1000), style)),
    }
}

/// Returns what shows all about a rule. Those who have only the program have no page of the documentation.
pub(super) fn explain(id: &str) -> String {
    format!("ananke conform --explain {id}")
}
