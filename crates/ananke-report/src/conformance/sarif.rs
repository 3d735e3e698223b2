//! The report as SARIF 2.1.0, which code scanning services read.

use ananke_model::conformance::{ConformanceReport, RuleVerdict, Severity, Verdict};
use serde_json::{Value, json};

use super::sarif_result::{level, results, stale, words_of};
use super::words::{self, Overall};
use crate::json::inert;

/// The rule that entries of the baseline break which pass now. No server breaks it.
pub(super) const STALE: &str = "baseline.stale";

/// Returns the report as a SARIF log with one run. `version` is that of ananke.
///
/// Findings that the baseline names are suppressed. Rules that could not be judged are notifications of the run, since
/// SARIF knows results of the subject only.
pub fn conformance_sarif(report: &ConformanceReport, version: &str) -> String {
    let mut rules: Vec<Value> = report.checks.iter().map(rule).collect();
    let mut results = results(report);
    if words::n_stale(report) > 0 {
        results.extend(stale(report, rules.len()));
        rules.push(stale_rule());
    }
    let run = json!({
        "tool": {"driver": {"name": "ananke", "version": version, "rules": rules}},
        // Tells runs of several profiles over one repository apart.
        "automationDetails": {"id": format!("ananke-conform/{}/", report.profile)},
        "invocations": [{
            "executionSuccessful": report.harness_error.is_none(),
            "toolExecutionNotifications": notifications(report),
        }],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {
            "subject": report.subject,
            "profile": report.profile,
            "verdict": Overall::of(report).key(),
            "summary": words::summary(report),
        },
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    inert(format!("{log:#}"))
}

fn rule(check: &RuleVerdict) -> Value {
    let facts = &check.rule;
    let (reason, advice, section) = (&facts.reason, &facts.advice, &facts.section);
    let binding = words::level(facts.level);
    let explain = words::explain(&facts.id);
    let help = format!("{reason} ({section})\n{advice}\nsee: {explain}");
    let markdown = format!(
        "{reason}\n\n**What to do:** {advice}\n\n*{binding}, {section}*\n\nAn example: `{explain}`"
    );
    json!({
        "id": facts.id,
        "name": name(&facts.id),
        // No arguments can come with these, and services show them as they are written.
        "shortDescription": {"text": facts.title},
        "fullDescription": {"text": facts.reason},
        "help": {"text": help, "markdown": markdown},
        "defaultConfiguration": {
            "enabled": check.severity != Severity::Off,
            "level": level(check.severity),
        },
        "properties": {
            "tags": ["conformance", words::layer(facts.layer), binding],
            "explain": explain,
        },
    })
}

fn stale_rule() -> Value {
    let help = "Remove the entry from the baseline.";
    json!({
        "id": STALE,
        "name": name(STALE),
        "shortDescription": {"text": "the baseline names only failures that are still there"},
        "fullDescription": {"text": "An entry that is kept would hide the failure when it comes back."},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"enabled": true, "level": "error"},
    })
}

/// Returns an id as the one word that SARIF wants for people: `sequence.open-at-finish` is `SequenceOpenAtFinish`.
fn name(id: &str) -> String {
    let words = id.split(['.', '-', '_']);
    let words = words.map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    words.collect()
}

fn notifications(report: &ConformanceReport) -> Vec<Value> {
    let told =
        |level: &str, text: &str| json!({"level": level, "message": {"text": words_of(text)}});
    let error = report.harness_error.iter();
    let mut notifications: Vec<Value> = error.map(|error| told("error", error)).collect();
    let level = if report.strict { "warning" } else { "note" };
    for (index, check) in report.checks.iter().enumerate() {
        if check.verdict == Verdict::Inconclusive {
            let (id, why) = (&check.rule.id, check.detail.as_deref());
            let why = why.unwrap_or("nothing was seen");
            let mut open = told(level, &format!("`{id}` could not be judged: {why}"));
            open["associatedRule"] = json!({"id": id, "index": index});
            notifications.push(open);
        }
    }
    notifications.extend(report.notes.iter().map(|note| told("note", note)));
    notifications
}
