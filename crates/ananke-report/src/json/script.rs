//! What is recorded of a function of a script, as it is written.

use std::borrow::Cow;

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::{FailureKind, ScriptFailure, ScriptFrame, ScriptRecord};
use serde::Serialize;
use serde_json::Value;

use super::convert::shallow;
use super::format::Ms;
use crate::script::{excerpt, is_function, log_line, place, sentence};

/// What only functions of scripts have.
#[derive(Debug, Serialize)]
pub(super) struct ScriptEntry<'a> {
    /// What the user calls the file.
    script: &'a str,
    /// The first assertion that did not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    assertion: Option<AssertionEntry<'a>>,
    /// Where the first failure happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceEntry<'a>>,
    /// The lines around that place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excerpt: Vec<LineEntry>,
    /// How the engine came to that place, innermost first.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stack_trace: &'a [ScriptFrame],
    /// Every failure; absent if there is none or one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<FailureEntry<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    more_failures: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subtests: Vec<SubtestEntry<'a>>,
    /// What was logged; warnings and errors say that they are.
    logs: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "is_zero")]
    more_logs: u64,
}

#[derive(Debug, Serialize)]
struct AssertionEntry<'a> {
    /// The method of `t.assert`.
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<Cow<'a, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<Cow<'a, Value>>,
    message: &'a str,
}

#[derive(Debug, Serialize)]
struct PlaceEntry<'a> {
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Debug, Serialize)]
struct LineEntry {
    line: u32,
    text: String,
}

#[derive(Debug, Serialize)]
struct FailureEntry<'a> {
    kind: FailureKind,
    error: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assertion: Option<AssertionEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtest: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct SubtestEntry<'a> {
    name: &'a str,
    status: TestStatus,
    duration_ms: Ms,
}

/// Returns what is recorded of a function of a script; nothing for any other test.
pub(super) fn script_entry(result: &TestResult) -> Option<ScriptEntry<'_>> {
    let Some(record) = result.script.as_deref() else {
        // It never began: all that is known is where it is.
        return is_function(result).then(|| ScriptEntry {
            script: &result.file,
            assertion: None,
            place: None,
            excerpt: Vec::new(),
            stack_trace: &[],
            failures: Vec::new(),
            more_failures: 0,
            subtests: Vec::new(),
            logs: result.logs.iter().map(log_line).collect(),
            more_logs: 0,
        });
    };
    let logs = result.logs.iter().chain(&record.logs);
    let first = record.failures.first();
    let asserted = record.failures.iter().find_map(assertion);
    let subtests = record.subtests.iter().map(|subtest| SubtestEntry {
        name: &subtest.name,
        status: subtest.status,
        duration_ms: Ms(subtest.duration_us),
    });
    let failures: &[ScriptFailure] = match record.failures.as_slice() {
        [_] => &[],
        several => several,
    };
    Some(ScriptEntry {
        script: &record.script,
        assertion: asserted,
        place: place(record).map(place_entry),
        excerpt: first
            .into_iter()
            .flat_map(excerpt)
            .map(|(line, text)| LineEntry { line, text })
            .collect(),
        stack_trace: first
            .map(|failure| failure.frames.as_slice())
            .unwrap_or_default(),
        failures: failures.iter().map(failure_entry).collect(),
        more_failures: record.more_failures,
        subtests: subtests.collect(),
        logs: logs.map(log_line).collect(),
        more_logs: record.more_logs,
    })
}

fn failure_entry(failure: &ScriptFailure) -> FailureEntry<'_> {
    FailureEntry {
        kind: failure.kind,
        error: sentence(failure),
        assertion: assertion(failure),
        place: failure.frames.first().map(place_entry),
        subtest: failure.subtest.as_deref(),
    }
}

fn assertion(failure: &ScriptFailure) -> Option<AssertionEntry<'_>> {
    let assertion = failure.assertion.as_ref()?;
    Some(AssertionEntry {
        kind: &assertion.kind,
        expected: assertion.expected.as_ref().map(shallow),
        actual: assertion.actual.as_ref().map(shallow),
        message: &assertion.message,
    })
}

fn place_entry(frame: &ScriptFrame) -> PlaceEntry<'_> {
    PlaceEntry {
        file: &frame.file,
        line: frame.line,
        column: frame.column,
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The scripts of a run, as long as it has nothing else.
#[derive(Debug, Default)]
pub(super) struct ScriptsOfRun {
    has_others: bool,
    /// What the user calls each file, and the file, in order.
    files: Vec<(String, String)>,
}

/// What the document says about a run of nothing but functions of scripts.
#[derive(Debug, Serialize)]
pub(super) struct ScriptRun<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    script: OneOrMore<'a>,
    script_path: OneOrMore<'a>,
}

/// One name, or several.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum OneOrMore<'a> {
    One(&'a str),
    More(Vec<&'a str>),
}

impl ScriptsOfRun {
    /// Takes note of a result.
    pub(super) fn add(&mut self, result: &TestResult) {
        if !is_function(result) {
            self.has_others = true;
            return;
        }
        let record: Option<&ScriptRecord> = result.script.as_deref();
        let called = record.map_or("", |record| record.script.as_str());
        // Functions of one file come one after another; a look at the last one is enough for most.
        let known = |(_, file): &&mut (String, String)| *file == result.file;
        let last = self.files.last_mut().filter(known);
        match last {
            Some((name, _)) if name.is_empty() => called.clone_into(name),
            Some(_) => {}
            None => match self.files.iter_mut().find(known) {
                Some(_) => {}
                None => self.files.push((called.to_owned(), result.file.clone())),
            },
        }
    }

    /// Returns what the document says, if all tests were functions of scripts.
    pub(super) fn run(&self) -> Option<ScriptRun<'_>> {
        if self.has_others || self.files.is_empty() {
            return None;
        }
        let called = self.files.iter().map(|(name, file)| match name.as_str() {
            "" => file.as_str(),
            name => name,
        });
        let files = self.files.iter().map(|(_, file)| file.as_str());
        Some(ScriptRun {
            kind: "script_test",
            script: OneOrMore::of(called.collect()),
            script_path: OneOrMore::of(files.collect()),
        })
    }
}

impl<'a> OneOrMore<'a> {
    fn of(names: Vec<&'a str>) -> Self {
        match names.as_slice() {
            [one] => Self::One(one),
            _ => Self::More(names),
        }
    }
}
