//! Files that were cut or changed after they were written.

use ananke_model::result::TestResult;
use insta::assert_snapshot;

use super::{in_words, packed, read_bytes, sample, sample_bytes};
use crate::{BundleWriter, Ending, Head, StoreError};

/// A bundle that is small enough to be read a thousand times.
fn small() -> (Vec<TestResult>, Vec<u8>) {
    let results: Vec<TestResult> = ["a", "b"]
        .map(|name| TestResult {
            name: name.to_owned(),
            ..sample::skipped()
        })
        .into();
    let mut head = Head::default();
    head.run.run_id = sample::RUN_ID.to_owned();
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::create(folder.path(), &head, &[]).unwrap();
    for result in &results {
        writer.test(result).unwrap();
        writer.flush().unwrap();
    }
    let path = writer.path().join("run.jsonl.zst");
    writer.finish(&sample::summary()).unwrap();
    (results, std::fs::read(path).unwrap())
}

#[test]
fn a_bundle_cut_at_any_byte_reads_to_its_first_tests() {
    let (results, bytes) = small();
    let mut longest = 0;
    for len in 0..bytes.len() {
        match read_bytes(&bytes[..len]) {
            Err(StoreError::NoHead { .. }) => assert_eq!(longest, 0, "cut at {len}"),
            Err(error) => panic!("cut at {len}: {error}"),
            Ok(bundle) => {
                assert!(bundle.results.len() >= longest, "cut at {len}");
                longest = bundle.results.len();
                assert_eq!(bundle.results, results[..longest], "cut at {len}");
                assert!(matches!(bundle.ending, Ending::Cut { .. }), "cut at {len}");
            }
        }
    }
    assert_eq!(longest, results.len());
}

#[test]
fn a_changed_byte_is_noticed() {
    let (results, bytes) = small();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let Ok(bundle) = read_bytes(&changed) else {
            continue;
        };
        // A few bits of a frame's header do not matter. Whatever is read must be right.
        let n_results = bundle.results.len();
        assert_eq!(bundle.results, results[..n_results], "byte {at}");
        assert!(
            n_results == results.len() || matches!(bundle.ending, Ending::Cut { .. }),
            "byte {at}"
        );
    }
}

#[test]
fn damage_names_its_place() {
    let mut bytes = sample_bytes();
    let at = bytes.len() * 2 / 3;
    bytes[at] ^= 0x55;
    assert_snapshot!(in_words(read_bytes(&bytes)), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 3344, after 3 tests: Restored data doesn't match checksum
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
}

#[test]
fn zeros_at_the_end_are_what_a_power_failure_leaves() {
    let bytes = sample_bytes();
    for (len, n_zeros) in [
        (bytes.len(), 4096),
        (bytes.len() - 50, 4096),
        (bytes.len() - 50, 60),
    ] {
        let mut zeroed = bytes[..len].to_vec();
        zeroed.resize(len + n_zeros, 0);
        let words = in_words(read_bytes(&zeroed));
        let expected = if len == bytes.len() {
            // What follows the end record is not looked at.
            "[passed failed error timeout skipped inconclusive] complete, 6 tests"
        } else {
            "[passed failed error timeout skipped inconclusive] cut: it ends in zeros, as after a power failure"
        };
        assert_eq!(words, expected);
    }
}

#[test]
fn a_missing_frame_is_noticed() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    let without: String = text
        .lines()
        .filter(|line| !line.contains("tests/timeout.test.yaml\",\"name"))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert_snapshot!(in_words(read_bytes(&packed(&without))), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 5 tests: 6 tests were written
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
}

#[test]
fn two_bundles_in_one_file_are_refused() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    let head = text.lines().next().unwrap();
    assert_snapshot!(in_words(read_bytes(&packed(&format!("{head}\n{head}\n")))), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a second run begins here
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
}

#[test]
fn records_that_cannot_be_read() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    let head = text.lines().next().unwrap();
    let after_head = |line: &str| in_words(read_bytes(&packed(&format!("{head}\n{line}\n"))));
    assert_snapshot!(after_head("{\"record\":\"test\",\"id\":7}"), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: invalid type: integer `7`, expected a string (column 23)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
    assert_snapshot!(after_head("{\"record\":\"test\",\"id\":\"a\"}"), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: missing field `name` (column 26)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
    assert_snapshot!(after_head("{\"record\":"), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: EOF while parsing a value (column 10)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
    assert_snapshot!(after_head("{}"), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: missing field `record` (column 2)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
    assert_snapshot!(after_head("{\"record\":\"end\"}"), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: missing field `n_tests` (column 16)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
}
