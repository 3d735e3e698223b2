//! Fills in the defaults of a target, each type in its way.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{
    AguiTarget, Clock, CommandTarget, Encoding, Envelope, Era, History, Limits, Protocol,
    ScriptTarget, ScriptedTarget, Target, Tls,
};

use super::a2a::a2a;
use super::assistant::assistant;
use super::chat::chat;
use super::connector::Chosen;
use super::mcp::mcp;
use super::registry::Registry;
use crate::parse::{Found, ScriptSpec, TargetKind, TargetSpec};

/// How long a turn may take if nobody says so.
const TIMEOUT_MS: u64 = 120_000;
/// How long reaching a server may take.
pub(super) const CONNECT_TIMEOUT_MS: u64 = 10_000;

/// Returns the target without a name. `None` if it is incomplete, which the caller reports, or wrong, which is reported.
pub(super) fn complete(
    spec: &TargetSpec,
    timeout_ms: Option<u64>,
    chosen: Option<Chosen<'_>>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) -> Option<Target> {
    let timeout = timeout_ms.unwrap_or(TIMEOUT_MS);
    let protocol = match spec.kind? {
        TargetKind::Agui => Protocol::Agui(Box::new(agui(spec, timeout, found)?)),
        TargetKind::OpenAi => {
            Protocol::OpenAi(Box::new(chat(spec, timeout, chosen, registry, found)?))
        }
        TargetKind::Assistant => {
            Protocol::OpenAi(Box::new(assistant(spec, timeout, chosen, registry, found)?))
        }
        TargetKind::Command => {
            // Only its name is told: a misspelt one would be as good as any.
            if let Some(chosen) = chosen
                && !registry.has_connector(chosen, found)
            {
                return None;
            }
            Protocol::Command(Box::new(CommandTarget {
                cmd: spec.cmd.clone()?,
                env: spec.env.clone().unwrap_or_default(),
                timeout_ms: timeout,
                limits: limits(spec),
            }))
        }
        TargetKind::Script => {
            if let Some(chosen) = chosen
                && !registry.has_connector(chosen, found)
            {
                return None;
            }
            let ScriptSpec::File(name) = spec.script.as_ref()? else {
                return None;
            };
            Protocol::Script(Box::new(ScriptTarget {
                call: registry.function(&name.text, &name.place, found)?,
                timeout_ms: timeout,
                limits: limits(spec),
            }))
        }
        TargetKind::A2a => {
            refuse_connector(chosen, "an `a2a`", found);
            Protocol::A2a(Box::new(a2a(spec, timeout, found)?))
        }
        TargetKind::Mcp => {
            refuse_connector(chosen, "an `mcp`", found);
            let variables = registry.variables;
            Protocol::Mcp(Box::new(mcp(spec, timeout, variables, found)?))
        }
        TargetKind::Scripted => {
            refuse_connector(chosen, "a `scripted`", found);
            Protocol::Scripted(Box::new(ScriptedTarget {
                script: registry.script(spec.script.as_ref()?, found)?,
                timeout_ms: timeout,
                forwarded_props: spec.forwarded_props.clone(),
                limits: limits(spec),
            }))
        }
    };
    Some(Target {
        name: None,
        place: spec.place.clone(),
        protocol,
        concurrency: spec.concurrency,
        group: spec.group.as_ref().map(|group| group.text.clone()),
        backoff_ms: spec.backoff_ms,
        connector: None,
        own_timeout_ms: timeout_ms,
    })
}

fn agui(spec: &TargetSpec, timeout_ms: u64, found: &mut Found) -> Option<AguiTarget> {
    if let Some((place, Envelope::CopilotKit | Envelope::CopilotKitRest)) = &spec.envelope
        && spec.agent_id.is_none()
    {
        found.push(
            Diagnostic::error(
                place,
                "this envelope sends `agentId`, which the target has not",
            )
            .hint("write `agentId: my-agent` in the target"),
        );
    }
    Some(AguiTarget {
        endpoint: spec.endpoint.clone()?,
        agent_id: spec.agent_id.clone(),
        thread_id: spec.thread_id.clone(),
        headers: plain_headers(&spec.headers),
        timeout_ms,
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(CONNECT_TIMEOUT_MS),
        envelope: spec
            .envelope
            .as_ref()
            .map_or(Envelope::Plain, |(_, envelope)| *envelope),
        history: spec.history.unwrap_or(History::Full),
        era: spec.era.unwrap_or(Era::V1),
        encoding: spec.encoding.unwrap_or(Encoding::Sse),
        clock: spec.clock.unwrap_or(Clock::Arrival),
        forwarded_props: spec.forwarded_props.clone(),
        state: spec.state.clone(),
        context: spec.context.clone().unwrap_or_default(),
        tools: spec.tools.clone().unwrap_or_default(),
        tls: tls(spec),
        limits: limits(spec),
    })
}

/// Refuses a connector for a target that has none; `kind` is its type with the article.
fn refuse_connector(chosen: Option<Chosen<'_>>, kind: &str, found: &mut Found) {
    if let Some(chosen) = chosen {
        found.push(
            chosen
                .error(format!("{kind} target has no connectors"))
                .hint("leave the connector out"),
        );
    }
}

/// Returns headers without the places of their names.
pub(super) fn plain_headers(headers: &[(Text, Text)]) -> Vec<(String, Text)> {
    let headers = headers.iter();
    headers
        .map(|(name, value)| (name.text.clone(), value.clone()))
        .collect()
}

/// Returns how certificates are checked.
pub(super) fn tls(spec: &TargetSpec) -> Tls {
    Tls {
        ca: spec.tls_ca.clone(),
        insecure: spec.tls_insecure.unwrap_or(false),
    }
}

/// Returns what is kept at most.
pub(super) fn limits(spec: &TargetSpec) -> Limits {
    Limits {
        event_bytes: spec.event_bytes.unwrap_or(16 << 20),
        turn_bytes: spec.turn_bytes.unwrap_or(256 << 20),
    }
}
