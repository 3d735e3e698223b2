//! Targets as written: complete ones in the config, overrides in tests.

use std::collections::HashMap;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{ClientTool, Clock, Encoding, Envelope, Era, History};

use super::Found;
use super::assert::{AssertAt, AssertSpec, assert};
use super::connectors::{connector, connectors};
use super::identity::{IdentitySpec, identity};
use super::object::Object;
use super::tool_name::tool_name;
use super::values::{
    boolean, bytes, choice, items, json, millis, mismatch, positive, scalar, scalars, text,
};
use super::version::later;
use crate::schema::{
    CLIENT_TOOL, CLOCK, CONTEXT, ENCODING, ENVELOPE, ERA, HISTORY, LIMITS, TARGET, TLS,
};
use crate::yaml::{Kind, Node, ScalarKind};

/// A target as written; every key may be absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct TargetSpec {
    pub(crate) place: Place,
    pub(crate) kind: Option<TargetKind>,
    pub(crate) endpoint: Option<Text>,
    pub(crate) agent_id: Option<Text>,
    pub(crate) thread_id: Option<Text>,
    pub(crate) headers: Vec<(Text, Text)>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) connect_timeout_ms: Option<u64>,
    pub(crate) assert: Option<AssertSpec>,
    pub(crate) forwarded_props: Option<Json>,
    pub(crate) state: Option<Json>,
    pub(crate) context: Option<Vec<(Text, Text)>>,
    pub(crate) tools: Option<Vec<ClientTool>>,
    /// With the place of the word.
    pub(crate) envelope: Option<(Place, Envelope)>,
    pub(crate) history: Option<History>,
    pub(crate) era: Option<Era>,
    pub(crate) encoding: Option<Encoding>,
    pub(crate) clock: Option<Clock>,
    pub(crate) tls_ca: Option<Text>,
    pub(crate) tls_insecure: Option<bool>,
    pub(crate) event_bytes: Option<usize>,
    pub(crate) turn_bytes: Option<usize>,
    pub(crate) concurrency: Option<usize>,
    pub(crate) group: Option<Text>,
    pub(crate) backoff_ms: Option<u64>,
    pub(crate) identity: Option<IdentitySpec>,
    /// What differs for each connector.
    pub(crate) connectors: Option<Vec<(Text, Self)>>,
    pub(crate) connector: Option<Text>,
    /// Keys that were written wrong, so that nobody says that they are missing.
    pub(crate) refused: Vec<&'static str>,
}

/// The protocols that a target can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// `type: agui`.
    Agui,
}

/// Reads a target of the config, which must be complete.
pub(super) fn target(node: &Node, found: &mut Found) -> Option<TargetSpec> {
    let object = Object::open(node, &TARGET, found)?;
    Some(keys(&object, found))
}

/// Reads the keys with which a test overrides its target.
pub(super) fn overrides(node: &Node, found: &mut Found) -> Option<TargetSpec> {
    let object = Object::open_partial(node, &TARGET, found)?;
    Some(keys(&object, found))
}

fn keys(object: &Object<'_>, found: &mut Found) -> TargetSpec {
    let kind = object.get("type").map(|node| kind(node, found));
    let endpoint = object.get("endpoint").map(|node| text(node, found));
    let mut refused = Vec::new();
    if kind == Some(None) {
        refused.push("type");
    }
    if endpoint == Some(None) {
        refused.push("endpoint");
    }
    let tls = object.get("tls").map(|node| tls(node, found));
    let (tls_ca, tls_insecure) = tls.unwrap_or_default();
    let limits = object.get("limits").map(|node| limits(node, found));
    let (event_bytes, turn_bytes) = limits.unwrap_or_default();
    let mut word = |key, words| object.get(key).and_then(|node| choice(node, words, found));
    let envelope = word("envelope", ENVELOPE).map(|word| match word {
        "copilotkit" => Envelope::CopilotKit,
        "copilotkit-rest" => Envelope::CopilotKitRest,
        _ => Envelope::Plain,
    });
    let envelope_place = object.get("envelope").map(|node| node.place.clone());
    let history = word("history", HISTORY).map(|word| match word {
        "last" => History::Last,
        _ => History::Full,
    });
    let era = word("era", ERA).map(|word| match word {
        "0.x" => Era::Before1,
        _ => Era::V1,
    });
    let encoding = word("encoding", ENCODING).map(|word| match word {
        "protobuf" => Encoding::Protobuf,
        _ => Encoding::Sse,
    });
    let clock = word("clock", CLOCK).map(|word| match word {
        "event" => Clock::Event,
        _ => Clock::Arrival,
    });
    TargetSpec {
        place: object.place().clone(),
        kind: kind.flatten(),
        endpoint: endpoint.flatten(),
        agent_id: object.get("agentId").and_then(|node| text(node, found)),
        thread_id: object.get("threadId").and_then(|node| text(node, found)),
        headers: object
            .get("headers")
            .map(|node| headers(node, found))
            .unwrap_or_default(),
        timeout_ms: object
            .get("timeout_ms")
            .and_then(|node| millis(node, found)),
        connect_timeout_ms: object
            .get("connect_timeout_ms")
            .and_then(|node| millis(node, found)),
        assert: object
            .get("assert")
            .and_then(|node| assert(node, AssertAt::Target, found)),
        forwarded_props: object
            .get("forwardedProps")
            .and_then(|node| json(node, found)),
        state: object.get("state").and_then(|node| json(node, found)),
        context: object.get("context").and_then(|node| context(node, found)),
        tools: object.get("tools").and_then(|node| tools(node, found)),
        envelope: envelope_place.zip(envelope),
        history,
        era,
        encoding,
        clock,
        tls_ca,
        tls_insecure,
        event_bytes,
        turn_bytes,
        concurrency: object
            .get("concurrency")
            .and_then(|node| positive(node, found)),
        group: object.get("group").and_then(|node| group(node, found)),
        backoff_ms: object
            .get("backoff_ms")
            .and_then(|node| millis(node, found)),
        identity: object
            .get("identity")
            .and_then(|node| identity(node, found)),
        connectors: object
            .get("connectors")
            .and_then(|node| connectors(node, found)),
        connector: object
            .get("connector")
            .and_then(|node| connector(node, found)),
        refused,
    }
}

fn kind(node: &Node, found: &mut Found) -> Option<TargetKind> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, "`agui`", found);
        return None;
    };
    let needed = match scalar.text.as_str() {
        "agui" => return Some(TargetKind::Agui),
        "a2a" => Some("1.1"),
        "mcp" => Some("1.2"),
        _ => None,
    };
    found.push(match needed {
        Some(version) => {
            let what = format!("`type: {}` comes", scalar.text);
            later(&node.place, &what, version)
        }
        None => {
            let message = format!("unknown target type `{}`", scalar.text);
            let diagnostic = Diagnostic::error(&node.place, message).label("expected `agui`");
            match did_you_mean(&scalar.text, ["agui"]) {
                Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
                None => diagnostic,
            }
        }
    });
    None
}

/// Reads the name of a group. It decides who waits for whom before any hook runs, so it holds no references.
fn group(node: &Node, found: &mut Found) -> Option<Text> {
    let name = text(node, found)?;
    if name.text.contains("${") {
        let message = "a group is named without references";
        found.push(Diagnostic::error(&name.place, message).label("expected a plain name"));
        return None;
    }
    Some(name)
}

/// Reads a map of header names with scalars.
pub(super) fn headers(node: &Node, found: &mut Found) -> Vec<(Text, Text)> {
    let mut headers = Vec::new();
    let mut places = HashMap::new();
    for (name, value) in scalars(node, found) {
        if !is_header_name(&name.text) {
            let message = format!("`{}` is not a header name", name.text.escape_debug());
            let label = "expected letters, digits and `-`";
            found.push(Diagnostic::error(&name.place, message).label(label));
        } else if is_new(
            &name,
            &name.text.to_lowercase(),
            "header",
            &mut places,
            found,
        ) {
            headers.push((name, value));
        }
    }
    headers
}

/// Tells whether `key` was not seen before, and reports it if it was.
fn is_new(
    name: &Text,
    key: &str,
    what: &str,
    places: &mut HashMap<String, Place>,
    found: &mut Found,
) -> bool {
    let Some(first) = places.get(key) else {
        places.insert(key.to_owned(), name.place.clone());
        return true;
    };
    let message = format!("the {what} `{}` is written twice", name.text);
    let label = format!("first written at {first}");
    found.push(Diagnostic::error(&name.place, message).label(label));
    false
}

/// Tells whether `name` is a `token` of RFC 9110.
pub(super) fn is_header_name(name: &str) -> bool {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(token)
}

fn context(node: &Node, found: &mut Found) -> Option<Vec<(Text, Text)>> {
    let items = items(node, found)?;
    let entry = |item: &Node| {
        let object = Object::open(item, &CONTEXT, found)?;
        let description = object.get("description").and_then(|node| text(node, found));
        let value = object.get("value").and_then(|node| scalar(node, found));
        Some((description?, value?))
    };
    Some(items.iter().filter_map(entry).collect())
}

fn tools(node: &Node, found: &mut Found) -> Option<Vec<ClientTool>> {
    let items = items(node, found)?;
    let mut places = HashMap::new();
    let mut tools = Vec::new();
    for item in items {
        if let Some(tool) = tool(item, found)
            && is_new(&tool.name, &tool.name.text, "tool", &mut places, found)
        {
            tools.push(tool);
        }
    }
    Some(tools)
}

fn tool(node: &Node, found: &mut Found) -> Option<ClientTool> {
    let object = Object::open(node, &CLIENT_TOOL, found)?;
    let name = object.get("name").and_then(|node| tool_name(node, found));
    let description = object
        .get("description")
        .and_then(|node| scalar(node, found));
    let parameters = object.get("parameters").and_then(|node| {
        if !matches!(node.kind, Kind::Map(_)) {
            mismatch(node, "a JSON Schema, which is a map", found);
            return None;
        }
        json(node, found)
    });
    let result = object.get("result").and_then(|node| json(node, found));
    Some(ClientTool {
        name: name?,
        description: description.unwrap_or_else(|| Text {
            text: String::new(),
            place: node.place.clone(),
        }),
        parameters,
        result,
    })
}

fn tls(node: &Node, found: &mut Found) -> (Option<Text>, Option<bool>) {
    let Some(object) = Object::open(node, &TLS, found) else {
        return (None, None);
    };
    let ca = object.get("ca").and_then(|node| text(node, found));
    let insecure = object.get("insecure").and_then(|node| boolean(node, found));
    (ca, insecure)
}

fn limits(node: &Node, found: &mut Found) -> (Option<usize>, Option<usize>) {
    let Some(object) = Object::open(node, &LIMITS, found) else {
        return (None, None);
    };
    let mut size = |key| object.get(key).and_then(|node| bytes(node, found));
    (size("event_bytes"), size("turn_bytes"))
}
