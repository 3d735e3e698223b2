//! A token for the client's own credentials (OAuth 2.0, RFC 6749 section 4.4).

use std::time::Duration;

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use super::proof::basic;
use super::small::{Fetched, Small, Unfetched};
use crate::agui::tree;
use crate::http::HttpClient;

const MAX_BYTES: usize = 64 * 1024;
/// How long before its end a token is no longer used.
const MARGIN: Duration = Duration::from_secs(30);
/// What a token that tells no end is taken to last.
const UNTOLD: Duration = Duration::from_secs(300);
/// The longest that is believed.
const LONGEST: u64 = 24 * 60 * 60;

/// A token that was fetched.
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) value: String,
    until: Instant,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    pub(crate) fn is_good(&self) -> bool {
        Instant::now() < self.until
    }
}

/// What a token is asked for with.
#[derive(Debug)]
pub(crate) struct TokenRequest<'a> {
    pub(crate) client: &'a HttpClient,
    pub(crate) url: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) client_secret: &'a str,
    pub(crate) scopes: &'a [String],
    /// What the token is to be good for, if whoever gives it is to know.
    pub(crate) resource: Option<&'a str>,
    pub(crate) deadline: Instant,
}

impl TokenRequest<'_> {
    /// Fetches a token: with the credentials in a header, and in the body for servers that want them there.
    pub(crate) async fn fetch(&self) -> Result<Token, Unfetched> {
        let fetched = self.ask(true).await?;
        let answer = tree(&fetched.body).unwrap_or(Value::Null);
        let is_unknown = fetched.status == 401 || answer["error"] == "invalid_client";
        let (fetched, answer) = match is_unknown {
            true => {
                let fetched = self.ask(false).await?;
                let answer = tree(&fetched.body).unwrap_or(Value::Null);
                (fetched, answer)
            }
            false => (fetched, answer),
        };
        if !(200..300).contains(&fetched.status) {
            let words = ["error_description", "error", "message"];
            let words = words.into_iter().find_map(|name| answer[name].as_str());
            let words = words.map_or_else(String::new, |words| {
                let shown: String = words.chars().take(300).collect();
                format!(": {shown}")
            });
            let refusal = Refusal {
                status: fetched.status,
                retry_after_ms: None,
            };
            let message = format!("the token: HTTP {}{words}", fetched.status);
            return Err(unusable(TroubleKind::HttpStatus, message, Some(refusal)));
        }
        let Some(token) = answer["access_token"]
            .as_str()
            .filter(|token| !token.is_empty())
        else {
            let message = "the token: the answer holds no `access_token`".to_owned();
            return Err(unusable(TroubleKind::BadEvent, message, None));
        };
        let lasts = answer["expires_in"]
            .as_u64()
            .map_or(UNTOLD, |seconds| Duration::from_secs(seconds.min(LONGEST)));
        Ok(Token {
            value: token.to_owned(),
            until: Instant::now() + lasts.saturating_sub(MARGIN),
        })
    }

    async fn ask(&self, is_in_header: bool) -> Result<Fetched, Unfetched> {
        let mut form: Url = "http://form/".parse().expect("a constant that is a URL");
        {
            let mut pairs = form.query_pairs_mut();
            pairs.append_pair("grant_type", "client_credentials");
            if !self.scopes.is_empty() {
                pairs.append_pair("scope", &self.scopes.join(" "));
            }
            if let Some(resource) = self.resource {
                pairs.append_pair("resource", resource);
            }
            if !is_in_header {
                pairs.append_pair("client_id", self.client_id);
                pairs.append_pair("client_secret", self.client_secret);
            }
        }
        let mut headers = HeaderMap::new();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        if is_in_header {
            let value = basic(self.client_id, self.client_secret);
            let value = HeaderValue::from_str(&value).map_err(|_| {
                let message = "the token: the credentials cannot be sent".to_owned();
                unusable(TroubleKind::BadEvent, message, None)
            })?;
            headers.insert(AUTHORIZATION, value);
        }
        let small = Small {
            client: self.client,
            what: "the token",
            method: "POST",
            url: self.url.to_owned(),
            headers,
            body: Some(form.query().unwrap_or_default().as_bytes().to_vec()),
            max_bytes: MAX_BYTES,
            deadline: self.deadline,
        };
        small.fetch().await
    }
}

fn unusable(kind: TroubleKind, message: String, refusal: Option<Refusal>) -> Unfetched {
    Unfetched {
        trouble: Trouble {
            kind,
            message,
            refusal,
        },
        reached: true,
    }
}
