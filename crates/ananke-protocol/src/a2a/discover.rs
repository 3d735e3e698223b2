//! Before the first message: the card, the choice of an interface, and a token where one is needed.

use std::sync::Arc;

use ananke_model::recording::{Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout_at};

use super::card::{Card, fetch_card};
use super::interface::{Choice, NoChoice, choose};
use super::options::{A2aOptions, CardSource};
use super::session::{A2aSession, Known, Peer};
use super::wire::Version;
use crate::auth::{Auth, Token, TokenRequest, Unfetched};
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
    /// Makes a session ready to speak; returns what is odd about the agent, if that was not told yet. Where others want to
    /// know the same agent, one of them asks and all others wait.
    pub(super) async fn ready(&self, session: &mut A2aSession) -> Result<Vec<String>, Unfetched> {
        let is_first = session.peer.is_none();
        if let Some(known) = session.known.clone().filter(|_| is_first) {
            let waiting = timeout_at(self.deadline, known.0.lock());
            let mut known = waiting.await.map_err(|_| waited_for_nothing())?;
            if let Known::Agent(peer, token) = &*known {
                session.peer = Some(peer.clone());
                session.token.clone_from(token);
            }
            let is_good = |token: &Token| token.is_good();
            let is_met = session.peer.is_some() && session.token.as_ref().is_none_or(is_good);
            if is_met || matches!(*known, Known::Failure) {
                drop(known);
                self.acquaint(session).await?;
            } else {
                let met = self.acquaint(session).await;
                *known = match (&met, &session.peer) {
                    (Ok(()), Some(peer)) => Known::Agent(peer.clone(), session.token.clone()),
                    // Whoever waits must not wait for the same failure again.
                    _ => Known::Failure,
                };
                met?;
            }
        } else {
            self.acquaint(session).await?;
        }
        let odd = session.peer.as_ref().map(|peer| peer.odd.clone());
        Ok(odd.filter(|_| is_first).unwrap_or_default())
    }

    /// Fetches the card and a token, as far as they are missing.
    async fn acquaint(&self, session: &mut A2aSession) -> Result<(), Unfetched> {
        if let Auth::ClientCredentials {
            token_url: Some(url),
            ..
        } = &self.options.auth
        {
            self.fetch_token(session, url).await?;
        }
        if session.peer.is_none() {
            session.peer = Some(self.discover(session.token()).await?);
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
        Ok(())
    }

    async fn discover(&self, token: Option<&str>) -> Result<Peer, Unfetched> {
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
        Ok(Peer {
            wire,
            streams: card.as_ref().and_then(Card::streams),
            is_version_settled: self.options.version.is_some(),
            security: card.as_ref().map(Card::security).unwrap_or_default(),
            token_url: card.as_ref().map_or(Ok(None), |card| self.token_url(card)),
            card: card.map(|card| Arc::new(card.value)),
            odd: warnings,
        })
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
            resource: None,
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

fn waited_for_nothing() -> Unfetched {
    Unfetched {
        trouble: Trouble {
            kind: TroubleKind::Timeout,
            message: "the agent card: another test asks for it, and had no answer in time"
                .to_owned(),
            refusal: None,
        },
        reached: false,
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
