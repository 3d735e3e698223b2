//! How a server begins: the handshake, and what it says of itself without one.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::McpAsked;
use super::super::era::KNOWN;
use crate::exchange::{Asked, Ending, Exchange};
use crate::rpc::{Kind, Reply, came, member, response};
use crate::rule::{Findings, Rule};

static INITIALIZE_RESULT: Rule = Rule {
    id: "mcp.initialize-result",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "the handshake names a version, capabilities and the server",
    reason: "Clients decide by them what they may ask for.",
    section: "Lifecycle, initialization",
    advice: "Answer with `protocolVersion`, `capabilities`, and `serverInfo` with `name` and `version`.",
    needs: "result of `initialize`",
};

static INITIALIZE_VERSION: Rule = Rule {
    id: "mcp.initialize-version",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "the version of the handshake is one that there is",
    reason: "A client that does not know the version has to hang up.",
    section: "Lifecycle, version negotiation",
    advice: "Answer with the date of a published revision.",
    needs: "result of `initialize`",
};

static DISCOVER_RESULT: Rule = Rule {
    id: "mcp.discover-result",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "`server/discover` names versions and capabilities",
    reason: "Without a handshake this is all that a client knows of a server.",
    section: "Discovery",
    advice: "Answer with `supportedVersions`, at least one, and `capabilities`.",
    needs: "result of `server/discover`",
};

static NEGOTIATION: Rule = Rule {
    id: "mcp.version-negotiation",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "a handshake with an unknown version is answered with one that the server knows",
    reason: "Only so a newer client finds a version that both know.",
    section: "Lifecycle, version negotiation",
    advice: "Never repeat a version that you do not know: answer with your newest.",
    needs: "answer to a handshake with an unknown version",
};

static MODERN_VERSION: Rule = Rule {
    id: "mcp.unsupported-version",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "without a handshake, an unknown version is refused with -32022",
    reason: "The error names the versions that a client can try instead.",
    section: "Versioning, unsupported protocol version",
    advice: "Answer with the error -32022 and the supported versions.",
    needs: "answer of a server without a handshake to an unknown version",
};

static BEGINS: Rule = Rule {
    id: "mcp.begins",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "the server speaks with a handshake, or without one",
    reason: "A server that answers neither `initialize` nor `server/discover` cannot be worked with at all.",
    section: "Lifecycle, initialization, and discovery",
    advice: "See that this is the address that takes messages, and answer `initialize` with a result.",
    needs: "answer to `initialize`",
};

static DISCOVER_ANSWERED: Rule = Rule {
    id: "mcp.discover-answered",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Convention),
    title: "`server/discover` is answered or refused, and not met with silence",
    reason: "Newer clients ask it first; one that gets nothing waits until its time is over before it shakes hands.",
    section: "Discovery, older servers",
    advice: "Refuse what you do not know with an error at once.",
    needs: "request for `server/discover`",
};

static PING: Rule = Rule {
    id: "mcp.ping",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "`ping` is answered with an empty result",
    reason: "Clients hang up when nobody answers it.",
    section: "Utilities, ping (with a handshake)",
    advice: "Answer with `{}`.",
    needs: "answer to `ping`",
};

pub(super) const RULES: &[&Rule] = &[
    &INITIALIZE_RESULT,
    &DISCOVER_RESULT,
    &INITIALIZE_VERSION,
    &NEGOTIATION,
    &MODERN_VERSION,
    &BEGINS,
    &DISCOVER_ANSWERED,
    &PING,
];

pub(super) fn look(
    exchange: &Exchange,
    asked: McpAsked,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    if exchange.answer.is_locked() {
        return;
    }
    let reply = response(&exchange.answer);
    let event = reply.and_then(|reply| reply.event);
    let result = reply.and_then(Reply::result);
    let mut unless = |rule, fits: bool, wanted: &str| {
        found.saw(rule);
        if !fits {
            let message = format!("expected {wanted}, saw {}", came(&exchange.answer));
            found.told(rule, event, message);
        }
    };
    match asked {
        McpAsked::Discover => {
            let is_silent = matches!(exchange.answer.ending, Ending::NoAnswer(_))
                || exchange.answer.overdue().is_some();
            unless(&DISCOVER_ANSWERED, !is_silent, "a result or an error");
            if let Some(result) = result {
                discovered(result, event, found);
            }
        }
        McpAsked::DiscoverVersion => {
            let code = reply.and_then(Reply::code);
            unless(&MODERN_VERSION, code == Some(-32022), "the error -32022");
        }
        McpAsked::Initialize => {
            let begins = result.is_some() || earlier.iter().any(is_discovered);
            unless(&BEGINS, begins, "a result");
            if let Some(result) = result {
                initialized(result, event, found);
            }
        }
        McpAsked::InitializeVersion => negotiated(exchange, reply, found),
        McpAsked::Ping => {
            let is_object = result.is_some_and(Value::is_object);
            unless(&PING, is_object, "an empty result");
        }
        _ => {}
    }
}

/// Tells whether the server speaks without a handshake.
fn is_discovered(exchange: &Exchange) -> bool {
    exchange.asked == Asked::Mcp(McpAsked::Discover)
        && response(&exchange.answer).is_some_and(|reply| reply.result().is_some())
}

fn discovered(result: &Value, event: Option<usize>, found: &mut Findings) {
    found.saw(&DISCOVER_RESULT);
    let members = [
        ("supportedVersions", Kind::List),
        ("capabilities", Kind::Object),
    ];
    for (name, kind) in members {
        if let Some(problem) = member(result, name, kind) {
            found.told(&DISCOVER_RESULT, event, problem);
        }
    }
    let versions = result.get("supportedVersions").and_then(Value::as_array);
    if versions.is_some_and(Vec::is_empty) {
        found.told(&DISCOVER_RESULT, event, "`supportedVersions` is empty");
    }
    let mut versions = versions.into_iter().flatten();
    if let Some(odd) = versions.find(|version| !version.is_string()) {
        let message = format!("`supportedVersions` should hold strings, and holds {odd}");
        found.told(&DISCOVER_RESULT, event, message);
    }
}

fn initialized(result: &Value, event: Option<usize>, found: &mut Findings) {
    found.saw(&INITIALIZE_RESULT);
    let members = [
        ("protocolVersion", Kind::Name),
        ("capabilities", Kind::Object),
        ("serverInfo", Kind::Object),
    ];
    for (name, kind) in members {
        if let Some(problem) = member(result, name, kind) {
            found.told(&INITIALIZE_RESULT, event, problem);
        }
    }
    if let Some(server) = result.get("serverInfo").filter(|server| server.is_object()) {
        for name in ["name", "version"] {
            if let Some(problem) = member(server, name, Kind::Text) {
                let message = format!("`serverInfo`: {problem}");
                found.told(&INITIALIZE_RESULT, event, message);
            }
        }
    }
    let Some(version) = result.get("protocolVersion").and_then(Value::as_str) else {
        return;
    };
    found.saw(&INITIALIZE_VERSION);
    if !KNOWN.contains(&version) {
        let message = format!("expected one of {}, saw `{version}`", KNOWN.join(", "));
        found.told(&INITIALIZE_VERSION, event, message);
    }
}

fn negotiated(exchange: &Exchange, reply: Option<Reply<'_>>, found: &mut Findings) {
    found.saw(&NEGOTIATION);
    let event = reply.and_then(|reply| reply.event);
    let version = reply.and_then(|reply| reply.result()?.get("protocolVersion")?.as_str());
    match version {
        Some(version) if KNOWN.contains(&version) => {}
        Some(version) => {
            let message = format!("expected a version that the server knows, saw `{version}`");
            found.told(&NEGOTIATION, event, message);
        }
        // A refusal is clear as well.
        None if reply.is_some_and(|reply| reply.code().is_some()) => {}
        None => {
            let message = format!(
                "expected a version that the server knows, saw {}",
                came(&exchange.answer)
            );
            found.told(&NEGOTIATION, event, message);
        }
    }
}
