//! Frames of the official encoder, frames by hand, and bytes that are no frames at all.

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use proptest::prelude::{any, prop, proptest};
use serde_json::Value;

use super::{Decoded, FrameDecoder, decode_event};

const LIMIT: usize = 1 << 20;

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/protobuf")
        .join(name)
}

fn frames(path: &Path) -> Vec<Vec<u8>> {
    let mut decoder = FrameDecoder::new(LIMIT);
    let frames = decoder.push(&fs::read(path).unwrap()).unwrap();
    assert!(!decoder.is_mid_frame());
    frames
}

fn assert_same(path: &Path, expected: &[Value]) {
    let frames = frames(path);
    assert_eq!(frames.len(), expected.len());
    for (frame, expected) in frames.iter().zip(expected) {
        assert_eq!(decode_event(frame), Ok(Decoded::Event(expected.clone())));
    }
}

#[test]
fn frames_of_the_official_encoder_are_the_json_of_their_sse_encoding() {
    for name in ["every-event", "edges"] {
        let json = fs::read(testdata(&format!("{name}.json"))).unwrap();
        let expected: Vec<Value> = serde_json::from_slice(&json).unwrap();
        assert_same(&testdata(&format!("{name}.pb")), &expected);
    }
}

/// The interop servers leave the same run in both encodings; without them there is nothing to compare.
#[test]
fn captured_runs_are_the_same_in_both_encodings() {
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/interop/captures");
    for name in ["encoder-hello", "encoder-chunks", "encoder-everything"] {
        let Ok(sse) = fs::read_to_string(captures.join(name).with_extension("sse")) else {
            continue;
        };
        let events = sse.lines().filter_map(|line| line.strip_prefix("data:"));
        let expected: Vec<Value> = events
            .map(|json| serde_json::from_str(json).unwrap())
            .collect();
        assert_same(&captures.join(name).with_extension("pb"), &expected);
    }
}

/// Writes a length-delimited field.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        field.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    field.push(u8::try_from(length).unwrap());
    field.extend_from_slice(bytes);
    field
}

fn show(frame: &[u8]) -> String {
    match decode_event(frame) {
        Ok(Decoded::Event(event)) => event.to_string(),
        Ok(Decoded::UnknownArm(number)) => format!("unknown arm {number}"),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn absent_scalars_have_their_defaults_and_a_base_is_not_needed() {
    assert_snapshot!(show(&field(2, b"")), @r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"","delta":""}"#);
    assert_snapshot!(show(&field(8, &field(2, b""))), @r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":""}]}"#);
    assert_snapshot!(show(&field(8, &field(2, b"\x08\x06"))), @r#"{"type":"STATE_DELTA","delta":[{"op":"6","path":""}]}"#);
}

#[test]
fn an_event_in_two_pieces_is_merged() {
    let frame = [
        field(3, &field(1, b"\x08\x02")),
        field(3, &field(2, b"m")),
        field(3, &field(1, b"\x10\x07")),
    ]
    .concat();
    assert_snapshot!(show(&frame), @r#"{"type":"TEXT_MESSAGE_END","timestamp":7,"messageId":"m"}"#);
}

#[test]
fn a_value_keeps_its_last_kind_and_merges_the_same_kind() {
    let list = |text: &[u8]| field(6, &field(1, &field(3, text)));
    let snapshot = |value: &[u8]| show(&field(7, &field(2, value)));
    assert_snapshot!(snapshot(&[list(b"a"), list(b"b")].concat()), @r#"{"type":"STATE_SNAPSHOT","snapshot":["a","b"]}"#);
    assert_snapshot!(snapshot(&[list(b"a"), field(3, b"c")].concat()), @r#"{"type":"STATE_SNAPSHOT","snapshot":"c"}"#);
    assert_snapshot!(snapshot(b""), @r#"{"type":"STATE_SNAPSHOT"}"#);
}

#[test]
fn numbers_that_json_cannot_write_are_refused() {
    let nan = [&b"\x11"[..], &f64::NAN.to_le_bytes()].concat();
    assert_snapshot!(show(&field(7, &field(2, &nan))), @"error: the number NaN has no JSON form (in google.protobuf.Value, byte 4 of the frame)");
}

#[test]
fn unknown_fields_are_skipped_and_unknown_arms_named() {
    let beside = [
        field(3, &[field(2, b"m"), field(14, b"new")].concat()),
        vec![0x8a, 0x02, 1, 0xff],
        vec![0x98, 0x02, 1],
    ]
    .concat();
    assert_snapshot!(show(&beside), @r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#);
    assert_snapshot!(show(&[&b"\x92\x02"[..], b"\x02\x08\x01"].concat()), @"unknown arm 34");
    assert_snapshot!(show(&[&b"\x92\x02"[..], b"\x02\x08\xff"].concat()), @"error: the data ends inside a field (in Event, byte 5 of the frame)");
}

#[test]
fn frames_without_one_clear_event_are_refused() {
    assert_snapshot!(show(b""), @"error: the frame holds no event (in Event, byte 0 of the frame)");
    assert_snapshot!(show(b"\x08\x01"), @"error: the frame holds no event (in Event, byte 0 of the frame)");
    assert_snapshot!(show(&[field(2, b""), field(3, b"")].concat()), @"error: both `TEXT_MESSAGE_CONTENT` and `TEXT_MESSAGE_END` are set, only one of them may be (in Event, byte 4 of the frame)");
    assert_snapshot!(show(&field(3, &field(1, b"\x08\x05"))), @"error: the envelope says TEXT_MESSAGE_END, but the event says type 5 (in TextMessageEndEvent, byte 0 of the frame)");
}

#[test]
fn content_in_two_forms_is_refused() {
    let part = field(1, &field(1, b"t"));
    let message = |fields: &[Vec<u8>]| show(&field(9, &field(2, &fields.concat())));
    assert_snapshot!(message(&[field(2, b"user"), field(3, b"c"), field(8, &part)]), @"error: both `content` and `contentParts` are set, only one of them may be (in MessagesSnapshotEvent, byte 0 of the frame)");
    assert_snapshot!(message(&[field(2, b"system"), field(8, &part)]), @"error: a message with role `system` cannot carry `contentParts` (in MessagesSnapshotEvent, byte 0 of the frame)");
    assert_snapshot!(message(&[field(2, b"tool"), field(13, b"")]), @"error: a message with role `tool` cannot carry `activityContent` (in MessagesSnapshotEvent, byte 0 of the frame)");
    assert_snapshot!(message(&[field(2, b"user"), field(8, &[part, field(2, b"")].concat())]), @"error: both `text` and `image` are set, only one of them may be (in MessagesSnapshotEvent, byte 0 of the frame)");
}

#[test]
fn parts_and_sources_of_unknown_types_are_dropped() {
    let parts = [
        field(7, &field(9, b"")),
        field(7, &field(2, &field(1, &field(9, b"")))),
        field(7, &field(2, b"")),
    ]
    .concat();
    let result = [
        &[0xb2, 0x01, u8::try_from(parts.len()).unwrap()][..],
        &parts,
    ]
    .concat();
    assert_snapshot!(show(&result), @r#"{"type":"TOOL_CALL_RESULT","messageId":"","toolCallId":"","content":[{"type":"image"}]}"#);
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| {
        let value = (1..depth).fold(field(6, b""), |inside, _| field(6, &field(1, &inside)));
        show(&field(7, &field(2, &value)))
    };
    assert_eq!(
        nested(511),
        format!(
            r#"{{"type":"STATE_SNAPSHOT","snapshot":{}{}}}"#,
            "[".repeat(511),
            "]".repeat(511)
        )
    );
    assert!(nested(512).starts_with("error: the data is nested more than 512 levels deep"));
    assert!(nested(5_000).starts_with("error: the data is nested more than 512 levels deep"));
}

#[test]
fn a_frame_of_empty_values_does_not_fill_the_memory() {
    let list = b"\x0a\x00".repeat((1 << 20) + 1);
    let shown = show(&field(7, &field(2, &field(6, &list))));
    assert!(shown.starts_with("error: the frame holds more than 1048576 values"));
    let messages = b"\x12\x00".repeat(1 << 20);
    assert!(
        show(&field(9, &messages)).starts_with("error: the frame holds more than 1048576 values")
    );
}

#[test]
fn a_frame_cut_at_any_byte_is_refused() {
    for frame in frames(&testdata("every-event.pb")) {
        for end in 0..frame.len() {
            // The length of the arm no longer fits.
            assert!(decode_event(&frame[..end]).is_err());
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        drop(decode_event(&bytes));
        drop(decode_event(&field(12, &bytes)));
        drop(decode_event(&field(9, &field(2, &bytes))));
        drop(FrameDecoder::new(64).push(&bytes));
    }

    #[test]
    fn damaged_frames_never_panic(index in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let frames = frames(&testdata("every-event.pb"));
        let mut frame = index.get(&frames).clone();
        if !frame.is_empty() {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        drop(decode_event(&frame));
    }
}
