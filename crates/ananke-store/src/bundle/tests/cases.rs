//! A run of cases, several times each: everything that came with them is written, read and described.

use std::path::Path;
use std::sync::Arc;

use ananke_model::case::{Case, CaseKind, Identity};
use ananke_model::plan::TestId;
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, Summary};
use serde_json::{Map, Value, json};

use super::{packed, read_bytes, sample, schema, write};
use crate::{Bundle, Ending, Head};

fn members(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn identity() -> Identity {
    Identity {
        user_id: "ann".to_owned(),
        user_agent: Some("ananke".to_owned()),
        authorized: members(json!({"sub": "s-1", "constraints": {"owner_only": true}})),
        metadata: members(json!({"request_id": 7})),
        ..Identity::default()
    }
}

fn head() -> Head {
    let mut head = sample::head();
    head.run.total = results().len();
    head.run.tests = results().into_iter().map(|result| result.id).collect();
    head.run.runs_per_case = 3;
    head.run.identity = Some(Box::new(identity()));
    head
}

fn run(number: u32, status: TestStatus) -> TestResult {
    let mut turn = sample::turn();
    turn.kind = "messages".to_owned();
    TestResult {
        id: TestId("tests/inputs.jsonl#T001".to_owned()),
        file: "tests/inputs.jsonl".to_owned(),
        status,
        turns: vec![JudgedTurn {
            turn,
            checks: Vec::new(),
        }],
        checks: vec![CheckResult {
            check: "contains".to_owned(),
            value: Some(match number {
                1 => Value::Null,
                _ => json!(["h", 1.5, {"deep": null}]),
            }),
            message: Some("it greets".to_owned()),
            ..sample::check(Outcome::Passed)
        }],
        case: Some(Arc::new(Case {
            id: "T001".to_owned(),
            kind: CaseKind::Messages,
            input: json!([{"role": "user", "content": "h\u{e9}"}]),
            n_messages: 1,
            expected: Some(Value::Null),
            metadata: members(json!({"category": "greeting"})),
            options: members(json!({"connector": "fast"})),
            identity: identity(),
            ..Case::default()
        })),
        connector: Some("fast".to_owned()),
        run: Some(number),
        ..sample::plain("greets")
    }
}

fn results() -> Vec<TestResult> {
    vec![TestResult {
        warnings: vec!["run 2 of 3; passed 2 of 3 runs".to_owned()],
        other_runs: vec![run(1, TestStatus::Passed), run(3, TestStatus::Passed)],
        ..run(2, TestStatus::Failed)
    }]
}

fn summary() -> Summary {
    Summary {
        total: 1,
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

fn assert_is_sample(mut bundle: Bundle) {
    bundle.head.run.bundle = None;
    assert_eq!(bundle.head, head());
    assert_eq!(bundle.results, results());
    assert_eq!(bundle.ending, Ending::Complete(summary()));
}

#[test]
fn cases_are_written_as_version_1_is_and_come_back() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle.v1.cases.jsonl");
    let golden = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(
        written(),
        golden,
        "members may be added: then take the new text"
    );
    assert_is_sample(read_bytes(&packed(&golden)).unwrap());
}

#[test]
fn whatever_is_written_of_cases_is_described() {
    for line in written().lines() {
        assert_eq!(schema::mistakes(line), Vec::<String>::new());
        assert_eq!(schema::undescribed(line), Vec::<String>::new());
    }
}

#[test]
fn a_cut_bundle_of_cases_knows_the_case_and_its_file() {
    let mut head = head();
    head.run
        .tests
        .push(TestId("tests/inputs.jsonl#T002".to_owned()));
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &head, &results(), None);
    let bundle = Bundle::read(&path).unwrap();
    let cut = bundle.results.last().unwrap();
    assert_eq!(cut.name, "T002");
    assert_eq!(cut.file, "tests/inputs.jsonl");
    let n_finished = bundle
        .events()
        .filter(|event| matches!(event, RunEvent::TestFinished { .. }))
        .count();
    assert_eq!(n_finished, 2);
}
