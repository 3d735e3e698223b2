//! Speaks to an A2A agent.

use std::time::Duration;

use ananke_model::plan::{A2aBinding, A2aTarget, A2aVersion, Clock, Limits};
use ananke_model::recording::Turn;
use ananke_protocol::a2a::{
    A2aOptions, A2aSession, A2aTurn, Auth, Binding, CardSource, Met, Streaming, Version, meet,
    run_turn,
};
use ananke_protocol::agui::{Action, Conversation};
use ananke_protocol::http::{Headers, HttpClient, check_url, without_secrets};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::auth::Proof;
use super::http::HttpParts;
use super::{Bounds, Call, Means};
use crate::ids::new_id;
use crate::redact::{Redactor, Secrets};
use crate::session::Resolver;

/// What a token that was fetched is shown as.
const TOKEN: &str = "access_token";

/// An A2A agent, ready to be talked to.
#[derive(Debug)]
pub(crate) struct A2aSpeaker {
    client: HttpClient,
    options: A2aOptions,
    headers: Headers,
    limits: Limits,
    /// Ids of context and task go from turn to turn.
    session: Mutex<A2aSession>,
    redactor: Redactor,
}

impl A2aSpeaker {
    /// Resolves a target.
    pub(crate) fn new(agent: &A2aTarget, means: &Means<'_>, call: &Call) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let mut options = options(agent, &mut resolver);
        let proof = Proof::resolve(agent.auth.as_ref(), &mut resolver);
        let mut http = HttpParts::resolve(
            &agent.headers,
            &agent.tls,
            agent.connect_timeout_ms,
            &mut resolver,
        );
        resolver.finish()?;
        proof.check()?;
        if call.is_question {
            put_metadata(&mut options.metadata, &call.metadata);
        }
        let needs_tls = needs_tls(&options, proof.token_url())?;
        options.auth = proof.auth;
        http.show(proof.certificate);
        let known = means.world.known_agents.get(&options, &http);
        Ok(Self {
            client: http.client(needs_tls, means)?,
            headers: http.headers()?,
            options,
            limits: agent.limits,
            session: Mutex::new(A2aSession::with(&known)),
            redactor: means.world.redactor.clone(),
        })
    }

    pub(crate) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let turn = A2aTurn {
            client: &self.client,
            options: &self.options,
            headers: &self.headers,
            action,
            clock: Clock::Arrival,
            timeout: bounds.timeout,
            limits: self.limits,
            unix_ms: bounds.unix_ms,
            cancel: bounds.cancel,
        };
        let mut session = self.session.lock().await;
        let turn = Box::pin(run_turn(&turn, &mut session, conversation, &mut new_id)).await;
        hide_token(&self.redactor, session.token());
        turn
    }
}

impl A2aSpeaker {
    /// Returns where the agent is, as it may be shown.
    pub(crate) fn address(&self) -> String {
        let card = match &self.options.card {
            CardSource::Url(url) => Some(url),
            CardSource::Inline(_) | CardSource::None => None,
        };
        match card.or(self.options.endpoint.as_ref()) {
            Some(url) => without_secrets(url),
            None => "an agent whose card is in the config".to_owned(),
        }
    }

    /// Looks at the agent without a word to it.
    pub(crate) async fn look(&self, limit: Duration) -> Result<Met, String> {
        let mut session = self.session.lock().await;
        let met = meet(
            &self.client,
            &self.options,
            &self.headers,
            &mut session,
            limit,
        );
        let met = met.await;
        hide_token(&self.redactor, session.token());
        met
    }
}

/// Hides a token that was fetched wherever it is shown from now on.
pub(super) fn hide_token(redactor: &Redactor, token: Option<&str>) {
    if let Some(token) = token {
        let mut secrets = Secrets::default();
        secrets.add(TOKEN, token);
        redactor.add(&secrets);
    }
}

/// Tells whether TLS may be needed. A card that leads elsewhere is only known later.
fn needs_tls(options: &A2aOptions, token_url: Option<&str>) -> Result<bool, String> {
    let card = match &options.card {
        CardSource::Url(url) => check_url(url).map_err(|why| format!("agentCardUrl: {why}"))?,
        CardSource::Inline(card) => card.to_string().contains("https://"),
        CardSource::None => false,
    };
    let endpoint = options.endpoint.as_ref().map(|url| check_url(url));
    let endpoint = endpoint
        .transpose()
        .map_err(|why| format!("endpoint: {why}"))?;
    let token = token_url.map(check_url).transpose();
    let token = token.map_err(|why| format!("auth.tokenUrl: {why}"))?;
    let named = endpoint.unwrap_or_default() || token.unwrap_or_default();
    Ok(card || named || options.allow_other_origin)
}

/// Puts what a helper is told beside the metadata of its target.
fn put_metadata(own: &mut Option<Value>, metadata: &Map<String, Value>) {
    match own {
        Some(Value::Object(own)) => own.extend(metadata.clone()),
        _ if metadata.is_empty() => {}
        _ => *own = Some(Value::Object(metadata.clone())),
    }
}

/// Resolves what all turns share, but for credentials.
pub(super) fn options(agent: &A2aTarget, resolver: &mut Resolver<'_>) -> A2aOptions {
    let card_url = agent.card_url.as_ref().map(|url| resolver.text(url));
    let card = agent.card.as_ref().map(|card| resolver.json(card));
    A2aOptions {
        card: match (card, card_url) {
            (Some(card), _) => CardSource::Inline(card),
            (None, Some(url)) => CardSource::Url(url),
            (None, None) => CardSource::None,
        },
        endpoint: agent.endpoint.as_ref().map(|url| resolver.text(url)),
        version: agent.version.map(|version| match version {
            A2aVersion::V03 => Version::V03,
            A2aVersion::V1 => Version::V1,
        }),
        binding: agent.binding.map(|binding| match binding {
            A2aBinding::JsonRpc => Binding::JsonRpc,
            A2aBinding::HttpJson => Binding::HttpJson,
        }),
        tenant: agent.tenant.as_ref().map(|tenant| resolver.text(tenant)),
        extensions: texts(&agent.extensions, resolver),
        context_id: agent.context_id.as_ref().map(|id| resolver.text(id)),
        blocking: agent.blocking,
        stream: match agent.stream {
            None => Streaming::Auto,
            Some(true) => Streaming::Always,
            Some(false) => Streaming::Never,
        },
        poll: Duration::from_millis(agent.poll_ms),
        accepted_output_modes: texts(&agent.accepted_output_modes, resolver),
        history_length: agent.history_length,
        metadata: agent.metadata.as_ref().map(|json| resolver.json(json)),
        tool_calls: agent.tool_calls.clone(),
        auth: Auth::None,
        allow_other_origin: agent.allow_other_origin,
    }
}

fn texts(texts: &[ananke_model::place::Text], resolver: &mut Resolver<'_>) -> Vec<String> {
    texts.iter().map(|text| resolver.text(text)).collect()
}
