//! Targets: one laid on another, and defaults filled in.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{
    AguiTarget, Clock, Encoding, Envelope, Era, History, Limits, Protocol, Target, Tls,
};
use ananke_model::variables::Variables;

use crate::parse::{Found, TargetSpec};

/// Lays `over` on `base`: headers by name, everything else as a whole.
pub(super) fn merge(base: &TargetSpec, over: &TargetSpec) -> TargetSpec {
    let mut headers = base.headers.clone();
    headers.retain(|(name, _)| {
        let is_same = |(new, _): &(Text, Text)| new.text.eq_ignore_ascii_case(&name.text);
        !over.headers.iter().any(is_same)
    });
    headers.extend(over.headers.iter().cloned());
    TargetSpec {
        place: base.place.clone(),
        kind: over.kind.or(base.kind),
        endpoint: over.endpoint.clone().or_else(|| base.endpoint.clone()),
        agent_id: over.agent_id.clone().or_else(|| base.agent_id.clone()),
        thread_id: over.thread_id.clone().or_else(|| base.thread_id.clone()),
        headers,
        timeout_ms: over.timeout_ms.or(base.timeout_ms),
        connect_timeout_ms: over.connect_timeout_ms.or(base.connect_timeout_ms),
        // Blocks are not replaced but inherited, one after the other.
        assert: None,
        forwarded_props: over
            .forwarded_props
            .clone()
            .or_else(|| base.forwarded_props.clone()),
        state: over.state.clone().or_else(|| base.state.clone()),
        context: over.context.clone().or_else(|| base.context.clone()),
        tools: over.tools.clone().or_else(|| base.tools.clone()),
        envelope: over.envelope.clone().or_else(|| base.envelope.clone()),
        history: over.history.or(base.history),
        era: over.era.or(base.era),
        encoding: over.encoding.or(base.encoding),
        clock: over.clock.or(base.clock),
        tls_ca: over.tls_ca.clone().or_else(|| base.tls_ca.clone()),
        tls_insecure: over.tls_insecure.or(base.tls_insecure),
        event_bytes: over.event_bytes.or(base.event_bytes),
        turn_bytes: over.turn_bytes.or(base.turn_bytes),
        concurrency: over.concurrency.or(base.concurrency),
        group: over.group.clone().or_else(|| base.group.clone()),
        backoff_ms: over.backoff_ms.or(base.backoff_ms),
        identity: over.identity.clone().or_else(|| base.identity.clone()),
        connectors: over.connectors.clone().or_else(|| base.connectors.clone()),
        connector: over.connector.clone().or_else(|| base.connector.clone()),
        refused: [base.refused.as_slice(), &over.refused].concat(),
    }
}

/// Fills in the defaults. `None` if the target is incomplete, which the caller reports.
pub(super) fn complete(
    spec: &TargetSpec,
    name: Option<&str>,
    timeout_ms: Option<u64>,
    found: &mut Found,
) -> Option<Target> {
    spec.kind?;
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
    let target = AguiTarget {
        endpoint: spec.endpoint.clone()?,
        agent_id: spec.agent_id.clone(),
        thread_id: spec.thread_id.clone(),
        headers: spec
            .headers
            .iter()
            .map(|(name, value)| (name.text.clone(), value.clone()))
            .collect(),
        timeout_ms: timeout_ms.or(spec.timeout_ms).unwrap_or(120_000),
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(10_000),
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
        tls: Tls {
            ca: spec.tls_ca.clone(),
            insecure: spec.tls_insecure.unwrap_or(false),
        },
        limits: Limits {
            event_bytes: spec.event_bytes.unwrap_or(16 << 20),
            turn_bytes: spec.turn_bytes.unwrap_or(256 << 20),
        },
    };
    Some(Target {
        name: name.map(ToOwned::to_owned),
        place: spec.place.clone(),
        protocol: Protocol::Agui(Box::new(target)),
        concurrency: spec.concurrency,
        group: spec.group.as_ref().map(|group| group.text.clone()),
        backoff_ms: spec.backoff_ms,
        connector: None,
    })
}

/// Checks that the file of certificate authorities is there, as far as its name is known before the hooks.
pub(super) fn check_ca(target: &Target, root: &Path, variables: &Variables, found: &mut Found) {
    let ca = target.protocol.tls().and_then(|tls| tls.ca.as_ref());
    let Some(ca) = ca else { return };
    if let Ok(path) = variables.text(&ca.text)
        && !root.join(&path).is_file()
    {
        found.push(
            Diagnostic::error(&ca.place, format!("there is no file `{path}`"))
                .label("expected a PEM file of certificate authorities")
                .hint("the path is relative to the folder of the config"),
        );
    }
}
