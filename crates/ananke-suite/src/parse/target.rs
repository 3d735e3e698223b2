//! Targets as written: complete ones in the config, overrides in tests.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{ClientTool, Clock, Encoding, Envelope, Era, History};

use super::Found;
use super::assert::{AssertAt, AssertSpec, assert};
use super::auth::{AuthSpec, auth};
use super::command::{command, environment};
use super::connectors::{connector, connectors};
use super::identity::{IdentitySpec, identity};
use super::object::{Object, word_list};
use super::target_a2a::{A2aSpec, a2a};
use super::target_chat::{ChatSpec, chat};
use super::target_kind::TargetKind;
use super::target_mcp::{McpSpec, mcp};
use super::target_parts::{context, group, headers, limits, tls, tools};
use super::target_run::{ScriptSpec, assistant_folder, assistant_id, function, preset, scripted};
use super::values::{choice, json, millis, mismatch, positive, scalar, text};
use crate::schema::{CLOCK, ENCODING, ENVELOPE, ERA, HISTORY, Shape, TARGET, TARGET_TYPES};
use crate::yaml::{Kind, Node, ScalarKind};

/// A target as written; every key may be absent, and those of other types are.
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
    /// What differs for each connector of an AG-UI target.
    pub(crate) connectors: Option<Vec<(Text, Self)>>,
    pub(crate) connector: Option<Text>,
    /// Who the client is.
    pub(crate) auth: Option<AuthSpec>,
    /// As written: which words there are depends on the type.
    pub(crate) protocol_version: Option<Text>,
    /// What an A2A agent is asked with.
    pub(crate) a2a: A2aSpec,
    /// Where an MCP server is.
    pub(crate) mcp: McpSpec,
    /// What a chat endpoint is asked with.
    pub(crate) chat: ChatSpec,
    /// Program and arguments.
    pub(crate) cmd: Option<Vec<Text>>,
    pub(crate) env: Option<Vec<(String, Text)>>,
    pub(crate) script: Option<ScriptSpec>,
    /// The folder of an assistant.
    pub(crate) folder: Option<Text>,
    /// The id of an assistant.
    pub(crate) id: Option<Text>,
    /// The prompts of an assistant.
    pub(crate) preset: Option<Text>,
    /// The keys that were written, so that those of another type can be refused.
    pub(crate) keys: Vec<Text>,
    /// Keys that were written wrong, so that nobody says that they are missing.
    pub(crate) refused: Vec<&'static str>,
}

/// Reads a target of the config, which must be complete.
pub(super) fn target(node: &Node, found: &mut Found) -> Option<TargetSpec> {
    let written = node.get("type").map(|node| kind(node, found));
    if let Some(None) = written {
        // Which keys it needs is not known; those that it has are checked.
        let object = Object::open_partial(node, fitting(node), found)?;
        let mut spec = keys(&object, None, found);
        spec.refused.push("type");
        return Some(spec);
    }
    let kind = written.flatten();
    let object = Object::open(node, kind.map_or(&TARGET, TargetKind::shape), found)?;
    Some(keys(&object, kind, found))
}

/// Reads the keys with which a test overrides its target, of whatever type that is.
pub(super) fn overrides(node: &Node, found: &mut Found) -> Option<TargetSpec> {
    let written = node.get("type").map(|node| kind(node, found));
    let shape = match written {
        Some(Some(kind)) => kind.shape(),
        Some(None) | None => fitting(node),
    };
    let object = Object::open_partial(node, shape, found)?;
    let mut spec = keys(&object, written.flatten(), found);
    if written == Some(None) {
        spec.refused.push("type");
    }
    Some(spec)
}

/// Reads the keys with which a connector overrides an AG-UI target.
pub(super) fn agui_overrides(node: &Node, found: &mut Found) -> Option<TargetSpec> {
    let object = Object::open_partial(node, &TARGET, found)?;
    Some(keys(&object, None, found))
}

/// Returns the shape that has the most of the keys that are written.
fn fitting(node: &Node) -> &'static Shape {
    let Kind::Map(entries) = &node.kind else {
        return &TARGET;
    };
    let mut best: (usize, &'static Shape) = (0, &TARGET);
    for kind in TargetKind::ALL {
        let shape = kind.shape();
        let known = |name: &str| shape.fields.iter().any(|field| field.name == name);
        let n_known = entries.iter().filter(|entry| known(&entry.key.text));
        let n_known = n_known.count();
        if n_known > best.0 {
            best = (n_known, shape);
        }
    }
    best.1
}

fn keys(object: &Object<'_>, kind: Option<TargetKind>, found: &mut Found) -> TargetSpec {
    // Read before, because it decides the shape.
    object.find("type");
    let endpoint = object.find("endpoint").map(|node| text(node, found));
    let auth = object.find("auth").and_then(|node| auth(node, found));
    let (a2a, mcp) = (a2a(object, found), mcp(object, found));
    let kept = [
        ("endpoint", endpoint.as_ref().is_some_and(Option::is_some)),
        ("agentCardUrl", a2a.card_url.is_some()),
        ("agentCard", a2a.card.is_some()),
        ("command", mcp.command.is_some()),
        ("transport", mcp.transport.is_some()),
        ("userTool", mcp.user_tool.is_some()),
    ];
    let is_refused = |(key, is_kept): (&'static str, bool)| {
        (!is_kept && object.find(key).is_some()).then_some(key)
    };
    let refused = kept.into_iter().filter_map(is_refused).collect();
    let tls = object.find("tls").map(|node| tls(node, found));
    let (tls_ca, tls_insecure) = tls.unwrap_or_default();
    let limits = object.find("limits").map(|node| limits(node, found));
    let (event_bytes, turn_bytes) = limits.unwrap_or_default();
    let mut word = |key, words| object.find(key).and_then(|node| choice(node, words, found));
    let envelope = word("envelope", ENVELOPE).map(|word| match word {
        "copilotkit" => Envelope::CopilotKit,
        "copilotkit-rest" => Envelope::CopilotKitRest,
        _ => Envelope::Plain,
    });
    let envelope_place = object.find("envelope").map(|node| node.place.clone());
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
        kind,
        endpoint: endpoint.flatten(),
        agent_id: object.find("agentId").and_then(|node| text(node, found)),
        thread_id: object.find("threadId").and_then(|node| text(node, found)),
        headers: object
            .find("headers")
            .map(|node| headers(node, found))
            .unwrap_or_default(),
        timeout_ms: object
            .find("timeout_ms")
            .and_then(|node| millis(node, found)),
        connect_timeout_ms: object
            .find("connect_timeout_ms")
            .and_then(|node| millis(node, found)),
        assert: object
            .find("assert")
            .and_then(|node| assert(node, AssertAt::Target, found)),
        forwarded_props: object
            .find("forwardedProps")
            .and_then(|node| json(node, found)),
        state: object.find("state").and_then(|node| json(node, found)),
        context: object.find("context").and_then(|node| context(node, found)),
        tools: object.find("tools").and_then(|node| tools(node, found)),
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
            .find("concurrency")
            .and_then(|node| positive(node, found)),
        group: object.find("group").and_then(|node| group(node, found)),
        backoff_ms: object
            .find("backoff_ms")
            .and_then(|node| millis(node, found)),
        identity: object
            .find("identity")
            .and_then(|node| identity(node, found)),
        connectors: object
            .find("connectors")
            .and_then(|node| connectors(node, found)),
        connector: object
            .find("connector")
            .and_then(|node| connector(node, found)),
        auth,
        protocol_version: object
            .find("protocolVersion")
            .and_then(|node| scalar(node, found)),
        a2a,
        mcp,
        chat: chat(object, found),
        cmd: object.find("cmd").and_then(|node| command(node, found)),
        env: object.find("env").map(|node| environment(node, found)),
        script: object.find("script").and_then(|node| match kind {
            Some(TargetKind::Script) => function(node, found),
            _ => scripted(node, found),
        }),
        folder: object
            .find("folder")
            .and_then(|node| assistant_folder(node, found)),
        id: object.find("id").and_then(|node| assistant_id(node, found)),
        preset: object.find("preset").and_then(|node| preset(node, found)),
        keys: object.written_keys(),
        refused,
    }
}

fn kind(node: &Node, found: &mut Found) -> Option<TargetKind> {
    let expected = word_list(TARGET_TYPES);
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &expected, found);
        return None;
    };
    let word = scalar.text.as_str();
    if let Some(kind) = TargetKind::ALL.into_iter().find(|kind| kind.word() == word) {
        return Some(kind);
    }
    let message = format!("unknown target type `{word}`");
    let unknown = Diagnostic::error(&node.place, message).label(format!("expected {expected}"));
    found.push(match did_you_mean(word, TARGET_TYPES.iter().copied()) {
        Some(word) => unknown.hint(format!("did you mean `{word}`?")),
        None => unknown,
    });
    None
}
