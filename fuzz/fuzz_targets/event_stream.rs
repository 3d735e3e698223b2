//! Cutting an event stream anywhere never changes what is parsed.
#![no_main]

use ananke_protocol::sse::Decoder;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (body, cuts) = input;
    let whole = decode(&[&body]);
    let mut rest = body.as_slice();
    let mut pieces = Vec::new();
    for cut in cuts {
        let (piece, after) = rest.split_at(usize::from(cut).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    assert_eq!(decode(&pieces), whole);
    assert_eq!(decode(&body.chunks(1).collect::<Vec<_>>()), whole);
});

fn decode(pieces: &[&[u8]]) -> Vec<(String, String, String)> {
    let mut decoder = Decoder::new(1 << 20);
    let mut events = Vec::new();
    for piece in pieces {
        let sink = |event: ananke_protocol::sse::Event<'_>| {
            events.push((event.kind.to_owned(), event.data.into_owned(), event.last_event_id.to_owned()));
        };
        decoder.push(piece, sink).expect("inputs are smaller than the limit");
    }
    decoder.finish();
    events
}
