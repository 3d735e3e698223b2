//! Verdicts, severities and baselines.

use std::collections::BTreeMap;

use ananke_model::conformance::{Baseline, ConformanceReport, KnownFailure, Severity, Verdict};
use insta::assert_snapshot;
use serde_json::json;

use crate::case::{Case, ScenarioSeen, Shown};
use crate::exchange::{Answer, Asked, Exchange, Observed};
use crate::judge::{Settings, judge};
use crate::rule::Profile;

/// A run that ends while a message is open.
fn unclosed(scenario: &str) -> Exchange {
    let events = [
        json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}),
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}),
    ];
    Exchange {
        scenario: scenario.to_owned(),
        step: "run".to_owned(),
        asked: Asked::Run,
        request: None,
        answer: Answer {
            events: events
                .map(|event| Observed::new(event.to_string(), 0))
                .to_vec(),
            ..Answer::default()
        },
    }
}

fn seen(name: &'static str, shown: Shown) -> ScenarioSeen {
    ScenarioSeen {
        name,
        shown,
        detail: "as it is".to_owned(),
    }
}

fn case() -> Case {
    Case {
        exchanges: vec![unclosed("hello"), unclosed("state")],
        scenarios: vec![
            seen("hello", Shown::Yes),
            seen("state", Shown::No),
            seen("error", Shown::Off),
            seen("abort", Shown::Yes),
        ],
        ..Case::default()
    }
}

fn settings() -> Settings {
    Settings {
        profile: Profile::V1,
        severities: BTreeMap::new(),
        baseline: None,
        strict: false,
    }
}

const RULE: &str = "sequence.open-at-finish";

fn verdict(report: &ConformanceReport, rule: &str) -> Verdict {
    let check = report.checks.iter().find(|check| check.rule.id == rule);
    check.expect("it is in the profile").verdict
}

#[test]
fn scenarios_have_the_worst_verdict_of_what_was_shown() {
    let report = judge(&case(), &settings());
    let scenarios = report.scenarios.iter();
    let shown: Vec<String> = scenarios
        .map(|scenario| format!("{} {:?}", scenario.name, scenario.verdict))
        .collect();
    assert_snapshot!(shown.join("\n"), @"
    hello Fail
    state Inconclusive
    error Off
    abort Pass
    ");
    assert!(report.fails());
    assert!(report.has_evidence());
}

#[test]
fn severities_decide_what_a_finding_does() {
    let with = |severity| {
        let mut settings = settings();
        settings.severities.insert(RULE.to_owned(), severity);
        verdict(&judge(&case(), &settings), RULE)
    };
    assert_eq!(with(Severity::Error), Verdict::Fail);
    assert_eq!(with(Severity::Warn), Verdict::Warn);
    assert_eq!(with(Severity::Off), Verdict::Off);
    let report = judge(&case(), &settings());
    assert_eq!(
        verdict(&report, "semantics.state-delta"),
        Verdict::Inconclusive
    );
    assert_eq!(verdict(&report, "sequence.first-event"), Verdict::Pass);
}

fn with_baseline(entries: &[(&str, Option<&str>)]) -> ConformanceReport {
    let known = entries.iter().map(|(rule, scenario)| KnownFailure {
        rule: (*rule).to_owned(),
        scenario: scenario.map(str::to_owned),
        reason: None,
        place: "known.yaml:3".to_owned(),
    });
    let settings = Settings {
        baseline: Some(Baseline {
            known: known.collect(),
        }),
        ..settings()
    };
    judge(&case(), &settings)
}

#[test]
fn a_baseline_takes_known_failures_and_no_others() {
    let all = with_baseline(&[(RULE, None)]);
    assert_eq!(verdict(&all, RULE), Verdict::Warn);
    let one = with_baseline(&[(RULE, Some("hello"))]);
    assert_eq!(verdict(&one, RULE), Verdict::Fail);
    let both = with_baseline(&[(RULE, Some("hello")), (RULE, Some("state"))]);
    assert_eq!(verdict(&both, RULE), Verdict::Warn);
    assert_eq!(both.baseline.map(|found| found.n_matched), Some(2));
}

#[test]
fn an_entry_that_passes_now_is_stale() {
    let report = with_baseline(&[
        (RULE, None),
        ("sequence.first-event", None),
        ("semantics.state-delta", None),
        (RULE, Some("abort")),
    ]);
    let found = report.baseline.clone().expect("there is one");
    let names = |list: &[KnownFailure]| {
        let names = list.iter().map(|known| known.rule.clone());
        names.collect::<Vec<_>>().join(", ")
    };
    assert_snapshot!(names(&found.stale), @"sequence.first-event");
    assert_snapshot!(names(&found.unseen), @"semantics.state-delta, sequence.open-at-finish");
    assert!(report.fails());
}

#[test]
fn nothing_seen_is_no_evidence() {
    let report = judge(&Case::default(), &settings());
    assert!(!report.has_evidence());
    assert!(!report.fails());
}
