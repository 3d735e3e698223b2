//! JUnit XML, in the dialect of Jenkins' xUnit plugin (`junit-10.xsd`), which is the strictest one in use: attributes and
//! elements that it does not know, such as `file` on a test case, are not written.

use std::collections::HashMap;
use std::time::Duration;

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use jiff::Timestamp;
use quick_junit::{
    FlakyOrRerun, NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestRerun, TestSuite,
};

use crate::count::count;
use crate::escape::cut;
use crate::excerpt::{PLAIN, reasons, turns};
use crate::reasons::first_reason;
use crate::report::Report;
use crate::totals::Tally;

/// How much of a reason is shown in an attribute.
const MESSAGE_CHARS: usize = 1_000;

/// How much of all reasons is shown.
const REASONS_BYTES: usize = 8_000;

/// How much of a conversation is shown.
const TURNS_BYTES: usize = 32_000;

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
        let folder = match result.id.0.rsplit_once('/') {
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
        suite.add_test_case(test_case(result));
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
    let facts = run
        .facts
        .iter()
        .map(|(name, value)| (plain(name), plain(value)));
    let properties = known.into_iter().chain(facts);
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

fn test_case(result: &TestResult) -> TestCase {
    let name = if result.name.is_empty() {
        &result.id.0
    } else {
        &result.name
    };
    let mut case = TestCase::new(plain(name), status(result));
    case.set_classname(class_name(&result.id.0));
    case.set_time(Duration::from_micros(result.duration_us));
    let is_plain = matches!(result.status, TestStatus::Passed | TestStatus::Skipped);
    if !is_plain || result.flaky {
        let (file, target) = (plain(&result.file), plain(&result.target));
        let said = lines(&turns(result, TURNS_BYTES));
        case.set_system_out(format!("file: {file}\ntarget: {target}\n{said}"));
    }
    case
}

/// Returns the id as tools for JUnit expect it: dots between folders, which they show as a tree.
fn class_name(id: &str) -> String {
    let stem = [".test.yaml", ".test.yml"]
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
    if result.flaky {
        // With `--flaky-result fail` a flaky test is no success; its attempts are flaky all the same.
        status.set_rerun_kind(FlakyOrRerun::Flaky);
    }
    status.add_reruns(result.earlier.iter().map(rerun));
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

#[cfg(test)]
mod tests {
    use ananke_model::recording::TroubleKind;
    use ananke_model::result::Outcome;
    use insta::assert_snapshot;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::report::ReportFormat;
    use crate::samples::{
        HOSTILE, broken, check, flaky, hostile, judged, passed, rendered, result, run, turn,
    };

    fn junit(results: Vec<TestResult>) -> String {
        rendered(ReportFormat::Junit, &run(results))
    }

    fn failed(id: &str) -> TestResult {
        let unmet = check("tools.require", "search", Outcome::Failed);
        let turns = vec![judged(turn("Refund", "I cannot"), vec![unmet])];
        result(id, TestStatus::Failed, turns)
    }

    #[test]
    fn every_status_has_its_element() {
        let slow = broken(TroubleKind::Timeout, "no end within 120s", "Let me");
        let slow = result(
            "deep/slow",
            TestStatus::Timeout,
            vec![judged(slow, Vec::new())],
        );
        let mut skipped = result("s", TestStatus::Skipped, Vec::new());
        skipped.reason = Some("waits for #12".to_owned());
        let undecided = result("i", TestStatus::Inconclusive, Vec::new());
        let results = vec![passed("a"), failed("b"), slow, skipped, undecided];
        assert_snapshot!(junit(results), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ananke" tests="5" failures="2" errors="1" time="5.100">
            <testsuite name="tests" tests="4" skipped="1" errors="0" failures="2" time="4.938" timestamp="2024-12-17T10:00:00">
                <properties>
                    <property name="version" value="0.1.0"/>
                    <property name="agent" value="shop"/>
                    <property name="input" value="tests"/>
                    <property name="config_file" value="ananke.config.yaml"/>
                </properties>
                <testcase name="a works" classname="tests.a" time="1.235"/>
                <testcase name="b works" classname="tests.b" time="1.235">
                    <failure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">└─ turn 1 · tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2
           demanded at tests/a.test.yaml:12:9 (turn level)</failure>
                    <system-out>file: tests/b.test.yaml
        target: shop
        turn 1 · user · 1.2s · 2 events · first text after 300ms
          user
          │ Refund
          assistant
          │ I cannot</system-out>
                </testcase>
                <testcase name="s works" classname="tests.s" time="1.235">
                    <skipped message="waits for #12"/>
                </testcase>
                <testcase name="i works" classname="tests.i" time="1.235">
                    <failure message="no reason was recorded" type="inconclusive">└─ no reason was recorded</failure>
                    <system-out>file: tests/i.test.yaml
        target: shop
        </system-out>
                </testcase>
            </testsuite>
            <testsuite name="tests/deep" tests="1" skipped="0" errors="1" failures="0" time="1.235" timestamp="2024-12-17T10:00:00">
                <properties>
                    <property name="version" value="0.1.0"/>
                    <property name="agent" value="shop"/>
                    <property name="input" value="tests"/>
                    <property name="config_file" value="ananke.config.yaml"/>
                </properties>
                <testcase name="deep/slow works" classname="tests.deep.slow" time="1.235">
                    <error message="turn 1: no end within 120s" type="timeout">└─ turn 1: no end within 120s
           captured in turn 1: 2 events, no tool call, text:
           │ Let me</error>
                    <system-out>file: tests/deep/slow.test.yaml
        target: shop
        turn 1 · user · 1.2s · 2 events · first text after 300ms
          user
          │ Refund order 42
          assistant
          │ Let me
          ⚠ no end within 120s</system-out>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn attempts_are_kept() {
        let mut not_fine = flaky("n");
        not_fine.status = TestStatus::Failed;
        not_fine.reason = Some("passed only on attempt 2".to_owned());
        let mut hopeless = failed("h");
        hopeless.earlier = vec![failed("h")];
        let xml = junit(vec![flaky("f"), not_fine, hopeless]);
        let cases: Vec<&str> = xml
            .lines()
            .map(str::trim)
            .filter(|line| {
                ["<testcase", "<failure", "<flaky", "<rerun"]
                    .iter()
                    .any(|tag| line.starts_with(tag))
            })
            .collect();
        assert_snapshot!(cases.join("\n"), @r#"
        <testcase name="f works" classname="tests.f" time="1.235">
        <flakyFailure message="turn 1: text.must_match /shoes/: expected text matching /shoes/, got Here are hats." type="failed">
        <testcase name="n works" classname="tests.n" time="1.235">
        <failure message="passed only on attempt 2" type="failed">└─ passed only on attempt 2</failure>
        <flakyFailure message="turn 1: text.must_match /shoes/: expected text matching /shoes/, got Here are hats." type="failed">
        <testcase name="h works" classname="tests.h" time="1.235">
        <failure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">└─ turn 1 · tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2
        <rerunFailure message="turn 1: tools.require search: expected at least 1 call of &quot;search&quot;, got 0 of 2" type="failed">
        "#);
    }

    #[test]
    fn a_run_that_was_stopped_is_not_green() {
        let mut events = run(vec![passed("a"), passed("b")]);
        events.truncate(3);
        let xml = rendered(ReportFormat::Junit, &events);
        let (_, end) = xml.split_once("</testsuite>\n").unwrap();
        assert_snapshot!(end, @r#"
            <testsuite name="ananke" tests="1" skipped="0" errors="1" failures="0">
                <testcase name="the whole run" classname="ananke">
                    <error message="interrupted: 1 of 2 tests finished" type="interrupted"/>
                </testcase>
            </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn a_run_without_tests_is_a_document() {
        assert_snapshot!(junit(Vec::new()), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ananke" tests="0" failures="0" errors="0" time="5.100">
        </testsuites>
        "#);
    }

    /// Returns every element and text, read by a parser that checks the document.
    fn read(xml: &str) -> Vec<String> {
        let mut reader = Reader::from_str(xml);
        reader.config_mut().check_comments = true;
        let mut found = Vec::new();
        let mut text = String::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) => {
                    let mut element = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
                    for attribute in tag.attributes() {
                        let attribute = attribute.unwrap();
                        element.push(' ');
                        element.push_str(std::str::from_utf8(attribute.key.as_ref()).unwrap());
                    }
                    found.push(element);
                    text.clear();
                }
                Event::Text(piece) => text.push_str(&piece.decode().unwrap()),
                Event::GeneralRef(name) => text.push_str(&name.decode().unwrap()),
                Event::End(_) => found.push(std::mem::take(&mut text)),
                Event::Decl(_) => {}
                Event::Eof => return found,
                other => panic!("{other:?} in {xml}"),
            }
        }
    }

    #[test]
    fn hostile_text_is_only_text() {
        let xml = junit(vec![hostile("h"), passed("a")]);
        let is_legal = |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.chars().all(is_legal));
        let elements: Vec<String> = read(&xml)
            .into_iter()
            .filter(|one| {
                one.contains("case") || one.starts_with("failure") || one.starts_with("rerun")
            })
            .collect();
        assert_snapshot!(elements.join("\n"), @"
        testcase name classname time
        failure message type
        rerunFailure message type
        testcase name classname time
        ");
        assert!(HOSTILE.contains("]]>") && !xml.contains("]]>"));
    }
}
