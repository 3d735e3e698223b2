//! A look at a URL, for diagnosis: one small request, and the beginning of whatever answers.

use std::time::Duration;

use reqwest::RequestBuilder;
use reqwest::header::{CONTENT_TYPE, DATE};
use serde_json::Value;

use super::retry_after::date_ms;
use super::{Headers, HttpClient, cause};

/// How much of a body is read.
const MAX_BODY: usize = 64 * 1024;

/// What answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The status.
    pub status: u16,
    /// The media type without parameters, in lower case; empty if there is none.
    pub media_type: String,
    /// The server's clock by its `Date`, in Unix milliseconds.
    pub date_ms: Option<u64>,
    /// The beginning of the body.
    pub body: String,
}

impl HttpClient {
    /// Gets `url`; says in plain words why nothing answered.
    pub async fn get(&self, url: &str, headers: &Headers, limit: Duration) -> Result<Look, String> {
        look(self.pooled.get(url), headers, limit).await
    }

    /// Posts JSON to `url`; says in plain words why nothing answered.
    pub async fn post(
        &self,
        url: &str,
        headers: &Headers,
        body: &Value,
        limit: Duration,
    ) -> Result<Look, String> {
        let request = self.pooled.post(url).body(body.to_string());
        look(
            request.header(CONTENT_TYPE, "application/json"),
            headers,
            limit,
        )
        .await
    }
}

async fn look(request: RequestBuilder, headers: &Headers, limit: Duration) -> Result<Look, String> {
    let request = request.headers(headers.0.clone()).timeout(limit);
    let mut response = request.send().await.map_err(|error| {
        if error.is_timeout() {
            format!("no answer within {}ms", limit.as_millis())
        } else {
            cause(&error)
        }
    })?;
    let media_type = response.headers().get(CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| value.split(';').next());
    let media_type = media_type.unwrap_or_default().trim().to_ascii_lowercase();
    let date_ms = date_ms(response.headers(), &DATE);
    let mut body = Vec::new();
    // A stream that never ends, or one that breaks, has said enough.
    while let Ok(Some(bytes)) = response.chunk().await {
        body.extend_from_slice(&bytes);
        if body.len() >= MAX_BODY {
            break;
        }
    }
    Ok(Look {
        status: response.status().as_u16(),
        media_type,
        date_ms,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}
