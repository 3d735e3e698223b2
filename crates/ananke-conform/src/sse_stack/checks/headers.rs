//! `headers.*`: what keeps caches and proxies from holding events back.

use ananke_model::conformance::{Layer, Level};

use super::{Check, Outcome, Step};
use crate::sse_stack::seen::{Answered, Seen};

pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "headers.content_type",
        layer: Layer::Http,
        level: Level::Must,
        title: "the stream is answered with status 200 and `Content-Type: text/event-stream`",
        reason: "a client that reads event streams gives up on any other type.",
        section: "WHATWG HTML, server-sent events, processing model",
        advice: "Set the header on the response before the first event is written.",
        step: Step::Stream,
        look: content_type,
    },
    Check {
        id: "headers.cache_control",
        layer: Layer::Http,
        level: Level::Convention,
        title: "`Cache-Control` of the stream holds `no-cache`",
        reason: "without it a proxy may answer from what it kept, and events of an old run come back.",
        section: "common practice of event streams",
        advice: "Send `Cache-Control: no-cache`.",
        step: Step::Stream,
        look: cache_control,
    },
    Check {
        id: "headers.connection",
        layer: Layer::Http,
        level: Level::Convention,
        title: "`Connection` of the stream is `keep-alive`; over HTTP/2 it is missing",
        reason: "old proxies close a connection that does not say it stays open.",
        section: "common practice of event streams",
        advice: "Send `Connection: keep-alive` over HTTP/1; newer versions of HTTP forbid the header.",
        step: Step::Stream,
        look: connection,
    },
];

fn content_type(seen: &Seen) -> Outcome {
    let stream = &seen.stream;
    if stream.status != 200 {
        let status = stream.status;
        let hint = hint(seen);
        return Outcome::fail(format!(
            "expected status 200 with `text/event-stream`, seen status {status}{hint}"
        ));
    }
    match stream.header("content-type") {
        None => Outcome::fail("expected `text/event-stream`, but there is no `Content-Type`"),
        Some(value) if stream.media_type() == "text/event-stream" => {
            Outcome::pass(format!("`{value}`"))
        }
        Some(value) => Outcome::fail(format!("expected `text/event-stream`, seen `{value}`")),
    }
}

fn hint(seen: &Seen) -> String {
    match seen.stream.status {
        401 | 403 if seen.has_bearer => "; the server does not accept the token".to_owned(),
        401 | 403 => "; a token is given with `--bearer`".to_owned(),
        404 => "; is the path right? it is given with `--stream-path`".to_owned(),
        405 => "; this profile watches with GET, an endpoint that takes POST is judged by the profile `ag-ui@1.0`"
            .to_owned(),
        300..=399 => match seen.stream.header("location") {
            Some(place) => format!("; it redirects to `{place}`, and redirects are not followed"),
            None => String::new(),
        },
        _ => String::new(),
    }
}

fn cache_control(seen: &Seen) -> Outcome {
    let stream = match opened(seen) {
        Ok(stream) => stream,
        Err(why) => return Outcome::Inconclusive(why),
    };
    match stream.header("cache-control") {
        None => Outcome::fail("expected `no-cache`, but there is no `Cache-Control`"),
        Some(value) if has_word(&value, "no-cache") => Outcome::pass(format!("`{value}`")),
        Some(value) => Outcome::fail(format!("expected `no-cache`, seen `{value}`")),
    }
}

fn connection(seen: &Seen) -> Outcome {
    let stream = match opened(seen) {
        Ok(stream) => stream,
        Err(why) => return Outcome::Inconclusive(why),
    };
    match stream.header("connection") {
        None if !stream.is_http1 => Outcome::pass("missing, as HTTP/2 wants it"),
        None => Outcome::fail("expected `keep-alive`, but there is no `Connection` over HTTP/1"),
        Some(value) if has_word(&value, "keep-alive") && !has_word(&value, "close") => {
            Outcome::pass(format!("`{value}`"))
        }
        Some(value) => Outcome::fail(format!("expected `keep-alive`, seen `{value}`")),
    }
}

/// Returns the stream; else why its headers say nothing.
fn opened(seen: &Seen) -> Result<&Answered, String> {
    match seen.stream.status {
        200 => Ok(&seen.stream),
        status => Err(format!("there is no stream: status {status}")),
    }
}

fn has_word(list: &str, word: &str) -> bool {
    let mut words = list.split(',');
    words.any(|found| found.trim().eq_ignore_ascii_case(word))
}
