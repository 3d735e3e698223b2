//! What must be refused, and by which code.

use ananke_model::conformance::{Layer, Level};

use super::super::asked::McpAsked;
use crate::exchange::Exchange;
use crate::rpc::{Reply, came, response};
use crate::rule::{Findings, Rule};

static UNKNOWN_METHOD: Rule = Rule {
    id: "mcp.unknown-method",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "an unknown method is refused with -32601",
    reason: "By this code a client finds out what a server cannot do.",
    section: "Base protocol, error codes",
    advice: "Answer with the error -32601; without a handshake also with status 404.",
    needs: "answer to an unknown method",
};

static UNKNOWN_TOOL: Rule = Rule {
    id: "mcp.unknown-tool",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "a call of an unknown tool does not succeed",
    reason: "A model that invents a tool must hear that it is not there.",
    section: "Tools, error handling",
    advice: "Answer with the error -32602, or with a result that has `isError: true`.",
    needs: "answer to a call of an unknown tool",
};

static BAD_PARAMS: Rule = Rule {
    id: "mcp.bad-params",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Should),
    title: "a call without a name is refused with -32602",
    reason: "The mistake is the client's, and only this code says so.",
    section: "Base protocol, error codes",
    advice: "Check the parameters first, and answer with the error -32602.",
    needs: "answer to a call without a name",
};

static BAD_CURSOR: Rule = Rule {
    id: "mcp.bad-cursor",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Should),
    title: "an invalid cursor is refused with -32602",
    reason: "A client that goes on from nowhere would take the first page for the next.",
    section: "Utilities, pagination, error handling",
    advice: "Answer with the error -32602 unless the cursor is one of yours.",
    needs: "answer to an invalid cursor",
};

static BAD_JSON: Rule = Rule {
    id: "mcp.bad-json",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "a body that is no JSON is refused with an error status or -32700",
    reason: "A client must be able to tell a request that never arrived whole from one that failed.",
    section: "Transports, streamable HTTP, sending messages",
    advice: "Answer with status 400 and the error -32700.",
    needs: "answer to a body that is no JSON",
};

pub(super) const RULES: &[&Rule] = &[
    &UNKNOWN_METHOD,
    &UNKNOWN_TOOL,
    &BAD_PARAMS,
    &BAD_CURSOR,
    &BAD_JSON,
];

pub(super) fn look(exchange: &Exchange, asked: McpAsked, found: &mut Findings) {
    let rule = match asked {
        McpAsked::UnknownMethod => &UNKNOWN_METHOD,
        McpAsked::UnknownTool => &UNKNOWN_TOOL,
        McpAsked::BadParams => &BAD_PARAMS,
        McpAsked::BadCursor => &BAD_CURSOR,
        McpAsked::BadJson => &BAD_JSON,
        _ => return,
    };
    if exchange.answer.is_locked() {
        return;
    }
    let reply = response(&exchange.answer);
    let code = reply.and_then(Reply::code);
    // A server without tools knows none of their methods.
    if code == Some(-32601) && matches!(asked, McpAsked::BadParams | McpAsked::BadCursor) {
        return;
    }
    found.saw(rule);
    let has_failed = reply.is_some_and(|reply| {
        let result = reply.result();
        let is_error = result.and_then(|result| result.get("isError"));
        reply.code().is_some() || is_error.is_some_and(|value| value == true)
    });
    let is_refused = exchange.answer.status.is_some_and(|status| status >= 400);
    let (fits, wanted) = match asked {
        McpAsked::UnknownMethod => (code == Some(-32601), "the error -32601"),
        McpAsked::UnknownTool => (has_failed, "an error, or a result with `isError: true`"),
        McpAsked::BadJson => (
            is_refused || code == Some(-32700),
            "an error status or the error -32700",
        ),
        _ => (code == Some(-32602), "the error -32602"),
    };
    if !fits {
        let event = reply.and_then(|reply| reply.event);
        let message = format!("expected {wanted}, saw {}", came(&exchange.answer));
        found.told(rule, event, message);
    }
}
