//! Where tokens for a server come from, if the user does not say: the server names what describes it (RFC 9728), that names
//! who gives tokens, and there the address is written (RFC 8414).

use ananke_model::recording::{Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::small::{Fetched, Small, Unfetched};
use crate::agui::tree;
use crate::http::{HttpClient, without_secrets};

const MAX_BYTES: usize = 64 * 1024;
const RESOURCE: &str = ".well-known/oauth-protected-resource";
const SERVER: &str = ".well-known/oauth-authorization-server";
const OPENID: &str = ".well-known/openid-configuration";

/// Where a token comes from, and what for.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) token_url: String,
    /// What the token is to be good for.
    pub(crate) resource: Option<String>,
}

/// Finds out where tokens for the server at `url` come from. A client's secret goes to the server's own origin alone, or to
/// a neighbour of it on this machine.
pub(crate) async fn find_token_url(
    client: &HttpClient,
    url: &str,
    deadline: Instant,
) -> Result<Found, Unfetched> {
    let server: Url = url
        .parse()
        .map_err(|error| unknown(&format!("`{}` is no URL: {error}", without_secrets(url))))?;
    let looking = Looking { client, deadline };
    let described = looking.description(&server).await?;
    let issuer = described["authorization_servers"][0].as_str();
    let issuer: Url = match issuer {
        None => server.join("/").map_err(|error| unknown(&error))?,
        Some(issuer) => issuer.parse().map_err(|error| {
            let shown = without_secrets(issuer);
            unknown(&format!(
                "`{shown}`, which gives tokens, is no URL: {error}"
            ))
        })?,
    };
    let metadata = looking.metadata(&issuer).await?;
    let token_url = metadata["token_endpoint"].as_str().unwrap_or_default();
    let there: Url = issuer.join(token_url).map_err(|error| unknown(&error))?;
    if token_url.is_empty() {
        return Err(unknown(&format!(
            "{} names no `token_endpoint`",
            issuer.origin().ascii_serialization()
        )));
    }
    let is_near = there.origin() == server.origin() || (is_local(&there) && is_local(&server));
    if !is_near {
        return Err(unknown(&format!(
            "the server names `{}`, which is another origin than its own",
            without_secrets(token_url)
        )));
    }
    let resource = described["resource"].as_str();
    Ok(Found {
        token_url: there.to_string(),
        resource: resource.map(str::to_owned),
    })
}

struct Looking<'a> {
    client: &'a HttpClient,
    deadline: Instant,
}

impl Looking<'_> {
    /// Returns what describes the server; nothing if it says nothing.
    async fn description(&self, server: &Url) -> Result<Value, Unfetched> {
        let ping = json!({"jsonrpc": "2.0", "id": 0, "method": "ping"});
        let refused = self
            .fetch("POST", server.clone(), Some(ping.to_string().into_bytes()))
            .await?;
        let challenge = refused.header("www-authenticate").unwrap_or_default();
        let mut places: Vec<Url> = named(challenge, "resource_metadata")
            .and_then(|place| server.join(place).ok())
            .into_iter()
            .collect();
        let path = server.path().trim_matches('/');
        let below = (!path.is_empty()).then(|| format!("/{RESOURCE}/{path}"));
        places.extend(below.and_then(|place| server.join(&place).ok()));
        places.extend(server.join(&format!("/{RESOURCE}")).ok());
        Ok(self.first(places).await?.unwrap_or_default())
    }

    /// Returns what is known of whoever gives tokens.
    async fn metadata(&self, issuer: &Url) -> Result<Value, Unfetched> {
        let path = issuer.path().trim_matches('/');
        let places = match path {
            "" => vec![format!("/{SERVER}"), format!("/{OPENID}")],
            path => vec![
                format!("/{SERVER}/{path}"),
                format!("/{OPENID}/{path}"),
                format!("/{path}/{OPENID}"),
            ],
        };
        let places = places.iter().filter_map(|place| issuer.join(place).ok());
        let found = self.first(places.collect()).await?;
        found.ok_or_else(|| {
            let issuer = without_secrets(issuer.as_str());
            unknown(&format!("nothing at {issuer} says where tokens come from"))
        })
    }

    /// Returns the first JSON object at one of these places.
    async fn first(&self, places: Vec<Url>) -> Result<Option<Value>, Unfetched> {
        for place in places {
            let fetched = self.fetch("GET", place, None).await?;
            let found = tree(&fetched.body).filter(Value::is_object);
            if let (200, Some(found)) = (fetched.status, found) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    async fn fetch(
        &self,
        method: &'static str,
        url: Url,
        body: Option<Vec<u8>>,
    ) -> Result<Fetched, Unfetched> {
        let mut headers = HeaderMap::new();
        let accept = "application/json, text/event-stream";
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let small = Small {
            client: self.client,
            what: "where tokens come from",
            method,
            url: url.to_string(),
            headers,
            body,
            max_bytes: MAX_BYTES,
            deadline: self.deadline,
        };
        small.fetch().await
    }
}

/// Returns a parameter of a challenge, with or without quotes.
fn named<'c>(challenge: &'c str, name: &str) -> Option<&'c str> {
    let (_, behind) = challenge.split_once(&format!("{name}="))?;
    match behind.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => behind.split([',', ' ']).next(),
    }
}

fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    host == "localhost" || host == "[::1]" || host.starts_with("127.")
}

fn unknown(why: &dyn std::fmt::Display) -> Unfetched {
    Unfetched {
        trouble: Trouble {
            kind: TroubleKind::BadEvent,
            message: format!("where tokens come from: {why}; set `tokenUrl` of `auth`"),
            refusal: None,
        },
        reached: true,
    }
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn challenges_name_what_describes_the_server() {
        let place = |challenge| named(challenge, "resource_metadata").unwrap_or("-");
        assert_eq!(
            place(r#"Bearer error="x", resource_metadata="http://a/b", scope="c""#),
            "http://a/b"
        );
        assert_eq!(
            place("Bearer resource_metadata=http://a/b, x=1"),
            "http://a/b"
        );
        assert_eq!(place("Basic realm=x"), "-");
    }
}
