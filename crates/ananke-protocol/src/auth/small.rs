//! Small requests: the card, a token, a question about a task. The whole answer is read, up to a limit.

use ananke_model::recording::{Trouble, TroubleKind};
use reqwest::Url;
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use crate::http::{Ask, HttpClient, NoAnswer, Opened, Piece, without_secrets};

/// Redirects to the same origin that are followed.
const MAX_REDIRECTS: usize = 5;

/// A small request.
#[derive(Debug)]
pub(crate) struct Small<'a> {
    pub(crate) client: &'a HttpClient,
    /// What it is about, for messages: `the agent card`.
    pub(crate) what: &'a str,
    pub(crate) method: &'static str,
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) max_bytes: usize,
    pub(crate) deadline: Instant,
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) status: u16,
    /// Where it came from in the end.
    pub(crate) url: Url,
    /// In order, names in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Fetched {
    /// Returns the first header of this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What went wrong, and whether any response came.
#[derive(Debug)]
pub(crate) struct Unfetched {
    pub(crate) trouble: Trouble,
    pub(crate) reached: bool,
}

/// How much of an answer is shown in a message, in characters.
const SHOWN: usize = 200;

/// Returns the beginning of a text. The sign where it was cut tells that half of a secret may stand there.
pub(crate) fn beginning_of(text: &str) -> String {
    let mut chars = text.trim().chars();
    let mut shown: String = chars.by_ref().take(SHOWN).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

impl Small<'_> {
    /// Sends the request, follows redirects to the same origin, and reads the answer.
    pub(crate) async fn fetch(&self) -> Result<Fetched, Unfetched> {
        let mut url: Url = self.url.parse().map_err(|error| {
            let shown = without_secrets(&self.url);
            self.not(
                TroubleKind::Unreachable,
                false,
                format!("the URL `{shown}` is wrong: {error}"),
            )
        })?;
        for _ in 0..=MAX_REDIRECTS {
            let ask = Ask {
                method: self.method,
                url: url.to_string(),
                headers: pairs(&self.headers),
                body: self.body.clone(),
            };
            let opened = self.client.open(&ask, self.deadline).await;
            let opened = opened.map_err(|why| self.unanswered(&url, why))?;
            if !matches!(opened.status, 301 | 302 | 303 | 307 | 308) {
                let status = opened.status;
                let headers = opened.headers.clone();
                let body = self.read(opened).await?;
                return Ok(Fetched {
                    status,
                    url,
                    headers,
                    body,
                });
            }
            url = self.redirected(&url, &opened)?;
        }
        let message = format!("more than {MAX_REDIRECTS} redirects");
        Err(self.not(TroubleKind::Redirect, true, message))
    }

    fn redirected(&self, from: &Url, opened: &Opened) -> Result<Url, Unfetched> {
        let status = opened.status;
        let location = opened.headers.iter().find(|(name, _)| name == "location");
        let location = location.map_or("", |(_, value)| value.trim());
        let to = from.join(location).ok().filter(|_| !location.is_empty());
        let shown = without_secrets(location);
        let refuse = |message: String| Err(self.not(TroubleKind::Redirect, true, message));
        match to {
            None => refuse(format!(
                "HTTP {status}: a redirect without a usable Location"
            )),
            Some(to) if to.origin() != from.origin() => refuse(format!(
                "HTTP {status}: a redirect to another origin, `{shown}`, is not followed: headers may hold credentials; use that URL if it is right"
            )),
            Some(_) if self.method != "GET" && !matches!(status, 307 | 308) => refuse(format!(
                "HTTP {status}: the redirect to `{shown}` would turn the POST into a GET; use that URL"
            )),
            Some(to) => Ok(to),
        }
    }

    async fn read(&self, mut opened: Opened) -> Result<String, Unfetched> {
        let mut body = Vec::new();
        loop {
            match opened.next(self.deadline).await {
                Piece::Bytes(bytes) => body.extend_from_slice(&bytes),
                Piece::End => return Ok(String::from_utf8_lossy(&body).into_owned()),
                Piece::Broken(why) => {
                    let message = format!("the answer broke off: {why}");
                    return Err(self.not(TroubleKind::Transport, true, message));
                }
                Piece::TooLate => {
                    let message = "the answer did not come to its end in time".to_owned();
                    return Err(self.not(TroubleKind::Timeout, true, message));
                }
            }
            if body.len() > self.max_bytes {
                let message = format!("the answer is larger than {} bytes", self.max_bytes);
                return Err(self.not(TroubleKind::Limit, true, message));
            }
        }
    }

    fn unanswered(&self, url: &Url, why: NoAnswer) -> Unfetched {
        let server = url.origin().ascii_serialization();
        let (kind, message) = match why {
            NoAnswer::Wrong(why) => (TroubleKind::Unreachable, why),
            NoAnswer::Unreachable(why) => (
                TroubleKind::Unreachable,
                format!("cannot connect to {server}: {why}"),
            ),
            NoAnswer::Broken(why) => (
                TroubleKind::Transport,
                format!("{server} did not answer: {why}"),
            ),
            NoAnswer::TooLate => (
                TroubleKind::Timeout,
                format!("{server} did not answer in time"),
            ),
        };
        self.not(kind, false, message)
    }

    fn not(&self, kind: TroubleKind, reached: bool, message: String) -> Unfetched {
        Unfetched {
            trouble: Trouble {
                kind,
                message: format!("{}: {message}", self.what),
                refusal: None,
            },
            reached,
        }
    }
}

fn pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    let pairs = headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    pairs.collect()
}
