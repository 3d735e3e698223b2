//! The report: its shape, severities, exit codes, and the same for other formats.

use ananke_model::conformance::{Baseline, KnownFailure, Severity, Verdict};
use insta::{assert_json_snapshot, assert_snapshot};

use super::stand_in::{Naming, StandIn};
use super::{StackOptions, asked, options};
use crate::sse_stack::StackReport;

fn legacy(change: impl FnOnce(&mut StackOptions)) -> StackReport {
    let stand_in = StandIn {
        naming: Naming::Legacy,
        ..StandIn::closing()
    };
    let server = stand_in.start();
    let mut options = options(&server.url());
    options.cnf_bound_bearer = None;
    change(&mut options);
    asked(&options).unwrap()
}

#[test]
fn the_shape_is_the_known_one() {
    let mut report = legacy(|_| {});
    let wanted = [
        "headers.content_type",
        "events.type_in_vocabulary",
        "auth.dpop_required_on_cnf",
    ];
    report.checks.retain(|check| wanted.contains(&check.id));
    assert_json_snapshot!(report, @r#"
    {
      "ok": false,
      "checks": [
        {
          "id": "headers.content_type",
          "ok": true,
          "status": "pass",
          "detail": "`text/event-stream`"
        },
        {
          "id": "events.type_in_vocabulary",
          "ok": false,
          "status": "fail",
          "detail": "event 0: `run.start` is not one of the 19 canonical types: its canonical name is `RUN_STARTED`; event 1: `run.step` is not one of the 19 canonical types: its canonical name is `STEP_STARTED`; event 2: `assistant.delta` (2 events) is not one of the 19 canonical types: its canonical name is `TEXT_MESSAGE_CONTENT`; event 4: `assistant.message` is not one of the 19 canonical types: its canonical name is `TEXT_MESSAGE_END`; event 5: `tool.call.start` is not one of the 19 canonical types: its canonical name is `TOOL_CALL_START`; event 6: `tool.call.end` is not one of the 19 canonical types: its canonical name is `TOOL_CALL_END`; event 7: `cost.update` is not one of the 19 canonical types: an extension is `CUSTOM` with a `name`; event 8: `run.finished` is not one of the 19 canonical types: its canonical name is `RUN_FINISHED`; event 9: `state` is not one of the 19 canonical types: its canonical name is `STATE_SNAPSHOT`"
        },
        {
          "id": "auth.dpop_required_on_cnf",
          "ok": true,
          "status": "inconclusive",
          "detail": "no bound token is given with `--cnf-bound-bearer`"
        }
      ]
    }
    "#);
}

#[test]
fn what_fails_decides_the_exit_code_and_what_is_open_only_if_wanted() {
    let id = "events.type_in_vocabulary";
    let codes = |severity| {
        let report = legacy(|options| {
            options.severities.insert(id.to_owned(), severity);
        });
        let line = |is_strict| {
            let line = report.summary_line(is_strict);
            let (head, counts) = line.split_once("/remote/stream: ").unwrap();
            let (word, _) = head.split_once(" http").unwrap();
            format!("{} {word}: {counts}", report.exit_code(is_strict))
        };
        format!("{}\n{}", line(false), line(true))
    };
    assert_snapshot!(codes(Severity::Error), @"
    1 sse-stack: FAIL: 13 passed, 1 failed (events.type_in_vocabulary), 1 inconclusive
    1 sse-stack: FAIL: 13 passed, 1 failed (events.type_in_vocabulary), 1 inconclusive
    ");
    assert_snapshot!(codes(Severity::Warn), @"
    0 sse-stack: PASS: 13 passed, 1 inconclusive, 1 with a warning
    5 sse-stack: INCONCLUSIVE (--strict): 13 passed, 1 inconclusive, 1 with a warning
    ");
    assert_snapshot!(codes(Severity::Off), @"
    0 sse-stack: PASS: 13 passed, 1 inconclusive, 1 switched off
    5 sse-stack: INCONCLUSIVE (--strict): 13 passed, 1 inconclusive, 1 switched off
    ");
}

#[test]
fn other_formats_get_the_same() {
    let mut report = legacy(|_| {});
    let mut told = report.as_report();
    assert_eq!(told.checks.len(), 15);
    assert_eq!(told.count(Verdict::Fail), 1);
    assert!(told.fails());
    let failed = told
        .checks
        .iter()
        .find(|check| check.verdict == Verdict::Fail)
        .unwrap();
    assert_json_snapshot!(failed.findings[1], @r#"
    {
      "scenario": "sse-stack",
      "step": "stream",
      "exchange": 0,
      "event": 1,
      "event_type": "run.step",
      "message": "`run.step` is not one of the 19 canonical types: its canonical name is `STEP_STARTED`",
      "excerpt": "{\"type\":\"run.step\",\"id\":\"evt_0001\",\"seq\":1,\"ts\":\"2026-05-04T10:00:00.000Z\",\"data\":{\"step\":1}}",
      "known": false
    }
    "#);
    let steps: Vec<&str> = told
        .exchanges
        .iter()
        .map(|exchange| exchange.step.as_str())
        .collect();
    assert_snapshot!(steps.join(", "), @"stream, reconnect, probe: no bearer, probe: insufficient scope");
    let baseline = Baseline {
        known: vec![KnownFailure {
            rule: "events.type_in_vocabulary".to_owned(),
            scenario: None,
            reason: None,
            place: "known.yaml:1".to_owned(),
        }],
    };
    crate::apply_baseline(&mut told, &baseline, |_, _| true);
    report.take_verdicts(&told);
    assert!(report.ok);
    assert_eq!(report.exit_code(false), 0);
}
