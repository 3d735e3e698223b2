//! Functions of scripts: with code, a difference, logs, subtests, and text that wants out.

use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::{
    FailedAssertion, FailureKind, LogLevel, ScriptFailure, ScriptFrame, ScriptLog, ScriptRecord,
    Subtest,
};
use serde_json::{Value, json};

use super::result::test;

/// The file that holds the functions.
const FILE: &str = "expense/src/setup_test.ts";

/// What a script that wants out of its text node might say.
const HOSTILE: &str =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \u{202e}x\u{202c}";

/// Returns functions that passed, failed, threw, skipped themselves, and want out.
pub(crate) fn function_tests() -> Vec<TestResult> {
    vec![passed(), failed(), thrown(), skipped(), hostile()]
}

fn function(name: &str, us: u64, record: ScriptRecord) -> TestResult {
    let record = ScriptRecord {
        function: name.to_owned(),
        script: "scripts.expense.setup".to_owned(),
        ..record
    };
    let reason = record.failures.first().map(|one| one.message.clone());
    TestResult {
        id: TestId(format!("{FILE}#{name}")),
        file: FILE.to_owned(),
        reason: reason.or_else(|| record.skipped.clone()),
        duration_us: us,
        target: "script".to_owned(),
        script: Some(Box::new(record.clone())),
        ..test(name, name, record.status(), Vec::new())
    }
}

fn log(level: LogLevel, text: &str) -> ScriptLog {
    ScriptLog {
        level,
        text: text.to_owned(),
    }
}

fn frame(function: &str, line: u32, column: u32) -> ScriptFrame {
    ScriptFrame {
        function: function.to_owned(),
        file: FILE.to_owned(),
        line,
        column,
    }
}

fn unequal(message: &str, expected: Value, actual: Value) -> ScriptFailure {
    ScriptFailure {
        message: message.to_owned(),
        assertion: Some(FailedAssertion {
            kind: "Equal".to_owned(),
            expected: Some(expected),
            actual: Some(actual),
            message: message.to_owned(),
        }),
        frames: vec![frame("check", 12, 2), frame("TestTotals", 20, 5)],
        excerpt: vec![
            (11, "  const result = Setup(ctx);".to_owned()),
            (12, "\tassert.Equal(result, wanted);".to_owned()),
            (13, "}".to_owned()),
        ],
        ..ScriptFailure::default()
    }
}

fn passed() -> TestResult {
    let record = ScriptRecord {
        assertions: 2,
        logs: vec![log(LogLevel::Info, "ready")],
        ..ScriptRecord::default()
    };
    function("TestSystemReady", 12_000, record)
}

fn failed() -> TestResult {
    let subtest = |name: &str, status: TestStatus| Subtest {
        name: format!("TestTotals/{name}"),
        status,
        duration_us: 1_500,
    };
    let expected = json!({"total": 12, "lines": ["pen", "paper"], "customer": {"name": "Ada", "city": "London"}});
    let actual = json!({"total": 13, "lines": ["pen", "paper"], "customer": {"name": "Ada", "city": "London"}});
    let record = ScriptRecord {
        assertions: 4,
        failures: vec![unequal("Totals should match", expected, actual)],
        subtests: vec![
            subtest("cart", TestStatus::Failed),
            subtest("cart/tax", TestStatus::Passed),
            subtest("empty", TestStatus::Skipped),
        ],
        logs: vec![
            log(LogLevel::Info, "asked the shop"),
            log(LogLevel::Warn, "it was slow"),
            log(LogLevel::Error, "no discount"),
        ],
        more_logs: 9,
        ..ScriptRecord::default()
    };
    function("TestTotals", 15_000, record)
}

fn thrown() -> TestResult {
    let failure = ScriptFailure {
        kind: FailureKind::Thrown,
        message: "TypeError: cannot read property 'id' of undefined".to_owned(),
        frames: vec![frame("find", 31, 10), frame("TestFind", 40, 9)],
        excerpt: vec![(31, "  return rows[0].id;".to_owned())],
        ..ScriptFailure::default()
    };
    let record = ScriptRecord {
        failures: vec![failure],
        ..ScriptRecord::default()
    };
    function("TestFind", 8_000, record)
}

fn skipped() -> TestResult {
    let record = ScriptRecord {
        skipped: Some("needs a database".to_owned()),
        ..ScriptRecord::default()
    };
    function("TestDatabase", 300, record)
}

fn hostile() -> TestResult {
    let mut failure = unequal(HOSTILE, json!(HOSTILE), json!(format!("x\n{HOSTILE}")));
    failure.subtest = Some(HOSTILE.to_owned());
    failure.excerpt = vec![(12, HOSTILE.to_owned())];
    for frame in &mut failure.frames {
        frame.function = HOSTILE.to_owned();
        frame.file = HOSTILE.to_owned();
    }
    let record = ScriptRecord {
        assertions: 1,
        failures: vec![failure],
        logs: vec![log(LogLevel::Info, HOSTILE)],
        subtests: vec![Subtest {
            name: HOSTILE.to_owned(),
            status: TestStatus::Failed,
            duration_us: 1,
        }],
        ..ScriptRecord::default()
    };
    function("TestHostile", 900, record)
}
