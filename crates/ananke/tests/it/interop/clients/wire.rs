//! What can be wrong with the bytes: line ends, frames, data that is no event.

use serde_json::Value;

/// Returns the bytes of a stream as a server should send it.
pub(super) fn body(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

/// Returns the bytes of a stream as a server should not send it; each with words that tell what is wrong.
pub(super) fn odd_bodies(events: &[Value]) -> Vec<(&'static str, String)> {
    let whole = body(events);
    let one = body(&events[..1]);
    let rest = body(&events[1..]);
    let then = |data: &str| format!("{one}data: {data}\n\n{rest}");
    vec![
        ("nothing", String::new()),
        ("lines end with CRLF", whole.replace('\n', "\r\n")),
        (
            "CRLF, but LF between events",
            whole.replace("\n\n", "\r\n\n"),
        ),
        ("lines end with CR", whole.replace('\n', "\r")),
        (
            "LF, but the last event CRLF",
            format!("{one}{}", rest_with_crlf_last(events)),
        ),
        (
            "a CRLF comment between LF events",
            format!("{one}: hello\r\n\r\n{rest}"),
        ),
        (
            "CRLF, but the first event LF",
            format!("{one}{}", rest.replace('\n', "\r\n")),
        ),
        ("one event, CRLF", one.replace('\n', "\r\n")),
        ("one event, CR", one.replace('\n', "\r")),
        ("no last blank line", whole.trim_end().to_owned()),
        ("a byte order mark", format!("\u{feff}{whole}")),
        (
            "comments",
            format!(": hello\n\n{}", whole.replace("data:", ": ping\ndata:")),
        ),
        (
            "other fields",
            whole.replace("data:", "event: message\nid: 7\nretry: 5\ndata:"),
        ),
        ("no space after the colon", whole.replace("data: ", "data:")),
        (
            "data of two lines",
            whole.replace("data: {", "data: {\ndata: "),
        ),
        ("three blank lines", whole.replace("\n\n", "\n\n\n\n")),
        ("a word", then("[DONE]")),
        ("no data", then("")),
        ("half an event", then("{\"type\":\"RAW\"")),
        (
            "two events in one",
            then("{\"type\":\"RAW\",\"event\":1}{\"type\":\"RAW\",\"event\":1}"),
        ),
        ("null", then("null")),
        ("a number", then("7")),
        ("a text", then("\"RAW\"")),
        ("a list", then("[]")),
        ("no type", then("{\"event\":1}")),
        ("a type that is no text", then("{\"type\":7}")),
        ("an empty type", then("{\"type\":\"\"}")),
        ("a type of the next version", then("{\"type\":\"META\"}")),
        (
            "a member twice",
            then("{\"type\":\"RAW\",\"event\":1,\"type\":\"CUSTOM\"}"),
        ),
        (
            "a name of every object",
            then("{\"type\":\"RAW\",\"event\":1,\"toString\":1,\"constructor\":2}"),
        ),
        (
            "half a pair of surrogates",
            then("{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":\"\\ud800\"}"),
        ),
        (
            "a number without bounds",
            then("{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":1e999}"),
        ),
        (
            "300 lists in one another",
            then(&format!(
                "{{\"type\":\"RAW\",\"event\":{}{}}}",
                "[".repeat(300),
                "]".repeat(300)
            )),
        ),
        (
            "cut in the last event",
            whole.trim_end().trim_end_matches('}').to_owned(),
        ),
    ]
}

/// Returns all events but the first; the lines of the last one end with CRLF.
fn rest_with_crlf_last(events: &[Value]) -> String {
    let (last, before) = events.split_last().expect("streams have events");
    let last = body(std::slice::from_ref(last)).replace('\n', "\r\n");
    format!("{}{last}", body(&before[1..]))
}
