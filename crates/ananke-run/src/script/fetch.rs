//! `fetch` and `http` of scripts: one request. The script side knows which hosts were granted, and follows redirects.

use std::time::Duration;

use ananke_protocol::http::{Fetch, HttpOptions, check_url};
use ananke_script::{Fetched, Request};

use crate::world::World;

/// How much of an answer is read.
const MAX_BODY: usize = 16 << 20;
const CONNECT: Duration = Duration::from_secs(10);

/// Sends a request and reads the whole answer.
pub(super) async fn fetch(world: &World, request: Request) -> Result<Fetched, String> {
    let needs_tls = check_url(&request.url)? || world.proxies.uses_tls();
    let client = world.clients.get(HttpOptions {
        connect_timeout: CONNECT,
        ca_pem: None,
        identity: None,
        insecure: false,
        needs_tls,
        proxies: world.proxies.clone(),
    });
    let client = client.map_err(|error| error.to_string())?;
    let fetch = Fetch {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: request.body,
        limit: request.timeout,
        max_body: MAX_BODY,
    };
    let answer = client.fetch(&fetch).await?;
    Ok(Fetched {
        status: answer.status,
        headers: answer.headers,
        body: answer.body,
        url: fetch.url,
    })
}
