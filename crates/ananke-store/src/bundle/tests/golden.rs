//! The files of each version of the format: they are read as ever, and what is written has not changed.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use super::{in_words, packed, read_bytes, sample, sample_bytes};
use crate::{Bundle, Ending, Head};

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name)
}

#[test]
fn the_sample_is_written_as_version_1_is() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    let golden = std::fs::read_to_string(testdata("bundle.v1.jsonl")).unwrap_or_default();
    if text != golden {
        let (mut file, path) = tempfile::NamedTempFile::new().unwrap().keep().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        panic!(
            "the format changed: compare testdata/bundle.v1.jsonl with {}. Members may be added (then take the new \
             file); anything else needs a new version and keeps this file",
            path.display()
        );
    }
}

#[test]
fn version_1_is_read_as_it_was_meant() {
    for bundle in [
        Bundle::read(&testdata("bundle.v1.run.jsonl.zst")).unwrap(),
        read_bytes(&packed(
            &std::fs::read_to_string(testdata("bundle.v1.jsonl")).unwrap(),
        ))
        .unwrap(),
    ] {
        let mut head = sample::head();
        head.run.bundle.clone_from(&bundle.head.run.bundle);
        assert_eq!(bundle.head, head);
        assert_eq!(bundle.sources, sample::sources());
        assert_eq!(bundle.results, sample::results());
        assert_eq!(bundle.ending, Ending::Complete(sample::summary()));
    }
}

#[test]
fn the_file_of_version_1_in_words() {
    assert_snapshot!(
        in_words(Bundle::read(&testdata("bundle.v1.run.jsonl.zst"))),
        @"[passed failed error timeout skipped inconclusive] complete, 6 tests"
    );
}

#[test]
fn a_bundle_gives_the_events_of_its_run() {
    let bundle = read_bytes(&sample_bytes()).unwrap();
    assert_snapshot!(events(bundle), @"
    run 20261115-115353-7f3a2b1c of 6 tests
    0 tests/passed.test.yaml
    0 tests/passed.test.yaml PASSED
    1 tests/failed.test.yaml
    1 tests/failed.test.yaml FAILED
    2 tests/error.test.yaml
    2 tests/error.test.yaml ERROR
    3 tests/timeout.test.yaml
    3 tests/timeout.test.yaml TIMEOUT
    4 tests/skipped.test.yaml
    4 tests/skipped.test.yaml SKIPPED
    5 tests/inconclusive.test.yaml
    5 tests/inconclusive.test.yaml INCONCLUSIVE
    Summary { total: 6, passed: 1, failed: 1, errors: 1, timeouts: 1, skipped: 1, inconclusive: 1, unchecked: 0, flaky: 1, duration_us: 1234567, interrupted: false }
    ");
}

#[test]
fn a_cut_bundle_says_so_and_counts_what_is_there() {
    let bytes = sample_bytes();
    let bundle = read_bytes(&bytes[..bytes.len() - 1]).unwrap();
    assert_snapshot!(events(bundle), @"
    run 20261115-115353-7f3a2b1c of 6 tests
    0 tests/passed.test.yaml
    0 tests/passed.test.yaml PASSED
    1 tests/failed.test.yaml
    1 tests/failed.test.yaml FAILED
    2 tests/error.test.yaml
    2 tests/error.test.yaml ERROR
    3 tests/timeout.test.yaml
    3 tests/timeout.test.yaml TIMEOUT
    4 tests/skipped.test.yaml
    4 tests/skipped.test.yaml SKIPPED
    5 tests/inconclusive.test.yaml
    5 tests/inconclusive.test.yaml INCONCLUSIVE
    the bundle [folder] is incomplete: its last 145 bytes are an incomplete frame; 6 of 6 tests are in it
    Summary { total: 6, passed: 1, failed: 1, errors: 1, timeouts: 1, skipped: 1, inconclusive: 1, unchecked: 0, flaky: 1, duration_us: 105000, interrupted: true }
    ");
}

#[test]
fn a_head_knows_where_its_bundle_is_now() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.jsonl.zst"), sample_bytes()).unwrap();
    let bundle = Bundle::read(folder.path()).unwrap();
    assert_eq!(bundle.path, folder.path());
    let shown = folder.path().to_str().unwrap().to_owned();
    assert_eq!(bundle.head.run.bundle.as_deref(), Some(&*shown));
    let same = Bundle::read(&folder.path().join("run.jsonl.zst")).unwrap();
    assert_eq!(same, bundle);
    assert_ne!(bundle.head, Head::default());
}

fn events(bundle: Bundle) -> String {
    let path = bundle.path.display().to_string();
    let lines: Vec<String> = bundle
        .events()
        .map(|event| match event {
            RunEvent::RunStarted(run) => format!("run {} of {} tests", run.run_id, run.total),
            RunEvent::TestStarted { index, id } => format!("{index} {id}"),
            RunEvent::TestFinished { index, result } => {
                format!("{index} {} {}", result.id, result.status.word())
            }
            RunEvent::TestSlow { .. } => unreachable!("not recorded"),
            RunEvent::Notice(notice) => notice.replace(&path, "[folder]"),
            RunEvent::RunFinished(summary) => format!("{summary:?}"),
        })
        .collect();
    lines.join("\n")
}
