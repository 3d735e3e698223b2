//! What every answer must have: a content type, and the envelope of JSON-RPC.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::McpAsked;
use crate::exchange::{Exchange, Framing};
use crate::rpc::{came, envelope_problems, replies};
use crate::rule::{Findings, Rule};

static CONTENT_TYPE: Rule = Rule {
    id: "mcp.content-type",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a request is answered with `application/json` or `text/event-stream`",
    reason: "By the content type a client knows whether one response comes, or a stream that holds it.",
    section: "Transports, streamable HTTP, sending messages",
    advice: "Send one of the two content types with every response.",
    needs: "answer with status 200",
};

static NOTIFICATION: Rule = Rule {
    id: "mcp.notification-accepted",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "a notification is answered with 202 and nothing else",
    reason: "Nobody waits for a response to it, and a body would be taken for one.",
    section: "Transports, streamable HTTP, sending messages",
    advice: "Answer notifications with 202 and an empty body.",
    needs: "answer to a notification",
};

static ENVELOPE: Rule = Rule {
    id: "mcp.envelope",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "every message is one of JSON-RPC 2.0",
    reason: "Clients read results and errors by these members alone.",
    section: "Base protocol, messages",
    advice: "Send `{\"jsonrpc\": \"2.0\", \"id\": …}` with exactly one of `result` and `error`; an error has a `code` and a `message`.",
    needs: "message of the server",
};

static ID_ECHO: Rule = Rule {
    id: "mcp.id-echo",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "a response has the id of its request",
    reason: "Clients match responses with requests by their ids.",
    section: "Base protocol, responses",
    advice: "Repeat the id as it came: a number stays a number.",
    needs: "response to a request",
};

pub(super) const RULES: &[&Rule] = &[&CONTENT_TYPE, &NOTIFICATION, &ENVELOPE, &ID_ECHO];

pub(super) fn look(exchange: &Exchange, asked: McpAsked, found: &mut Findings) {
    let answer = &exchange.answer;
    if asked == McpAsked::Initialized {
        notification(exchange, found);
        return;
    }
    // What is refused by HTTP itself may have any body.
    if answer.status != Some(200) || matches!(asked, McpAsked::Get | McpAsked::Delete) {
        return;
    }
    found.saw(&CONTENT_TYPE);
    let media = answer.media_type().unwrap_or_default();
    if media != "application/json" && answer.framing != Framing::Sse {
        let message = format!("expected `application/json` or `text/event-stream`, saw `{media}`");
        found.whole(&CONTENT_TYPE, message);
    }
    for (number, event) in answer.events.iter().enumerate() {
        // Empty events keep streams alive.
        if let Err(why) = &event.value
            && !event.data.trim().is_empty()
        {
            let place = (answer.framing == Framing::Sse).then_some(number);
            let message = format!("expected a message of JSON-RPC, saw no JSON: {why}");
            found.told(&ENVELOPE, place, message);
        }
    }
    let id = exchange
        .request
        .as_ref()
        .and_then(|request| request.get("id"));
    for reply in replies(answer) {
        found.saw(&ENVELOPE);
        if reply.value.get("method").is_some() {
            if reply
                .value
                .get("jsonrpc")
                .is_none_or(|version| version != "2.0")
            {
                let message = "`jsonrpc` should be \"2.0\"";
                found.told(&ENVELOPE, reply.event, message);
            }
            continue;
        }
        for problem in envelope_problems(reply.value) {
            found.told(&ENVELOPE, reply.event, problem);
        }
        let Some(id) = id else {
            continue;
        };
        found.saw(&ID_ECHO);
        if reply.value.get("id") != Some(id) {
            let seen = reply.value.get("id").unwrap_or(&Value::Null);
            let message = format!("expected the id {id}, saw {seen}");
            found.told(&ID_ECHO, reply.event, message);
        }
    }
}

fn notification(exchange: &Exchange, found: &mut Findings) {
    if exchange.answer.is_locked() {
        return;
    }
    found.saw(&NOTIFICATION);
    let answer = &exchange.answer;
    let has_body = answer.events.iter().any(|event| match &event.value {
        // Some frameworks write an empty answer as `null`.
        Ok(value) => !value.is_null(),
        Err(_) => !event.data.trim().is_empty(),
    });
    if answer.status != Some(202) {
        let message = format!("expected status 202, saw {}", came(&exchange.answer));
        found.whole(&NOTIFICATION, message);
    } else if has_body {
        found.whole(&NOTIFICATION, "expected no body, saw one");
    }
}
