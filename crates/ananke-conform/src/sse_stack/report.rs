//! What came of the fifteen checks, in the shape under which they are known, and as a report like that of other profiles.

use ananke_model::conformance::{
    ConformanceReport, ExchangeSummary, Finding, RuleFacts, RuleVerdict, Severity, Verdict,
};
use serde::Serialize;

/// The profile's name.
pub const PROFILE: &str = "sse-stack";

/// Findings of one check that are told; the others are counted.
const MAX_FINDINGS: usize = 20;
/// Problems that the detail of a check names; the others are counted.
const MAX_IN_DETAIL: usize = 10;

/// What came of all checks: `{ok, checks: [{id, ok, status, detail}]}`.
#[derive(Clone, Debug, Serialize)]
pub struct StackReport {
    /// No check failed. Checks that are inconclusive do not count here.
    pub ok: bool,
    /// In the order of the catalogue.
    pub checks: Vec<StackCheck>,
    #[serde(skip)]
    pub(super) subject: String,
    #[serde(skip)]
    pub(super) exchanges: Vec<ExchangeSummary>,
    #[serde(skip)]
    pub(super) duration_ms: u64,
}

/// What came of a check.
#[derive(Clone, Debug, Serialize)]
pub struct StackCheck {
    /// Such as `headers.content_type`.
    pub id: &'static str,
    /// Whether it did not fail: `true` if it is inconclusive as well, which `status` tells apart.
    pub ok: bool,
    /// What came of it.
    pub status: StackStatus,
    /// What was seen, what is wrong, or why there is no telling.
    pub detail: String,
    #[serde(skip)]
    pub(super) facts: RuleFacts,
    #[serde(skip)]
    pub(super) severity: Severity,
    #[serde(skip)]
    pub(super) findings: Vec<Finding>,
}

/// What came of a check, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StackStatus {
    /// Looked at, and nothing is wrong.
    Pass,
    /// Something is wrong.
    Fail,
    /// Nothing was seen that it could be judged by.
    Inconclusive,
    /// Something is wrong that the user does not want to fail the run.
    Warn,
    /// Switched off by the user.
    Off,
}

impl StackReport {
    /// Counts the checks with a status.
    pub fn count(&self, status: StackStatus) -> usize {
        let checks = self.checks.iter();
        checks.filter(|check| check.status == status).count()
    }

    /// Returns the exit code: 1 if a check failed, 5 if one is inconclusive and that is not to pass, else 0.
    pub fn exit_code(&self, is_strict: bool) -> u8 {
        match (self.ok, self.count(StackStatus::Inconclusive)) {
            (false, _) => 1,
            (true, 1..) if is_strict => 5,
            (true, _) => 0,
        }
    }

    /// Returns the one line that is told beside the report. With `is_strict`, checks without a verdict are no pass.
    pub fn summary_line(&self, is_strict: bool) -> String {
        let failed = self.checks.iter().filter(|check| !check.ok);
        let failed: Vec<&str> = failed.map(|check| check.id).collect();
        let word = match self.exit_code(is_strict) {
            0 => "PASS",
            5 => "INCONCLUSIVE (--strict)",
            _ => "FAIL",
        };
        let mut parts = vec![format!("{} passed", self.count(StackStatus::Pass))];
        if !failed.is_empty() {
            parts.push(format!("{} failed ({})", failed.len(), failed.join(", ")));
        }
        for (status, name) in [
            (StackStatus::Inconclusive, "inconclusive"),
            (StackStatus::Warn, "with a warning"),
            (StackStatus::Off, "switched off"),
        ] {
            if self.count(status) > 0 {
                parts.push(format!("{} {name}", self.count(status)));
            }
        }
        format!("{PROFILE}: {word} {}: {}", self.subject, parts.join(", "))
    }

    /// Returns the same as a report like that of other profiles, for every format that shows one.
    pub fn as_report(&self) -> ConformanceReport {
        ConformanceReport {
            profile: PROFILE.to_owned(),
            subject: self.subject.clone(),
            checks: self.checks.iter().map(StackCheck::verdict).collect(),
            scenarios: Vec::new(),
            clients: Vec::new(),
            exchanges: self.exchanges.clone(),
            baseline: None,
            harness_error: None,
            notes: Vec::new(),
            strict: false,
            duration_ms: self.duration_ms,
        }
    }

    /// Takes over what a baseline made of the verdicts: a failure that is known does not fail the run.
    pub fn take_verdicts(&mut self, report: &ConformanceReport) {
        for check in &mut self.checks {
            let same = |verdict: &&RuleVerdict| verdict.rule.id == check.id;
            if let Some(found) = report.checks.iter().find(same) {
                check.status = status(found.verdict);
                check.ok = check.status != StackStatus::Fail;
            }
        }
        self.ok = !report.fails();
    }
}

impl StackCheck {
    fn verdict(&self) -> RuleVerdict {
        let mut findings = self.findings.clone();
        findings.truncate(MAX_FINDINGS);
        RuleVerdict {
            rule: self.facts.clone(),
            severity: self.severity,
            verdict: match self.status {
                StackStatus::Pass => Verdict::Pass,
                StackStatus::Fail => Verdict::Fail,
                StackStatus::Inconclusive => Verdict::Inconclusive,
                StackStatus::Warn => Verdict::Warn,
                StackStatus::Off => Verdict::Off,
            },
            detail: (self.status == StackStatus::Inconclusive).then(|| self.detail.clone()),
            n_more: self.findings.len() - findings.len(),
            findings,
        }
    }
}

fn status(verdict: Verdict) -> StackStatus {
    match verdict {
        Verdict::Pass => StackStatus::Pass,
        Verdict::Warn => StackStatus::Warn,
        Verdict::Fail => StackStatus::Fail,
        Verdict::Inconclusive => StackStatus::Inconclusive,
        Verdict::Off => StackStatus::Off,
    }
}

/// Joins findings to one detail.
pub(super) fn joined(findings: &[Finding]) -> String {
    let shown = findings.iter().take(MAX_IN_DETAIL).map(|finding| {
        let message = &finding.message;
        match (finding.event, &finding.event_type) {
            // Messages that are about the type name it themselves.
            (Some(number), Some(kind)) if !message.contains(&format!("`{kind}`")) => {
                format!("event {number} (`{kind}`): {message}")
            }
            (Some(number), _) => format!("event {number}: {message}"),
            (None, _) => message.clone(),
        }
    });
    let mut shown: Vec<String> = shown.collect();
    let n_more = findings.len().saturating_sub(MAX_IN_DETAIL);
    if n_more > 0 {
        shown.push(format!("and {n_more} more"));
    }
    shown.join("; ")
}
