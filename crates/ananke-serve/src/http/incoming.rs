//! A request as it came, for the faces that read it themselves.

use std::net::SocketAddr;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, Uri};
use bytes::Bytes;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::listener::ResetSwitch;
use crate::agent::Received;

/// A request, and what is needed to answer it in every way.
#[derive(Clone, Debug)]
pub(crate) struct Incoming {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) switch: ResetSwitch,
    /// Where the server listens.
    pub(crate) address: SocketAddr,
    pub(crate) shutdown: CancellationToken,
}

impl Incoming {
    /// Returns what an agent is told of the request.
    pub(crate) fn received(&self, body: &[u8]) -> Received {
        self.received_as(serde_json::from_slice(body).unwrap_or_default())
    }

    /// Returns what an agent is told of the request, with a body that was read already.
    pub(crate) fn received_as(&self, body: Value) -> Received {
        let path = self.uri.path_and_query();
        let headers = self.headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        });
        Received {
            path: path.map_or("/", |path| path.as_str()).to_owned(),
            headers: headers.collect(),
            body,
        }
    }
}

/// Tells whether a body says that it is JSON.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    ["application/json", "application/a2a+json"]
        .iter()
        .any(|known| kind.eq_ignore_ascii_case(known))
}

/// Returns the parameters of a query. Escapes are left as they are: ids and numbers need none.
pub(crate) fn query(uri: &Uri) -> Vec<(String, String)> {
    let pairs = uri.query().unwrap_or_default().split('&');
    let pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
