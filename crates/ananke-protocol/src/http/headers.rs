//! URLs and headers that users configure, checked once their variables are known.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// The configured headers of every request to a target.
#[derive(Clone, Debug, Default)]
pub struct Headers(pub(crate) HeaderMap);

impl Headers {
    /// Checks names and values; a value with CR, LF or NUL would be a header injection.
    pub fn build<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("`{name}` is not a header name"))?;
            let value = HeaderValue::from_str(value).map_err(|_| {
                format!("the value of the header `{name}` holds control characters")
            })?;
            headers.insert(key, value);
        }
        Ok(Self(headers))
    }
}

/// Checks that `url` is an absolute http or https URL; says whether it needs TLS.
pub fn check_url(url: &str) -> Result<bool, String> {
    let shown = without_secrets(url);
    let parsed: Url = url
        .parse()
        .map_err(|error| format!("`{shown}` is not a URL: {error}"))?;
    match parsed.scheme() {
        "http" => Ok(false),
        "https" => Ok(true),
        other => Err(format!(
            "`{shown}` has the scheme `{other}`; http and https are supported"
        )),
    }
}

/// Returns a URL as it may be shown: without user, password, query and fragment, where secrets live.
pub fn without_secrets(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{path}")
}
