//! TAP version 14: a line for each test as it ends, with a YAML block that says why it did not pass.

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::RunEvent;
use ananke_model::script::{FailedAssertion, ScriptFailure, ScriptRecord};

use crate::count::count;
use crate::dynamic::is_dynamic;
use crate::escape::cut;
use crate::excerpt::PLAIN;
use crate::page::Page;
use crate::reasons::{Unmet, first_reason, unmet};
use crate::report::Report;
use crate::script::{at, log_line, own_name, place, sentence};
use crate::stability::{Stability, stability};
use crate::totals::Tally;
use crate::yaml_scalar::quote;

/// How much of a name or a short text is shown.
const NAME_CHARS: usize = 200;

/// How much of what was demanded or seen is shown.
const TEXT_CHARS: usize = 2_000;

/// Reasons beyond these are counted.
const MOST_REASONS: usize = 50;

/// The TAP report.
#[derive(Debug, Default)]
pub(crate) struct TapReport {
    n_planned: usize,
    n_finished: usize,
    tally: Tally,
}

impl Report for TapReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.tally.event(event);
        let mut page = Page::default();
        match event {
            RunEvent::RunStarted(run) => {
                self.n_planned = run.total;
                page.line(format_args!("TAP version 14\n1..{}", run.total));
            }
            RunEvent::TestFinished { result, .. } => {
                self.n_finished += 1;
                test(&mut page, self.n_finished, result);
            }
            RunEvent::RunFinished(_)
            | RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_) => {}
        }
        page.finish().into_bytes()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let summary = self.tally.summary();
        if !summary.interrupted {
            return Vec::new();
        }
        // Tests that were not run are skips, which alone would be green.
        let n_run = summary.total.saturating_sub(summary.skipped);
        let of = count(self.n_planned, "test");
        format!("Bail out! interrupted: {n_run} of {of} finished\n").into_bytes()
    }
}

fn test(page: &mut Page, number: usize, result: &TestResult) {
    let id = description(result.short_id());
    let name = description(own_name(result));
    let name = if name.is_empty() || name == id {
        id
    } else {
        format!("{id}: {name}")
    };
    match result.status {
        TestStatus::Passed => page.line(format_args!("ok {number} - {name}")),
        TestStatus::Skipped => {
            let reason = result.reason.as_deref().unwrap_or("no reason was given");
            let reason = cut(reason, NAME_CHARS, PLAIN.ellipsis());
            page.line(format_args!("ok {number} - {name} # SKIP {reason}"));
            return;
        }
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout | TestStatus::Inconclusive => {
            page.line(format_args!("not ok {number} - {name}"));
        }
    }
    diagnostics(page, result);
}

/// Returns text for a test line, where `#` begins a directive and `\` escapes.
fn description(text: &str) -> String {
    let text = cut(text, NAME_CHARS, PLAIN.ellipsis());
    let text = text.replace('\\', r"\\").replace('#', r"\#");
    text.trim().to_owned()
}

fn diagnostics(page: &mut Page, result: &TestResult) {
    page.line(format_args!("  ---"));
    let status = result.status.word().to_lowercase();
    page.line(format_args!("  status: {status}"));
    page.line(format_args!(
        "  duration_ms: {}.{:03}",
        result.duration_us / 1_000,
        result.duration_us % 1_000
    ));
    if !result.earlier.is_empty() {
        page.line(format_args!("  attempts: {}", result.earlier.len() + 1));
        page.line(format_args!("  flaky: {}", result.flaky));
    }
    if let Some(stability) = stability(result) {
        runs(page, &stability);
    }
    if result.status != TestStatus::Passed {
        let message = yaml(&first_reason(result).0);
        page.line(format_args!("  message: {message}"));
    }
    if result.case.is_some() || result.status != TestStatus::Passed {
        page.line(format_args!("  file: {}", yaml(&result.file)));
    }
    if is_dynamic(result) {
        led(page, result);
    }
    if let Some(record) = &result.script {
        function(page, record);
    }
    checks(page, result);
    page.line(format_args!("  ..."));
}

fn runs(page: &mut Page, stability: &Stability) {
    page.line(format_args!("  runs: {}", stability.runs));
    page.line(format_args!("  passed_runs: {}", stability.passed));
    page.line(format_args!("  pass_rate: {:.1}", stability.pass_rate));
    page.line(format_args!("  stability_class: {}", stability.class.key()));
    page.line(format_args!("  consistency: {:.2}", stability.consistency));
    if let Some(difference) = &stability.first_difference {
        let words = yaml(&difference.text);
        page.line(format_args!("  first_difference: {words}"));
    }
}

/// Writes what came of the checkpoints.
fn led(page: &mut Page, result: &TestResult) {
    page.line(format_args!("  turns: {}", result.turns.len()));
    page.line(format_args!("  checkpoints:"));
    for checkpoint in result.checkpoints.iter().take(MOST_REASONS) {
        page.line(format_args!("    - id: {}", yaml(&checkpoint.id)));
        match checkpoint.reached_at_turn {
            Some(turn) => page.line(format_args!("      reached_at_turn: {turn}")),
            None => page.line(format_args!("      reached_at_turn: null")),
        }
        page.line(format_args!("      required: {}", checkpoint.required));
    }
    if let Some(more @ 1..) = result.checkpoints.len().checked_sub(MOST_REASONS) {
        page.line(format_args!("  more_checkpoints: {more}"));
    }
}

/// Writes one of several failures of a function.
fn failure(page: &mut Page, failure: &ScriptFailure) {
    page.line(format_args!("    - message: {}", yaml(&sentence(failure))));
    if let Some(subtest) = &failure.subtest {
        page.line(format_args!("      subtest: {}", yaml(subtest)));
    }
    if let Some(frame) = failure.frames.first() {
        page.line(format_args!("      at: {}", yaml(&at(frame, false))));
    }
    if let Some(assertion) = &failure.assertion {
        self::assertion(page, "      ", assertion);
    }
}

/// Writes an assertion that does not hold, each line behind `indent`.
fn assertion(page: &mut Page, indent: &str, assertion: &FailedAssertion) {
    let kind = yaml(&assertion.kind);
    page.line(format_args!("{indent}assertion: {kind}"));
    let sides = [
        ("expected", &assertion.expected),
        ("actual", &assertion.actual),
    ];
    for (name, value) in sides {
        if let Some(value) = value {
            let value = yaml(&value.to_string());
            page.line(format_args!("{indent}{name}: {value}"));
        }
    }
}

/// Writes what is recorded of a function of a script.
fn function(page: &mut Page, record: &ScriptRecord) {
    page.line(format_args!("  assertions: {}", record.assertions));
    if let Some(frame) = place(record) {
        page.line(format_args!("  at:"));
        page.line(format_args!("    file: {}", yaml(&frame.file)));
        page.line(format_args!("    line: {}", frame.line));
        page.line(format_args!("    column: {}", frame.column));
    }
    let mut asserted = record.failures.iter();
    if let Some(assertion) = asserted.find_map(|failure| failure.assertion.as_ref()) {
        self::assertion(page, "  ", assertion);
    }
    if record.failures.len() > 1 {
        page.line(format_args!("  failures:"));
        for failure in record.failures.iter().take(MOST_REASONS) {
            self::failure(page, failure);
        }
    }
    let n_failures = record.failures.len().saturating_sub(MOST_REASONS);
    let n_failures = usize::try_from(record.more_failures)
        .map_or(usize::MAX, |more| more.saturating_add(n_failures));
    if n_failures > 0 {
        page.line(format_args!("  more_failures: {n_failures}"));
    }
    if !record.subtests.is_empty() {
        page.line(format_args!("  subtests:"));
        for subtest in record.subtests.iter().take(MOST_REASONS) {
            let status = subtest.status.word().to_lowercase();
            page.line(format_args!("    - name: {}", yaml(&subtest.name)));
            page.line(format_args!("      status: {status}"));
        }
    }
    if !record.logs.is_empty() {
        page.line(format_args!("  logs:"));
        for log in record.logs.iter().take(MOST_REASONS) {
            page.line(format_args!("    - {}", yaml(&log_line(log))));
        }
    }
    let n_logs = record.logs.len().saturating_sub(MOST_REASONS);
    let n_logs =
        usize::try_from(record.more_logs).map_or(usize::MAX, |more| more.saturating_add(n_logs));
    if n_logs > 0 {
        page.line(format_args!("  more_logs: {n_logs}"));
    }
}

fn checks(page: &mut Page, result: &TestResult) {
    let n_unmet = unmet(result).count();
    if n_unmet == 0 {
        return;
    }
    page.line(format_args!("  checks:"));
    for unmet in unmet(result).take(MOST_REASONS) {
        check(page, &unmet);
    }
    if n_unmet > MOST_REASONS {
        let more = n_unmet - MOST_REASONS;
        page.line(format_args!("  more_checks: {more}"));
    }
}

fn check(page: &mut Page, unmet: &Unmet<'_>) {
    let place = &unmet.check.origin.place;
    let block = unmet.block();
    page.line(format_args!("    - check: {}", yaml(&unmet.name())));
    page.line(format_args!("      block: {}", yaml(&block)));
    page.line(format_args!(
        "      expected: {}",
        yaml(&unmet.check.expected)
    ));
    page.line(format_args!("      actual: {}", yaml(&unmet.check.actual)));
    page.line(format_args!("      at:"));
    page.line(format_args!("        file: {}", yaml(&place.file)));
    page.line(format_args!("        line: {}", place.line));
    page.line(format_args!("        column: {}", place.column));
}

/// Returns text as a double-quoted YAML scalar on one line, shortened if need be.
fn yaml(text: &str) -> String {
    match text.char_indices().nth(TEXT_CHARS) {
        Some((end, _)) => {
            let (shown, _) = text.split_at(end);
            quote(&format!("{shown}{}", PLAIN.ellipsis()))
        }
        None => quote(text),
    }
}

#[cfg(test)]
mod tests {
    use ananke_model::recording::TroubleKind;
    use ananke_model::result::Outcome;
    use granit_parser::{Event, Parser};
    use insta::assert_snapshot;

    use super::*;
    use crate::report::ReportFormat;
    use crate::samples::{
        HOSTILE, broken, case, check, dynamic_failed, flaky, hostile, hostile_dynamic, judged,
        messages_case, mostly_stable, passed, rendered, result, run, turn,
    };

    fn tap(events: &[RunEvent]) -> String {
        rendered(ReportFormat::Tap, events)
    }

    #[test]
    fn every_status_has_its_line() {
        let unmet = check("tools.require", "search", Outcome::Failed);
        let turns = vec![judged(turn("Refund", "I cannot"), vec![unmet])];
        let mut failed = result("b", TestStatus::Failed, turns);
        failed.name = r"costs #5 \ more".to_owned();
        let slow = broken(TroubleKind::Timeout, "no end within 120s", "");
        let slow = result("slow", TestStatus::Timeout, vec![judged(slow, Vec::new())]);
        let mut skipped = result("s", TestStatus::Skipped, Vec::new());
        skipped.reason = Some("waits for #12".to_owned());
        let events = run(vec![passed("a"), failed, slow, skipped, flaky("f")]);
        assert_snapshot!(tap(&events), @r#"
        TAP version 14
        1..5
        ok 1 - tests/a.test.yaml: a works
          ---
          status: passed
          duration_ms: 1234.567
          ...
        not ok 2 - tests/b.test.yaml: costs \#5 \\ more
          ---
          status: failed
          duration_ms: 1234.567
          message: "turn 1: tools.require search: expected at least 1 call of \"search\", got 0 of 2"
          file: "tests/b.test.yaml"
          checks:
            - check: "tools.require search"
              block: "turn 1"
              expected: "at least 1 call of \"search\""
              actual: "0 of 2"
              at:
                file: "tests/a.test.yaml"
                line: 12
                column: 9
          ...
        not ok 3 - tests/slow.test.yaml: slow works
          ---
          status: timeout
          duration_ms: 1234.567
          message: "turn 1: no end within 120s"
          file: "tests/slow.test.yaml"
          ...
        ok 4 - tests/s.test.yaml: s works # SKIP waits for #12
        ok 5 - tests/f.test.yaml: f works
          ---
          status: passed
          duration_ms: 1234.567
          attempts: 2
          flaky: true
          ...
        "#);
    }

    #[test]
    fn a_run_that_stops_early_bails_out() {
        let mut events = run(vec![passed("a"), passed("b")]);
        events.truncate(3);
        assert_snapshot!(tap(&events), @"
        TAP version 14
        1..2
        ok 1 - tests/a.test.yaml: a works
          ---
          status: passed
          duration_ms: 1234.567
          ...
        Bail out! interrupted: 1 of 2 tests finished
        ");
    }

    /// Returns the scalars of the YAML blocks; each must be one document.
    fn scalars(tap: &str) -> Vec<String> {
        let mut scalars = Vec::new();
        let mut block: Option<String> = None;
        for line in tap.lines() {
            match (&mut block, line) {
                (None, "  ---") => block = Some(String::new()),
                (Some(yaml), "  ...") => {
                    for event in Parser::new_from_str(yaml) {
                        if let (Event::Scalar(text, ..), _) = event.unwrap() {
                            scalars.push(text.into_owned());
                        }
                    }
                    block = None;
                }
                (Some(yaml), line) => {
                    yaml.push_str(line.strip_prefix("  ").unwrap());
                    yaml.push('\n');
                }
                (None, line) => assert!(is_ours(line), "{line}"),
            }
        }
        assert_eq!(block, None);
        scalars
    }

    fn is_ours(line: &str) -> bool {
        let lines = ["ok ", "not ok ", "TAP version 14", "1.."];
        lines.iter().any(|begin| line.starts_with(begin))
    }

    #[test]
    fn hostile_text_is_quoted() {
        let text = tap(&run(vec![hostile("h"), passed("a")]));
        assert!(!text.contains("##[") && !text.contains(|c: char| c.is_control() && c != '\n'));
        let tests: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("ok ") && !line.starts_with(' '))
            .collect();
        assert_eq!(tests.len(), 2, "{tests:?}");
        // A directive would begin with an unescaped `#`.
        assert!(
            !tests[0].replace(r"\\", "").replace(r"\#", "").contains('#'),
            "{}",
            tests[0]
        );
        let scalars = scalars(&text);
        assert!(
            scalars.iter().any(|scalar| scalar == HOSTILE),
            "{scalars:?}"
        );
    }

    #[test]
    fn checkpoints_are_listed() {
        assert_snapshot!(tap(&run(vec![dynamic_failed("T001")])), @r#"
        TAP version 14
        1..1
        not ok 1 - T001: Expense Coverage
          ---
          status: failed
          duration_ms: 8500.000
          message: "missing checkpoints: confirm"
          file: "tests/shop.jsonl"
          turns: 3
          checkpoints:
            - id: "ask_type"
              reached_at_turn: 1
              required: true
            - id: "call_create"
              reached_at_turn: 2
              required: true
            - id: "confirm"
              reached_at_turn: null
              required: true
            - id: "thanks"
              reached_at_turn: null
              required: false
          ...
        "#);
        let scalars = scalars(&tap(&run(vec![hostile_dynamic("h")])));
        assert!(scalars.iter().filter(|scalar| *scalar == HOSTILE).count() > 3);
    }

    #[test]
    fn cases_and_runs_say_where_they_are() {
        let events = run(vec![
            case("T001", TestStatus::Passed, "Here are shoes."),
            messages_case("turn #2", TestStatus::Failed),
            mostly_stable("T003"),
        ]);
        assert_snapshot!(tap(&events), @r#"
        TAP version 14
        1..3
        ok 1 - T001
          ---
          status: passed
          duration_ms: 1234.567
          file: "tests/shop.jsonl"
          ...
        not ok 2 - turn \#2: Second turn - find shoes
          ---
          status: failed
          duration_ms: 1234.567
          message: "output does not contain 'shoes'"
          file: "tests/shop.jsonl"
          checks:
            - check: "contains shoes"
              block: "test"
              expected: "text containing \"shoes\""
              actual: "\"Here are hats.\""
              at:
                file: "tests/shop.jsonl"
                line: 12
                column: 9
          ...
        not ok 3 - T003
          ---
          status: failed
          duration_ms: 1900.000
          runs: 5
          passed_runs: 4
          pass_rate: 80.0
          stability_class: mostly_stable
          consistency: 0.80
          first_difference: "run 3 called `refund` where run 1 called `search` (event 1 / event 1)"
          message: "output does not contain 'shoes'"
          file: "tests/shop.jsonl"
          checks:
            - check: "contains shoes"
              block: "test"
              expected: "text containing \"shoes\""
              actual: "\"Here are hats.\""
              at:
                file: "tests/shop.jsonl"
                line: 12
                column: 9
          ...
        "#);
    }
}
