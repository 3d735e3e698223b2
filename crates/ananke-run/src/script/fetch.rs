//! `fetch` and `http` of scripts: one request, with redirects followed as far as hosts were granted.

use std::time::Duration;

use ananke_model::place::Text;
use ananke_protocol::http::{Fetch, HttpOptions, check_url, host_of, redirected};
use ananke_script::{Fetched, Request};
use tokio::time::Instant;

use crate::world::World;

/// How much of an answer is read.
const MAX_BODY: usize = 16 << 20;
/// How many redirects are followed.
const MAX_REDIRECTS: usize = 10;
const CONNECT: Duration = Duration::from_secs(10);

/// Sends a request and reads the whole answer.
pub(super) async fn fetch(world: &World, request: Request) -> Result<Fetched, String> {
    let until = Instant::now() + request.timeout.min(Duration::from_secs(86_400));
    let mut fetch = Fetch {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: request.body,
        limit: request.timeout,
        max_body: MAX_BODY,
    };
    for _ in 0..=MAX_REDIRECTS {
        let host = host_of(&fetch.url)?;
        if !is_granted(&world.net, &host) {
            return Err(format!(
                "the request leads to `{host}`, which the config does not grant (scripts: net)"
            ));
        }
        let needs_tls = check_url(&fetch.url)? || world.proxies.uses_tls();
        let client = world.clients.get(HttpOptions {
            connect_timeout: CONNECT,
            ca_pem: None,
            insecure: false,
            needs_tls,
            proxies: world.proxies.clone(),
        });
        let client = client.map_err(|error| error.to_string())?;
        fetch.limit = until.saturating_duration_since(Instant::now());
        let answer = client.fetch(&fetch).await?;
        match redirected(&fetch, &answer)? {
            Some(next) => fetch = next,
            None => {
                return Ok(Fetched {
                    status: answer.status,
                    headers: answer.headers,
                    body: answer.body,
                    url: fetch.url,
                });
            }
        }
    }
    Err(format!(
        "the server redirects more than {MAX_REDIRECTS} times"
    ))
}

/// Tells whether one of the granted hosts is this one, which has its port: `api.example.com`, `localhost:8080`,
/// `*.example.com`, `*`. One without a port is granted with all of them.
fn is_granted(granted: &[Text], host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    granted.iter().any(|granted| {
        let granted = granted.text.trim().to_ascii_lowercase();
        let (wanted, wanted_port) = match granted.rsplit_once(':') {
            Some((wanted, port))
                if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) =>
            {
                (wanted, Some(port))
            }
            _ => (granted.as_str(), None),
        };
        let is_name = match wanted.strip_prefix('*') {
            Some("") => true,
            Some(domain) => {
                name.len() > domain.len() && name.ends_with(domain) && domain.starts_with('.')
            }
            None => name == wanted,
        };
        is_name && wanted_port.is_none_or(|wanted| wanted == port)
    })
}

#[cfg(test)]
mod tests {
    use ananke_model::place::Place;

    use super::*;

    #[test]
    fn hosts_are_granted_by_name_domain_and_port() {
        let is = |granted: &str, host: &str| {
            let granted = Text {
                text: granted.to_owned(),
                place: Place::file("ananke.config.yaml"),
            };
            is_granted(&[granted], host)
        };
        assert!(is("api.example.com", "api.example.com:443"));
        assert!(is("API.example.com", "api.example.com:8443"));
        assert!(!is("api.example.com", "evil-api.example.com:443"));
        assert!(is("localhost:8080", "localhost:8080"));
        assert!(!is("localhost:8080", "localhost:80"));
        assert!(is("*.example.com", "a.b.example.com:443"));
        assert!(!is("*.example.com", "example.com:443"));
        assert!(!is("*.example.com", "badexample.com:443"));
        assert!(is("*", "anything:1"));
        assert!(is("[::1]:80", "[::1]:80"));
        assert!(is("[::1]", "[::1]:80"));
    }
}
