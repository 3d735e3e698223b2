//! A2A agents: what a target says, with the defaults.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{A2aBinding, A2aTarget, A2aVersion};

use super::complete::{CONNECT_TIMEOUT_MS, limits, plain_headers, tls};
use crate::parse::{A2aSpec, Found, Streaming, TargetSpec};

/// How long to wait before a task is asked for again, if nobody says so.
const POLL_MS: u64 = 500;

/// Fills in the defaults of an `a2a` target. `None` if nobody says where the agent is, which is then reported.
pub(super) fn a2a(spec: &TargetSpec, timeout_ms: u64, found: &mut Found) -> Option<A2aTarget> {
    let own = &spec.a2a;
    if let (Some(_), Some(card)) = (&own.card_url, &own.card) {
        found.push(
            Diagnostic::error(
                &card.place,
                "a target has `agentCardUrl` or `agentCard`, not both",
            )
            .hint("leave one of them out; `endpoint` says where to speak to the agent, whatever its card says"),
        );
        return None;
    }
    if own.card_url.is_none() && own.card.is_none() && spec.endpoint.is_none() {
        if spec.refused.is_empty() {
            found.push(
                Diagnostic::error(
                    &spec.place,
                    "nothing says where the agent of this `a2a` target is",
                )
                .label("expected `agentCardUrl`, `agentCard` or `endpoint`")
                .hint("write `agentCardUrl: \"http://localhost:9999\"`"),
            );
        }
        return None;
    }
    let version = match &spec.protocol_version {
        Some(written) => version(written, found)?,
        None => None,
    };
    Some(A2aTarget {
        card_url: own.card_url.clone(),
        card: own.card.clone(),
        endpoint: spec.endpoint.clone(),
        version,
        binding: match own.binding {
            Some("JSONRPC") => Some(A2aBinding::JsonRpc),
            Some("HTTP+JSON") => Some(A2aBinding::HttpJson),
            _ => None,
        },
        tenant: own.tenant.clone(),
        extensions: own.extensions.clone().unwrap_or_default(),
        context_id: own.context_id.clone(),
        blocking: own.blocking.unwrap_or(true),
        stream: match own.stream {
            Some(Streaming::Fixed(streams)) => Some(streams),
            Some(Streaming::Auto) | None => None,
        },
        poll_ms: own.poll_ms.unwrap_or(POLL_MS),
        accepted_output_modes: own.accepted_output_modes.clone().unwrap_or_default(),
        history_length: own.history_length,
        metadata: own.metadata.clone(),
        tool_calls: own.tool_calls.clone().unwrap_or_default(),
        auth: spec.auth.as_ref().map(|auth| auth.auth.clone()),
        allow_other_origin: own.allow_other_origin.unwrap_or(false),
        headers: plain_headers(&spec.headers),
        timeout_ms,
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(CONNECT_TIMEOUT_MS),
        tls: tls(spec),
        limits: limits(spec),
    })
}

/// Lays `over` on `base`. Where the agent is stands together: another card is another agent, and what the base says about
/// its address says nothing about that one.
pub(super) fn merge_a2a(base: &A2aSpec, over: &A2aSpec) -> A2aSpec {
    let (card_url, card) = match has_card(over) {
        true => (&over.card_url, &over.card),
        false => (&base.card_url, &base.card),
    };
    A2aSpec {
        card_url: card_url.clone(),
        card: card.clone(),
        binding: over.binding.or(base.binding),
        tenant: over.tenant.clone().or_else(|| base.tenant.clone()),
        extensions: over.extensions.clone().or_else(|| base.extensions.clone()),
        context_id: over.context_id.clone().or_else(|| base.context_id.clone()),
        blocking: over.blocking.or(base.blocking),
        stream: over.stream.or(base.stream),
        poll_ms: over.poll_ms.or(base.poll_ms),
        accepted_output_modes: over
            .accepted_output_modes
            .clone()
            .or_else(|| base.accepted_output_modes.clone()),
        history_length: over.history_length.or(base.history_length),
        metadata: over.metadata.clone().or_else(|| base.metadata.clone()),
        tool_calls: over.tool_calls.clone().or_else(|| base.tool_calls.clone()),
        allow_other_origin: over.allow_other_origin.or(base.allow_other_origin),
    }
}

/// Tells whether it says which card the agent has.
pub(super) fn has_card(spec: &A2aSpec) -> bool {
    spec.card_url.is_some() || spec.card.is_some()
}

/// Returns the version that is meant; the inner `None` lets the card decide.
#[expect(
    clippy::option_option,
    reason = "what is wrong and what is left to the card are different things"
)]
fn version(written: &Text, found: &mut Found) -> Option<Option<A2aVersion>> {
    match written.text.as_str() {
        "auto" => Some(None),
        "1.0" | "1" => Some(Some(A2aVersion::V1)),
        "0.3" => Some(Some(A2aVersion::V03)),
        other => {
            let message = format!("`{other}` is no version of A2A that ananke speaks");
            let hint = match other.chars().next() {
                Some('0') => "write `protocolVersion: \"0.3\"`",
                Some('1') => "write `protocolVersion: \"1.0\"`",
                _ => "leave it out to speak the version of the card",
            };
            found.push(
                Diagnostic::error(&written.place, message)
                    .label("expected `auto`, `\"1.0\"` or `\"0.3\"`")
                    .hint(hint),
            );
            None
        }
    }
}
