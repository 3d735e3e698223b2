//! The HTTP side of a target: client, headers and certificates, checked once their references are resolved.

use std::time::Duration;

use ananke_model::place::Text;
use ananke_model::plan::Tls;
use ananke_protocol::http::{ClientError, ClientIdentity, Headers, HttpClient, HttpOptions};

use super::Means;
use crate::session::Resolver;

/// A certificate of the client, as paths of PEM files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Certificate {
    pub(super) cert: String,
    pub(super) key: String,
}

impl Certificate {
    fn read(&self, means: &Means<'_>) -> Result<ClientIdentity, String> {
        let file = |name: &str, path: &str| {
            let found = std::fs::read(means.root.join(path));
            found.map_err(|error| format!("auth.{name}: `{path}`: {error}"))
        };
        let mut pem = file("cert", &self.cert)?;
        pem.push(b'\n');
        pem.extend(file("key", &self.key)?);
        Ok(ClientIdentity(pem))
    }
}

/// What of a target is about HTTP, references resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HttpParts {
    headers: Vec<(String, String)>,
    ca: Option<String>,
    insecure: bool,
    connect_timeout: Duration,
    certificate: Option<Certificate>,
}

impl HttpParts {
    pub(super) fn resolve(
        headers: &[(String, Text)],
        tls: &Tls,
        connect_timeout_ms: u64,
        resolver: &mut Resolver<'_>,
    ) -> Self {
        let headers = headers.iter();
        Self {
            headers: headers
                .map(|(name, value)| (name.clone(), resolver.text(value)))
                .collect(),
            ca: tls.ca.as_ref().map(|path| resolver.text(path)),
            insecure: tls.insecure,
            connect_timeout: Duration::from_millis(connect_timeout_ms),
            certificate: None,
        }
    }

    /// Shows a certificate to servers that want to know who the client is.
    pub(super) fn show(&mut self, certificate: Option<Certificate>) {
        self.certificate = certificate;
    }

    /// Adds a header in front of those of the user, who may say it otherwise.
    pub(super) fn put_first(&mut self, name: &str, value: String) {
        self.headers.insert(0, (name.to_owned(), value));
    }

    /// Returns the headers, checked.
    pub(super) fn headers(&self) -> Result<Headers, String> {
        let headers = self.headers.iter();
        Headers::build(headers.map(|(name, value)| (name.as_str(), value.as_str())))
    }

    /// Returns the client for these certificates.
    pub(super) fn client(&self, needs_tls: bool, means: &Means<'_>) -> Result<HttpClient, String> {
        let proxies = means.proxies;
        let ca_pem = self.ca.as_ref().map(|path| {
            std::fs::read(means.root.join(path))
                .map_err(|error| format!("tls.ca: `{path}`: {error}"))
        });
        let identity = self.certificate.as_ref();
        let identity = identity.map(|certificate| certificate.read(means));
        let client = means.clients.get(HttpOptions {
            connect_timeout: self.connect_timeout,
            ca_pem: ca_pem.transpose()?,
            identity: identity.transpose()?,
            insecure: self.insecure,
            needs_tls: needs_tls || proxies.uses_tls(),
            proxies: proxies.clone(),
        });
        client.map_err(|error| match (error, &self.ca, &self.certificate) {
            (ClientError::Authorities(why), Some(path), _) => format!("tls.ca: `{path}`: {why}"),
            (ClientError::Identity(why), _, Some(Certificate { cert, key })) => format!(
                "auth: the certificate `{cert}` and the key `{key}` cannot be used: {why}; both are PEM files, the key without a password"
            ),
            (error, _, _) => error.to_string(),
        })
    }
}
