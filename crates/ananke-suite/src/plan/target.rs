//! Targets: one laid on another.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::Target;
use ananke_model::variables::Variables;

use crate::parse::{ChatSpec, Found, TargetSpec};

/// Lays `over` on `base`: headers by name, everything else as a whole.
pub(super) fn merge(base: &TargetSpec, over: &TargetSpec) -> TargetSpec {
    TargetSpec {
        place: base.place.clone(),
        kind: over.kind.or(base.kind),
        endpoint: over.endpoint.clone().or_else(|| base.endpoint.clone()),
        agent_id: over.agent_id.clone().or_else(|| base.agent_id.clone()),
        thread_id: over.thread_id.clone().or_else(|| base.thread_id.clone()),
        headers: laid_headers(&base.headers, &over.headers),
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
        chat: merge_chat(&base.chat, &over.chat),
        cmd: over.cmd.clone().or_else(|| base.cmd.clone()),
        env: over.env.clone().or_else(|| base.env.clone()),
        script: over.script.clone().or_else(|| base.script.clone()),
        folder: over.folder.clone().or_else(|| base.folder.clone()),
        id: over.id.clone().or_else(|| base.id.clone()),
        preset: over.preset.clone().or_else(|| base.preset.clone()),
        keys: base.keys.clone(),
        refused: [base.refused.as_slice(), &over.refused].concat(),
    }
}

fn merge_chat(base: &ChatSpec, over: &ChatSpec) -> ChatSpec {
    ChatSpec {
        host: over.host.clone().or_else(|| base.host.clone()),
        model: over.model.clone().or_else(|| base.model.clone()),
        spare_model: base.spare_model.clone(),
        // A key is for its host.
        key: match (&over.key, &over.host) {
            (None, Some(_)) => None,
            (key, _) => key.clone().or_else(|| base.key.clone()),
        },
        key_header: over.key_header.or(base.key_header),
        options: over.options.clone().or_else(|| base.options.clone()),
        system: over.system.clone().or_else(|| base.system.clone()),
        json: over.json.clone().or_else(|| base.json.clone()),
        stream: over.stream.or(base.stream),
        retries: over.retries.or(base.retries),
    }
}

/// Takes away what a chat target says about its model, for a connector to say it. Its key and its headers are for its host.
pub(super) fn give_way(spec: &mut TargetSpec) {
    spec.headers.clear();
    let chat = &mut spec.chat;
    chat.spare_model = chat.model.take().or_else(|| chat.spare_model.take());
    chat.host = None;
    chat.key = None;
    chat.key_header = None;
}

/// Lays headers on others, by name.
pub(super) fn laid_headers(base: &[(Text, Text)], over: &[(Text, Text)]) -> Vec<(Text, Text)> {
    let mut headers = base.to_vec();
    headers.retain(|(name, _)| {
        let is_same = |(new, _): &(Text, Text)| new.text.eq_ignore_ascii_case(&name.text);
        !over.iter().any(is_same)
    });
    headers.extend(over.iter().cloned());
    headers
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
