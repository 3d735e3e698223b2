//! Targets: one laid on another.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{Target, TargetAuth};
use ananke_model::variables::Variables;

use super::a2a::{has_card, merge_a2a};
use super::mcp::merge_mcp;
use crate::parse::{ChatSpec, Found, TargetSpec};

/// Lays `over` on `base`: headers by name, everything else as a whole.
pub(super) fn merge(base: &TargetSpec, over: &TargetSpec) -> TargetSpec {
    let has_program = over.mcp.command.is_some();
    // What the base says about its address says nothing about another card or a program.
    let is_elsewhere = has_card(&over.a2a) || has_program;
    let is_moved = is_elsewhere || over.endpoint.is_some();
    TargetSpec {
        place: base.place.clone(),
        kind: over.kind.or(base.kind),
        endpoint: match is_elsewhere {
            true => over.endpoint.clone(),
            false => over.endpoint.clone().or_else(|| base.endpoint.clone()),
        },
        agent_id: over.agent_id.clone().or_else(|| base.agent_id.clone()),
        thread_id: over.thread_id.clone().or_else(|| base.thread_id.clone()),
        headers: match has_program {
            true => over.headers.clone(),
            false => laid_headers(&base.headers, &over.headers),
        },
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
        // Who the client is was said to one address.
        auth: match is_moved {
            true => over.auth.clone(),
            false => over.auth.clone().or_else(|| base.auth.clone()),
        },
        protocol_version: over
            .protocol_version
            .clone()
            .or_else(|| base.protocol_version.clone()),
        a2a: merge_a2a(&base.a2a, &over.a2a),
        mcp: merge_mcp(base, over),
        chat: merge_chat(&base.chat, &over.chat),
        cmd: over.cmd.clone().or_else(|| base.cmd.clone()),
        env: match over.endpoint {
            Some(_) => over.env.clone(),
            None => over.env.clone().or_else(|| base.env.clone()),
        },
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

/// Checks that the files of certificates are there, as far as their names are known before the hooks.
pub(super) fn check_certificates(
    target: &Target,
    root: &Path,
    variables: &Variables,
    found: &mut Found,
) {
    let ca = target.protocol.tls().and_then(|tls| tls.ca.as_ref());
    let mut files: Vec<(&Text, &str)> = Vec::new();
    files.extend(ca.map(|ca| (ca, "of certificate authorities")));
    if let Some(TargetAuth::Mtls { cert, key }) = target.protocol.auth() {
        files.push((cert, "with the certificate of the client"));
        files.push((key, "with the key of the client"));
    }
    for (file, what) in files {
        if let Ok(path) = variables.text(&file.text)
            && !root.join(&path).is_file()
        {
            found.push(
                Diagnostic::error(&file.place, format!("there is no file `{path}`"))
                    .label(format!("expected a PEM file {what}"))
                    .hint("the path is relative to the folder of the config"),
            );
        }
    }
}
