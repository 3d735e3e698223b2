//! What a user sees when a path is no bundle, or not one that can be read.

use std::fs;

use insta::assert_snapshot;

use super::{error_in_words, in_words, packed, read_bytes, sample, sample_bytes, write};
use crate::{Bundle, BundleReader, BundleWriter};

const RUN: &str = r#"{"record":"run","format":1,"run_id":"x"}"#;

#[test]
fn nothing_is_there() {
    let folder = tempfile::tempdir().unwrap();
    assert_snapshot!(in_words(Bundle::read(&folder.path().join("gone"))), @"
    error: there is no bundle at `…/gone`
    hint: name a folder that `ananke run` left, such as `.ananke/runs/<run-id>`
    ");
}

#[test]
fn a_folder_without_a_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results");
    fs::create_dir(&path).unwrap();
    assert_snapshot!(in_words(Bundle::read(&path)), @"
    error: the folder `…/results` holds no bundle
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
}

#[test]
fn the_folder_of_all_bundles_names_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs");
    write(&path, &sample::head(), &[], Some(&sample::summary()));
    // The sample's totals do not matter here, only that the run is over.
    assert_snapshot!(in_words(Bundle::read(&path)), @"
    error: the folder `…/runs` holds no bundle
    hint: the newest bundle in it is `…/20261115-115353-7f3a2b1c`
    ");
}

#[test]
fn other_files() {
    assert_snapshot!(in_words(read_bytes(b"{\"record\":\"run\",\"format\":1}\n")), @"
    error: `…/run.jsonl.zst` is not a bundle: it does not begin like a file of zstd
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    assert_snapshot!(in_words(read_bytes(&packed("hello\n"))), @"
    error: `…/run.jsonl.zst` is not a bundle: its first line is no record: expected value (column 1)
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    assert_snapshot!(in_words(read_bytes(&packed("{\"a\":1}\n"))), @"
    error: `…/run.jsonl.zst` is not a bundle: its first line is no `run` record with a `format`
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    assert_snapshot!(in_words(read_bytes(&packed("{\"record\":\"run\"}\n"))), @"
    error: `…/run.jsonl.zst` is not a bundle: its first line is no `run` record with a `format`
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
    assert_snapshot!(in_words(read_bytes(&packed("{\"record\":\"test\",\"format\":1}\n"))), @"
    error: `…/run.jsonl.zst` is not a bundle: its first line is no `run` record with a `format`
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
}

#[cfg(unix)]
#[test]
fn a_device_is_not_read() {
    assert_snapshot!(in_words(Bundle::read(std::path::Path::new("/dev/zero"))), @"
    error: `…/zero` is not a bundle: it is no regular file
    hint: a bundle is a folder `<run-id>` with the file `run.jsonl.zst`
    ");
}

#[test]
fn a_file_that_ends_before_its_first_record() {
    for bytes in [&b""[..], b"\x28\xb5", &packed(""), &sample_bytes()[..20]] {
        assert!(in_words(read_bytes(bytes)).contains("ends before its first record"));
    }
    assert_snapshot!(in_words(read_bytes(b"")), @"
    error: the bundle `…/run.jsonl.zst` ends before its first record
    hint: the run was stopped before it began; nothing can be read from it
    ");
}

#[test]
fn a_newer_format() {
    let own = format!(
        "{{\"record\":\"run\",\"format\":2,\"version\":\"{}\"}}\n",
        env!("CARGO_PKG_VERSION")
    );
    assert!(in_words(read_bytes(&packed(&own))).ends_with("hint: use a later ananke"));
    let newer = packed("{\"record\":\"run\",\"format\":2,\"version\":\"9.1.0\",\"tests\":7}\n");
    assert_snapshot!(in_words(read_bytes(&newer)), @"
    error: the bundle `…/run.jsonl.zst` was written in format 2; this ananke reads up to format 1
    hint: use ananke 9.1.0 or later
    ");
    assert_snapshot!(in_words(read_bytes(&packed("{\"record\":\"run\",\"format\":3}\n"))), @"
    error: the bundle `…/run.jsonl.zst` was written in format 3; this ananke reads up to format 1
    hint: use a later ananke
    ");
}

#[test]
fn unknown_records_and_members_are_skipped() {
    let text = format!(
        "{RUN}\n{{\"record\":\"later\",\"a\":[1]}}\n{{\"n_tests\":0,\"more\":{{}},\"record\":\"end\"}}\n"
    );
    assert_snapshot!(in_words(read_bytes(&packed(&text))), @"[] complete, 0 tests");
}

#[test]
fn records_may_be_packed_in_any_way() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    let expected = read_bytes(&packed(&text)).unwrap().results;
    assert_eq!(expected, sample::results());
    let in_pieces: Vec<u8> = text
        .as_bytes()
        .chunks(700)
        .flat_map(|piece| zstd::encode_all(piece, 3).unwrap())
        .collect();
    assert_eq!(read_bytes(&in_pieces).unwrap().results, expected);
}

#[test]
fn a_run_that_is_going_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = BundleWriter::create(folder.path(), &sample::head(), &[]).unwrap();
    writer.test(&sample::plain("one")).unwrap();
    writer.flush().unwrap();
    writer.test(&sample::plain("two")).unwrap();
    assert_snapshot!(in_words(Bundle::read(writer.path())), @"[passed] cut: its run is still going on");
    let path = writer.path().to_owned();
    drop(writer);
    assert_snapshot!(in_words(Bundle::read(&path)), @"[passed passed] cut: it has no `end` record");
}

#[test]
fn tests_that_a_cut_run_never_came_to_are_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut head = sample::head();
    head.run.tests = ["one", "two", "three"]
        .map(|name| sample::plain(name).id)
        .into();
    head.run.total = 3;
    let path = write(folder.path(), &head, &[sample::plain("one")], None);
    let bundle = Bundle::read(&path).unwrap();
    let lines = bundle.results.iter().map(|result| {
        let reason = result.reason.as_deref().unwrap_or("of itself");
        format!("{} {} {reason}", result.id, result.status.word())
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    tests/one.test.yaml PASSED of itself
    tests/two.test.yaml SKIPPED not run: the run was cut short
    tests/three.test.yaml SKIPPED not run: the run was cut short
    ");
    let summary = bundle.summary();
    assert_eq!((summary.total, summary.passed, summary.skipped), (3, 1, 2));
    assert!(summary.interrupted);
    let notices = bundle.events().filter_map(|event| match event {
        ananke_model::run_event::RunEvent::Notice(notice) => Some(notice),
        _ => None,
    });
    let notices: Vec<String> = notices.collect();
    assert!(
        notices[0].ends_with("1 of 3 tests are in it"),
        "{notices:?}"
    );
}

#[test]
fn tests_come_one_by_one_and_the_ending_last() {
    let folder = tempfile::tempdir().unwrap();
    let results = [sample::plain("one"), sample::plain("two")];
    let path = write(
        folder.path(),
        &sample::head(),
        &results,
        Some(&sample::summary()),
    );
    let mut reader = BundleReader::open(&path).unwrap();
    assert_eq!(reader.head().run.run_id, sample::RUN_ID);
    assert_eq!(reader.sources(), sample::sources());
    for result in results {
        assert_eq!(reader.ending(), None);
        assert_eq!(reader.next_test().unwrap(), Some(result));
    }
    assert_eq!(reader.next_test().unwrap(), None);
    assert!(reader.ending().is_some());
    assert_eq!(reader.next_test().unwrap(), None);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl.zst");
    fs::write(&file, sample_bytes()).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o0)).unwrap();
    // The superuser may read everything.
    if let Err(error) = Bundle::read(folder.path()) {
        assert_snapshot!(error_in_words(&error), @"
        error: cannot read the bundle `…/run.jsonl.zst`
        caused by: Permission denied (os error 13)
        ");
    }
}
