//! In a terminal and as Markdown.

use ananke_model::conformance::{ConformanceReport, Verdict};
use insta::assert_snapshot;

use super::super::{Telling, conformance_markdown, conformance_text};
use super::samples::{failing, harness, hostile, inconclusive, passing, with_baseline};
use crate::samples::{ascii, plain};
use crate::style::Style;

fn text(report: &ConformanceReport) -> String {
    at(report, &plain(), 0)
}

fn at(report: &ConformanceReport, style: &Style, verbose: u8) -> String {
    let telling = Telling {
        verbose,
        ..Telling::default()
    };
    conformance_text(report, style, telling)
}

#[test]
fn a_server_that_is_correct() {
    assert_snapshot!(text(&passing()), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Scenarios
      [pass] hello          answered with text
      [  ? ] frontend-tool  no call of `confirm`

    Which client breaks?
      [pass] @ag-ui/client 1.0.0   reads everything
      [pass] @ag-ui/client 0.0.59  reads everything

    3 rules: 2 passed, 1 off
    PASSED: no rule is broken, 2 judged
    ");
}

#[test]
fn a_server_that_is_not() {
    assert_snapshot!(text(&failing()), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Scenarios
      [fail] hello          answered with text
      [  ? ] frontend-tool  no call of `confirm`

    Broken rules (2)
      [fail] sequence.open-at-finish · MUST · what `sequence.open-at-finish` says holds
        └─ hello · run · event 0 RUN_FINISHED: message `m0` is still open
        └─ hello · run · event 1 RUN_FINISHED: message `m1` is still open
        └─ hello · run · event 2 RUN_FINISHED: message `m2` is still open
        └─ hello · run · event 3 RUN_FINISHED: message `m3` is still open
        └─ hello · run · event 4 RUN_FINISHED: message `m4` is still open
        … 5 more findings
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain sequence.open-at-finish
      [fail] http.body-closed · MUST · what `http.body-closed` says holds
        └─ hello · run: the connection broke
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain http.body-closed

    Warnings (1)
      [warn] semantics.custom-prefix · SHOULD · what `semantics.custom-prefix` says holds
        └─ hello · run · event 4 RUN_FINISHED: `foo` has no prefix
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain semantics.custom-prefix

    1 rule could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [fail] @ag-ui/client 1.0.0   hello · run · event 0 RUN_FINISHED: message `m0` is still open
      [pass] @ag-ui/client 0.0.59  reads everything

    note: protobuf was not asked for
    7 rules: 2 passed, 1 warned, 2 failed, 1 inconclusive, 1 off
    FAILED: 2 rules are broken
    ");
}

#[test]
fn more_is_shown_when_asked_for() {
    assert_snapshot!(at(&failing(), &ascii(), 2), @r#"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Requests
      0 hello - run: 200, 7 events, closed, 12ms

    Scenarios
      [fail] hello          answered with text
      [  ? ] frontend-tool  no call of `confirm`

    Broken rules (2)
      [fail] sequence.open-at-finish - MUST - what `sequence.open-at-finish` says holds
        `- hello - run - event 0 RUN_FINISHED: message `m0` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 1 RUN_FINISHED: message `m1` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 2 RUN_FINISHED: message `m2` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 3 RUN_FINISHED: message `m3` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 4 RUN_FINISHED: message `m4` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 5 RUN_FINISHED: message `m5` is still open
           | {"type":"RUN_FINISHED"}
        `- hello - run - event 6 RUN_FINISHED: message `m6` is still open
           | {"type":"RUN_FINISHED"}
        ... 3 more findings
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain sequence.open-at-finish
      [fail] http.body-closed - MUST - what `http.body-closed` says holds
        `- hello - run: the connection broke
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain http.body-closed

    Warnings (1)
      [warn] semantics.custom-prefix - SHOULD - what `semantics.custom-prefix` says holds
        `- hello - run - event 4 RUN_FINISHED: `foo` has no prefix
           | {"type":"RUN_FINISHED"}
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain semantics.custom-prefix

    Not judged (1)
      [  ? ] behaviour.resume-unknown: no tool call was seen

    Switched off (1)
      [off ] semantics.usage-total: what `semantics.usage-total` says holds

    Rules that hold (2)
      [pass] http.status: what `http.status` says holds
      [pass] shape.null: what `shape.null` says holds

    Which client breaks?
      [fail] @ag-ui/client 1.0.0   hello - run - event 0 RUN_FINISHED: message `m0` is still open
      [pass] @ag-ui/client 0.0.59  reads everything

    note: protobuf was not asked for
    7 rules: 2 passed, 1 warned, 2 failed, 1 inconclusive, 1 off
    FAILED: 2 rules are broken
    "#);
}

#[test]
fn nothing_seen_is_no_pass() {
    assert_snapshot!(text(&inconclusive()), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    3 rules could not be judged: what that takes was not seen; -v lists them

    3 rules: 3 inconclusive
    INCONCLUSIVE: nothing was seen that a rule could be judged by
    ");
}

#[test]
fn a_baseline_that_is_out_of_date() {
    assert_snapshot!(text(&with_baseline(true)), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Scenarios
      [pass] hello          answered with text
      [  ? ] frontend-tool  no call of `confirm`

    Known failures (1)
      [warn] shape.required; -v says more

    Which client breaks?
      [pass] @ag-ui/client 1.0.0   reads everything
      [pass] @ag-ui/client 0.0.59  reads everything

    Baseline
      1 entry fails as it says
      [fail] ci/known.yaml:7: `shape.null` in `hello` passes now; remove the entry
      [  ? ] ci/known.yaml:9: `http.utf8` could not be judged this time

    4 rules: 2 passed, 1 warned, 1 off
    FAILED: 1 entry of the baseline is out of date
    ");
}

#[test]
fn known_failures_do_not_fail() {
    assert_snapshot!(at(&with_baseline(false), &plain(), 1), @r#"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Scenarios
      [pass] hello          answered with text
      [  ? ] frontend-tool  no call of `confirm`

    Known failures (1)
      [warn] shape.required · MUST · what `shape.required` says holds
        └─ hello · run · event 2 RUN_FINISHED: `messageId` is missing (known)
           │ {"type":"RUN_FINISHED"}
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain shape.required

    Switched off (1)
      [off ] semantics.usage-total: what `semantics.usage-total` says holds

    Which client breaks?
      [pass] @ag-ui/client 1.0.0   reads everything
      [pass] @ag-ui/client 0.0.59  reads everything

    Baseline
      1 entry fails as it says
      [  ? ] ci/known.yaml:9: `http.utf8` could not be judged this time

    4 rules: 2 passed, 1 warned, 1 off
    PASSED: no rule is broken besides 1 known failure, 3 judged
    "#);
}

#[test]
fn what_the_user_wants_judged_is_no_pass_without() {
    let strict = |mut report: ConformanceReport| {
        report.strict = true;
        let text = text(&report);
        text.lines().last().unwrap_or_default().to_owned()
    };
    assert_snapshot!(strict(passing()), @"INCONCLUSIVE (--strict): 1 scenario was not shown");
    let mut open = passing();
    open.checks[0].verdict = Verdict::Inconclusive;
    assert_snapshot!(strict(open.clone()), @"INCONCLUSIVE (--strict): 1 rule could not be judged, 1 scenario was not shown");
    open.scenarios.clear();
    assert_snapshot!(strict(open.clone()), @"INCONCLUSIVE (--strict): 1 rule could not be judged");
    open.strict = true;
    assert_snapshot!(conformance_markdown(&open).lines().next().unwrap_or_default(), @"## ❔ Conformance: 1 rule could not be judged (--strict)");
    let mut all = passing();
    all.scenarios.clear();
    assert_snapshot!(strict(all), @"PASSED: no rule is broken, 2 judged");
    assert_snapshot!(strict(failing()), @"FAILED: 2 rules are broken");
    assert_snapshot!(strict(inconclusive()), @"INCONCLUSIVE: nothing was seen that a rule could be judged by");
}

#[test]
fn quiet_tells_only_what_is_broken() {
    let quiet = Telling {
        quiet: true,
        ..Telling::default()
    };
    let text = |report: &ConformanceReport| conformance_text(report, &plain(), quiet);
    assert_snapshot!(text(&passing()), @"PASSED: no rule is broken, 2 judged");
    assert_snapshot!(text(&failing()), @"
    Broken rules (2)
      [fail] sequence.open-at-finish · MUST · what `sequence.open-at-finish` says holds
        └─ hello · run · event 0 RUN_FINISHED: message `m0` is still open
        └─ hello · run · event 1 RUN_FINISHED: message `m1` is still open
        └─ hello · run · event 2 RUN_FINISHED: message `m2` is still open
        └─ hello · run · event 3 RUN_FINISHED: message `m3` is still open
        └─ hello · run · event 4 RUN_FINISHED: message `m4` is still open
        … 5 more findings
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain sequence.open-at-finish
      [fail] http.body-closed · MUST · what `http.body-closed` says holds
        └─ hello · run: the connection broke
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain http.body-closed

    FAILED: 2 rules are broken
    ");
    assert_snapshot!(text(&with_baseline(true)), @"
      [fail] ci/known.yaml:7: `shape.null` in `hello` passes now; remove the entry

    FAILED: 1 entry of the baseline is out of date
    ");
    assert_snapshot!(text(&harness()), @"
    HARNESS ERROR: a request that ananke sends breaks the protocol; no verdict counts
      │ hello, run: `threadId` is missing
      │ at /threadId

    NO VERDICT: a request of ananke itself breaks the protocol, so nothing was found out
    ");
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let mut report = failing();
    report.checks[3].findings.truncate(2);
    report.scenarios[0].detail =
        "the agent answered in words; the run ended as it should".to_owned();
    let narrow = Telling {
        columns: Some(60),
        ..Telling::default()
    };
    assert_snapshot!(conformance_text(&report, &plain(), narrow), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    Scenarios
      [fail] hello          the agent answered in words; the run
                            ended as it should
      [  ? ] frontend-tool  no call of `confirm`

    Broken rules (2)
      [fail] sequence.open-at-finish · MUST · what
             `sequence.open-at-finish` says holds
        └─ hello · run · event 0 RUN_FINISHED: message `m0` is
           still open
        └─ hello · run · event 1 RUN_FINISHED: message `m1` is
           still open
        … 3 more findings
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain sequence.open-at-finish
      [fail] http.body-closed · MUST · what `http.body-closed`
             says holds
        └─ hello · run: the connection broke
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain http.body-closed

    Warnings (1)
      [warn] semantics.custom-prefix · SHOULD · what
             `semantics.custom-prefix` says holds
        └─ hello · run · event 4 RUN_FINISHED: `foo` has no
           prefix
        why: clients wait for it (Events, run lifecycle)
        fix: send it before the run ends.
        see: ananke conform --explain semantics.custom-prefix

    1 rule could not be judged: what that takes was not seen; -v
      lists them

    Which client breaks?
      [fail] @ag-ui/client 1.0.0   hello · run · event 0
                                  RUN_FINISHED: message `m0` is
                                  still open
      [pass] @ag-ui/client 0.0.59  reads everything

    note: protobuf was not asked for
    7 rules: 2 passed, 1 warned, 2 failed, 1 inconclusive, 1 off
    FAILED: 2 rules are broken
    ");
    let telling = Telling {
        verbose: 1,
        ..narrow
    };
    for line in conformance_text(&hostile(), &plain(), telling).lines() {
        let beginning = line.trim_start();
        assert!(!beginning.starts_with("::"), "{line}");
        assert!(!beginning.starts_with('✓'), "{line}");
    }
}

#[test]
fn one_cause_is_told_once() {
    let mut report = failing();
    for (finding, scenario) in report.checks[3]
        .findings
        .iter_mut()
        .zip(["hello", "state", "state"])
    {
        (finding.scenario, finding.event) = (scenario.to_owned(), Some(0));
        finding.message = "`protocolVersion` is missing".to_owned();
    }
    report.checks[3].findings.truncate(3);
    report.checks[3].n_more = 0;
    let lines = |text: String| {
        let lines = text.lines().filter(|line| line.contains("protocolVersion"));
        lines.map(str::to_owned).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(lines(text(&report)), @"    └─ hello, state (2) · event 0 RUN_FINISHED: `protocolVersion` is missing");
    assert_snapshot!(lines(at(&report, &plain(), 1)), @"
    └─ hello · run · event 0 RUN_FINISHED: `protocolVersion` is missing
    └─ state · run · event 0 RUN_FINISHED: `protocolVersion` is missing
    └─ state · run · event 0 RUN_FINISHED: `protocolVersion` is missing
    ");
    assert_snapshot!(lines(conformance_markdown(&report)), @"  - hello, state (2) · event 0 RUN_FINISHED: `protocolVersion` is missing");
}

#[test]
fn what_took_no_time_has_no_duration() {
    let mut report = passing();
    report.duration_ms = 0;
    report.exchanges[0].duration_ms = 0;
    let text = at(&report, &plain(), 2);
    assert_snapshot!(text.lines().take(5).collect::<Vec<_>>().join("\n"), @"
    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request

    Requests
      0 hello · run: 200, 7 events, closed
    ");
    let markdown = conformance_markdown(&report);
    assert_snapshot!(markdown.lines().nth(2).unwrap_or_default(), @"Judged: `http://localhost:8000/agent`, profile `ag-ui@1.0`, 1 request");
}

#[test]
fn a_wrong_harness_is_told_first() {
    assert_snapshot!(text(&harness()), @"
    HARNESS ERROR: a request that ananke sends breaks the protocol; no verdict counts
      │ hello, run: `threadId` is missing
      │ at /threadId

    Conformance of http://localhost:8000/agent
    profile ag-ui@1.0, 1 request, 1.2s

    3 rules could not be judged: what that takes was not seen; -v lists them

    3 rules: 3 inconclusive
    NO VERDICT: a request of ananke itself breaks the protocol, so nothing was found out
    ");
}

#[test]
fn hostile_text_stays_in_its_line() {
    let colored = Style {
        color: true,
        ..plain()
    };
    assert!(at(&failing(), &colored, 0).contains("\x1b[31m[fail]\x1b[0m"));
    let text = at(&hostile(), &plain(), 2);
    for line in text.lines() {
        assert!(!line.contains(|c: char| c.is_control()), "{line}");
        let beginning = line.trim_start();
        assert!(!beginning.starts_with("::"), "{line}");
        assert!(!beginning.starts_with('✓'), "{line}");
        assert!(!line.contains("##["), "{line}");
    }
}
