//! A look at an agent without a word to it: its card, and how it would be spoken to.

use std::time::Duration;

use tokio::time::Instant;

use super::discover::Means;
use super::options::A2aOptions;
use super::session::A2aSession;
use crate::http::{Headers, HttpClient, without_secrets};

/// What is known of an agent before the first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// What it calls itself, and its version; nothing if there is no card.
    pub name: Option<String>,
    /// The version of the protocol that it would be spoken to in.
    pub version: &'static str,
    /// The binding.
    pub binding: &'static str,
    /// Where it would be spoken to, as that may be shown.
    pub url: String,
    /// What is odd about it.
    pub odd: Vec<String>,
}

/// Fetches the card, and a token where one is needed; says why that is not possible.
pub async fn meet(
    client: &HttpClient,
    options: &A2aOptions,
    headers: &Headers,
    session: &mut A2aSession,
    limit: Duration,
) -> Result<Met, String> {
    let means = Means {
        client,
        options,
        headers,
        deadline: Instant::now() + limit,
    };
    let odd = means.ready(session).await.map_err(|unfetched| {
        let why = unfetched.trouble.message;
        options.auth.hidden(why, session.token())
    })?;
    let peer = session.peer.as_ref();
    let peer = peer.ok_or_else(|| "nothing is known of the agent".to_owned())?;
    let card = peer.card.as_deref();
    let name = card.and_then(|card| {
        let name = card["name"].as_str()?;
        Some(match card["version"].as_str() {
            Some(version) => format!("{name} {version}"),
            None => name.to_owned(),
        })
    });
    Ok(Met {
        name,
        version: peer.wire.version.name(),
        binding: peer.wire.binding.name(),
        url: without_secrets(&peer.wire.url),
        odd,
    })
}
