//! Results of SARIF: a finding with its place, and a fingerprint that stays the same from run to run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ananke_model::conformance::{ConformanceReport, Finding, KnownFailure, RuleVerdict, Severity};
use ananke_model::script::digest;
use serde_json::{Value, json};

use super::sarif::STALE;
use super::words;

/// The kind and version of the fingerprint.
const FINGERPRINT: &str = "anankeConform/v1";

/// The file that stands for a server.
const SERVER: &str = "ananke-conform/server";

/// Returns the level of what breaks a rule.
pub(super) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Off => "none",
        Severity::Warn => "warning",
        Severity::Error => "error",
    }
}

/// Returns text as the string of a message: braces would be placeholders (section 3.11.5 wants others doubled, whether there
/// are arguments or not), and brackets before parentheses a link.
pub(super) fn words_of(text: &str) -> String {
    let text = text.replace('{', "{{").replace('}', "}}");
    text.replace("](", "] (")
}

/// Returns every finding.
pub(super) fn results(report: &ConformanceReport) -> Vec<Value> {
    let mut n_alike: BTreeMap<String, usize> = BTreeMap::new();
    let mut results = Vec::new();
    for (index, check) in report.checks.iter().enumerate() {
        for finding in &check.findings {
            // Messages name ids that change with every run, so they are no part of it.
            let kind = finding.event_type.as_deref().unwrap_or_default();
            let parts = [&check.rule.id, &finding.scenario, &finding.step, kind];
            let same = parts.join("\n");
            let number = n_alike.entry(same.clone()).or_default();
            let fingerprint = digest(&format!("{same}\n{number}"));
            *number += 1;
            results.push(result(report, check, index, finding, &fingerprint));
        }
    }
    results
}

fn result(
    report: &ConformanceReport,
    check: &RuleVerdict,
    index: usize,
    finding: &Finding,
    fingerprint: &str,
) -> Value {
    let mut message = finding.message.clone();
    if finding.event.is_some() {
        let place = words::place(finding).join(", ");
        message = format!("{message} ({place})");
    }
    let mut result = json!({
        "ruleId": check.rule.id,
        "ruleIndex": index,
        "kind": "fail",
        "level": level(check.severity),
        "message": {"text": words_of(&message)},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": artifact(&report.subject)},
                "region": {"startLine": 1},
            },
            "logicalLocations": logical(&report.subject, finding),
        }],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"subject": report.subject, "exchange": finding.exchange},
    });
    if let Some(excerpt) = &finding.excerpt {
        result["properties"]["excerpt"] = json!(excerpt);
    }
    if report.baseline.is_some() {
        let (state, suppressions) = match finding.known {
            true => (
                "unchanged",
                json!([{"kind": "external", "status": "accepted"}]),
            ),
            false => ("new", json!([])),
        };
        result["baselineState"] = json!(state);
        // Either all results have it or none.
        result["suppressions"] = suppressions;
    }
    result
}

/// Returns where a finding is in the conversation, and the server, which is no file.
fn logical(subject: &str, finding: &Finding) -> Vec<Value> {
    let parts = words::place(finding);
    let kind = match finding.event {
        Some(_) => "event",
        None => "request",
    };
    let mut logical = vec![json!({
        "name": parts.last().map_or("answer", String::as_str),
        "fullyQualifiedName": parts.join("/"),
        "kind": kind,
    })];
    if is_url(subject) {
        logical.push(json!({"name": subject, "fullyQualifiedName": subject, "kind": "server"}));
    }
    logical
}

/// Returns a result for each entry of the baseline that passes now, at its line.
pub(super) fn stale(report: &ConformanceReport, index: usize) -> Vec<Value> {
    let stale = report.baseline.iter().flat_map(|found| &found.stale);
    let one = |known: &KnownFailure| {
        let (file, line) = match known.place.rsplit_once(':') {
            Some((file, line)) => (file, line.parse::<u32>().unwrap_or(1).max(1)),
            None => (known.place.as_str(), 1),
        };
        let entry = words::entry(known);
        let message = format!("{entry} passes now; remove the entry");
        json!({
            "ruleId": STALE,
            "ruleIndex": index,
            "kind": "fail",
            "level": "error",
            "message": {"text": words_of(&message)},
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(file)},
                    "region": {"startLine": line},
                },
            }],
            "partialFingerprints": {FINGERPRINT: digest(&format!("{STALE}\n{entry}"))},
            "baselineState": "new",
            "suppressions": [],
        })
    };
    stale.map(one).collect()
}

fn is_url(subject: &str) -> bool {
    subject.starts_with("http://") || subject.starts_with("https://")
}

/// Returns what stands for the subject among the files of a repository: services refuse the URL of a server there.
fn artifact(subject: &str) -> String {
    match is_url(subject) {
        true => SERVER.to_owned(),
        false => uri(subject),
    }
}

/// Returns a path as a reference that a URI can be made of.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::new();
    let is_drive = path.get(1..3) == Some(":/");
    if path.starts_with('/') {
        uri.push_str("file://");
    } else if is_drive {
        uri.push_str("file:///");
    } else if path.contains(':') {
        // Without it, what stands before the colon would be a scheme.
        uri.push_str("./");
    }
    for byte in path.bytes() {
        let c = char::from(byte);
        if c.is_ascii_alphanumeric() || (byte.is_ascii() && "-._~/@:".contains(c)) {
            uri.push(c);
        } else {
            write!(uri, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{artifact, words_of};

    #[test]
    fn messages_hold_neither_placeholders_nor_links() {
        assert_eq!(
            words_of(r#"got {"a":[{0}]} [l](javascript:x) a[1]"#),
            r#"got {{"a":[{{0}}]}} [l] (javascript:x) a[1]"#
        );
    }

    #[test]
    fn places_are_files_of_a_repository() {
        let cases = [
            ("http://h:1/a?b=c%20d", "ananke-conform/server"),
            ("https://h/ä b", "ananke-conform/server"),
            ("runs/a b#1.sse", "runs/a%20b%231.sse"),
            ("/tmp/100%.sse", "file:///tmp/100%25.sse"),
            (r"C:\runs\a.sse", "file:///C:/runs/a.sse"),
            ("a:b.sse", "./a:b.sse"),
        ];
        for (subject, expected) in cases {
            assert_eq!(artifact(subject), expected);
        }
    }
}
