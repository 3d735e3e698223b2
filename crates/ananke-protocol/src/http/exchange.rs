//! One POST and the beginning of its answer, redirects decided.

use std::error::Error;

use ananke_model::recording::{Trouble, TroubleKind};
use bytes::Bytes;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION,
};
use reqwest::{Response, StatusCode, Url};

use super::HttpClient;

/// Redirects to the same origin that are followed in one exchange.
const MAX_REDIRECTS: usize = 5;
/// How much of an error body is read, and shown.
const MAX_ERROR_BODY: usize = 64 * 1024;
const SHOWN_ERROR_BODY: usize = 4096;
/// The headers of a response, names and values together.
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// A POST to be sent.
#[derive(Debug)]
pub(crate) struct Exchange<'a> {
    pub(crate) client: &'a HttpClient,
    pub(crate) url: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) accept: &'static str,
    pub(crate) body: Bytes,
}

/// A success with its body still to come.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) response: Response,
    /// The media type without parameters, in lower case.
    pub(crate) media_type: String,
}

/// What went wrong before a body could be read.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) trouble: Trouble,
    /// Whether any response came.
    pub(crate) reached: bool,
}

impl Exchange<'_> {
    /// Sends the request and returns the response, once its headers are there and say success.
    pub(crate) async fn send(&self) -> Result<Answer, Refused> {
        let mut url: Url = self.url.parse().map_err(|error| {
            refused(
                TroubleKind::Unreachable,
                false,
                format!("the URL `{}` is wrong: {error}", self.url),
            )
        })?;
        for _ in 0..=MAX_REDIRECTS {
            let response = self.post(url.clone()).await?;
            if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED
            {
                return accepted(response).await;
            }
            url = redirected(&url, &response)?;
        }
        Err(refused(
            TroubleKind::Redirect,
            true,
            format!("more than {MAX_REDIRECTS} redirects, the last to {url}"),
        ))
    }

    async fn post(&self, url: Url) -> Result<Response, Refused> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.accept));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Streams are not to be held back by a compressor; a server that compresses all the same is understood.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.extend(self.headers.clone());
        let request = self
            .client
            .0
            .post(url)
            .headers(headers)
            .body(self.body.clone());
        request.send().await.map_err(|error| {
            let kind = if error.is_connect() {
                TroubleKind::Unreachable
            } else {
                TroubleKind::Transport
            };
            refused(kind, false, cause(&error))
        })
    }
}

/// Follows 307 and 308 to the same origin; refuses everything else.
fn redirected(from: &Url, response: &Response) -> Result<Url, Refused> {
    let status = response.status();
    let refuse = |message: String| {
        Err(refused(
            TroubleKind::Redirect,
            true,
            format!("HTTP {status}: {message}"),
        ))
    };
    let Some(location) = response.headers().get(LOCATION) else {
        return refuse("a redirect without a Location".to_owned());
    };
    let shown = String::from_utf8_lossy(location.as_bytes()).into_owned();
    let Ok(to) = from.join(&shown) else {
        return refuse(format!("a redirect to `{shown}`, which is no URL"));
    };
    if !matches!(to.scheme(), "http" | "https") || to.origin() != from.origin() {
        return refuse(format!(
            "a redirect to another origin, `{shown}`, is not followed: headers may hold credentials; use that URL as endpoint if it is right"
        ));
    }
    match status {
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => Ok(to),
        _ => refuse(format!(
            "the redirect to `{shown}` would turn the POST into a GET; use that URL as endpoint"
        )),
    }
}

async fn accepted(mut response: Response) -> Result<Answer, Refused> {
    let headers = response.headers();
    let n_bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if n_bytes > MAX_HEADER_BYTES {
        return Err(refused(
            TroubleKind::Limit,
            true,
            format!("the response headers are larger than {MAX_HEADER_BYTES} bytes"),
        ));
    }
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let media_type = media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let coding = headers
        .get(CONTENT_ENCODING)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let status = response.status();
    if !status.is_success() {
        let body = beginning(&mut response).await;
        let body = if body.is_empty() {
            String::new()
        } else {
            format!(": {body}")
        };
        return Err(refused(
            TroubleKind::HttpStatus,
            true,
            format!("HTTP {status}{body}"),
        ));
    }
    if let Some(coding) = coding.filter(|coding| !coding.eq_ignore_ascii_case("identity")) {
        return Err(refused(
            TroubleKind::Transport,
            true,
            format!("the body has the unknown content-encoding `{coding}`"),
        ));
    }
    Ok(Answer {
        response,
        media_type,
    })
}

impl Answer {
    /// Says that the body is none that can be read, with its first line.
    pub(crate) async fn wrong_type(mut self, expected: &str) -> Trouble {
        let seen = if self.media_type.is_empty() {
            "no content-type".to_owned()
        } else {
            format!("`{}`", self.media_type)
        };
        let body = beginning(&mut self.response).await;
        let first_line = body
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        let shown: String = first_line.chars().take(200).collect();
        let shown = if shown.is_empty() {
            String::new()
        } else {
            format!("; it begins: {shown}")
        };
        Trouble {
            kind: TroubleKind::ContentType,
            message: format!("expected `{expected}`, got {seen}{shown}"),
        }
    }
}

/// Reads the beginning of a body that is only to be shown. The caller's deadline bounds the wait.
async fn beginning(response: &mut Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        body.extend_from_slice(&bytes);
        if body.len() >= MAX_ERROR_BODY {
            break;
        }
    }
    let text = String::from_utf8_lossy(&body);
    let trimmed = text.trim();
    let mut shown: String = trimmed.chars().take(SHOWN_ERROR_BODY).collect();
    if shown.len() < trimmed.len() {
        shown.push('…');
    }
    shown
}

fn refused(kind: TroubleKind, reached: bool, message: String) -> Refused {
    Refused {
        trouble: Trouble { kind, message },
        reached,
    }
}

/// Returns the causes of an error in one line, each once: the outermost alone rarely says what happened.
pub(crate) fn cause(error: &(dyn Error + 'static)) -> String {
    let mut messages: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let message = error.to_string();
        // Outer errors of the HTTP stack repeat their cause, or name the URL that the user knows.
        if !message.starts_with("error sending request")
            && !message.starts_with("client error")
            && messages
                .last()
                .is_none_or(|previous| !previous.ends_with(&message))
        {
            messages.push(message);
        }
        next = error.source();
    }
    if messages.is_empty() {
        error.to_string()
    } else {
        messages.join(": ")
    }
}
