//! `report.summary`: a run in a few lines of plain text, for a mail, a chat or a log.
//!
//! No line begins with foreign text: neither a CI nor a person can take it for something that ananke says.

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use crate::asking::Connector;
use crate::count::{count, counts};
use crate::duration::duration;
use crate::dynamic::{is_dynamic, progress};
use crate::escape::cut;
use crate::excerpt::PLAIN;
use crate::naming::title;
use crate::page::Page;
use crate::reasons::first_reason;
use crate::report::Report;
use crate::stability::{Stability, stability};
use crate::totals::{Repeats, RunsTally, Tally, pass_rate};

/// Tests beyond these are counted.
const MOST_TESTS: usize = 100;

/// How much is shown of a name.
const NAME_CHARS: usize = 120;

/// How much is shown of a reason.
const REASON_CHARS: usize = 300;

/// The summary: one headline, the totals, and what asks for a look.
#[derive(Debug, Default)]
pub(crate) struct SummaryReport {
    run: RunInfo,
    tally: Tally,
    runs: RunsTally,
    connector: Connector,
    troubled: Vec<String>,
    n_troubled: usize,
    unsteady: Vec<String>,
    n_unsteady: usize,
}

impl SummaryReport {
    fn test(&mut self, result: &TestResult) {
        self.connector.add(result);
        let stability = stability(result);
        self.runs.add(result, stability.as_ref());
        let is_unsteady = result.flaky || stability.as_ref().is_some_and(|one| !one.stable);
        match result.status {
            TestStatus::Skipped => {}
            TestStatus::Passed if !is_unsteady => {}
            TestStatus::Passed => {
                self.n_unsteady += 1;
                if self.unsteady.len() < MOST_TESTS {
                    self.unsteady.push(line(result, stability.as_ref()));
                }
            }
            TestStatus::Failed
            | TestStatus::Error
            | TestStatus::Timeout
            | TestStatus::Inconclusive => {
                self.n_troubled += 1;
                if self.troubled.len() < MOST_TESTS {
                    self.troubled.push(line(result, stability.as_ref()));
                }
            }
        }
    }

    fn text(&self) -> String {
        let summary = self.tally.summary();
        let mut page = Page::default();
        page.line(format_args!("{}\n", headline(&self.run, &summary)));
        let mut row = |name: &str, value: &str| page.line(format_args!("{name:<11} {value}"));
        if !self.run.agents.is_empty() {
            row("Agent:", &shown(&self.run.agents.join(", ")));
        }
        if let Some(connector) = self.connector.name() {
            row("Connector:", &shown(&connector));
        }
        if !self.run.input.is_empty() {
            row("Input:", &shown(&self.run.input));
        }
        if let Some(identity) = &self.run.identity {
            let who = format!("{}, team {}", identity.user_id, identity.team_id);
            row("User:", &shown(&who));
        }
        row("Total:", &totals(&self.run, &summary));
        row("Pass rate:", &format!("{:.1}%", pass_rate(&summary)));
        row("Duration:", &duration(summary.duration_us, &PLAIN));
        if self.runs.n_tests > 0 {
            let (n_runs, rate) = (self.runs.n_runs, self.runs.pass_rate());
            row("Runs:", &format!("{n_runs}, {rate:.1}% of them passed"));
            row("Stability:", &self.runs.classes());
        }
        if let Some(bundle) = &self.run.bundle {
            row("Bundle:", &shown(bundle));
        }
        list(&mut page, "Not passed:", &self.troubled, self.n_troubled);
        list(
            &mut page,
            "Passed, but not every time:",
            &self.unsteady,
            self.n_unsteady,
        );
        page.finish()
    }
}

impl Report for SummaryReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.tally.event(event);
        match event {
            RunEvent::RunStarted(run) => self.run = run.clone(),
            RunEvent::TestFinished { result, .. } => self.test(result),
            RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_)
            | RunEvent::RunFinished(_) => {}
        }
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.text().into_bytes()
    }
}

/// Returns the verdict. "Passed" needs something that passed and nothing that stands against it.
fn headline(run: &RunInfo, summary: &Summary) -> String {
    let n_not_run = run.total.saturating_sub(summary.total);
    let all = Repeats::of(run).words(summary.total + n_not_run);
    let n_failed = summary.failed_in_all();
    let n_run = summary.total.saturating_sub(summary.skipped);
    if summary.interrupted {
        return format!("INTERRUPTED: {n_run} of {all} finished, {n_failed} failed");
    }
    if n_failed > 0 {
        return format!("FAILED: {n_failed} of {all} failed");
    }
    if summary.inconclusive > 0 {
        return format!(
            "INCONCLUSIVE: {} of {all} could not be decided",
            summary.inconclusive
        );
    }
    if summary.passed == 0 {
        return "NOTHING RUN: no test was run".to_owned();
    }
    if n_not_run > 0 {
        return format!("INCOMPLETE: {n_not_run} of {all} not run");
    }
    format!("PASSED: {} of {all}", summary.passed)
}

fn totals(run: &RunInfo, summary: &Summary) -> String {
    let n_not_run = run.total.saturating_sub(summary.total);
    let mut parts = vec![
        (summary.total + n_not_run).to_string(),
        format!("{} passed", summary.passed),
        match counts(&[(summary.errors, "error"), (summary.timeouts, "timeout")]).as_str() {
            "" => format!("{} failed", summary.failed_in_all()),
            of_these => format!("{} failed ({of_these})", summary.failed_in_all()),
        },
    ];
    let rare = [
        (summary.inconclusive, "inconclusive"),
        (summary.skipped, "skipped"),
        (n_not_run, "not run"),
        (summary.flaky, "flaky"),
        (summary.unchecked, "without checks"),
    ];
    let rare = rare.iter().filter(|(n, _)| *n > 0);
    parts.extend(rare.map(|(n, word)| format!("{n} {word}")));
    parts.join(", ")
}

/// Returns a test on one line: what it is called, where it is, and why it did not pass.
fn line(result: &TestResult, stability: Option<&Stability>) -> String {
    let name = cut(&title(result), NAME_CHARS, PLAIN.ellipsis());
    let file = shown(&result.file);
    let word = result.status.word();
    let runs = match stability {
        Some(stability) => format!(
            ", {} of {} runs passed, {}",
            stability.passed,
            stability.runs,
            stability.class.words()
        ),
        None if result.flaky => format!(", flaky, attempt {}", result.earlier.len() + 1),
        None => String::new(),
    };
    let led = match is_dynamic(result) {
        true => format!(", {}", progress(result)),
        false => String::new(),
    };
    let head = format!("{word} {name} ({file}{led}{runs})");
    let why = match result.status {
        TestStatus::Passed => {
            let difference = stability.and_then(|one| one.first_difference.as_ref());
            difference.map(|one| one.text.clone()).unwrap_or_default()
        }
        _ => first_reason(result).0,
    };
    match why.as_str() {
        "" => head,
        why => format!("{head}: {}", cut(why, REASON_CHARS, PLAIN.ellipsis())),
    }
}

fn list(page: &mut Page, heading: &str, lines: &[String], n_all: usize) {
    if lines.is_empty() {
        return;
    }
    page.line(format_args!("\n{heading}"));
    for line in lines {
        page.line(format_args!("- {line}"));
    }
    if n_all > lines.len() {
        let more = count(n_all - lines.len(), "more test");
        page.line(format_args!("- {} {more}", PLAIN.ellipsis()));
    }
}

fn shown(text: &str) -> String {
    cut(text, 2 * NAME_CHARS, PLAIN.ellipsis())
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::report::ReportFormat;
    use crate::samples::{
        case, dynamic_failed, flaky, hostile, messages_case, mostly_stable, passed, rendered,
        result, run, stable, with_identity,
    };

    fn text(events: &[RunEvent]) -> String {
        rendered(ReportFormat::Summary, events)
    }

    #[test]
    fn a_run_in_a_few_lines() {
        let skipped = result("s", TestStatus::Skipped, Vec::new());
        let mut error = messages_case("T003", TestStatus::Error);
        error.reason = Some("the agent cannot be reached".to_owned());
        let results = vec![
            passed("a"),
            case("T002", TestStatus::Failed, "Here are hats."),
            error,
            flaky("d"),
            skipped,
        ];
        assert_snapshot!(text(&with_identity(run(results), 1)), @"
        FAILED: 2 of 5 tests failed

        Agent:      shop
        Input:      tests/shop.jsonl
        User:       test-user, team test-team
        Total:      5, 2 passed, 2 failed (1 error), 1 skipped, 1 flaky
        Pass rate:  50.0%
        Duration:   5.1s

        Not passed:
        - FAILED T002 (tests/shop.jsonl): output does not contain 'shoes'
        - ERROR T003: Second turn - find shoes (tests/shop.jsonl): the agent cannot be reached

        Passed, but not every time:
        - PASSED d works (tests/d.test.yaml, flaky, attempt 2)
        ");
        assert_snapshot!(text(&run(vec![passed("a")])), @"
        PASSED: 1 of 1 test

        Agent:      shop
        Input:      tests
        Total:      1, 1 passed, 0 failed
        Pass rate:  100.0%
        Duration:   5.1s
        ");
    }

    #[test]
    fn dynamic_cases_say_how_far_they_came() {
        let text = text(&run(vec![dynamic_failed("T001")]));
        assert_snapshot!(text.lines().last().unwrap(), @"- FAILED T001: Expense Coverage (tests/shop.jsonl, 3 turns, 2 of 4 checkpoints): missing checkpoints: confirm");
    }

    #[test]
    fn runs_have_classes() {
        let events = run(vec![stable("T001"), mostly_stable("T002")]);
        assert_snapshot!(text(&with_identity(events, 5)), @"
        FAILED: 1 of 2 tests failed

        Agent:      shop
        Input:      tests/shop.jsonl
        User:       test-user, team test-team
        Total:      2, 1 passed, 1 failed
        Pass rate:  50.0%
        Duration:   5.1s
        Runs:       8, 87.5% of them passed
        Stability:  1 Stable, 1 Mostly Stable

        Not passed:
        - FAILED T002 (tests/shop.jsonl, 4 of 5 runs passed, Mostly Stable): output does not contain 'shoes'
        ");
    }

    #[test]
    fn verdicts_need_evidence() {
        let headline = |events: &[RunEvent]| text(events).lines().next().unwrap().to_owned();
        let mut cut_short = run(vec![passed("a"), passed("b")]);
        cut_short.truncate(3);
        let mut unfinished = run(vec![passed("a"), passed("b")]);
        unfinished.truncate(3);
        unfinished.extend(run(vec![passed("a")]).pop());
        let headlines = [
            headline(&run(Vec::new())),
            headline(&run(vec![
                passed("a"),
                result("i", TestStatus::Inconclusive, Vec::new()),
            ])),
            headline(&cut_short),
            headline(&unfinished),
        ];
        assert_snapshot!(headlines.join("\n"), @"
        NOTHING RUN: no test was run
        INCONCLUSIVE: 1 of 2 tests could not be decided
        INTERRUPTED: 1 of 2 tests finished, 0 failed
        INCOMPLETE: 1 of 2 tests not run
        ");
    }

    #[test]
    fn hostile_text_stays_in_its_line() {
        let text = text(&run(vec![hostile("h")]));
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
        assert!(!text.contains("##["));
        let is_ours = |line: &str| {
            line.is_empty()
                || line.starts_with("- FAILED ")
                || line.split(':').next().is_some_and(|name| {
                    name.len() < 27 && name.chars().all(|c| c.is_ascii_alphabetic() || c == ' ')
                })
        };
        assert!(text.lines().all(is_ours), "{text}");
    }

    #[test]
    fn many_failures_are_counted() {
        let text = text(&run(vec![hostile("h"); 130]));
        assert!(text.trim_end().ends_with("- … 30 more tests"), "{text}");
    }
}
