//! Who the client is: keys and tokens, and where in a request they stand. They only go to origins that the user named.

use std::fmt;

use ananke_model::plan::KeyPlace;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName, HeaderValue};

/// A shorter secret would be found in innocent words.
const MIN_SECRET: usize = 6;

/// How a client proves who it is. Client certificates belong to the HTTP client.
#[derive(Clone, PartialEq, Eq)]
pub enum Auth {
    /// It does not.
    None,
    /// With a key.
    ApiKey {
        /// Where the key stands.
        place: KeyPlace,
        /// Under which name.
        name: String,
        /// The key.
        value: String,
    },
    /// With a token.
    Bearer(String),
    /// With a name and a password.
    Basic {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// With a token that is fetched for the client's own credentials.
    ClientCredentials {
        /// Where it is fetched; as the card says if it is not given.
        token_url: Option<String>,
        /// The name of the client.
        client_id: String,
        /// Its secret.
        client_secret: String,
        /// What the token is to allow.
        scopes: Vec<String>,
    },
}

/// Secrets are not shown.
impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::ApiKey { .. } => "ApiKey",
            Self::Bearer(_) => "Bearer",
            Self::Basic { .. } => "Basic",
            Self::ClientCredentials { .. } => "ClientCredentials",
        })
    }
}

impl Auth {
    /// Puts the credentials into a request. `token` is the one that was fetched, where one is needed.
    pub(crate) fn sign(
        &self,
        url: &mut String,
        headers: &mut HeaderMap,
        token: Option<&str>,
    ) -> Result<(), String> {
        let (name, value) = match self {
            Self::None => return Ok(()),
            Self::Bearer(token) => (AUTHORIZATION, format!("Bearer {token}")),
            Self::Basic { user, password } => (AUTHORIZATION, basic(user, password)),
            Self::ClientCredentials { .. } => match token {
                Some(token) => (AUTHORIZATION, format!("Bearer {token}")),
                None => return Ok(()),
            },
            Self::ApiKey { place, name, value } => match place {
                KeyPlace::Header => {
                    let header = HeaderName::from_bytes(name.as_bytes())
                        .map_err(|_| format!("`{name}` is not a header name"))?;
                    (header, value.clone())
                }
                KeyPlace::Cookie => (COOKIE, cookie(headers, name, value)),
                KeyPlace::Query => {
                    let mut signed: Url = url
                        .parse()
                        .map_err(|error| format!("the URL is wrong: {error}"))?;
                    signed.query_pairs_mut().append_pair(name, value);
                    *url = signed.to_string();
                    return Ok(());
                }
            },
        };
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| "the credentials hold control characters".to_owned())?;
        value.set_sensitive(true);
        headers.insert(name, value);
        Ok(())
    }

    /// Returns `text` without the secrets, which a server may repeat.
    pub(crate) fn hidden(&self, text: String, token: Option<&str>) -> String {
        let encoded = match self {
            Self::Basic { user, password } => basic(user, password),
            _ => String::new(),
        };
        let own = match self {
            Self::None => "",
            Self::ApiKey { value, .. } => value,
            Self::Bearer(token) => token,
            Self::Basic { password, .. } => password,
            Self::ClientCredentials { client_secret, .. } => client_secret,
        };
        let encoded = encoded.trim_start_matches("Basic ");
        let secrets = [encoded, own, token.unwrap_or_default()];
        let long = secrets
            .into_iter()
            .filter(|secret| secret.len() >= MIN_SECRET);
        long.fold(text, |text, secret| {
            if text.contains(secret) {
                text.replace(secret, "[redacted]")
            } else {
                text
            }
        })
    }
}

/// Returns the value of a header that holds a name and a password.
pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

/// Returns the cookies that are configured, with one more.
fn cookie(headers: &HeaderMap, name: &str, value: &str) -> String {
    let known = headers.get(COOKIE).and_then(|known| known.to_str().ok());
    match known {
        Some(known) => format!("{known}; {name}={value}"),
        None => format!("{name}={value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(auth: &Auth) -> String {
        let mut url = "http://agent/a?b=1".to_owned();
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=1"));
        auth.sign(&mut url, &mut headers, Some("fetched")).unwrap();
        let mut lines = vec![url];
        for (name, value) in &headers {
            lines.push(format!("{name}: {}", value.to_str().unwrap()));
        }
        lines.join("\n")
    }

    #[test]
    fn credentials_stand_where_they_belong() {
        let key = |place| Auth::ApiKey {
            place,
            name: "x-key".to_owned(),
            value: "s3 cret".to_owned(),
        };
        insta::assert_snapshot!(signed(&key(KeyPlace::Header)), @"
        http://agent/a?b=1
        cookie: a=1
        x-key: s3 cret
        ");
        insta::assert_snapshot!(signed(&key(KeyPlace::Query)), @"
        http://agent/a?b=1&x-key=s3+cret
        cookie: a=1
        ");
        insta::assert_snapshot!(signed(&key(KeyPlace::Cookie)), @"
        http://agent/a?b=1
        cookie: a=1; x-key=s3 cret
        ");
        let basic = Auth::Basic {
            user: "joe".to_owned(),
            password: "s3cret".to_owned(),
        };
        insta::assert_snapshot!(signed(&basic), @"
        http://agent/a?b=1
        cookie: a=1
        authorization: Basic am9lOnMzY3JldA==
        ");
        assert_eq!(
            basic.hidden("am9lOnMzY3JldA== s3cret".to_owned(), None),
            "[redacted] [redacted]"
        );
        assert_eq!(format!("{basic:?}"), "Basic");
    }
}
