//! Reports of every kind.

use ananke_model::conformance::{
    BaselineVerdict, ClientVerdict, ConformanceReport, ExchangeSummary, Finding, KnownFailure,
    Layer, Level, RuleFacts, RuleVerdict, ScenarioVerdict, Severity, Verdict,
};

use crate::samples::HOSTILE;

pub(super) fn facts(id: &str, level: Level, layer: Layer) -> RuleFacts {
    RuleFacts {
        id: id.to_owned(),
        level,
        layer,
        title: format!("what `{id}` says holds"),
        reason: "clients wait for it".to_owned(),
        section: "Events, run lifecycle".to_owned(),
        advice: "send it before the run ends.".to_owned(),
    }
}

pub(super) fn check(id: &str, level: Level, layer: Layer, verdict: Verdict) -> RuleVerdict {
    let severity = match (verdict, level) {
        (Verdict::Off, _) => Severity::Off,
        (_, Level::Must) => Severity::Error,
        (_, Level::Should | Level::Convention) => Severity::Warn,
    };
    RuleVerdict {
        rule: facts(id, level, layer),
        severity,
        verdict,
        detail: (verdict == Verdict::Inconclusive).then(|| "no tool call was seen".to_owned()),
        findings: Vec::new(),
        n_more: 0,
    }
}

pub(in super::super) fn finding(message: &str, event: Option<usize>) -> Finding {
    Finding {
        scenario: "hello".to_owned(),
        step: "run".to_owned(),
        exchange: 0,
        event,
        event_type: event.map(|_| "RUN_FINISHED".to_owned()),
        message: message.to_owned(),
        excerpt: event.map(|_| r#"{"type":"RUN_FINISHED"}"#.to_owned()),
        known: false,
    }
}

/// A report without a finding.
pub(super) fn passing() -> ConformanceReport {
    let scenario = |name: &str, verdict, detail: &str| ScenarioVerdict {
        name: name.to_owned(),
        verdict,
        detail: detail.to_owned(),
    };
    let client = |client: &str| ClientVerdict {
        client: client.to_owned(),
        verdict: Verdict::Pass,
        breaks: None,
    };
    ConformanceReport {
        profile: "ag-ui@1.0".to_owned(),
        subject: "http://localhost:8000/agent".to_owned(),
        checks: vec![
            check("http.status", Level::Must, Layer::Http, Verdict::Pass),
            check("shape.null", Level::Must, Layer::Shape, Verdict::Pass),
            check(
                "semantics.usage-total",
                Level::Should,
                Layer::Semantics,
                Verdict::Off,
            ),
        ],
        scenarios: vec![
            scenario("hello", Verdict::Pass, "answered with text"),
            scenario(
                "frontend-tool",
                Verdict::Inconclusive,
                "no call of `confirm`",
            ),
        ],
        clients: vec![
            client("@ag-ui/client 1.0.0"),
            client("@ag-ui/client 0.0.59"),
        ],
        exchanges: vec![ExchangeSummary {
            scenario: "hello".to_owned(),
            step: "run".to_owned(),
            status: Some(200),
            n_events: 7,
            ending: "closed".to_owned(),
            duration_ms: 12,
        }],
        baseline: None,
        harness_error: None,
        notes: Vec::new(),
        strict: false,
        duration_ms: 1234,
    }
}

/// A report with everything that can be wrong with a server.
pub(super) fn failing() -> ConformanceReport {
    let mut report = passing();
    let mut open = check(
        "sequence.open-at-finish",
        Level::Must,
        Layer::Sequence,
        Verdict::Fail,
    );
    open.findings = (0..7)
        .map(|n| finding(&format!("message `m{n}` is still open"), Some(n)))
        .collect();
    open.n_more = 3;
    let mut closed = check("http.body-closed", Level::Must, Layer::Http, Verdict::Fail);
    closed.findings = vec![finding("the connection broke", None)];
    let mut warned = check(
        "semantics.custom-prefix",
        Level::Should,
        Layer::Semantics,
        Verdict::Warn,
    );
    warned.findings = vec![finding("`foo` has no prefix", Some(4))];
    let open_rule = check(
        "behaviour.resume-unknown",
        Level::Must,
        Layer::Behaviour,
        Verdict::Inconclusive,
    );
    report.checks.extend([open, closed, warned, open_rule]);
    report.scenarios[0].verdict = Verdict::Fail;
    report.clients[0].verdict = Verdict::Fail;
    report.clients[0].breaks = Some(finding("message `m0` is still open", Some(0)));
    report.notes = vec!["protobuf was not asked for".to_owned()];
    report
}

/// A report without evidence.
pub(super) fn inconclusive() -> ConformanceReport {
    let mut report = passing();
    for check in &mut report.checks {
        check.verdict = Verdict::Inconclusive;
        check.detail = Some("no answer was seen".to_owned());
    }
    report.clients.clear();
    report.scenarios.clear();
    report
}

pub(super) fn known_failure(rule: &str, scenario: Option<&str>, line: u32) -> KnownFailure {
    KnownFailure {
        rule: rule.to_owned(),
        scenario: scenario.map(str::to_owned),
        reason: None,
        place: format!("ci/known.yaml:{line}"),
    }
}

/// A report whose only failure is known, with a baseline that is out of date if `is_stale`.
pub(super) fn with_baseline(is_stale: bool) -> ConformanceReport {
    let mut report = passing();
    let mut known = check("shape.required", Level::Must, Layer::Shape, Verdict::Warn);
    known.findings = vec![Finding {
        known: true,
        ..finding("`messageId` is missing", Some(2))
    }];
    report.checks.push(known);
    let stale = known_failure("shape.null", Some("hello"), 7);
    report.baseline = Some(BaselineVerdict {
        n_matched: 1,
        stale: is_stale.then_some(stale).into_iter().collect(),
        unseen: vec![known_failure("http.utf8", None, 9)],
    });
    report
}

/// A report of a harness that is wrong itself.
pub(super) fn harness() -> ConformanceReport {
    let mut report = inconclusive();
    report.harness_error = Some("hello, run: `threadId` is missing\nat /threadId".to_owned());
    report
}

/// A report in which every text that a server, a file or a user brought is hostile.
pub(super) fn hostile() -> ConformanceReport {
    let mut report = failing();
    let bad = || HOSTILE.to_owned();
    report.subject = bad();
    report.notes = vec![bad()];
    report.harness_error = Some(bad());
    for check in &mut report.checks {
        check.detail = check.detail.as_ref().map(|_| bad());
        for finding in &mut check.findings {
            *finding = hostile_finding();
        }
    }
    for scenario in &mut report.scenarios {
        (scenario.name, scenario.detail) = (bad(), bad());
    }
    for exchange in &mut report.exchanges {
        (exchange.scenario, exchange.step, exchange.ending) = (bad(), bad(), bad());
    }
    report.clients[0].breaks = Some(hostile_finding());
    let entry = KnownFailure {
        scenario: Some(bad()),
        place: bad(),
        ..known_failure(HOSTILE, None, 1)
    };
    report.baseline = Some(BaselineVerdict {
        n_matched: 1,
        stale: vec![entry.clone()],
        unseen: vec![entry],
    });
    report
}

fn hostile_finding() -> Finding {
    let bad = || HOSTILE.to_owned();
    Finding {
        scenario: bad(),
        step: bad(),
        event_type: Some(bad()),
        excerpt: Some(bad()),
        ..finding(HOSTILE, Some(1))
    }
}
