//! The report as JUnit XML: a suite for each layer, a test case for each rule.

use std::time::Duration;

use ananke_model::conformance::{ConformanceReport, Layer, RuleVerdict, Verdict};
use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::words::{self, Overall};
use crate::count::count;
use crate::escape::cut;
use crate::excerpt::PLAIN;

/// How much of a text is shown on a line.
const LINE_CHARS: usize = 1_000;

const LAYERS: [Layer; 5] = [
    Layer::Http,
    Layer::Shape,
    Layer::Sequence,
    Layer::Semantics,
    Layer::Behaviour,
];

/// Returns the report as a document. What could not be judged is skipped; if nothing could, or if the user wants all
/// judged, there is an error, since a CI would see green otherwise.
pub fn conformance_junit(report: &ConformanceReport) -> String {
    let mut junit = Junit::new("ananke conform");
    junit.set_time(Duration::from_millis(report.duration_ms));
    junit.add_test_suites(trouble(report));
    for layer in LAYERS {
        let checks = report.checks.iter();
        let mut checks = checks.filter(|check| check.rule.layer == layer).peekable();
        if checks.peek().is_none() {
            continue;
        }
        let mut suite = suite(words::layer(layer), report);
        suite.add_test_cases(checks.map(test_case));
        junit.add_test_suite(suite);
    }
    junit.add_test_suites(baseline(report));
    let xml = junit.to_string().expect("a string can be written to");
    // The strictest schema in use knows this attribute on the suites only; the first one is that of the root.
    xml.replacen(&format!(" skipped=\"{}\"", junit.skipped), "", 1)
}

fn suite(name: &str, report: &ConformanceReport) -> TestSuite {
    let mut suite = TestSuite::new(format!("conform.{name}"));
    suite.add_properties([
        ("subject".to_owned(), plain(&report.subject)),
        ("profile".to_owned(), plain(&report.profile)),
    ]);
    suite
}

/// Returns an error that stands for a run without a verdict.
fn trouble(report: &ConformanceReport) -> Option<TestSuite> {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    let overall = Overall::of(report);
    status
        .set_message(words::summary(report))
        .set_type(overall.key());
    match overall {
        Overall::Passed | Overall::Failed => return None,
        Overall::Inconclusive | Overall::Unclear => {}
        Overall::HarnessError => {
            let error = report.harness_error.iter().flat_map(|error| error.lines());
            status.set_description(error.map(plain).collect::<Vec<_>>().join("\n"));
        }
    }
    let mut suite = suite("run", report);
    let mut case = TestCase::new("the whole run", status);
    case.set_classname("conform.run");
    suite.add_test_case(case);
    Some(suite)
}

fn test_case(check: &RuleVerdict) -> TestCase {
    let facts = &check.rule;
    let told = findings(check);
    let status = match check.verdict {
        Verdict::Pass | Verdict::Warn => TestCaseStatus::success(),
        Verdict::Inconclusive | Verdict::Off => {
            let mut status = TestCaseStatus::skipped();
            let why = match (check.verdict, &check.detail) {
                (Verdict::Off, _) => "the rule is switched off",
                (_, Some(detail)) => detail,
                (_, None) => "nothing was seen that it could be judged by",
            };
            status.set_message(plain(why));
            status
        }
        Verdict::Fail => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let first = check.findings.iter().find(|finding| !finding.known);
            let first = first.map(|finding| words::finding(finding, PLAIN.dot()));
            let first = first.unwrap_or_else(|| facts.title.clone());
            let level = words::level(facts.level);
            let (title, reason, advice) = (&facts.title, &facts.reason, &facts.advice);
            let explain = words::explain(&facts.id);
            let all = format!("{title}\n{told}why: {reason}\nfix: {advice}\nsee: {explain}");
            status
                .set_message(plain(&first))
                .set_type(level)
                .set_description(all);
            status
        }
    };
    let mut case = TestCase::new(facts.id.as_str(), status);
    case.set_classname(format!("conform.{}", words::layer(facts.layer)));
    if check.verdict == Verdict::Warn {
        let word = if words::is_known(check) {
            "known"
        } else {
            "warning"
        };
        case.set_system_out(format!("{word}: {}\n{told}", facts.title));
    }
    case
}

/// Returns every finding on a line of its own.
fn findings(check: &RuleVerdict) -> String {
    let findings = check.findings.iter();
    let lines = findings.map(|finding| plain(&words::finding(finding, PLAIN.dot())) + "\n");
    let mut lines: String = lines.collect();
    if check.n_more > 0 {
        let more = count(check.n_more, "more finding");
        lines.extend([PLAIN.ellipsis(), " ", &more, "\n"]);
    }
    lines
}

/// Returns a suite of the entries that pass now, and of those that could not be judged.
fn baseline(report: &ConformanceReport) -> Option<TestSuite> {
    let found = report.baseline.as_ref()?;
    if found.stale.is_empty() && found.unseen.is_empty() {
        return None;
    }
    let mut suite = suite("baseline", report);
    for known in &found.stale {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let message = format!("{} passes now; remove the entry", words::entry(known));
        status.set_message(plain(&message)).set_type("stale");
        suite.add_test_case(TestCase::new(plain(&known.place), status));
    }
    for known in &found.unseen {
        let mut status = TestCaseStatus::skipped();
        let message = format!("{} could not be judged this time", words::entry(known));
        status.set_message(plain(&message));
        suite.add_test_case(TestCase::new(plain(&known.place), status));
    }
    for case in &mut suite.test_cases {
        case.set_classname("conform.baseline");
    }
    Some(suite)
}

/// Returns text on one line: nothing hidden, nothing that XML forbids.
fn plain(text: &str) -> String {
    cut(text, LINE_CHARS, PLAIN.ellipsis()).replace(['\u{fffe}', '\u{ffff}'], "")
}
