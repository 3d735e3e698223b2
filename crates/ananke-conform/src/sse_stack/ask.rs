//! Asks: the stream first, then the probes, all of it within one limit of time.

use std::time::Duration;

use ananke_protocol::http::{Ask, HttpClient, HttpOptions, NoAnswer, check_url, without_secrets};
use tokio::time::Instant;

use super::address;
use super::checks::{judge, plan_reconnect};
use super::numbers::Numbers;
use super::options::{StackError, StackOptions};
use super::read::{Until, millis, read_short, read_stream};
use super::report::StackReport;
use super::seen::{Answered, Asked, Seen, Short};

/// What a write says. A server that takes it must not come to harm by it.
const WRITE_BODY: &str = r#"{"text":"conformance-probe"}"#;
/// For limits that no clock can hold.
const FAR_AWAY: Duration = Duration::from_secs(365 * 24 * 3600);

/// Asks a server and judges what it answers.
///
/// One stream is read, up to [`StackOptions::max_frames`]. At most three further requests follow (from the middle of the
/// stream on, without a token, a write with a token that may only read), and one with a bound token if there is one. Nothing
/// is written unless a path for it and such a token are given.
pub async fn run(options: &StackOptions) -> Result<StackReport, StackError> {
    let seen = Box::pin(see(options)).await?;
    Ok(judge(&seen, &options.severities))
}

async fn see(options: &StackOptions) -> Result<Seen, StackError> {
    let url = address::join(&options.base_url, &options.stream_path);
    let needs_tls = check_url(&url).map_err(StackError::Options)?;
    let timeout = options.timeout.min(FAR_AWAY);
    let for_stream = timeout / 4 * 3;
    let http = HttpOptions {
        needs_tls: needs_tls || options.http.proxies.uses_tls(),
        // So that a name or address that leads nowhere is told as such, and not as a late answer.
        connect_timeout: options.http.connect_timeout.min(for_stream / 10 * 9),
        ..options.http.clone()
    };
    let client =
        HttpClient::build(&http).map_err(|error| StackError::Options(error.to_string()))?;
    let begun = Instant::now();
    let asker = Asker {
        options,
        client,
        url,
        deadline: begun + timeout,
    };
    let until = Until {
        deadline: begun + for_stream,
        quiet: timeout / 10,
        max_frames: options.max_frames,
    };
    let stream = asker.stream(until).await?;
    let (reconnect, missing_bearer, write, bound) = tokio::join!(
        asker.reconnect(&stream),
        asker.missing_bearer(),
        asker.write(),
        asker.bound(),
    );
    Ok(Seen {
        subject: without_secrets(&asker.url),
        vocabulary: options.vocabulary,
        has_bearer: asker.has_token(),
        write_path: options.write_probe_path.clone(),
        stream,
        reconnect,
        missing_bearer,
        write,
        bound,
        duration_ms: millis(begun.elapsed()),
    })
}

struct Asker<'a> {
    options: &'a StackOptions,
    client: HttpClient,
    url: String,
    deadline: Instant,
}

impl Asker<'_> {
    async fn stream(&self, until: Until) -> Result<Answered, StackError> {
        let begun = Instant::now();
        let ask = self.get(self.url.clone(), self.with_own_token());
        let opened = self.client.open(&ask, until.deadline).await;
        let opened = opened.map_err(|none| {
            let why = match none {
                NoAnswer::Wrong(why) => return StackError::Options(why),
                other => words(other, begun),
            };
            let url = without_secrets(&self.url);
            StackError::Unreachable { url, why }
        })?;
        Ok(read_stream(opened, until, |_| false).await)
    }

    async fn reconnect(&self, stream: &Answered) -> Option<Asked<Answered>> {
        let plan = plan_reconnect(stream).ok()?;
        let begun = Instant::now();
        let ask = self.get(address::since(&self.url, plan.since), self.with_own_token());
        let until = Until {
            deadline: self.deadline,
            quiet: self.deadline - begun,
            // Frames without a number may lie between those that are waited for.
            max_frames: self.options.max_frames.saturating_mul(2),
        };
        let answer = match self.client.open(&ask, self.deadline).await {
            Ok(opened) => {
                let is_enough = |frames: &_| Numbers::of(frames).all.len() >= plan.tail.len();
                Ok(read_stream(opened, until, is_enough).await)
            }
            Err(none) => Err(words(none, begun)),
        };
        Some(asked(answer, begun))
    }

    async fn missing_bearer(&self) -> Option<Asked<Short>> {
        if !self.has_token() {
            return None;
        }
        let ask = self.get(address::without_tokens(&self.url), self.without_token());
        Some(self.short(&ask, false).await)
    }

    async fn bound(&self) -> Option<Asked<Short>> {
        let bearer = self.options.cnf_bound_bearer.as_deref()?;
        let ask = self.get(address::without_tokens(&self.url), self.with_token(bearer));
        Some(self.short(&ask, true).await)
    }

    async fn write(&self) -> Option<Asked<Short>> {
        let path = self.options.write_probe_path.as_deref()?;
        let bearer = self.options.insufficient_scope_bearer.as_deref()?;
        let mut headers = self.with_token(bearer);
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
        let url = address::join(&self.options.base_url, path);
        let ask = Ask {
            method: "POST",
            url: address::without_tokens(&url),
            headers,
            body: Some(WRITE_BODY.as_bytes().to_vec()),
        };
        Some(self.short(&ask, false).await)
    }

    async fn short(&self, ask: &Ask, reads_body: bool) -> Asked<Short> {
        let begun = Instant::now();
        let answer = match self.client.open(ask, self.deadline).await {
            Ok(opened) => Ok(read_short(opened, self.deadline, reads_body).await),
            Err(none) => Err(words(none, begun)),
        };
        asked(answer, begun)
    }

    fn get(&self, url: String, mut headers: Vec<(String, String)>) -> Ask {
        headers.push(("accept".to_owned(), "text/event-stream".to_owned()));
        Ask {
            method: "GET",
            url,
            headers,
            body: None,
        }
    }

    fn has_token(&self) -> bool {
        let mut headers = self.options.headers.iter();
        self.options.bearer.is_some() || headers.any(|(name, _)| is("authorization", name))
    }

    /// The user's headers, with the token instead of theirs if there is one.
    fn with_own_token(&self) -> Vec<(String, String)> {
        let Some(bearer) = &self.options.bearer else {
            return self.options.headers.clone();
        };
        let headers = self.options.headers.iter();
        let others = headers.filter(|(name, _)| !is("authorization", name));
        let mut headers: Vec<_> = others.cloned().collect();
        headers.push(authorization(bearer));
        headers
    }

    /// The user's headers without any that could stand for a token.
    fn without_token(&self) -> Vec<(String, String)> {
        let headers = self.options.headers.iter();
        let is_token = |name: &str| {
            ["authorization", "cookie", "dpop"]
                .iter()
                .any(|token| is(token, name))
        };
        headers
            .filter(|(name, _)| !is_token(name))
            .cloned()
            .collect()
    }

    fn with_token(&self, bearer: &str) -> Vec<(String, String)> {
        let mut headers = self.without_token();
        headers.push(authorization(bearer));
        headers
    }
}

fn is(wanted: &str, name: &str) -> bool {
    name.eq_ignore_ascii_case(wanted)
}

fn authorization(bearer: &str) -> (String, String) {
    ("authorization".to_owned(), format!("Bearer {bearer}"))
}

fn asked<T>(answer: Result<T, String>, begun: Instant) -> Asked<T> {
    Asked {
        answer,
        duration_ms: millis(begun.elapsed()),
    }
}

fn words(none: NoAnswer, begun: Instant) -> String {
    match none {
        NoAnswer::Wrong(why) => why,
        // Elsewhere the URL is a setting by that name.
        NoAnswer::Unreachable(why) => why.replace("`endpoint`", "the URL"),
        NoAnswer::Broken(why) => format!("what answered is not HTTP: {why}"),
        NoAnswer::TooLate => {
            let waited = millis(begun.elapsed());
            format!("nothing came within {waited} ms; `--timeout-ms` waits longer")
        }
    }
}
