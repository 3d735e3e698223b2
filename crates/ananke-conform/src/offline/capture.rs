//! The bytes of an answer as they came: `curl -N … > capture.sse`, with or without the head that `curl -i` shows.

use super::file::exchange;
use crate::body::{BodyReader, Limits};
use crate::exchange::{Answer, Exchange, Framing};

/// Reads one answer.
pub(super) fn read(bytes: &[u8]) -> Result<Exchange, String> {
    let (mut head, mut body) = split_head(bytes);
    let (mut status, mut headers) = (None, Vec::new());
    // `curl -i` also shows what came before the answer: of a proxy, of an interim status, of redirects that were followed.
    while let Some(lines) = head {
        (status, headers) = read_head(lines)?;
        let (next, rest) = split_head(body);
        if next.is_none() {
            break;
        }
        (head, body) = (next, rest);
    }
    let mut answer = Answer {
        status,
        headers,
        ..Answer::default()
    };
    answer.framing = match answer.media_type().as_deref() {
        Some("text/event-stream") => Framing::Sse,
        Some("application/vnd.ag-ui.event+proto") => Framing::Protobuf,
        Some(_) => Framing::None,
        // The first byte of a frame's length: no frame is as large as 16 MiB.
        None if body.first() == Some(&0) => Framing::Protobuf,
        None => Framing::Sse,
    };
    let mut reader = BodyReader::new(answer.framing, Limits::default());
    reader
        .push(body, 0)
        .map_err(|why| format!("it cannot be read to its end: {why}"))?;
    (answer.events, answer.wire, answer.text) = reader.finish();
    let is_stream = answer.framing != Framing::None;
    let has_data = body
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .any(|line| line.starts_with(b"data:"));
    if is_stream && answer.events.is_empty() && !has_data && status.is_none() {
        return Err(
            "it holds no event: expected an event stream, events as JSON lines, or a bundle"
                .to_owned(),
        );
    }
    Ok(exchange("capture".to_owned(), None, answer))
}

/// Parts the head from the body, if there is a head.
fn split_head(bytes: &[u8]) -> (Option<&str>, &[u8]) {
    if !bytes.starts_with(b"HTTP/") {
        return (None, bytes);
    }
    for separator in ["\r\n\r\n", "\n\n"] {
        let mut windows = bytes.windows(separator.len());
        if let Some(at) = windows.position(|window| window == separator.as_bytes())
            && let Ok(head) = std::str::from_utf8(&bytes[..at])
        {
            return (Some(head), &bytes[at + separator.len()..]);
        }
    }
    (None, bytes)
}

type Head = (Option<u16>, Vec<(String, String)>);

fn read_head(head: &str) -> Result<Head, String> {
    let mut lines = head.lines();
    let status_line = lines.next().unwrap_or_default();
    let status = status_line.split_whitespace().nth(1);
    let status = status.and_then(|word| word.parse().ok()).ok_or_else(|| {
        format!("its first line, `{status_line}`, looks like HTTP and has no status")
    })?;
    let headers = lines.filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    });
    Ok((Some(status), headers.collect()))
}
