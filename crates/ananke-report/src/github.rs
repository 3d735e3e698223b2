//! Annotations for GitHub: one workflow command for each test that did not pass, at the demand that it did not meet.
//!
//! Everything foreign is escaped twice: once so that it shows no hidden character and no `##[command]`, and once as data
//! of the command. No line can begin with it.

use ananke_model::result::{CheckResult, TestResult, TestStatus};
use ananke_model::run_event::RunEvent;

use crate::dynamic::missed;
use crate::escape::{cut, escape};
use crate::excerpt::{PLAIN, reasons, status_word};
use crate::naming::title;
use crate::page::Page;
use crate::reasons::unmet;
use crate::report::Report;
use crate::script::place as script_place;
use crate::stability::stability;

/// GitHub shows ten errors and ten warnings of a step; more of them only fill the log.
const MOST_ANNOTATIONS: usize = 50;

/// How much of the reasons is shown; GitHub cuts a message at 4 KiB.
const REASONS_BYTES: usize = 3_500;

/// How much of a name is shown; GitHub cuts a title at 255 characters.
const TITLE_CHARS: usize = 200;

/// Annotations for GitHub, to be printed when the run is over.
#[derive(Debug, Default)]
pub(crate) struct GithubReport {
    page: Page,
    n_annotated: usize,
    n_left_out: usize,
}

impl Report for GithubReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        let RunEvent::TestFinished { result, .. } = event else {
            return Vec::new();
        };
        let command = match result.status {
            TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => "error",
            TestStatus::Inconclusive => "warning",
            TestStatus::Passed if is_unsteady(result) => "warning",
            TestStatus::Passed | TestStatus::Skipped => return Vec::new(),
        };
        if self.n_annotated == MOST_ANNOTATIONS {
            self.n_left_out += 1;
        } else {
            self.n_annotated += 1;
            annotate(&mut self.page, command, result);
        }
        Vec::new()
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        if self.n_left_out > 0 {
            let n = self.n_annotated + self.n_left_out;
            self.page.line(format_args!(
                "::notice title=ananke::{} of {n} tests are annotated; the step summary and the reports have them all",
                self.n_annotated
            ));
        }
        self.page.finish().into_bytes()
    }
}

fn annotate(page: &mut Page, command: &str, result: &TestResult) {
    let word = status_word(result.status);
    let title = cut(&title(result), TITLE_CHARS, PLAIN.ellipsis());
    let is_passed = result.status == TestStatus::Passed;
    let stability = stability(result);
    // It passed: what is told is why it did not each time.
    let failed_run = result.other_runs.iter().find(|run| is_unmet(run));
    let (title, told) = match (&stability, result.earlier.last(), failed_run) {
        (Some(runs), _, Some(failed)) if is_passed => {
            let (passed, runs) = (runs.passed, runs.runs);
            (format!("Passed {passed} of {runs} runs: {title}"), failed)
        }
        (_, Some(earlier), _) if is_passed => {
            let n = result.earlier.len() + 1;
            (format!("Flaky, passed on attempt {n}: {title}"), earlier)
        }
        (Some(runs), _, _) => {
            let (passed, runs) = (runs.passed, runs.runs);
            (
                format!("{word}, {passed} of {runs} runs passed: {title}"),
                result,
            )
        }
        (None, _, _) => (format!("{word}: {title}"), result),
    };
    let message = reasons(told, REASONS_BYTES);
    let difference = stability.and_then(|runs| runs.first_difference);
    let message = match difference {
        Some(difference) => {
            let words = cut(&difference.text, TITLE_CHARS * 2, PLAIN.ellipsis());
            format!("{message}\nfirst difference: {words}")
        }
        None => message,
    };
    let place = unmet(told).next().map(|unmet| &unmet.check.origin.place);
    let awaited = missed(told).flat_map(|checkpoint| &checkpoint.checks);
    let mut awaited = awaited.map(|check| &check.origin.place);
    let place = place.or_else(|| awaited.next());
    // A test that broke off met no demand; those of its own file still tell where it is.
    let of_file = |check: &&CheckResult| *check.origin.place.file == *result.file;
    let place = place.or_else(|| {
        let check = result.all_checks().find(of_file);
        check.map(|check| &check.origin.place)
    });
    let of_case = || result.case.as_ref()?.place.as_ref();
    let place = place.or_else(of_case);
    let of_script = told.script.as_deref().and_then(script_place);
    let at = match place {
        _ if let Some(frame) = of_script => format!(
            "file={},line={},col={}",
            property(&escape(&frame.file)),
            frame.line,
            frame.column
        ),
        Some(place) => format!(
            "file={},line={},col={}",
            property(&escape(&place.file)),
            place.line,
            place.column
        ),
        None => format!("file={},line=1", property(&escape(&result.file))),
    };
    let (title, message) = (property(&title), data(&message));
    page.line(format_args!("::{command} {at},title={title}::{message}"));
}

/// Tells whether a test that passed did not pass each time.
fn is_unsteady(result: &TestResult) -> bool {
    result.flaky || result.other_runs.iter().any(is_unmet)
}

fn is_unmet(run: &TestResult) -> bool {
    !matches!(run.status, TestStatus::Passed | TestStatus::Skipped)
}

/// Returns text as the data of a command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns text as a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use ananke_model::recording::TroubleKind;
    use ananke_model::result::Outcome;
    use insta::assert_snapshot;

    use super::*;
    use crate::report::ReportFormat;
    use crate::samples::{
        broken, case, check, dynamic_failed, flaky, hostile, judged, messages_case, mostly_stable,
        passed, rendered, result, run, turn,
    };

    fn annotations(results: Vec<TestResult>) -> String {
        rendered(ReportFormat::Github, &run(results))
    }

    fn failed(id: &str) -> TestResult {
        let unmet = check("tools.require", "search", Outcome::Failed);
        let turns = vec![judged(turn("Refund", "I cannot"), vec![unmet])];
        result(id, TestStatus::Failed, turns)
    }

    #[test]
    fn tests_are_annotated_at_their_demands() {
        let refused = broken(TroubleKind::Unreachable, "100% refused", "");
        let refused = result("down", TestStatus::Error, vec![judged(refused, Vec::new())]);
        let mut odd = failed("odd");
        odd.name = "a, b: c".to_owned();
        odd.status = TestStatus::Inconclusive;
        let skipped = result("s", TestStatus::Skipped, Vec::new());
        let results = vec![passed("a"), failed("b"), refused, odd, flaky("f"), skipped];
        assert_snapshot!(annotations(results), @r#"
        ::error file=tests/a.test.yaml,line=12,col=9,title=Failed%3A b works::└─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2%0A   demanded at tests/a.test.yaml:12:9 (turn level)
        ::error file=tests/down.test.yaml,line=1,title=Error%3A down works::└─ turn 1: 100%25 refused%0A   captured in turn 1: 2 events, no tool call, no text
        ::warning file=tests/a.test.yaml,line=12,col=9,title=Inconclusive%3A a%2C b%3A c::└─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2%0A   demanded at tests/a.test.yaml:12:9 (turn level)
        ::warning file=tests/a.test.yaml,line=12,col=9,title=Flaky%2C passed on attempt 2%3A f works::└─ turn 1 · text.must_match /shoes/: expected text matching /shoes/, got Here are hats.%0A   demanded at tests/a.test.yaml:12:9 (turn level)
        "#);
        assert_snapshot!(annotations(vec![passed("a")]), @"");
    }

    #[test]
    fn many_annotations_are_counted() {
        let all = annotations(vec![failed("x"); 62]);
        assert_eq!(all.lines().count(), 51);
        assert_snapshot!(all.lines().last().unwrap(), @"::notice title=ananke::50 of 62 tests are annotated; the step summary and the reports have them all");
    }

    #[test]
    fn hostile_text_is_only_data() {
        let all = annotations(vec![hostile("h"), hostile("i")]);
        assert_eq!(all.lines().count(), 2);
        for line in all.lines() {
            assert!(line.starts_with("::error file="), "{line}");
            assert!(
                !line.contains("##[") && !line.contains(char::is_control),
                "{line:?}"
            );
            let (head, message) = line
                .strip_prefix("::error ")
                .unwrap()
                .split_once("::")
                .unwrap();
            // Read as GitHub does: properties, and a message whose line ends are coded.
            let names: Vec<&str> = head
                .split(',')
                .filter_map(|one| one.split('=').next())
                .collect();
            assert_eq!(names, ["file", "line", "col", "title"]);
            let message = message.replace("%0A", "\n");
            assert!(
                message
                    .lines()
                    .all(|line| !line.trim_start().starts_with("::")),
                "{message}"
            );
            assert!(
                message.contains("%250A"),
                "an encoded line end of the agent stays what it is"
            );
        }
    }

    #[test]
    fn dynamic_cases_are_annotated_at_what_they_wait_for() {
        assert_snapshot!(annotations(vec![dynamic_failed("T001")]), @r#"::error file=tests/shop.jsonl,line=12,col=9,title=Failed%3A T001%3A Expense Coverage::└─ missing checkpoints: confirm%0A└─ checkpoint confirm (Agent confirms submission) was not reached%0A   output does not contain 'submitted'%0A   contains submitted: expected text containing "submitted", got "Here are hats."%0A   demanded at tests/shop.jsonl:12:9 (test level)"#);
    }

    #[test]
    fn cases_are_annotated_at_their_lines() {
        let mut failed = case("T002", TestStatus::Failed, "Here are hats.");
        failed.checks[0].origin.place.line = 7;
        let mut refused = messages_case("T003", TestStatus::Error);
        refused.reason = Some("the agent cannot be reached".to_owned());
        refused.checks.clear();
        std::sync::Arc::make_mut(refused.case.as_mut().unwrap()).place =
            Some(ananke_model::place::Place {
                line: 9,
                column: 1,
                ..ananke_model::place::Place::file("tests/shop.jsonl")
            });
        let mut accepted = mostly_stable("T004");
        let first = accepted.other_runs.remove(0);
        let one = std::mem::replace(&mut accepted, first);
        accepted.other_runs = vec![TestResult {
            checkpoints: Vec::new(),
            other_runs: Vec::new(),
            script: None,
            ..one
        }];
        let results = vec![failed, refused, mostly_stable("T005"), accepted];
        assert_snapshot!(annotations(results), @r#"
        ::error file=tests/shop.jsonl,line=7,col=9,title=Failed%3A T002::└─ output does not contain 'shoes'%0A   contains shoes: expected text containing "shoes", got "Here are hats."%0A   demanded at tests/shop.jsonl:7:9 (test level)
        ::error file=tests/shop.jsonl,line=9,col=1,title=Error%3A T003%3A Second turn - find shoes::└─ the agent cannot be reached
        ::error file=tests/shop.jsonl,line=12,col=9,title=Failed%2C 4 of 5 runs passed%3A T005::└─ output does not contain 'shoes'%0A   contains shoes: expected text containing "shoes", got "Here are hats."%0A   demanded at tests/shop.jsonl:12:9 (test level)%0Afirst difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
        ::warning file=tests/shop.jsonl,line=12,col=9,title=Passed 1 of 2 runs%3A T004::└─ output does not contain 'shoes'%0A   contains shoes: expected text containing "shoes", got "Here are hats."%0A   demanded at tests/shop.jsonl:12:9 (test level)%0Afirst difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
        "#);
    }
}
