//! A case that a simulator led and a judge judged: all of it is written, read and described.

use std::path::Path;
use std::sync::Arc;

use ananke_model::agent::{CheckpointResult, Opinion, Sample, Simulated};
use ananke_model::case::Case;
use ananke_model::plan::TestId;
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestResult, TestStatus};
use ananke_model::run_event::Summary;
use serde_json::{Value, json};

use super::{packed, read_bytes, sample, schema, write};
use crate::{Ending, Head};

fn head() -> Head {
    let mut head = sample::head();
    head.run.total = 1;
    head.run.tests = vec![result().id];
    head
}

fn samples() -> Vec<Sample> {
    let answer = |passed, reason: &str, answer| Sample {
        passed,
        reason: reason.to_owned(),
        answer,
        duration_us: 420_000,
    };
    vec![
        answer(
            Some(true),
            "polite \u{1f600}",
            json!({"passed": true, "score": 0.9}),
        ),
        answer(Some(false), "", json!("no")),
        answer(None, "the answer holds no JSON object", Value::Null),
    ]
}

fn turn(simulated: Option<Simulated>, opinions: Vec<Opinion>) -> JudgedTurn {
    let mut turn = sample::turn();
    turn.simulated = simulated;
    turn.opinions = opinions;
    JudgedTurn {
        turn,
        checks: Vec::new(),
    }
}

fn result() -> TestResult {
    let opinion = Opinion {
        about: json!({"agent": "tone-judge", "criteria": null, "metadata": {"tone": "kind"}, "output": "h\u{e9}"}),
        samples: samples(),
        ..Opinion::default()
    };
    let said = Simulated {
        input: "yes".to_owned(),
        goal_achieved: true,
        reasoning: Some("all is said".to_owned()),
        by: None,
    };
    let judged = CheckResult {
        check: "agent".to_owned(),
        samples: samples(),
        ..sample::check(Outcome::Inconclusive)
    };
    let checkpoint = |id: &str, turn, checks| CheckpointResult {
        id: id.to_owned(),
        description: None,
        required: true,
        reached_at_turn: turn,
        checks,
    };
    TestResult {
        id: TestId("tests/expense.jsonl#dyn".to_owned()),
        file: "tests/expense.jsonl".to_owned(),
        status: TestStatus::Inconclusive,
        reason: Some("missing checkpoints: confirm".to_owned()),
        turns: vec![turn(None, Vec::new()), turn(Some(said), vec![opinion])],
        n_turns: 2,
        checkpoints: vec![
            CheckpointResult {
                description: Some("asks for the type".to_owned()),
                ..checkpoint("ask", Some(1), vec![sample::check(Outcome::Passed)])
            },
            checkpoint("confirm", None, vec![judged]),
            CheckpointResult {
                required: false,
                ..checkpoint("thanks", None, Vec::new())
            },
        ],
        case: Some(Arc::new(Case {
            id: "dyn".to_owned(),
            ..Case::default()
        })),
        ..sample::plain("expense")
    }
}

fn summary() -> Summary {
    Summary {
        total: 1,
        inconclusive: 1,
        duration_us: 5,
        ..Summary::default()
    }
}

fn written() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &head(), &[result()], Some(&summary()));
    let bytes = std::fs::read(path.join("run.jsonl.zst")).unwrap();
    String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap()
}

#[test]
fn simulators_and_judges_are_written_as_version_1_is_and_come_back() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle.v1.dynamic.jsonl");
    let golden = std::fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(
        written(),
        golden,
        "members may be added: then take the new text"
    );
    let bundle = read_bytes(&packed(&golden)).unwrap();
    assert_eq!(bundle.results, [result()]);
    assert_eq!(bundle.ending, Ending::Complete(summary()));
}

#[test]
fn whatever_is_written_of_simulators_and_judges_is_described() {
    for line in written().lines() {
        assert_eq!(schema::mistakes(line), Vec::<String>::new());
        assert_eq!(schema::undescribed(line), Vec::<String>::new());
    }
}
