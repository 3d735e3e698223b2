//! One POST and the beginning of its answer, redirects decided.

use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use bytes::Bytes;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION,
};
use reqwest::{Response, StatusCode, Url};
use tokio::time::{Instant, timeout_at};

use super::HttpClient;
use super::opening::{Opening, watch};
use super::retry_after::retry_after_ms;
use super::tls_words::tls_words;

/// Redirects to the same origin that are followed in one exchange.
const MAX_REDIRECTS: usize = 5;
/// How much of an error body is read, and shown.
const MAX_ERROR_BODY: usize = 64 * 1024;
const SHOWN_ERROR_BODY: usize = 4096;
/// How long to wait for a body that is only to be shown: its status or type says what matters.
const ERROR_BODY_WAIT: Duration = Duration::from_secs(2);
/// By how much such a wait ends before the turn does, so that the reason is the status and not the time.
const BEFORE_DEADLINE: Duration = Duration::from_millis(10);
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
    /// When the turn is over.
    pub(crate) deadline: Instant,
    /// When the turn began, in Unix milliseconds.
    pub(crate) unix_ms: i64,
    /// Set when a connection that an earlier request had used was closed instead of answering: the request is sent again.
    pub(crate) is_sent_twice: AtomicBool,
}

/// A success with its body still to come.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) response: Response,
    /// The media type without parameters, in lower case.
    pub(crate) media_type: String,
    /// When the connection was ready, if one had to be opened.
    pub(crate) connected_at: Option<Instant>,
    deadline: Instant,
}

/// What went wrong before a body could be read.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) trouble: Trouble,
    /// Whether any response came.
    pub(crate) reached: bool,
    /// Whether the connection ended before any byte of a response.
    pub(crate) is_closed_early: bool,
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
        let mut connected_at = None;
        for _ in 0..=MAX_REDIRECTS {
            let (response, ready_at) = self.post(url.clone()).await?;
            connected_at = connected_at.or(ready_at);
            if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED
            {
                let answer = accepted(response, self.deadline, self.unix_ms).await?;
                return Ok(Answer {
                    connected_at,
                    ..answer
                });
            }
            url = redirected(&url, &response)?;
        }
        Err(refused(
            TroubleKind::Redirect,
            true,
            format!("more than {MAX_REDIRECTS} redirects, the last to {url}"),
        ))
    }

    /// Posts to `url`; also tells when the connection was ready, if one had to be opened.
    async fn post(&self, url: Url) -> Result<(Response, Option<Instant>), Refused> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.accept));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Streams are not to be held back by a compressor; a server that compresses all the same is understood.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers.extend(self.headers.clone());
        let send = |client: &reqwest::Client| {
            let request = client.post(url.clone()).headers(headers.clone());
            request.body(self.body.clone()).send()
        };
        let (mut sent, mut opening) = watch(send(&self.client.pooled)).await;
        if opening == Opening::Reused && sent.as_ref().is_err_and(is_closed_early) {
            self.is_sent_twice.store(true, Ordering::Relaxed);
            (sent, opening) = watch(send(self.client.fresh())).await;
        }
        let response = sent.map_err(|error| unanswered(self.client, &url, &error))?;
        let ready_at = match opening {
            Opening::Ready(at) => Some(at),
            Opening::Reused | Opening::Begun => None,
        };
        Ok((response, ready_at))
    }
}

/// Tells whether a connection ended before its response came. It cannot be told from one that ended inside the headers.
fn is_closed_early(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| {
        let broken = cause.downcast_ref::<io::Error>().is_some_and(|error| {
            matches!(
                error.kind(),
                io::ErrorKind::ConnectionReset
                    | io::ErrorKind::ConnectionAborted
                    | io::ErrorKind::BrokenPipe
            )
        });
        broken || cause.to_string() == CLOSED_EARLY
    })
}

/// What the HTTP library says of a connection that ended before its response came.
const CLOSED_EARLY: &str = "connection closed before message completed";

/// Says why no response came.
fn unanswered(client: &HttpClient, url: &Url, error: &reqwest::Error) -> Refused {
    let server = url.origin().ascii_serialization();
    let why = cause(error);
    if error.is_connect() {
        let why = if error.is_timeout() {
            let limit = client.options.connect_timeout.as_millis();
            format!("timeout after {limit}ms (connect_timeout_ms)")
        } else {
            why
        };
        let host = url.host_str().unwrap_or_default();
        let proxies = &client.options.proxies;
        let proxy = proxies.used_for(url.scheme() == "https", host);
        let proxy = proxy.map_or_else(String::new, |used| {
            format!(" (the proxy is `{}`)", used.url)
        });
        let why = match tls_words(&why) {
            Some((what, next)) => format!("{what}; {next}"),
            None => why,
        };
        let message = format!("cannot connect to {server}{proxy}: {why}");
        return refused(TroubleKind::Unreachable, false, message);
    }
    let message = if why == CLOSED_EARLY {
        format!("{server} closed the connection without an answer")
    } else if is_closed_early(error) {
        format!("{server} broke the connection without an answer: {why}")
    } else {
        format!("the answer of {server} cannot be read as HTTP: {why}")
    };
    Refused {
        is_closed_early: is_closed_early(error),
        ..refused(TroubleKind::Transport, false, message)
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
    if shown.trim().is_empty() {
        return refuse("a redirect with an empty Location".to_owned());
    }
    let Ok(to) = from.join(&shown) else {
        return refuse(format!("a redirect to `{shown}`, which is no URL"));
    };
    if !matches!(to.scheme(), "http" | "https") {
        return refuse(format!(
            "a redirect to `{shown}`, which is neither http nor https, is not followed"
        ));
    }
    if to.origin() != from.origin() {
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

async fn accepted(
    mut response: Response,
    deadline: Instant,
    unix_ms: i64,
) -> Result<Answer, Refused> {
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
        let refusal = Refusal {
            status: status.as_u16(),
            retry_after_ms: retry_after_ms(headers, unix_ms),
        };
        let body = beginning(&mut response, deadline).await;
        let body = if body.is_empty() {
            String::new()
        } else {
            format!(": {body}")
        };
        let mut refused = refused(
            TroubleKind::HttpStatus,
            true,
            format!("HTTP {status}{body}"),
        );
        refused.trouble.refusal = Some(refusal);
        return Err(refused);
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
        connected_at: None,
        deadline,
    })
}

impl Answer {
    /// Says that the body is none that can be read, with its first line; and whether it is empty.
    pub(crate) async fn wrong_type(mut self, expected: &str) -> (Trouble, bool) {
        let seen = if self.media_type.is_empty() {
            "no content-type".to_owned()
        } else {
            format!("`{}`", self.media_type)
        };
        let body = beginning(&mut self.response, self.deadline).await;
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
        let trouble = Trouble {
            kind: TroubleKind::ContentType,
            message: format!("expected `{expected}`, got {seen}{shown}"),
            refusal: None,
        };
        (trouble, body.is_empty())
    }
}

/// Reads the beginning of a body that is only to be shown.
async fn beginning(response: &mut Response, deadline: Instant) -> String {
    let before_deadline = deadline.checked_sub(BEFORE_DEADLINE).unwrap_or(deadline);
    let until = (Instant::now() + ERROR_BODY_WAIT).min(before_deadline);
    let mut body = Vec::new();
    while let Ok(Ok(Some(bytes))) = timeout_at(until, response.chunk()).await {
        body.extend_from_slice(&bytes);
        if body.len() >= MAX_ERROR_BODY {
            break;
        }
    }
    let text = String::from_utf8_lossy(&body);
    let trimmed = text.trim();
    let end = trimmed.floor_char_boundary(SHOWN_ERROR_BODY);
    let (shown, rest) = trimmed.split_at(end);
    let ellipsis = if rest.is_empty() { "" } else { "…" };
    format!("{shown}{ellipsis}")
}

fn refused(kind: TroubleKind, reached: bool, message: String) -> Refused {
    Refused {
        trouble: Trouble {
            kind,
            message,
            refusal: None,
        },
        reached,
        is_closed_early: false,
    }
}

/// Returns the causes of an error in one line, each once: the outermost alone rarely says what happened.
pub(crate) fn cause(error: &(dyn Error + 'static)) -> String {
    // Outer errors of the HTTP stack repeat their cause, name the URL that the user knows, or say what our own words say.
    const EMPTY: [&str; 8] = [
        "builder error",
        "error sending request",
        "client error",
        "error decoding response body",
        "error reading a body from connection",
        "tcp connect error",
        "dns error",
        "error resolving DNS",
    ];
    let mut messages: Vec<String> = Vec::new();
    for error in causes(error) {
        let message = error.to_string();
        let is_empty = EMPTY.iter().any(|empty| message.starts_with(empty));
        if !(is_empty && error.source().is_some())
            && messages
                .last()
                .is_none_or(|previous| !previous.ends_with(&message))
        {
            messages.push(message);
        }
    }
    if messages.is_empty() {
        error.to_string()
    } else {
        messages.join(": ")
    }
}

/// Goes from an error to what caused it, and on.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}
