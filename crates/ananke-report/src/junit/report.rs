//! Follows a run and ends with one document: a suite for each folder, a test case for each test.

use std::collections::HashMap;
use std::time::Duration;

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use jiff::Timestamp;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestRerun, TestSuite,
};

use crate::asking::asking;
use crate::count::count;
use crate::dynamic::{came, is_dynamic, progress};
use crate::escape::cut;
use crate::excerpt::{PLAIN, logs, reasons, turns};
use crate::naming::title;
use crate::reasons::first_reason;
use crate::report::Report;
use crate::script::{place as script_place, source};
use crate::stability::{Stability, stability};
use crate::totals::Tally;

/// How much of a reason is shown in an attribute.
const MESSAGE_CHARS: usize = 1_000;

/// How much of all reasons is shown.
const REASONS_BYTES: usize = 8_000;

/// How much of a conversation is shown.
const TURNS_BYTES: usize = 32_000;

/// How much is shown of what a script logged.
const LOGS_BYTES: usize = 32_000;

/// Runs beyond these are only counted.
const MOST_RUNS: usize = 10;

/// Checkpoints beyond these are left out.
const MOST_CHECKPOINTS: usize = 50;

/// The JUnit report: one suite for each folder.
#[derive(Debug, Default)]
pub(crate) struct JunitReport {
    run: RunInfo,
    tally: Tally,
    suites: Vec<TestSuite>,
    by_folder: HashMap<String, usize>,
}

impl JunitReport {
    fn add(&mut self, result: &TestResult) {
        let folder = match source(result).rsplit_once('/') {
            Some((folder, _)) => folder,
            None => ".",
        };
        let index = *self.by_folder.entry(folder.to_owned()).or_insert_with(|| {
            self.suites.push(suite(folder, &self.run));
            self.suites.len() - 1
        });
        let suite = &mut self.suites[index];
        let time = Duration::from_micros(result.duration_us);
        suite.set_time(suite.time.unwrap_or_default() + time);
        if let (Some(started_at_ms), false) =
            (result.started_at_ms, suite.extra.contains_key("timestamp"))
        {
            let moment = moment(started_at_ms);
            suite.extra.insert("timestamp".into(), moment.into());
        }
        let stability = stability(result);
        if let Some(stability) = &stability {
            // The schema knows properties of suites only.
            let name = format!("pass_rate of {}", result.short_id());
            suite.add_property((plain(&name), format!("{:.1}", stability.pass_rate)));
        }
        suite.add_test_case(test_case(result, stability.as_ref()));
    }
}

impl Report for JunitReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.tally.event(event);
        match event {
            RunEvent::RunStarted(run) => self.run = run.clone(),
            RunEvent::TestFinished { result, .. } => self.add(result),
            RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_)
            | RunEvent::RunFinished(_) => {}
        }
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut junit = Junit::new("ananke");
        let summary = self.tally.summary();
        junit.set_time(Duration::from_micros(summary.duration_us));
        junit.add_test_suites(self.suites);
        if summary.interrupted {
            junit.add_test_suite(interrupted(&self.run, &summary));
        }
        let xml = junit.to_string().expect("a string can be written to");
        // The schema knows this attribute on the suites only; the first one is that of the root.
        let skipped = format!(" skipped=\"{}\"", junit.skipped);
        xml.replacen(&skipped, "", 1).into_bytes()
    }
}

fn suite(folder: &str, run: &RunInfo) -> TestSuite {
    let mut suite = TestSuite::new(plain(folder));
    let known = [
        ("run_id", run.run_id.as_str()),
        ("version", &run.version),
        ("agent", &run.agents.join(", ")),
        ("input", &run.input),
        (
            "config_file",
            run.config_file.as_deref().unwrap_or_default(),
        ),
        ("bundle", run.bundle.as_deref().unwrap_or_default()),
    ]
    .map(|(name, value)| (name.to_owned(), plain(value)));
    let runs = match run.runs_per_case {
        0 | 1 => String::new(),
        n => n.to_string(),
    };
    let who = run.identity.as_deref().into_iter().flat_map(asking);
    let who = who.map(|(name, value)| {
        let name = name.to_lowercase().replace(' ', "_");
        (name, plain(&value))
    });
    let facts = run
        .facts
        .iter()
        .map(|(name, value)| (plain(name), plain(value)));
    let runs = [("runs_per_case".to_owned(), runs)];
    let properties = known.into_iter().chain(runs).chain(who).chain(facts);
    suite.add_properties(properties.filter(|(_, value)| !value.is_empty()));
    suite
}

/// Returns an error that stands for the tests that were not run: without it a CI would see green.
fn interrupted(run: &RunInfo, summary: &Summary) -> TestSuite {
    let n_run = summary.total.saturating_sub(summary.skipped);
    let message = format!(
        "interrupted: {n_run} of {} finished",
        count(run.total, "test")
    );
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(message).set_type("interrupted");
    let mut case = TestCase::new("the whole run", status);
    case.set_classname("ananke");
    let mut suite = TestSuite::new("ananke");
    suite.add_test_case(case);
    suite
}

fn test_case(result: &TestResult, stability: Option<&Stability>) -> TestCase {
    let mut case = TestCase::new(plain(&title(result)), status(result));
    case.set_classname(class_name(source(result)));
    case.set_time(Duration::from_micros(result.duration_us));
    let is_plain = matches!(result.status, TestStatus::Passed | TestStatus::Skipped);
    let runs = stability.map(runs).unwrap_or_default() + &led(result);
    let mut logs = lines(&logs(result, LOGS_BYTES));
    if !logs.is_empty() {
        logs.push('\n');
    }
    if !is_plain || result.flaky {
        let place = result.case.as_ref().and_then(|case| case.place.as_ref());
        let of_script = result.script.as_deref().and_then(script_place);
        let line = place.map(|place| place.line);
        let line = line.or(of_script.map(|frame| frame.line));
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let file = format!("{}{line}", plain(&result.file));
        let target = match result.target.as_str() {
            "" => String::new(),
            target => format!("target: {}\n", plain(target)),
        };
        let said = lines(&turns(result, TURNS_BYTES));
        case.set_system_out(format!("file: {file}\n{target}{runs}{logs}{said}"));
    } else if !runs.is_empty() || !logs.is_empty() {
        case.set_system_out(format!("{runs}{logs}"));
    }
    case
}

/// Returns what several runs say about a test, line by line.
fn runs(stability: &Stability) -> String {
    let mut lines = format!(
        "runs: {}\npassed: {}\npass_rate: {:.1}\nstability_class: {}\nconsistency: {:.2}\nwilson: {:.1} to {:.1}\n",
        stability.runs,
        stability.passed,
        stability.pass_rate,
        stability.class.key(),
        stability.consistency,
        stability.wilson.low,
        stability.wilson.high,
    );
    if let Some(difference) = &stability.first_difference {
        lines.extend(["first_difference: ", &plain(&difference.text), "\n"]);
    }
    lines
}

/// Returns what came of the checkpoints, line by line; nothing if no simulator led the test.
fn led(result: &TestResult) -> String {
    if !is_dynamic(result) {
        return String::new();
    }
    let mut lines = format!("dynamic: {}\n", progress(result));
    for checkpoint in result.checkpoints.iter().take(MOST_CHECKPOINTS) {
        let (id, came) = (plain(&checkpoint.id), came(checkpoint));
        lines.extend(["checkpoint ", &id, ": ", &came, "\n"]);
    }
    lines
}

/// Returns the id as tools for JUnit expect it: dots between folders, which they show as a tree.
fn class_name(id: &str) -> String {
    let stem = [".test.yaml", ".test.yml", ".jsonl", ".ts", ".js"]
        .iter()
        .find_map(|ending| id.strip_suffix(ending))
        .unwrap_or(id);
    plain(&stem.replace('/', "."))
}

fn status(result: &TestResult) -> TestCaseStatus {
    let mut status = match result.status {
        TestStatus::Passed => TestCaseStatus::success(),
        TestStatus::Skipped => {
            let mut skipped = TestCaseStatus::skipped();
            let reason = result.reason.as_deref().unwrap_or("no reason was given");
            skipped.set_message(plain(reason));
            skipped
        }
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout | TestStatus::Inconclusive => {
            let mut status = TestCaseStatus::non_success(kind(result.status));
            status
                .set_message(plain(&first_reason(result).0))
                .set_type(result.status.word().to_lowercase())
                .set_description(lines(&reasons(result, REASONS_BYTES)));
            status
        }
    };
    let failed_runs = result.other_runs.iter().filter(|run| {
        let is_fine = matches!(run.status, TestStatus::Passed | TestStatus::Skipped);
        !is_fine
    });
    let failed_runs: Vec<TestRerun> = failed_runs.take(MOST_RUNS).map(rerun).collect();
    let is_unsteady = result.status == TestStatus::Passed && !failed_runs.is_empty();
    if result.flaky || is_unsteady {
        // With `--flaky-result fail` a flaky test is no success; its attempts are flaky all the same.
        status.set_rerun_kind(FlakyOrRerun::Flaky);
    }
    status.add_reruns(result.earlier.iter().map(rerun).chain(failed_runs));
    status
}

fn rerun(earlier: &TestResult) -> TestRerun {
    let mut rerun = TestRerun::new(kind(earlier.status));
    rerun
        .set_message(plain(&first_reason(earlier).0))
        .set_type(earlier.status.word().to_lowercase())
        .set_stack_trace(lines(&reasons(earlier, REASONS_BYTES)))
        .set_system_out(lines(&turns(earlier, TURNS_BYTES)));
    rerun
}

/// Failures are about the agent's answers, errors about everything that kept it from answering. What could not be decided
/// is a failure, since no CI knows a third thing that is not green.
fn kind(status: TestStatus) -> NonSuccessKind {
    match status {
        TestStatus::Error | TestStatus::Timeout => NonSuccessKind::Error,
        TestStatus::Passed
        | TestStatus::Failed
        | TestStatus::Skipped
        | TestStatus::Inconclusive => NonSuccessKind::Failure,
    }
}

/// Returns a moment as the oldest schema has it: no fraction, no zone.
fn moment(unix_ms: i64) -> String {
    let timestamp = Timestamp::from_millisecond(unix_ms).unwrap_or_default();
    timestamp.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Returns text for an attribute: one line, nothing hidden.
fn plain(text: &str) -> String {
    lines(&cut(text, MESSAGE_CHARS, PLAIN.ellipsis()))
}

/// Returns escaped lines without the last two characters that XML forbids.
fn lines(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}
