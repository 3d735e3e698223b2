//! Streamable HTTP: sessions, the version in the header, origins, other methods.

use ananke_model::conformance::{Layer, Level};

use super::super::asked::McpAsked;
use crate::exchange::{Asked, Exchange, Framing};
use crate::rpc::{came, response};
use crate::rule::{Findings, Rule};

static SESSION_ID: Rule = Rule {
    id: "mcp.session-id",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "the id of a session is visible ASCII",
    reason: "Clients send it back in a header, which cannot hold anything else.",
    section: "Transports, session management (with a handshake)",
    advice: "Use a random UUID or a token of letters and digits.",
    needs: "session id",
};

static SESSION_MISSING: Rule = Rule {
    id: "mcp.session-missing",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Should),
    title: "a server that requires the session id refuses requests without it with 400",
    reason: "With 400 a client knows that its request is wrong, and not the server.",
    section: "Transports, session management (with a handshake)",
    advice: "Answer 400 to everything but `initialize` if `Mcp-Session-Id` is missing.",
    needs: "refusal of a request without the session id",
};

static SESSION_ENDED: Rule = Rule {
    id: "mcp.session-ended",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "requests in a session that was ended get 404",
    reason: "With 404 a client knows that it has to shake hands again.",
    section: "Transports, session management (with a handshake)",
    advice: "Answer 404 once `DELETE` was accepted.",
    needs: "request in a session that the server has ended",
};

static VERSION_HEADER: Rule = Rule {
    id: "mcp.version-header",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "an unknown version in `MCP-Protocol-Version` is refused with 400",
    reason: "A server that goes on would answer in another version than the one that is asked for.",
    section: "Transports, protocol version header",
    advice: "Answer 400 unless the header names a version that you support.",
    needs: "answer to a request with an unknown version in the header",
};

static ORIGIN: Rule = Rule {
    id: "mcp.origin",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Should),
    title: "requests of foreign web pages are refused",
    reason: "By DNS rebinding any page on the web can reach a server on the user's own machine.",
    section: "Transports, security warning",
    advice: "Answer 403 unless `Origin` is missing or one that you allow.",
    needs: "answer to a request with a foreign `Origin`",
};

static REQUEST_CONTENT_TYPE: Rule = Rule {
    id: "mcp.request-content-type",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Convention),
    title: "a body that is not said to be JSON is refused",
    reason: "Forms of foreign web pages can send text, but not JSON, without being asked first.",
    section: "Transports, streamable HTTP, sending messages",
    advice: "Answer 415 or 400 unless the content type is `application/json`.",
    needs: "answer to a body of type `text/plain`",
};

static GET: Rule = Rule {
    id: "mcp.get",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "GET is answered with an event stream or 405",
    reason: "Clients open a stream with GET for what the server says unasked, and do without one only after 405.",
    section: "Transports, listening for messages (with a handshake)",
    advice: "Answer 405 if there is no such stream.",
    needs: "answer to GET",
};

pub(super) const RULES: &[&Rule] = &[
    &SESSION_ID,
    &SESSION_MISSING,
    &SESSION_ENDED,
    &VERSION_HEADER,
    &ORIGIN,
    &REQUEST_CONTENT_TYPE,
    &GET,
];

pub(super) fn look(
    exchange: &Exchange,
    asked: McpAsked,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    let answer = &exchange.answer;
    if exchange.answer.is_locked() {
        return;
    }
    if asked == McpAsked::Initialize
        && let Some(id) = answer.header("mcp-session-id")
    {
        found.saw(&SESSION_ID);
        let is_visible = id.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        if id.is_empty() || !is_visible {
            found.whole(&SESSION_ID, format!("expected visible ASCII, saw {id:?}"));
        }
    }
    let status = answer.status.unwrap_or_default();
    let is_refused = (400..500).contains(&status);
    let has_result = response(answer).is_some_and(|reply| reply.result().is_some());
    let (rule, fits, wanted) = match asked {
        // Who answers does not require it.
        McpAsked::NoSession if has_result => return,
        McpAsked::NoSession => (&SESSION_MISSING, status == 400, "status 400"),
        McpAsked::Ended if was_ended(earlier) => (&SESSION_ENDED, status == 404, "status 404"),
        McpAsked::BadVersionHeader => (&VERSION_HEADER, is_refused, "status 400"),
        McpAsked::ForeignOrigin => (&ORIGIN, is_refused, "status 403"),
        McpAsked::ContentType => (&REQUEST_CONTENT_TYPE, is_refused, "status 415 or 400"),
        McpAsked::Get => {
            let is_stream = status == 200 && answer.framing == Framing::Sse;
            (
                &GET,
                is_stream || status == 405,
                "an event stream or status 405",
            )
        }
        _ => return,
    };
    found.saw(rule);
    if !fits {
        let saw = match asked {
            McpAsked::Get => format!("status {status}"),
            _ => came(&exchange.answer),
        };
        found.whole(rule, format!("expected {wanted}, saw {saw}"));
    }
}

/// Tells whether the server agreed to end the session.
fn was_ended(earlier: &[Exchange]) -> bool {
    let mut deletes = earlier
        .iter()
        .rev()
        .filter(|other| other.asked == Asked::Mcp(McpAsked::Delete));
    let status = deletes.next().and_then(|delete| delete.answer.status);
    status.is_some_and(|status| (200..300).contains(&status))
}
