//! Functions of scripts that ran, and files with coverage.

use ananke_model::coverage::{Coverage, FileCoverage, FunctionCoverage};
use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::RunEvent;
use ananke_model::script::{
    FailedAssertion, FailureKind, LogLevel, ScriptFailure, ScriptFrame, ScriptLog, ScriptRecord,
    Subtest,
};
use serde_json::{Value, json};

use super::results::{HOSTILE, passed, result, run, with_identity};

/// The file that the functions stand in.
pub(crate) const SCRIPT_FILE: &str = "expense/src/setup_test.ts";

fn frame(function: &str, line: u32, column: u32) -> ScriptFrame {
    ScriptFrame {
        function: function.to_owned(),
        file: SCRIPT_FILE.to_owned(),
        line,
        column,
    }
}

pub(crate) fn log(level: LogLevel, text: &str) -> ScriptLog {
    ScriptLog {
        level,
        text: text.to_owned(),
    }
}

/// Returns a function of [`SCRIPT_FILE`] that came out as its record says; the reason is what a run fills in.
pub(crate) fn function(name: &str, us: u64, record: ScriptRecord) -> TestResult {
    let record = ScriptRecord {
        function: name.to_owned(),
        script: "scripts.expense.setup".to_owned(),
        ..record
    };
    let first = record.failures.first();
    let prefix = |failure: &ScriptFailure| match failure.kind {
        FailureKind::Assertion => format!("assertion failed: {}", failure.message),
        _ => failure.message.clone(),
    };
    let reason = first.map(prefix).or_else(|| record.skipped.clone());
    TestResult {
        id: TestId(format!("{SCRIPT_FILE}#{name}")),
        name: name.to_owned(),
        file: SCRIPT_FILE.to_owned(),
        target: String::new(),
        reason,
        reason_details: match first {
            Some(_) => vec!["plain lines for those that do not know scripts".to_owned()],
            None => Vec::new(),
        },
        duration_us: us,
        script: Some(Box::new(record.clone())),
        ..result(name, record.status(), Vec::new())
    }
}

/// Returns a function that passed.
pub(crate) fn function_passed(name: &str, us: u64) -> TestResult {
    let record = ScriptRecord {
        assertions: 2,
        ..ScriptRecord::default()
    };
    function(name, us, record)
}

/// Returns a function in which an assertion did not hold.
pub(crate) fn function_failed(name: &str, expected: Value, actual: Value) -> TestResult {
    let message = "Result ID should match".to_owned();
    let failure = ScriptFailure {
        message: message.clone(),
        assertion: Some(FailedAssertion {
            kind: "Equal".to_owned(),
            expected: Some(expected),
            actual: Some(actual),
            message,
        }),
        frames: vec![frame("check", 12, 2), frame(name, 20, 5)],
        excerpt: vec![
            (11, "  const result = Setup(ctx);".to_owned()),
            (
                12,
                "\tassert.Equal(result.id, 1, \"Result ID should match\");".to_owned(),
            ),
            (13, "}".to_owned()),
        ],
        ..ScriptFailure::default()
    };
    let record = ScriptRecord {
        assertions: 3,
        failures: vec![failure],
        ..ScriptRecord::default()
    };
    function(name, 15_000, record)
}

/// Returns a function in which something was thrown, after it had logged.
pub(crate) fn function_thrown(name: &str) -> TestResult {
    let failure = ScriptFailure {
        kind: FailureKind::Thrown,
        message: "TypeError: cannot read property 'id' of undefined\ncaused by: no row".to_owned(),
        frames: vec![frame("find", 31, 12), frame("", 33, 1), frame(name, 40, 9)],
        excerpt: vec![(31, "  return rows[0].id;".to_owned())],
        ..ScriptFailure::default()
    };
    let record = ScriptRecord {
        assertions: 1,
        failures: vec![failure],
        logs: vec![
            log(LogLevel::Info, "looking for 7"),
            log(LogLevel::Warn, "slow\nvery slow"),
            log(LogLevel::Error, "no rows"),
        ],
        more_logs: 12,
        ..ScriptRecord::default()
    };
    function(name, 8_000, record)
}

/// Returns a function that did not come back.
pub(crate) fn function_timeout(name: &str) -> TestResult {
    let failure = ScriptFailure {
        kind: FailureKind::Timeout,
        message: "timeout after 30s".to_owned(),
        ..ScriptFailure::default()
    };
    let record = ScriptRecord {
        failures: vec![failure],
        ..ScriptRecord::default()
    };
    function(name, 30_000_000, record)
}

/// Returns a function that skipped itself.
pub(crate) fn function_skipped(name: &str) -> TestResult {
    let record = ScriptRecord {
        skipped: Some("needs a database".to_owned()),
        ..ScriptRecord::default()
    };
    function(name, 500, record)
}

/// Returns a function that demanded nothing.
pub(crate) fn function_unsure(name: &str) -> TestResult {
    function(name, 900, ScriptRecord::default())
}

/// Returns a function with subtests, one of which failed.
pub(crate) fn function_with_subtests(name: &str) -> TestResult {
    let mut failed = function_failed(name, json!(0), json!(2));
    let subtest = |path: &str, status: TestStatus| Subtest {
        name: format!("{name}/{path}"),
        status,
        duration_us: 2_000,
    };
    if let Some(record) = &mut failed.script {
        record.failures[0].subtest = Some(format!("{name}/empty cart/total"));
        record.subtests = vec![
            subtest("empty cart", TestStatus::Failed),
            subtest("empty cart/total", TestStatus::Failed),
            subtest("empty cart/tax", TestStatus::Passed),
            subtest("full cart", TestStatus::Skipped),
        ];
    }
    failed
}

/// Returns a function every text of which is [`HOSTILE`].
pub(crate) fn function_hostile(name: &str) -> TestResult {
    let mut hostile = function_failed(name, json!(HOSTILE), json!([HOSTILE]));
    hostile.reason = Some(HOSTILE.to_owned());
    hostile.reason_details = vec![HOSTILE.to_owned()];
    if let Some(record) = &mut hostile.script {
        record.script = HOSTILE.to_owned();
        let failure = &mut record.failures[0];
        failure.message = HOSTILE.to_owned();
        failure.subtest = Some(HOSTILE.to_owned());
        failure.excerpt = vec![(11, HOSTILE.to_owned()), (12, HOSTILE.to_owned())];
        for frame in &mut failure.frames {
            frame.function = HOSTILE.to_owned();
            frame.file = HOSTILE.to_owned();
        }
        let mut text = failure.clone();
        if let Some(assertion) = &mut text.assertion {
            assertion.message = HOSTILE.to_owned();
            assertion.actual = Some(json!(format!("x\n{HOSTILE}")));
        }
        record.failures.push(text);
        record.logs = vec![log(LogLevel::Info, HOSTILE), log(LogLevel::Error, HOSTILE)];
        record.subtests = vec![Subtest {
            name: HOSTILE.to_owned(),
            status: TestStatus::Failed,
            duration_us: 1,
        }];
    }
    hostile
}

/// Returns the events of a run of functions, with who asks.
pub(crate) fn script_run(results: Vec<TestResult>) -> Vec<RunEvent> {
    let mut events = with_identity(run(results), 1);
    if let Some(RunEvent::RunStarted(info)) = events.first_mut() {
        info.input = "scripts.expense.setup".to_owned();
        info.agents = Vec::new();
    }
    super::results::summary_mut(&mut events).duration_us = 35_000;
    events
}

/// Returns the run of the three functions that documents show.
pub(crate) fn three_functions() -> Vec<TestResult> {
    vec![
        function_passed("TestSystemReady", 12_000),
        function_passed("TestSystemReadyWithInvalidContext", 8_000),
        function_failed("TestSetupWithMockData", json!(1), json!(2)),
    ]
}

/// Returns the coverage of two files.
pub(crate) fn coverage() -> Coverage {
    let function = |name: &str, line: u32, hits: u64| FunctionCoverage {
        name: name.to_owned(),
        line,
        hits,
    };
    Coverage {
        files: vec![
            FileCoverage {
                file: "expense/src/setup.ts".to_owned(),
                lines: vec![(1, 4), (2, 4), (3, 0), (4, 0), (6, 0), (8, 0), (9, 2)],
                functions: vec![function("Setup", 1, 4), function("(anonymous)", 3, 0)],
            },
            FileCoverage {
                file: "expense/src/tools.ts".to_owned(),
                lines: vec![(1, 1), (2, 10)],
                functions: vec![function("sum", 1, 10)],
            },
            FileCoverage {
                file: "expense/src/types.ts".to_owned(),
                ..FileCoverage::default()
            },
        ],
    }
}

/// Returns a test around which scripts logged something.
pub(crate) fn with_logs() -> TestResult {
    let mut result = passed("T001");
    result.logs = vec![
        log(LogLevel::Info, "before: 3 rows"),
        log(LogLevel::Info, "scripts.tests.Total: seen <b>"),
        log(LogLevel::Warn, "after: 1 row is left"),
    ];
    result
}
