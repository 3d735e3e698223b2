//! One request of a script: any method, any body, the whole answer in memory up to a limit. Redirects are told, not followed:
//! whoever asks decides which hosts may be reached.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

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
