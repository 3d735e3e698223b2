//! Large and deep records, and what an agent can put into them.

use std::io::Write as _;

use ananke_model::recording::EventLog;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::super::frame_log::FrameLog;
use super::super::frames::{Frame, Frames};
use super::{in_words, packed, read_bytes, sample, write};
use crate::Bundle;

fn round_trip(results: &[ananke_model::result::TestResult]) -> Bundle {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &sample::head(), results, None);
    Bundle::read(&path).unwrap()
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!([inner]))
}

#[test]
fn trees_as_deep_as_recordings_have_them() {
    let mut result = sample::plain("deep");
    result.turns[0].turn.state = nested(512);
    let mut retried = result.clone();
    retried.earlier = vec![result];
    assert_eq!(round_trip(&[retried.clone()]).recorded(), [retried]);
}

#[test]
fn deeper_ones_are_refused_without_using_up_the_stack() {
    let text = format!(
        "{{\"record\":\"run\",\"format\":1}}\n{{\"record\":\"test\",\"id\":{}{}}}\n",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert_snapshot!(in_words(read_bytes(&packed(&text))), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: invalid type: sequence, expected a string (column 22)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
    let ignored = text.replace("\"id\":", "\"later\":");
    assert_snapshot!(in_words(read_bytes(&packed(&ignored))), @"
    error: the bundle `…/run.jsonl.zst` is damaged at byte 0, after 0 tests: a record cannot be read: missing field `id` (column 400026)
    hint: the file was changed or the disk is failing; take another copy, or run the tests again
    ");
}

#[test]
fn an_agent_cannot_make_its_recording_unreadable() {
    // `serde_json` gives this key a meaning of its own.
    let mut result = sample::plain("hostile");
    result.turns[0].turn.state = json!({"$serde_json::private::RawValue": "[1", "b": 2});
    let read = round_trip(&[result]).recorded()[0].clone();
    assert_eq!(
        read.turns[0].turn.state,
        json!({"$serde_json:private::RawValue": "[1", "b": 2})
    );
}

#[test]
fn a_record_of_many_pieces() {
    let mut result = sample::plain("large");
    let mut events = EventLog::default();
    let mut noise = 1_u32;
    for at_us in 0..6_000 {
        let mut payload = Vec::with_capacity(1_000);
        for _ in 0..250 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            payload.extend(noise.to_le_bytes().map(|byte| b'0' + (byte >> 2) % 64));
        }
        payload.retain(|byte| byte.is_ascii_alphanumeric());
        events.push(&payload, at_us);
    }
    result.turns[0].turn.events = events;
    let results = [sample::plain("before"), result, sample::plain("after")];
    assert_eq!(round_trip(&results).recorded(), results);
}

#[test]
fn many_tests_without_a_flush() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = crate::BundleWriter::create(folder.path(), &sample::head(), &[]).unwrap();
    let results: Vec<_> = (0..1_500)
        .map(|number| sample::plain(&format!("t{number}")))
        .collect();
    for result in &results {
        writer.test(result).unwrap();
    }
    // What has come together is there before anybody asked for it.
    let so_far = Bundle::read(writer.path()).unwrap();
    let so_far = so_far.recorded();
    assert!(so_far.len() > 1_000, "{}", so_far.len());
    assert_eq!(so_far, &results[..so_far.len()]);
    let path = writer.path().to_owned();
    drop(writer);
    assert_eq!(Bundle::read(&path).unwrap().recorded(), results);
}

#[test]
fn a_frame_that_is_too_large_is_not_unpacked() {
    let bomb = zstd::encode_all(&vec![b'x'; 8 << 20][..], 1).unwrap();
    let mut text = b"kept".to_vec();
    let mut frames = Frames::new(&bomb[..], 1 << 20).unwrap();
    assert_eq!(
        frames.read(&mut text).unwrap(),
        Frame::Damaged("one frame unpacks to more than 1 MiB".to_owned())
    );
    assert_eq!(text, b"kept");
}

#[test]
fn a_record_that_could_not_be_read_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut log = FrameLog::new(std::fs::File::create(&path).unwrap(), 1 << 20).unwrap();
    log.write_all(b"kept").unwrap();
    log.end_frame().unwrap();
    let len = path.metadata().unwrap().len();
    let error = (0..10_000)
        .find_map(|_| log.write_all(&[b'x'; 1000]).err())
        .unwrap();
    assert_eq!(
        error.to_string(),
        "what was recorded of one test is larger than 1 MiB"
    );
    assert_eq!(path.metadata().unwrap().len(), len);
}
