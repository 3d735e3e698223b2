//! What servers on a loopback port have in common.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::auth::Auth;
use crate::http::{Headers, HttpClient, HttpOptions, Proxies};
use crate::mcp::options::McpEndpoint;

/// What a server was asked.
pub(super) struct Request {
    pub(super) method: String,
    /// The configured header.
    pub(super) key: String,
    body: String,
}

impl Request {
    pub(super) fn message(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Reads a request.
pub(super) fn asked(connection: &TcpStream) -> Request {
    let mut reader = BufReader::new(connection);
    let (mut head, mut n_body, mut key) = (String::new(), 0, String::new());
    reader.read_line(&mut head).unwrap();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_ascii_lowercase();
        if let Some(length) = line.strip_prefix("content-length:") {
            n_body = length.trim().parse().unwrap();
        }
        if let Some(value) = line.strip_prefix("x-key:") {
            value.trim().clone_into(&mut key);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; n_body];
    reader.read_exact(&mut body).unwrap();
    Request {
        method: head.split(' ').next().unwrap_or_default().to_owned(),
        key,
        body: String::from_utf8(body).unwrap(),
    }
}

/// Returns an endpoint that is sent a key.
pub(super) fn endpoint(url: String) -> McpEndpoint {
    let client = HttpClient::build(&HttpOptions {
        connect_timeout: Duration::from_secs(5),
        ca_pem: None,
        identity: None,
        insecure: false,
        needs_tls: false,
        proxies: Proxies::default(),
    });
    McpEndpoint {
        url,
        headers: Headers::build([("x-key", "secret")]).unwrap(),
        client: client.unwrap(),
        auth: Auth::None,
    }
}
