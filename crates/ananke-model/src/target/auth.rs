//! Who the client is: keys, tokens and certificates of a target.

use crate::place::Text;

/// `auth` of a target. What it holds goes to the origins that the user named and nowhere else.
#[derive(Clone, Debug)]
pub enum TargetAuth {
    /// `scheme: apiKey`.
    ApiKey {
        /// `in`: where the key stands.
        place: KeyPlace,
        /// Under which name.
        name: Text,
        /// The key.
        value: Text,
    },
    /// `scheme: bearer`.
    Bearer(Text),
    /// `scheme: basic`.
    Basic {
        /// The name.
        user: Text,
        /// The password.
        password: Text,
    },
    /// `scheme: oauth2`: a token is fetched for the client's own credentials.
    ClientCredentials {
        /// Where; as the agent says if it is not given.
        token_url: Option<Text>,
        /// The name of the client.
        client_id: Text,
        /// Its secret.
        client_secret: Text,
        /// What the token is to allow.
        scopes: Vec<Text>,
    },
    /// `scheme: mtls`: a certificate of the client. Authorities are under `tls`.
    Mtls {
        /// A PEM file with the certificate.
        cert: Text,
        /// A PEM file with its key.
        key: Text,
    },
}

impl TargetAuth {
    /// Returns what nobody may see.
    pub fn secrets(&self) -> Vec<&Text> {
        match self {
            Self::ApiKey { value, .. } => vec![value],
            Self::Bearer(token) => vec![token],
            Self::Basic { password, .. } => vec![password],
            Self::ClientCredentials { client_secret, .. } => vec![client_secret],
            Self::Mtls { .. } => Vec::new(),
        }
    }

    /// Returns everything that may hold references.
    pub fn texts(&self) -> Vec<&Text> {
        match self {
            Self::ApiKey { name, value, .. } => vec![name, value],
            Self::Bearer(token) => vec![token],
            Self::Basic { user, password } => vec![user, password],
            Self::ClientCredentials {
                token_url,
                client_id,
                client_secret,
                scopes,
            } => {
                let url = token_url.iter();
                url.chain([client_id, client_secret])
                    .chain(scopes)
                    .collect()
            }
            Self::Mtls { cert, key } => vec![cert, key],
        }
    }
}

/// Where a key stands in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// In a header.
    Header,
    /// In the query of the URL.
    Query,
    /// In a cookie.
    Cookie,
}
