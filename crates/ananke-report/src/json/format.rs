//! The JSON report and the lines of the JSONL report as they are written, version 1. Fields stand in the order in which
//! they appear; `report.schema.json` says the same for others.
//!
//! Keys keep their names and meanings; new ones are additions. Everything borrows from the results: a test is
//! written as soon as it ended, so that a large run costs text only.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ananke_model::agent::Simulated;
use ananke_model::case::Identity;
use ananke_model::check::Level;
use ananke_model::plan::Clock;
use ananke_model::recording::{Finding, LateResult, TroubleKind};
use ananke_model::result::{Outcome, TestStatus};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::dynamic::{CheckpointEntry, SampleEntry};
use super::script::{ScriptEntry, ScriptRun};
use super::stability::StabilityEntry;
use super::task::TaskEntry;

/// What the documents of this version are called.
pub(super) const SCHEMA: &str = "ananke.report/1";

/// What the lines of this version are called.
pub(super) const LINES_SCHEMA: &str = "ananke.report-lines/1";

/// Microseconds, written as milliseconds with up to three decimals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ms(pub(super) u64);

impl Serialize for Ms {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1_000) {
            serializer.serialize_u64(self.0 / 1_000)
        } else {
            serializer.serialize_f64(self.0 as f64 / 1_000.0)
        }
    }
}

/// The whole document.
#[derive(Debug, Serialize)]
pub(super) struct Document<'a> {
    pub(super) schema: &'static str,
    /// What is known of the scripts, if all tests are functions of scripts.
    #[serde(flatten)]
    pub(super) script: Option<ScriptRun<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<LoadError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) diagnostics: Option<Value>,
    pub(super) summary: Totals,
    pub(super) environment: Environment<'a>,
    pub(super) results: &'a [Box<RawValue>],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<Metadata<'a>>,
}

/// Who asks; an empty object if the run does not say.
#[derive(Debug)]
pub(super) struct Environment<'a>(pub(super) Option<&'a Identity>);

impl Environment<'_> {
    fn is_unknown(&self) -> bool {
        self.0.is_none()
    }
}

impl Serialize for Environment<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(identity) => identity.serialize(serializer),
            None => Map::new().serialize(serializer),
        }
    }
}

/// Why nothing was run.
#[derive(Debug, Serialize)]
pub(super) struct LoadError {
    pub(super) message: String,
    pub(super) exit_code: u8,
}

/// The totals of the run.
#[derive(Debug, Default, Serialize)]
pub(super) struct Totals {
    pub(super) total: usize,
    pub(super) passed: usize,
    /// Failed, error and timeout together.
    pub(super) failed: usize,
    pub(super) errors: usize,
    pub(super) timeouts: usize,
    pub(super) skipped: usize,
    pub(super) inconclusive: usize,
    pub(super) unchecked: usize,
    pub(super) flaky: usize,
    pub(super) interrupted: bool,
    pub(super) duration_ms: Ms,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agent_id: Option<String>,
    /// The connector, if every test that was run used the same one.
    pub(super) connector: Option<String>,
    /// How often each test was run with `--runs`, or how many results it has at most where runs were joined. Attempts of
    /// `--retries` are one.
    pub(super) runs_per_case: usize,
    /// Tests, and their runs or results; absent where every test was run once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_cases: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_runs: Option<usize>,
    /// Tests that passed in every run of `--runs`, and the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stable_cases: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unstable_cases: Option<usize>,
    /// Percent of the tests that were carried out, or of their runs with `--runs`, rounded but never up to a whole number.
    pub(super) overall_pass_rate: f64,
}

/// When and by what the report was made.
#[derive(Debug, Serialize)]
pub(super) struct Metadata<'a> {
    /// RFC 3339, UTC.
    pub(super) started_at: Option<String>,
    pub(super) completed_at: Option<String>,
    pub(super) version: &'a str,
    pub(super) config_file: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) run_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bundle: Option<&'a str>,
    pub(super) input: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) facts: &'a BTreeMap<String, String>,
}

/// One line of the JSONL report.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Line<'a> {
    Start(StartLine<'a>),
    Result(Box<TestEntry<'a>>),
    Summary(SummaryLine),
}

/// The first line.
#[derive(Debug, Serialize)]
pub(super) struct StartLine<'a> {
    /// RFC 3339, UTC.
    pub(super) timestamp: Option<String>,
    pub(super) agent_id: Option<String>,
    pub(super) total_cases: usize,
    pub(super) schema: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) run_id: &'a str,
    pub(super) version: &'a str,
    pub(super) config_file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bundle: Option<&'a str>,
    pub(super) input: &'a str,
    #[serde(skip_serializing_if = "is_one")]
    pub(super) runs_per_case: u32,
    #[serde(skip_serializing_if = "Environment::is_unknown")]
    pub(super) environment: Environment<'a>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) facts: &'a BTreeMap<String, String>,
}

/// The last line; missing if ananke was killed.
#[derive(Debug, Serialize)]
pub(super) struct SummaryLine {
    #[serde(flatten)]
    pub(super) totals: Totals,
    /// RFC 3339, UTC.
    pub(super) completed_at: Option<String>,
}

/// One test.
#[derive(Debug, Serialize)]
pub(super) struct TestEntry<'a> {
    /// The id of a case, else the stable name.
    pub(super) id: &'a str,
    /// The stable name of a case, which tells it from a case with the same id in another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_id: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) file: &'a str,
    pub(super) status: TestStatus,
    /// What a case has as `input` or `messages`, as written; else what the user said, turns joined with `\n`.
    pub(super) input: Cow<'a, Value>,
    /// The response of a case as JSON if all of it is an object or an array, else the response.
    pub(super) output: Value,
    /// What the agent said, turns joined with `\n`.
    pub(super) response: String,
    /// The output that a case names; null for all others.
    pub(super) expected: Option<Cow<'a, Value>>,
    pub(super) duration_ms: Ms,
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) error_details: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skip_reason: Option<&'a str>,
    /// What is recorded of a function of a script.
    #[serde(flatten)]
    pub(super) script: Option<ScriptEntry<'a>>,
    /// What scripts around any other test logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logs: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) tags: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) connector: Option<&'a str>,
    /// Who asks, where the case says otherwise than the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) team: Option<&'a str>,
    /// All of it, where more than user and team are otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) environment: Option<&'a Identity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) metadata: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) options: Option<&'a Map<String, Value>>,
    /// Whether it passed only after a failed attempt.
    pub(super) flaky: bool,
    /// How many messages a case sends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) messages_count: Option<usize>,
    /// How many checks were made; 0 tells a pass by `--allow-unchecked`.
    pub(super) checks: usize,
    pub(super) assertions: Vec<Assertion<'a>>,
    /// Those that did not pass, one sentence each.
    pub(super) assertion_errors: Vec<String>,
    pub(super) turns: Vec<TurnEntry<'a>>,
    /// What came of the checkpoints, and how many turns it took, where a simulator led the conversation.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) checkpoints: Vec<CheckpointEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total_turns: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_start_ts: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_end_ts: Option<i64>,
    pub(super) warnings: &'a [String],
    /// Every attempt, the last included; absent if there was one only.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) attempts: Vec<AttemptEntry<'a>>,
    /// What `--runs` says; everything above is about the run that speaks for all.
    #[serde(flatten)]
    pub(super) stability: Option<StabilityEntry>,
}

/// One attempt at a test, in few words; the bundle has its turns.
#[derive(Debug, Serialize)]
pub(super) struct AttemptEntry<'a> {
    /// Counted from 1.
    pub(super) attempt: usize,
    pub(super) status: TestStatus,
    pub(super) output: String,
    pub(super) duration_ms: Ms,
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) error_details: &'a [String],
    pub(super) checks: usize,
    /// Those that did not pass.
    pub(super) assertions: Vec<Assertion<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_start_ts: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) test_end_ts: Option<i64>,
}

/// One check and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct Assertion<'a> {
    /// The same as `check`, as the `type` of a case's assertions.
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    /// The demand as written; for checks without a value the subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Cow<'a, Value>>,
    /// Whether the opposite was demanded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) negate: bool,
    pub(super) passed: bool,
    /// What the user wants to be said when it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<&'a str>,
    pub(super) check: &'a str,
    pub(super) subject: &'a str,
    pub(super) status: Outcome,
    pub(super) expected: &'a str,
    pub(super) actual: &'a str,
    pub(super) details: &'a [String],
    pub(super) level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) named: Option<&'a str>,
    pub(super) file: &'a str,
    pub(super) line: u32,
    pub(super) column: u32,
    /// Counted from 1; absent for the test's own block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<usize>,
    /// Counted from 0 in the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<usize>,
    /// Every answer, where another agent judged.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) samples: Vec<SampleEntry<'a>>,
}

/// One turn.
#[derive(Debug, Serialize)]
pub(super) struct TurnEntry<'a> {
    /// Counted from 1.
    pub(super) turn: usize,
    /// What was said on both sides, where a simulator led the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<&'a str>,
    /// What the simulator said before the turn; absent if the case gave the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) simulated: Option<&'a Simulated>,
    pub(super) kind: &'a str,
    pub(super) user: Option<&'a str>,
    pub(super) text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) reasoning: &'a str,
    pub(super) tool_calls: Vec<CallEntry<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) late_results: &'a [LateResult],
    pub(super) turn_start_ts: i64,
    pub(super) turn_end_ts: i64,
    /// `finished`, `run_error` or `broken`.
    pub(super) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<TurnError<'a>>,
    pub(super) timing: TimingEntry,
    #[serde(skip_serializing_if = "is_null")]
    pub(super) state: Cow<'a, Value>,
    /// What the answer gave as data beside its words.
    #[serde(skip_serializing_if = "is_null")]
    pub(super) data: Cow<'a, Value>,
    /// The task that the agent worked on, where it works on tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) task: Option<TaskEntry<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) interrupts: Vec<Cow<'a, Value>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) usage: Vec<Cow<'a, Value>>,
    pub(super) findings: &'a [Finding],
    pub(super) warnings: &'a [String],
    pub(super) n_events: usize,
}

/// How a turn failed.
#[derive(Debug, Serialize)]
pub(super) struct TurnError<'a> {
    /// The kind of trouble; absent if the agent reported the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<TroubleKind>,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'a str>,
}

/// How long a turn took, from sending the request.
#[derive(Debug, Serialize)]
pub(super) struct TimingEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) connect_ms: Option<Ms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_event_ms: Option<Ms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_text_ms: Option<Ms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) first_tool_ms: Option<Ms>,
    pub(super) total_ms: Ms,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Clock>,
}

/// One tool call. Times are milliseconds from sending the request; `timestamp` is Unix time.
#[derive(Debug, Serialize)]
pub(super) struct CallEntry<'a> {
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    /// JSON if it can be read without loss, else the text as sent.
    pub(super) args: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args_error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<&'a str>,
    pub(super) timestamp: i64,
    pub(super) started_ms: Ms,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args_done_ms: Option<Ms>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) completed_ms: Option<Ms>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) from_snapshot: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) restreamed: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_one(number: &u32) -> bool {
    *number <= 1
}

fn is_null(value: &Value) -> bool {
    value.is_null()
}
