//! Who the client is, references resolved.

use ananke_model::plan::TargetAuth;
use ananke_protocol::a2a::Auth;

use super::http::Certificate;
use crate::session::Resolver;

/// What proves who the client is: in requests, or in TLS.
#[derive(Debug)]
pub(super) struct Proof {
    pub(super) auth: Auth,
    pub(super) certificate: Option<Certificate>,
}

impl Proof {
    pub(super) fn resolve(auth: Option<&TargetAuth>, resolver: &mut Resolver<'_>) -> Self {
        let mut certificate = None;
        let auth = match auth {
            None => Auth::None,
            Some(TargetAuth::ApiKey { place, name, value }) => Auth::ApiKey {
                place: *place,
                name: resolver.text(name),
                value: resolver.text(value),
            },
            Some(TargetAuth::Bearer(token)) => Auth::Bearer(resolver.text(token)),
            Some(TargetAuth::Basic { user, password }) => Auth::Basic {
                user: resolver.text(user),
                password: resolver.text(password),
            },
            Some(TargetAuth::ClientCredentials {
                token_url,
                client_id,
                client_secret,
                scopes,
            }) => Auth::ClientCredentials {
                token_url: token_url.as_ref().map(|url| resolver.text(url)),
                client_id: resolver.text(client_id),
                client_secret: resolver.text(client_secret),
                scopes: scopes.iter().map(|scope| resolver.text(scope)).collect(),
            },
            Some(TargetAuth::Mtls { cert, key }) => {
                certificate = Some(Certificate {
                    cert: resolver.text(cert),
                    key: resolver.text(key),
                });
                Auth::None
            }
        };
        Self { auth, certificate }
    }

    /// Returns what is wrong with it once its references have their values.
    pub(super) fn check(&self) -> Result<(), String> {
        let secret = match &self.auth {
            Auth::ApiKey { value, .. } => ("value", value),
            Auth::Bearer(token) => ("token", token),
            Auth::ClientCredentials { client_secret, .. } => ("clientSecret", client_secret),
            Auth::None | Auth::Basic { .. } => return Ok(()),
        };
        match secret {
            (name, secret) if secret.trim().is_empty() => Err(format!(
                "auth: `{name}` is empty once its references have their values"
            )),
            _ => Ok(()),
        }
    }

    /// Returns the URL that tokens come from, if the user named it.
    pub(super) fn token_url(&self) -> Option<&str> {
        match &self.auth {
            Auth::ClientCredentials { token_url, .. } => token_url.as_deref(),
            _ => None,
        }
    }
}
