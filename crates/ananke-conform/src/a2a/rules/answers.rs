//! What every answer must have: a content type, and the envelope of JSON-RPC.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::A2aAsked;
use crate::exchange::{Exchange, Framing};
use crate::rpc::{envelope_problems, replies};
use crate::rule::{Findings, Rule};

static CONTENT_TYPE: Rule = Rule {
    id: "a2a.content-type",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "answers are `application/json`, or an event stream",
    reason: "By the content type a client knows whether one response comes, or a stream of them.",
    section: "JSON-RPC binding, transport",
    advice: "Send responses as `application/json`, errors too.",
    needs: "answer with a body",
};

static STREAM_TYPE: Rule = Rule {
    id: "a2a.stream-type",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a streamed answer is `text/event-stream`",
    reason: "An agent that declares `capabilities.streaming` answers a streaming request with Server-Sent Events.",
    section: "Send streaming message",
    advice: "Answer with `text/event-stream`, or set `capabilities.streaming` to false.",
    needs: "result of a streaming request",
};

static ENVELOPE: Rule = Rule {
    id: "a2a.envelope",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every response is one of JSON-RPC 2.0, with a result or an error",
    reason: "Clients read results and errors by these members alone.",
    section: "JSON-RPC binding, responses",
    advice: "Send `{\"jsonrpc\": \"2.0\", \"id\": …}` with exactly one of `result` and `error`; an error has a `code` and a `message`.",
    needs: "answer with a body",
};

static ID_ECHO: Rule = Rule {
    id: "a2a.id-echo",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a response has the id of its request",
    reason: "Clients match responses with requests by their ids, also within a stream.",
    section: "JSON-RPC binding, responses",
    advice: "Repeat the id as it came: a number stays a number.",
    needs: "response to a request with an id",
};

pub(super) const RULES: &[&Rule] = &[&CONTENT_TYPE, &STREAM_TYPE, &ENVELOPE, &ID_ECHO];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    let answer = &exchange.answer;
    // Whoever asks for access answers before JSON-RPC does.
    if matches!(answer.status, None | Some(401 | 403)) {
        return;
    }
    if answer.framing != Framing::Sse && !answer.events.is_empty() {
        found.saw(&CONTENT_TYPE);
        let media = answer.media_type().unwrap_or_default();
        if media != "application/json" {
            let status = answer.status.unwrap_or_default();
            let message =
                format!("expected `application/json`, saw `{media}` with status {status}");
            found.whole(&CONTENT_TYPE, message);
        }
    }
    for (number, event) in answer.events.iter().enumerate() {
        found.saw(&ENVELOPE);
        if let Err(why) = &event.value {
            let place = (answer.framing == Framing::Sse).then_some(number);
            let message = format!("expected a response of JSON-RPC, saw no JSON: {why}");
            found.told(&ENVELOPE, place, message);
        }
    }
    let id = exchange
        .request
        .as_ref()
        .and_then(|request| request.get("id"));
    for reply in replies(answer) {
        for problem in envelope_problems(reply.value) {
            found.told(&ENVELOPE, reply.event, problem);
        }
        if let Some(id) = id {
            found.saw(&ID_ECHO);
            if reply.value.get("id") != Some(id) {
                let seen = reply.value.get("id").unwrap_or(&Value::Null);
                found.told(
                    &ID_ECHO,
                    reply.event,
                    format!("expected the id {id}, saw {seen}"),
                );
            }
        }
        let is_result = reply.result().is_some();
        if asked == A2aAsked::Stream && is_result {
            found.saw(&STREAM_TYPE);
            if answer.framing != Framing::Sse {
                let media = answer.media_type().unwrap_or_default();
                let message = format!("expected `text/event-stream`, saw `{media}`");
                found.whole(&STREAM_TYPE, message);
            }
        }
    }
}
