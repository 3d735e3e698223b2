//! Scripts that users wrote in TypeScript or JavaScript: files with test functions, functions that tests and agents call, and
//! what is recorded of a test function that ran.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::Opinion;
use crate::diagnostic::Diagnostic;
use crate::place::{Json, Place, Text};
use crate::result::TestStatus;
use crate::target::Target;

/// A file with test functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptFile {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// The file as the user would type it.
    pub shown: Arc<str>,
    /// What the user calls it: `scripts.expense.setup`, or the file as shown.
    pub id: String,
    /// The module under test, absolute: `setup.ts` beside `setup_test.ts`. Its names are in scope.
    pub module: Option<PathBuf>,
    /// The assistant to which it belongs.
    pub assistant_id: String,
}

/// A test function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptTest {
    /// The file that it stands in.
    pub file: Arc<ScriptFile>,
    /// What was found of it.
    pub function: TestFunction,
}

/// A function whose name begins with `Test`, as found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFunction {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    /// Whether it can fail without an assertion: it, or a function beside it that is no test, calls `error`, `fail` or `fatal`,
    /// or throws.
    pub fails_by_itself: bool,
}

/// Finds the test functions of a file: the name of the file as shown, and its text. All mistakes of the file are told at once.
pub type FindTests = fn(&str, &str) -> Result<Vec<TestFunction>, Vec<Diagnostic>>;

/// Finds the names of all functions of a file's top level, as [`FindTests`] finds tests. A default export without a name is
/// `default`.
pub type FindFunctions = fn(&str, &str) -> Result<Vec<ScriptFunction>, Vec<Diagnostic>>;

/// A function of a file's top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFunction {
    /// Its name; `default` if it has none.
    pub name: String,
    /// Whether it is exported.
    pub is_exported: bool,
    /// Whether it is the default export.
    pub is_default: bool,
}

/// A function in a script that something calls: a check, a hook, an agent, a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptCall {
    /// As the user wrote it, such as `scripts.test.Assert`.
    pub reference: String,
    /// The file, absolute.
    pub path: PathBuf,
    /// The file as the user would type it.
    pub shown: Arc<str>,
    /// The function; without it the default export, or the only function that is exported.
    pub function: Option<String>,
    /// A digest of the file's text: a verdict of another text is no verdict of this one.
    #[serde(default)]
    pub digest: String,
    /// Where the function is named.
    pub place: Place,
}

/// Returns a digest of a script's text.
pub fn digest(text: &str) -> String {
    // FNV-1a: the same everywhere and always, which the hashes of the standard library do not promise.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// `type: script` of a check: a function judges the output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptCheck {
    /// The function.
    pub call: ScriptCall,
    /// `value`: the third argument, beside what `expected` of the case says.
    pub value: Option<Json>,
    /// `options.metadata` as written; strings inside may hold references.
    pub metadata: Option<Json>,
    /// How long it may take, if the check says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Whether the opposite is demanded.
    pub negate: bool,
    /// What to say when it does not hold.
    pub message: Option<Text>,
}

/// What all scripts of a run may do, and what they can reach.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// `scripts:` of the config.
    pub grants: Grants,
    /// Everything that `Process("agents.<id>.Stream")` and `t.assert.Agent` can name, with the reason where it cannot be used.
    /// Empty if the plan has no scripts.
    pub agents: BTreeMap<String, Result<Target, String>>,
    /// The folder that holds `scripts/` and `assistants/`, absolute. Scripts import nothing from outside it.
    pub root: PathBuf,
    /// `--before-all`.
    pub before_all: Option<ScriptCall>,
    /// `--after-all`.
    pub after_all: Option<ScriptCall>,
}

/// What scripts may touch. Nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Hosts that `fetch` and `http` may reach: `api.example.com`, `localhost:8080`, `*.example.com`, `*`.
    pub net: Vec<Text>,
    /// Folders and files that `fs` may read and write, absolute.
    pub fs: Vec<PathBuf>,
    /// Environment variables that `env` shows.
    pub env: Vec<String>,
}

/// `type: script`: an agent whose answers a function gives.
#[derive(Clone, Debug)]
pub struct ScriptTarget {
    /// The function.
    pub call: ScriptCall,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// What is kept at most.
    pub limits: crate::target::Limits,
}

/// What is recorded of a test function that ran. With the plan it decides the status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptRecord {
    /// The function.
    pub function: String,
    /// What the user calls the file: `scripts.expense.setup`, or the file as shown.
    pub script: String,
    /// How many assertions were evaluated.
    pub assertions: u64,
    /// What went wrong, in order; the first counts. Bounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<ScriptFailure>,
    /// How many failures were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_failures: u64,
    /// Why it skipped itself; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Whether it can fail without an assertion.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fails_by_itself: bool,
    /// What it logged, in order. Bounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<ScriptLog>,
    /// How many lines of logs were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_logs: u64,
    /// What came of `t.run`, in order, each before its own subtests. Bounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subtests: Vec<Subtest>,
    /// What judges said to `t.assert.Agent`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion>,
    /// The files that were loaded when it had ended, relative to the folder of the scripts, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// A digest over their texts, in that order. Empty if it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks in this form")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Something that went wrong in a test function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptFailure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// What is said about it: the user's words, or ours.
    pub message: String,
    /// The assertion that did not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<FailedAssertion>,
    /// Where it happened, innermost first, in the files that the user wrote. Bounded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<ScriptFrame>,
    /// The lines around the first frame: their numbers and texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excerpt: Vec<(u32, String)>,
    /// The subtest in which it happened, such as `TestA/empty cart`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtest: Option<String>,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// An assertion does not hold.
    #[default]
    Assertion,
    /// `t.fail`, `t.error`.
    Failed,
    /// `t.fatal`.
    Fatal,
    /// Something was thrown and not caught, or a promise was rejected and not handled.
    Thrown,
    /// The wall-clock limit was hit.
    Timeout,
    /// The memory limit was hit.
    Memory,
    /// The file cannot be loaded: a syntax error, a missing module, an error while it was evaluated.
    Load,
    /// `BeforeAll`, `BeforeEach`, `AfterEach`, `AfterAll`, `TestMain` or a cleanup went wrong.
    Hook,
    /// The assertion or the function could not find out: a judge gave no verdict.
    Undecided,
    /// The user stopped the run.
    Interrupted,
}

/// An assertion that does not hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailedAssertion {
    /// The method of `t.assert`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was demanded, if it is a value.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::case::present"
    )]
    pub expected: Option<Value>,
    /// What was seen, if it is a value.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::case::present"
    )]
    pub actual: Option<Value>,
    /// The user's message, or the one of the method.
    pub message: String,
}

/// A place that the engine was at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptFrame {
    /// The function; may be empty.
    pub function: String,
    /// The file as the user would type it.
    pub file: String,
    /// Counted from 1, in the user's file.
    pub line: u32,
    /// Counted from 1 in characters.
    pub column: u32,
}

/// A line that a script logged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScriptLog {
    /// How it was logged.
    pub level: LogLevel,
    /// What was logged.
    pub text: String,
}

/// How something was logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// `console.debug`, `log.Trace`.
    Debug,
    /// `t.log`, `console.log`.
    #[default]
    Info,
    /// `console.warn`.
    Warn,
    /// `t.error`, `console.error`.
    Error,
}

/// What came of `t.run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subtest {
    /// Its names, outermost first, joined by `/`.
    pub name: String,
    /// How it came out.
    pub status: TestStatus,
    /// How long it took.
    pub duration_us: u64,
}

impl ScriptRecord {
    /// Returns how the function came out: the first failure decides, a failure before a skip stays a failure, and what
    /// demanded nothing has shown nothing.
    pub fn status(&self) -> TestStatus {
        let worst = self.failures.first().map(|failure| failure.kind);
        match worst {
            Some(FailureKind::Assertion | FailureKind::Failed | FailureKind::Fatal) => {
                TestStatus::Failed
            }
            Some(FailureKind::Timeout) => TestStatus::Timeout,
            Some(FailureKind::Undecided) => match self
                .failures
                .iter()
                .any(|one| one.kind != FailureKind::Undecided)
            {
                true => TestStatus::Failed,
                false => TestStatus::Inconclusive,
            },
            Some(_) => TestStatus::Error,
            None if self.skipped.is_some() => TestStatus::Skipped,
            None if self.assertions == 0 && !self.fails_by_itself => TestStatus::Inconclusive,
            None => TestStatus::Passed,
        }
    }
}
