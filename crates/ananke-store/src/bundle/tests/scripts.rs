//! Tests that are functions of a script: all of what is recorded of them is written, read and described.

use std::path::Path;

use ananke_model::agent::{Opinion, Sample};
use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::Summary;
use ananke_model::script::{
    FailedAssertion, FailureKind, LogLevel, ScriptFailure, ScriptFrame, ScriptLog, ScriptRecord,
    Subtest,
};
use serde_json::{Value, json};

use super::{packed, read_bytes, sample, schema, write};
use crate::{Ending, Head};

fn head() -> Head {
    let mut head = sample::head();
    head.run.total = 2;
    head.run.tests = results().into_iter().map(|result| result.id).collect();
    head
}

fn failure() -> ScriptFailure {
    ScriptFailure {
        kind: FailureKind::Assertion,
        message: "totals differ \u{1f600}".to_owned(),
        assertion: Some(FailedAssertion {
            kind: "Equal".to_owned(),
            expected: Some(json!({"total": 2})),
            actual: Some(Value::Null),
            message: "totals differ".to_owned(),
        }),
        frames: vec![ScriptFrame {
            function: "TestTotal".to_owned(),
            file: "src/setup_test.ts".to_owned(),
            line: 3,
            column: 10,
        }],
        excerpt: vec![(3, "  t.assert.Equal(total(), 2);".to_owned())],
        subtest: Some("TestTotal/empty cart".to_owned()),
    }
}

fn record() -> ScriptRecord {
    let log = |level, text: &str| ScriptLog {
        level,
        text: text.to_owned(),
    };
    ScriptRecord {
        function: "TestTotal".to_owned(),
        script: "scripts.expense.setup".to_owned(),
        assertions: 3,
        failures: vec![
            failure(),
            ScriptFailure {
                kind: FailureKind::Thrown,
                message: "no stock".to_owned(),
                ..ScriptFailure::default()
            },
        ],
        more_failures: 1,
        skipped: Some(String::new()),
        fails_by_itself: true,
        logs: vec![
            log(LogLevel::Debug, "a"),
            log(LogLevel::Info, ""),
            log(LogLevel::Warn, "b"),
            log(LogLevel::Error, "c"),
        ],
        more_logs: 7,
        subtests: vec![Subtest {
            name: "TestTotal/empty cart".to_owned(),
            status: TestStatus::Failed,
            duration_us: 12,
        }],
        modules: vec!["setup.ts".to_owned(), "setup_test.ts".to_owned()],
        digest: "00f1e2d3c4b5a697".to_owned(),
        opinions: vec![Opinion {
            about: json!({"agent": "tone", "criteria": "kind", "metadata": {}, "output": "Hi"}),
            samples: vec![Sample {
                passed: Some(true),
                reason: "fine".to_owned(),
                answer: Value::Null,
                duration_us: 3,
            }],
            ..Opinion::default()
        }],
    }
}

fn results() -> Vec<TestResult> {
    let result = |name: &str, status, script| TestResult {
        id: TestId(format!("src/setup_test.ts#{name}")),
        name: name.to_owned(),
        file: "src/setup_test.ts".to_owned(),
        status,
        script: Some(Box::new(script)),
        logs: vec![ScriptLog {
            level: LogLevel::Warn,
            text: "agent: slow".to_owned(),
        }],
        ..sample::plain("setup")
    };
    let small = ScriptRecord {
        function: "TestOne".to_owned(),
        script: "scripts.expense.setup".to_owned(),
        assertions: 1,
        ..ScriptRecord::default()
    };
    vec![
        result("TestTotal", TestStatus::Failed, record()),
        result("TestOne", TestStatus::Passed, small),
    ]
}

fn summary() -> Summary {
    Summary {
        total: 2,
        passed: 1,
        failed: 1,
        duration_us: 5,
        ..Summary::default()
    }
}

fn written() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &head(), &results(), Some(&summary()));
    let bytes = std::fs::read(path.join("run.jsonl.zst")).unwrap();
    String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap()
}

#[test]
fn records_of_functions_are_written_as_version_1_is_and_come_back() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle.v1.scripts.jsonl");
    let golden = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(
        written(),
        golden,
        "members may be added: then take the new text"
    );
    let bundle = read_bytes(&packed(&golden)).unwrap();
    assert_eq!(bundle.results, results());
    assert_eq!(bundle.ending, Ending::Complete(summary()));
}

#[test]
fn whatever_is_written_of_functions_is_described() {
    for line in written().lines() {
        assert_eq!(schema::mistakes(line), Vec::<String>::new());
        assert_eq!(schema::undescribed(line), Vec::<String>::new());
    }
}
