//! One request of a script: any method, any body, the whole answer in memory up to a limit. Redirects are told, not followed:
//! whoever asks decides which hosts may be reached.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Method, Url};

use super::headers::without_secrets;
use super::{HttpClient, cause};

/// A request.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// `GET` and so on.
    pub method: String,
    /// Absolute.
    pub url: String,
    /// In order.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Vec<u8>>,
    /// How long all of it may take.
    pub limit: Duration,
    /// How much of a body is taken, in bytes.
    pub max_body: usize,
}

/// What answered a [`Fetch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchAnswer {
    /// The status.
    pub status: u16,
    /// In order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpClient {
    /// Sends a request and reads the answer; says in plain words why there is none.
    pub async fn fetch(&self, fetch: &Fetch) -> Result<FetchAnswer, String> {
        let limit = fetch.limit;
        match tokio::time::timeout(limit, self.fetch_all(fetch)).await {
            Ok(answer) => answer,
            Err(_) => Err(format!("no answer within {}ms", limit.as_millis())),
        }
    }

    async fn fetch_all(&self, fetch: &Fetch) -> Result<FetchAnswer, String> {
        let method = Method::from_bytes(fetch.method.to_ascii_uppercase().as_bytes())
            .map_err(|_| format!("`{}` is not an HTTP method", fetch.method))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &fetch.headers {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| format!("`{name}` is not a header name"))?;
            let value = HeaderValue::from_str(value).map_err(|_| {
                format!("the value of the header `{name}` holds control characters")
            })?;
            headers.append(key, value);
        }
        let mut request = self.pooled.request(method, &fetch.url).headers(headers);
        if let Some(body) = &fetch.body {
            request = request.body(body.clone());
        }
        let mut response = request.send().await.map_err(|error| cause(&error))?;
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.as_str().to_owned(), value)
            })
            .collect();
        let mut body = Vec::new();
        while let Some(bytes) = response.chunk().await.map_err(|error| cause(&error))? {
            if body.len() + bytes.len() > fetch.max_body {
                return Err(format!(
                    "the answer is larger than {} bytes",
                    fetch.max_body
                ));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(FetchAnswer {
            status: response.status().as_u16(),
            headers,
            body,
        })
    }
}

/// Returns the host of a URL in lower case with its port, the usual one included: `example.com:443`.
pub fn host_of(url: &str) -> Result<String, String> {
    let parsed = parse(url)?;
    let host = parsed.host_str().unwrap_or_default().to_ascii_lowercase();
    let port = parsed.port_or_known_default().unwrap_or_default();
    Ok(format!("{host}:{port}"))
}

/// Returns the request that a redirect leads to; nothing if the answer is none. Credentials stay with the host that they were
/// meant for.
pub fn redirected(fetch: &Fetch, answer: &FetchAnswer) -> Result<Option<Fetch>, String> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = answer
        .headers
        .iter()
        .find(|(name, _)| name == LOCATION.as_str());
    let Some((_, location)) = location else {
        return Ok(None);
    };
    let base = parse(&fetch.url)?;
    let next = base.join(location).map_err(|error| {
        let shown = without_secrets(location);
        format!("the redirect to `{shown}` is not a URL: {error}")
    })?;
    let mut next = Fetch {
        url: next.to_string(),
        ..fetch.clone()
    };
    let method = fetch.method.to_ascii_uppercase();
    let becomes_get = match answer.status {
        303 => method != "HEAD",
        301 | 302 => method == "POST",
        _ => false,
    };
    if becomes_get {
        "GET".clone_into(&mut next.method);
        next.body = None;
        let is_of_body = |name: &str| name.to_ascii_lowercase().starts_with("content-");
        next.headers.retain(|(name, _)| !is_of_body(name));
    }
    if host_of(&next.url)? != host_of(&fetch.url)? {
        let is_secret = |name: &str| {
            let name = name.to_ascii_lowercase();
            matches!(
                name.as_str(),
                "authorization" | "cookie" | "proxy-authorization"
            )
        };
        next.headers.retain(|(name, _)| !is_secret(name));
    }
    Ok(Some(next))
}

fn parse(url: &str) -> Result<Url, String> {
    let parsed: Url = url.parse().map_err(|error| {
        let shown = without_secrets(url);
        format!("`{shown}` is not a URL: {error}")
    })?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        other => Err(format!(
            "`{}` has the scheme `{other}`; http and https are supported",
            without_secrets(url)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetch(method: &str) -> Fetch {
        let header = |name: &str| (name.to_owned(), "x".to_owned());
        Fetch {
            method: method.to_owned(),
            url: "https://a.example/one".to_owned(),
            headers: ["Authorization", "Content-Type", "X-A"]
                .map(header)
                .to_vec(),
            body: Some(b"b".to_vec()),
            limit: Duration::from_secs(1),
            max_body: 10,
        }
    }

    fn next(method: &str, status: u16, location: &str) -> String {
        let answer = FetchAnswer {
            status,
            headers: vec![("location".to_owned(), location.to_owned())],
            body: Vec::new(),
        };
        match redirected(&fetch(method), &answer) {
            Ok(None) => "none".to_owned(),
            Err(why) => why,
            Ok(Some(next)) => {
                let headers = next.headers.iter().map(|(name, _)| name.as_str());
                let headers: Vec<&str> = headers.collect();
                format!(
                    "{} {} {headers:?} {}",
                    next.method,
                    next.url,
                    next.body.is_some()
                )
            }
        }
    }

    #[test]
    fn redirects_keep_what_they_may() {
        assert_eq!(next("GET", 200, "/two"), "none");
        assert_eq!(
            next("PUT", 307, "/two"),
            r#"PUT https://a.example/two ["Authorization", "Content-Type", "X-A"] true"#
        );
        assert_eq!(
            next("POST", 302, "https://b.example/"),
            r#"GET https://b.example/ ["X-A"] false"#
        );
        assert_eq!(
            next("GET", 301, "ftp://b/"),
            "`ftp://b/` has the scheme `ftp`; http and https are supported"
        );
    }

    #[test]
    fn hosts_have_their_ports() {
        assert_eq!(host_of("https://A.example/x").unwrap(), "a.example:443");
        assert_eq!(host_of("http://[::1]:8080/").unwrap(), "[::1]:8080");
        assert!(host_of("file:///etc/passwd").is_err());
    }
}
