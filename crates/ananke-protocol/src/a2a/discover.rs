//! Before the first message: the card, the choice of an interface, and a token where one is needed.

use std::sync::Arc;

use ananke_model::recording::{Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::Instant;

use super::auth::Auth;
use super::card::{Card, fetch_card};
use super::fetch::Unfetched;
use super::interface::{Choice, NoChoice, choose};
use super::options::{A2aOptions, CardSource};
use super::session::{A2aSession, Peer};
use super::token::TokenRequest;
use super::wire::Version;
use crate::http::{Headers, HttpClient, without_secrets};

/// What every request is made with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Means<'a> {
    pub(super) client: &'a HttpClient,
    pub(super) options: &'a A2aOptions,
    pub(super) headers: &'a Headers,
    pub(super) deadline: Instant,
}

impl Means<'_> {
    /// Makes a session ready to speak; returns what is odd about the agent.
    pub(super) async fn ready(&self, session: &mut A2aSession) -> Result<Vec<String>, Unfetched> {
        let mut warnings = Vec::new();
        if let Auth::ClientCredentials {
            token_url: Some(url),
            ..
        } = &self.options.auth
        {
            self.fetch_token(session, url).await?;
        }
        if session.peer.is_none() {
            let (peer, odd) = self.discover(session.token()).await?;
            warnings = odd;
            session.peer = Some(peer);
        }
        if let (
            Auth::ClientCredentials {
                token_url: None, ..
            },
            Some(peer),
        ) = (&self.options.auth, &session.peer)
        {
            let url = match peer.token_url.clone() {
                Ok(Some(url)) => url,
                Ok(None) => {
                    let why = "the agent card names no URL for tokens: set `tokenUrl`";
                    return Err(unusable(why.to_owned()));
                }
                Err(why) => return Err(unusable(why)),
            };
            self.fetch_token(session, &url).await?;
        }
        Ok(warnings)
    }

    async fn discover(&self, token: Option<&str>) -> Result<(Peer, Vec<String>), Unfetched> {
        let card = match &self.options.card {
            CardSource::None => None,
            CardSource::Inline(value) => Some(Card {
                value: value.clone(),
                url: None,
            }),
            CardSource::Url(url) => {
                let sign = |url: &mut String, headers: &mut HeaderMap| {
                    self.sign(self.options.version, url, headers, token)
                };
                Some(fetch_card(self.client, url, &sign, self.deadline).await?)
            }
        };
        let choice = choose(self.options, card.as_ref()).map_err(|why| {
            let (kind, message) = match why {
                NoChoice::Elsewhere(why) => (TroubleKind::Redirect, why),
                NoChoice::Unusable(why) => (TroubleKind::BadEvent, why),
            };
            Unfetched {
                trouble: Trouble {
                    kind,
                    message,
                    refusal: None,
                },
                reached: card.as_ref().is_some_and(|card| card.url.is_some()),
            }
        })?;
        let Choice { wire, mut warnings } = choice;
        for uri in card.iter().flat_map(Card::required_extensions) {
            if !self.options.extensions.contains(&uri) {
                warnings.push(format!(
                    "the agent requires the extension `{uri}`, which is not among `extensions`"
                ));
            }
        }
        let peer = Peer {
            wire,
            streams: card.as_ref().and_then(Card::streams),
            is_version_settled: self.options.version.is_some(),
            security: card.as_ref().map(Card::security).unwrap_or_default(),
            token_url: card.as_ref().map_or(Ok(None), |card| self.token_url(card)),
            card: card.map(|card| Arc::new(card.value)),
        };
        Ok((peer, warnings))
    }

    /// Returns where the card says that tokens come from. The client's secret only goes to the card's own origin.
    fn token_url(&self, card: &Card) -> Result<Option<String>, String> {
        let Some(url) = card.token_url() else {
            return Ok(None);
        };
        let Some(own) = &card.url else {
            return Ok(Some(url));
        };
        let shown = without_secrets(&url);
        let there: Url = own.join(&url).map_err(|error| {
            format!("the agent card: the token URL `{shown}` is wrong: {error}")
        })?;
        if there.origin() == own.origin() || self.options.allow_other_origin {
            return Ok(Some(there.to_string()));
        }
        Err(format!(
            "the agent card names `{shown}` for tokens, which is another origin than its own: set `tokenUrl` if it is right"
        ))
    }

    async fn fetch_token(&self, session: &mut A2aSession, url: &str) -> Result<(), Unfetched> {
        let Auth::ClientCredentials {
            client_id,
            client_secret,
            scopes,
            ..
        } = &self.options.auth
        else {
            return Ok(());
        };
        if session.token.as_ref().is_some_and(|token| token.is_good()) {
            return Ok(());
        }
        let request = TokenRequest {
            client: self.client,
            url,
            client_id,
            client_secret,
            scopes,
            deadline: self.deadline,
        };
        session.token = Some(request.fetch().await?);
        Ok(())
    }

    /// Puts into a request what every request has: configured headers, version, extensions, credentials.
    pub(super) fn sign(
        &self,
        version: Option<Version>,
        url: &mut String,
        headers: &mut HeaderMap,
        token: Option<&str>,
    ) -> Result<(), String> {
        let version = version.unwrap_or(Version::V1);
        headers.insert("a2a-version", HeaderValue::from_static(version.name()));
        if !self.options.extensions.is_empty() {
            let uris = self.options.extensions.join(", ");
            let value = HeaderValue::from_str(&uris)
                .map_err(|_| "`extensions` hold control characters".to_owned())?;
            let name = HeaderName::from_static(version.extensions_header());
            headers.insert(name, value);
        }
        for (name, value) in &self.headers.0 {
            headers.insert(name.clone(), value.clone());
        }
        self.options.auth.sign(url, headers, token)
    }
}

fn unusable(message: String) -> Unfetched {
    Unfetched {
        trouble: Trouble {
            kind: TroubleKind::BadEvent,
            message,
            refusal: None,
        },
        reached: true,
    }
}
