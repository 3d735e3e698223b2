//! Any result comes back as it was, and any bytes are read without a crash.

use ananke_model::plan::TestId;
use ananke_model::recording::EventLog;
use ananke_model::result::{TestResult, TestStatus};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use serde_json::Value;

use super::{read_bytes, sample, write};
use crate::{Bundle, Ending};

proptest! {
    // Each case makes a folder.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn results_come_back_as_they_were(results in proptest::collection::vec(result(), 0..6)) {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &sample::head(), &results, Some(&sample::summary()));
        let bundle = Bundle::read(&path).unwrap();
        assert_eq!(bundle.results, results);
        assert_eq!(bundle.ending, Ending::Complete(sample::summary()));
    }

    #[test]
    fn any_bytes_are_read_without_a_crash(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        has_magic: bool,
        is_packed: bool,
    ) {
        let mut bytes = bytes;
        if has_magic {
            bytes.splice(0..0, [0x28, 0xb5, 0x2f, 0xfd]);
        }
        if is_packed {
            bytes = zstd::encode_all(&bytes[..], 1).unwrap();
        }
        assert!(read_bytes(&bytes).is_err());
    }

    #[test]
    fn any_change_of_the_text_is_read_without_a_crash(at in 0..20_000_usize, text in "[\\[\\]{}\",:0-9a-z]{1,4}") {
        let golden = include_str!("../../../testdata/bundle.v1.jsonl");
        let at = golden.floor_char_boundary(at % golden.len());
        let (before, after) = golden.split_at(at);
        let changed = zstd::encode_all(format!("{before}{text}{after}").as_bytes(), 1).unwrap();
        // Changed text with a right checksum may well be a bundle; it only must not crash.
        read_bytes(&changed).ok();
    }
}

fn result() -> impl Strategy<Value = TestResult> {
    let status = prop_oneof![
        Just(TestStatus::Passed),
        Just(TestStatus::Failed),
        Just(TestStatus::Error),
        Just(TestStatus::Timeout),
        Just(TestStatus::Skipped),
        Just(TestStatus::Inconclusive),
    ];
    let events = proptest::collection::vec((any::<String>(), any::<u64>()), 0..5);
    let variables = proptest::collection::btree_map(any::<String>(), json(), 0..3);
    let texts = proptest::collection::vec(any::<String>(), 0..3);
    (
        any::<String>(),
        status,
        events,
        json(),
        variables,
        texts,
        any::<(bool, i64, u64)>(),
    )
        .prop_map(
            |(name, status, events, state, variables, warnings, (flaky, moment, duration_us))| {
                let mut result = sample::plain("any");
                let turn = &mut result.turns[0].turn;
                turn.text.clone_from(&name);
                turn.state = state;
                turn.events = EventLog::default();
                for (payload, at_us) in events {
                    turn.events.push(payload.as_bytes(), at_us);
                }
                let earlier = vec![result.clone(); usize::from(flaky)];
                TestResult {
                    id: TestId(name.clone()),
                    name,
                    status,
                    variables,
                    warnings,
                    flaky,
                    started_at_ms: Some(moment),
                    duration_us,
                    earlier,
                    ..result
                }
            },
        )
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e300..1e300).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}
