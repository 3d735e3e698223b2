//! What clients make of the bytes before they see events.

use crate::exchange::{Answer, Ending};

/// Returns why a client cannot tell the events of a stream apart.
///
/// It looks for two LF between events, and for nothing else. A single event is read to the end of the body.
pub(super) fn misread(answer: &Answer) -> Option<String> {
    let (wire, n_events) = (&answer.wire, answer.events.len() as u64);
    let line_ends = match (wire.n_crlf, wire.n_cr) {
        (0, 0) => return None,
        (0, _) => "CR",
        _ => "CRLF",
    };
    // What comes without its blank line is no event for us, and a piece for it.
    let n_pieces = wire
        .n_lf_pieces
        .saturating_sub(u64::from(wire.is_unfinished));
    if n_pieces >= n_events || n_events < 2 {
        return None;
    }
    let taken = match n_pieces {
        0 | 1 => format!("all {n_events} for one"),
        n_pieces => format!("{n_events} of them for {n_pieces}"),
    };
    Some(format!(
        "lines end with {line_ends}: it looks for two LF between events and takes {taken}"
    ))
}

/// Returns why a client reports a failure after the last event.
///
/// A stream without a terminal event, and even an empty body, is no failure for it.
pub(super) fn cut(answer: &Answer) -> Option<String> {
    match &answer.ending {
        Ending::Broken(why) => Some(format!("the connection broke: {why}")),
        Ending::Closed | Ending::GivenUp(_) | Ending::NoAnswer(_) | Ending::Unknown => None,
    }
}
