//! The head of the answer to a run: its status and its content type.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::{Answer, Asked, Ending, Exchange};
use crate::rule::{Findings, Rule};

static STATUS: Rule = Rule {
    id: "http.status",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a run that is asked for as the protocol says is answered with status 200",
    reason: "A client reads events only from an answer with status 200; any other status means that the run was refused.",
    section: "HTTP binding, response",
    advice: "Check the path, the method and the headers that the server wants. If it wants a token, pass it as a header.",
    needs: "answer to a run",
};

static CONTENT_TYPE: Rule = Rule {
    id: "http.content-type",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the answer to a run is `text/event-stream`, in UTF-8",
    reason: "The content type is how a client knows that events follow, and in which form.",
    section: "HTTP binding, response",
    advice: "Send `Content-Type: text/event-stream` with every stream; `; charset=utf-8` may follow.",
    needs: "answer with status 200",
};

pub(super) const RULES: &[&Rule] = &[&STATUS, &CONTENT_TYPE];

/// How much of an error page is told.
const MAX_TEXT: usize = 200;

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    if matches!(exchange.asked, Asked::Run | Asked::Abort) {
        look_at_status(answer, found);
    }
    // What a probe may be answered with has rules of its own.
    let is_probe = matches!(exchange.asked, Asked::Probe(_));
    if !is_probe && answer.status == Some(200) {
        look_at_content_type(answer, found);
    }
}

fn look_at_status(answer: &Answer, found: &mut Findings) {
    match (&answer.ending, answer.status) {
        (Ending::NoAnswer(why), _) => {
            found.whole(
                &STATUS,
                format!("expected status 200, but no answer came: {why}"),
            );
        }
        (_, Some(200)) => found.saw(&STATUS),
        (_, Some(status)) => {
            let hint = match status {
                300..=399 => answer.header("location").map_or_else(String::new, |place| {
                    format!("; it redirects to `{place}`: is that the address of the agent?")
                }),
                401 | 403 => "; a header that proves who asks may be missing".to_owned(),
                404 => "; is the path right?".to_owned(),
                _ => String::new(),
            };
            let body = body_in_words(answer);
            found.whole(
                &STATUS,
                format!("expected status 200, saw {status}{hint}{body}"),
            );
        }
        (_, None) => {}
    }
}

fn look_at_content_type(answer: &Answer, found: &mut Findings) {
    found.saw(&CONTENT_TYPE);
    let Some(value) = answer.header("content-type") else {
        found.whole(
            &CONTENT_TYPE,
            "expected `content-type: text/event-stream`, saw an answer without content type",
        );
        return;
    };
    if answer.media_type().as_deref() != Some("text/event-stream") {
        let body = body_in_words(answer);
        let message = format!("expected `text/event-stream`, saw `{value}`{body}");
        found.whole(&CONTENT_TYPE, message);
        return;
    }
    let charset = value.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches('"').to_ascii_lowercase())
    });
    if let Some(charset) = charset.filter(|charset| !matches!(charset.as_str(), "utf-8" | "utf8")) {
        let message = format!("expected the charset `utf-8` or none, saw `{charset}`");
        found.whole(&CONTENT_TYPE, message);
    }
}

/// Returns the beginning of a body that is no stream, as the end of a message.
pub(super) fn body_in_words(answer: &Answer) -> String {
    let text = answer
        .text
        .split_whitespace()
        .collect::<Vec<&str>>()
        .join(" ");
    let (begin, rest) = text.split_at(text.floor_char_boundary(MAX_TEXT));
    match (begin, rest) {
        ("", _) => String::new(),
        (all, "") => format!("; the body says: {all}"),
        (some, _) => format!("; the body says: {some}…"),
    }
}
