//! The bytes of an event stream: line ends, encoding, and what is no event.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::{Ending, Exchange, Framing};
use crate::rule::{Findings, Rule};

static LINE_ENDS: Rule = Rule {
    id: "http.line-ends",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "lines of the event stream end with LF",
    reason: "The reference clients split the stream at two LFs only, so with CRLF or CR they never see an event.",
    section: "HTTP binding, framing",
    advice: "Write `\\n` after every line and `\\n\\n` after every event, on every platform.",
    needs: "event stream",
};

static FINAL_BLANK_LINE: Rule = Rule {
    id: "http.final-blank-line",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the last event is followed by a blank line",
    reason: "A reader of event streams drops an event that no blank line ends, and the last event is the one that ends the run.",
    section: "HTTP binding, framing",
    advice: "Write `\\n\\n` after the last event as after all others.",
    needs: "event stream that came to its end, or a file with its bytes",
};

static UTF8: Rule = Rule {
    id: "http.utf8",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the event stream is UTF-8",
    reason: "Event streams are always UTF-8; other bytes reach the user as replacement characters.",
    section: "HTTP binding, framing",
    advice: "Encode JSON as UTF-8, and never cut a delta inside a character.",
    needs: "event stream",
};

static DONE_MARKER: Rule = Rule {
    id: "http.done-marker",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "there is no `[DONE]` at the end",
    reason: "Every `data` is one event in JSON; the marker of other protocols is none, and clients stop with an error at it.",
    section: "HTTP binding, framing",
    advice: "Close the body after the terminal event and send no marker.",
    needs: "event",
};

pub(super) const RULES: &[&Rule] = &[&LINE_ENDS, &FINAL_BLANK_LINE, &UTF8, &DONE_MARKER];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    if !answer.is_stream() || answer.framing != Framing::Sse {
        return;
    }
    let wire = &answer.wire;
    // Events without bytes come from a file that does not hold the bytes.
    if wire.n_bytes > 0 {
        found.saw(&LINE_ENDS);
        found.saw(&UTF8);
        if wire.n_crlf + wire.n_cr > 0 {
            let message = format!(
                "expected LF at the end of every line, saw {} lines with CRLF and {} with CR alone",
                wire.n_crlf, wire.n_cr
            );
            found.whole(&LINE_ENDS, message);
        }
        if wire.n_invalid_utf8 > 0 {
            let message = format!(
                "expected UTF-8, saw {} events with other bytes",
                wire.n_invalid_utf8
            );
            found.whole(&UTF8, message);
        }
        if matches!(answer.ending, Ending::Closed | Ending::Unknown) {
            found.saw(&FINAL_BLANK_LINE);
            if wire.is_unfinished {
                let message =
                    "expected a blank line after the last event, saw the end of the body before it";
                found.whole(&FINAL_BLANK_LINE, message);
            }
        }
    }
    for (number, event) in answer.events.iter().enumerate() {
        found.saw(&DONE_MARKER);
        if event.data.trim() == "[DONE]" {
            found.at(
                &DONE_MARKER,
                number,
                "expected an event in JSON, saw `[DONE]`",
            );
        }
    }
}
