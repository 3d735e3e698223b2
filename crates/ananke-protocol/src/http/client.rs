//! The HTTP client: built once for each set of options, lazily, and shared.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Identity, NoProxy, Proxy};

use super::headers::without_secrets;
use super::opening::WatchOpening;
use super::proxies::Proxies;

/// What a client is built from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HttpOptions {
    /// Limit for reaching a server.
    pub connect_timeout: Duration,
    /// Authorities to trust in addition, as PEM.
    pub ca_pem: Option<Vec<u8>>,
    /// What the client shows servers that want to know who it is.
    pub identity: Option<ClientIdentity>,
    /// Accept any certificate.
    pub insecure: bool,
    /// Whether TLS can be needed at all; loading the system's authorities costs milliseconds.
    pub needs_tls: bool,
    /// Proxies, as the usual environment variables name them.
    pub proxies: Proxies,
}

/// A certificate of the client and its private key, as PEM one behind the other.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ClientIdentity(pub Vec<u8>);

/// A private key is not shown.
impl fmt::Debug for ClientIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientIdentity")
    }
}

/// A client could not be built.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// A proxy URL is wrong.
    #[error("the proxy `{0}` cannot be used: {1}")]
    Proxy(String, String),
    /// The file of authorities is wrong.
    #[error("the file of certificate authorities cannot be used: {0}")]
    Authorities(String),
    /// The certificate of the client, or its key, is wrong.
    #[error("the certificate of the client and its key cannot be used: {0}")]
    Identity(String),
    /// Anything else.
    #[error("the HTTP client cannot be built: {0}")]
    Other(String),
}

/// A shared HTTP client.
#[derive(Clone, Debug)]
pub struct HttpClient {
    /// Keeps connections for the next request.
    pub(crate) pooled: reqwest::Client,
    pub(crate) options: HttpOptions,
    fresh: Arc<OnceLock<reqwest::Client>>,
}

impl HttpClient {
    /// Builds a client.
    pub fn build(options: &HttpOptions) -> Result<Self, ClientError> {
        Ok(Self {
            pooled: Self::build_with(options, usize::MAX)?,
            options: options.clone(),
            fresh: Arc::default(),
        })
    }

    /// Returns a client that opens a connection for each request; the shared one where that cannot be built.
    pub(crate) fn fresh(&self) -> &reqwest::Client {
        self.fresh.get_or_init(|| {
            Self::build_with(&self.options, 0).unwrap_or_else(|_| self.pooled.clone())
        })
    }

    fn build_with(
        options: &HttpOptions,
        n_idle_connections: usize,
    ) -> Result<reqwest::Client, ClientError> {
        let mut builder = reqwest::Client::builder()
            // Without a version: that of this crate is not the release.
            .user_agent("ananke")
            .connect_timeout(options.connect_timeout)
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            // Servers close idle connections after some seconds; a request must not meet one that is just going away.
            .pool_idle_timeout(Duration::from_secs(1))
            .pool_max_idle_per_host(n_idle_connections)
            .connector_layer(WatchOpening::default())
            .tcp_nodelay(true)
            .no_proxy();
        for proxy in proxies(&options.proxies)? {
            builder = builder.proxy(proxy);
        }
        if let Some(pem) = &options.ca_pem {
            let authorities = Certificate::from_pem_bundle(pem)
                .map_err(|error| ClientError::Authorities(super::cause(&error)))?;
            if authorities.is_empty() {
                return Err(ClientError::Authorities(
                    "it holds no certificate".to_owned(),
                ));
            }
            builder = builder.tls_certs_merge(authorities);
        } else if !options.needs_tls {
            builder = builder.tls_certs_only([]);
        }
        if let Some(ClientIdentity(pem)) = &options.identity {
            let identity = Identity::from_pem(pem)
                .map_err(|error| ClientError::Identity(super::cause(&error)))?;
            builder = builder.identity(identity);
        }
        if options.insecure {
            builder = builder.tls_danger_accept_invalid_certs(true);
        }
        builder
            .build()
            .map_err(|error| ClientError::Other(super::cause(&error)))
    }

    /// Tells whether `url` answers any HTTP response within `limit`.
    pub async fn answers(&self, url: &str, limit: Duration) -> Result<(), String> {
        let request = self.pooled.get(url).timeout(limit).send();
        request
            .await
            .map(|_| ())
            .map_err(|error| super::cause(&error))
    }
}

fn proxies(options: &Proxies) -> Result<Vec<Proxy>, ClientError> {
    type Build = fn(&str) -> reqwest::Result<Proxy>;
    let kinds: [(&Option<String>, Build); 3] = [
        (&options.http, |url| Proxy::http(url)),
        (&options.https, |url| Proxy::https(url)),
        (&options.all, |url| Proxy::all(url)),
    ];
    let excepted = options.no_proxy.as_deref().unwrap_or_default();
    if excepted.split(',').any(|entry| entry.trim() == "*") {
        return Ok(Vec::new());
    }
    let no_proxy = options.no_proxy.as_deref().and_then(NoProxy::from_string);
    let mut proxies = Vec::new();
    for (url, build) in kinds {
        if let Some(url) = url.as_deref().filter(|url| !url.is_empty()) {
            let proxy = build(url)
                .map_err(|error| ClientError::Proxy(without_secrets(url), super::cause(&error)))?;
            proxies.push(proxy.no_proxy(no_proxy.clone()));
        }
    }
    Ok(proxies)
}
