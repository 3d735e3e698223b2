//! Results with the fields that samples do not care about filled in.

use std::collections::BTreeMap;

use ananke_model::check::{Level, Origin};
use ananke_model::place::Place;
use ananke_model::plan::TestId;
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, Reach, TestResult, TestStatus};

use super::STARTED_MS;

pub(crate) fn check(
    check: &str,
    subject: &str,
    outcome: Outcome,
    expected: &str,
    actual: &str,
) -> CheckResult {
    CheckResult {
        check: check.to_owned(),
        subject: subject.to_owned(),
        outcome,
        expected: expected.to_owned(),
        actual: actual.to_owned(),
        details: Vec::new(),
        origin: Origin {
            level: Level::Turn,
            named: None,
            place: Place {
                line: 14,
                ..Place::file("tests/refund.test.yaml")
            },
        },
        event: None,
        value: None,
        negate: false,
        message: None,
        samples: Vec::new(),
        snapshot: None,
    }
}

pub(crate) fn test(id: &str, name: &str, status: TestStatus, turns: Vec<JudgedTurn>) -> TestResult {
    let duration_us = turns
        .iter()
        .map(|judged| judged.turn.timing.total_us + 4_000)
        .sum();
    TestResult {
        id: TestId(format!("tests/{id}.test.yaml")),
        name: name.to_owned(),
        file: format!("tests/{id}.test.yaml"),
        status,
        reason: None,
        reason_details: Vec::new(),
        n_turns: turns.len(),
        turns,
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Reached,
        started_at_ms: Some(STARTED_MS),
        ended_at_ms: Some(STARTED_MS + 1_200),
        duration_us,
        target: "shop".to_owned(),
        variables: BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
        case: None,
        connector: None,
        run: None,
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        logs: Vec::new(),
    }
}
