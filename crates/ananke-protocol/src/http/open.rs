//! One request as a checker of servers needs it: any method, any body, the answer whatever its status, its body piece by
//! piece. Redirects are told, not followed.

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, Version};
use tokio::time::{Instant, timeout_at};

use super::{HttpClient, cause, tls_words};

/// A request to be sent.
#[derive(Clone, Debug)]
pub struct Ask {
    /// `GET` and so on.
    pub method: &'static str,
    /// Absolute.
    pub url: String,
    /// In order; nothing is added but what HTTP itself needs.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Vec<u8>>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The request itself cannot be sent.
    Wrong(String),
    /// No connection: name, address, or TLS.
    Unreachable(String),
    /// A connection, but nothing that is HTTP came over it.
    Broken(String),
    /// Nothing came in time.
    TooLate,
}

/// An answer whose body is still to come.
#[derive(Debug)]
pub struct Opened {
    /// The status.
    pub status: u16,
    /// In order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Whether it came over HTTP/1.
    pub is_http1: bool,
    response: Response,
}

/// What comes next in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes.
    Bytes(Bytes),
    /// The body is complete.
    End,
    /// The body broke off; why.
    Broken(String),
    /// Nothing came in time.
    TooLate,
}

impl HttpClient {
    /// Sends a request and waits for the head of its answer.
    pub async fn open(&self, ask: &Ask, deadline: Instant) -> Result<Opened, NoAnswer> {
        let method = Method::from_bytes(ask.method.as_bytes())
            .map_err(|_| NoAnswer::Wrong(format!("`{}` is not an HTTP method", ask.method)))?;
        let mut headers = HeaderMap::new();
        for (name, value) in &ask.headers {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| NoAnswer::Wrong(format!("`{name}` is not a header name")))?;
            let value = HeaderValue::from_str(value).map_err(|_| {
                let message = format!("the value of the header `{name}` holds control characters");
                NoAnswer::Wrong(message)
            })?;
            headers.append(key, value);
        }
        // Each over a connection of its own: one that was kept and is just going away would look like a server that breaks off.
        let mut request = self.fresh().request(method, &ask.url).headers(headers);
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        let response = match timeout_at(deadline, request.send()).await {
            Err(_) => return Err(NoAnswer::TooLate),
            Ok(Err(error)) if error.is_connect() => {
                let why = cause(&error);
                let why = match tls_words(&why) {
                    Some((what, next)) => format!("{what}; {next}"),
                    None => why,
                };
                return Err(NoAnswer::Unreachable(why));
            }
            Ok(Err(error)) if error.is_builder() => return Err(NoAnswer::Wrong(cause(&error))),
            Ok(Err(error)) => return Err(NoAnswer::Broken(cause(&error))),
            Ok(Ok(response)) => response,
        };
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| {
                let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
                (name.as_str().to_owned(), value)
            })
            .collect();
        Ok(Opened {
            status: response.status().as_u16(),
            headers,
            is_http1: response.version() <= Version::HTTP_11,
            response,
        })
    }
}

impl Opened {
    /// Waits for more of the body.
    pub async fn next(&mut self, deadline: Instant) -> Piece {
        match timeout_at(deadline, self.response.chunk()).await {
            Err(_) => Piece::TooLate,
            Ok(Err(error)) => Piece::Broken(cause(&error)),
            Ok(Ok(None)) => Piece::End,
            Ok(Ok(Some(bytes))) => Piece::Bytes(bytes),
        }
    }
}
