//! The reader of frames sees the same data as the decoder that every run uses.

use ananke_protocol::sse::Decoder;
use insta::assert_debug_snapshot;
use proptest::prelude::*;

use crate::sse_stack::frames::{FrameReader, Leftover};

fn read(chunks: &[&[u8]]) -> (Vec<(String, String)>, Leftover) {
    let mut reader = FrameReader::new(1 << 20);
    for chunk in chunks {
        reader.push(chunk).unwrap();
    }
    let (frames, leftover) = reader.finish();
    let events = frames.into_iter().filter_map(|frame| {
        let name = frame.event.filter(|name| !name.is_empty());
        Some((name.unwrap_or_else(|| "message".to_owned()), frame.data?))
    });
    (events.collect(), leftover)
}

fn decoded(chunks: &[&[u8]]) -> Vec<(String, String)> {
    let mut decoder = Decoder::new(1 << 20);
    let mut events = Vec::new();
    for chunk in chunks {
        let pushed = decoder.push(chunk, |event| {
            events.push((event.kind.to_owned(), event.data.into_owned()));
        });
        pushed.unwrap();
    }
    events
}

/// Pieces that streams are made of, odd ones among them.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = [
        "data: {\"a\":1}",
        "data:x",
        "data",
        "data:  y",
        "event: A",
        "event:",
        "id: 7",
        "id: a\0b",
        "retry: 1",
        ": note",
        "Data: no",
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        "\u{feff}",
        "é",
    ];
    prop_oneof![
        9 => proptest::sample::select(known.map(|text| text.as_bytes().to_vec()).to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..4),
    ]
}

proptest! {
    #[test]
    fn data_equals_that_of_the_decoder(
        pieces in proptest::collection::vec(piece(), 0..40),
        cuts in proptest::collection::vec(1..7_usize, 1..10),
    ) {
        let bytes = pieces.concat();
        let mut chunks = Vec::new();
        let mut rest = bytes.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at((*cut).min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        prop_assert_eq!(read(&chunks).0, decoded(&chunks));
        prop_assert_eq!(read(&[&bytes]).0, decoded(&chunks));
    }
}

#[test]
fn what_no_blank_line_ended_is_left_over() {
    let left = |text: &str| read(&[text.as_bytes()]).1.is_there;
    let texts = [
        "data: 1\n\n",
        "data: 1\r\r",
        "data: 1\r\n\r\n",
        "data: 1\n\n: bye\n",
        "data: 1\n\n: bye",
        "data: 1\n",
        "data: 1",
        "data: 1\n\nretry: 1\n",
        "data: 1\n\nda",
        "\u{feff}",
    ];
    assert_debug_snapshot!(texts.map(left), @"
    [
        false,
        false,
        false,
        false,
        false,
        true,
        true,
        true,
        true,
        false,
    ]
    ");
}

#[test]
fn large_frames_are_refused_and_comments_do_not_make_one_large() {
    let mut reader = FrameReader::new(16);
    assert!(reader.push(b"data: 1234567\ndata: 1").is_err());
    let mut reader = FrameReader::new(16);
    assert!(reader.push(&b": still here\n".repeat(100)).is_ok());
}
