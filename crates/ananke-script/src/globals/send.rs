//! Requests of `fetch` and `http`. Every URL that is asked, redirects included, was granted first.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rquickjs::{Ctx, Exception, Object};
use url::Url;

use super::answers::{Answer, ended, reason};
use super::grants;
use super::install::add;
use crate::engine::{Settings, State};
use crate::host::{Fetched, Host, Request};

/// The redirect that is not followed any more.
const MAX_REDIRECTS: u8 = 20;
/// How long is waited at once, so that a stop from outside is noticed.
const NAP: Duration = Duration::from_millis(50);

/// Headers that follow from the URL, the body and the connection.
const OWN_HEADERS: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

type Done = Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>;

/// Adds `send`, which answers later, `giveUp`, after which it does not, `ask`, which waits, and `reason`.
pub(super) fn natives<'js>(state: &Rc<State>, native: &Object<'js>) -> rquickjs::Result<()> {
    let own = Rc::clone(state);
    add(
        native,
        "send",
        move |ctx: Ctx<'js>,
              id: u32,
              method: String,
              url: String,
              headers: Vec<Vec<String>>,
              body: Option<Vec<u8>>,
              follows: bool| {
            let headers = sendable(&ctx, headers)?;
            let request = request(&own, method, &url, headers, body);
            let request = request.map_err(|why| Exception::throw_type(&ctx, &why))?;
            let answer = Answer::new(id, own.expect_answer(id));
            let redirects = if follows { MAX_REDIRECTS } else { 0 };
            let done = Box::new(move |result| answer.give(result));
            Sender::of(&own).send(request, redirects, done);
            Ok::<_, rquickjs::Error>(())
        },
    )?;
    let own = Rc::clone(state);
    add(native, "giveUp", move |id: u32| own.give_up(id))?;
    let own = Rc::clone(state);
    add(
        native,
        "ask",
        move |ctx: Ctx<'js>,
              method: String,
              url: String,
              headers: Vec<Vec<String>>,
              body: Option<Vec<u8>>| {
            let headers = sendable(&ctx, headers)?;
            let request = request(&own, method, &url, headers, body);
            let request = request.map_err(|why| Exception::throw_message(&ctx, &why))?;
            ended(&ctx, asked(&own, request))
        },
    )?;
    add(native, "reason", |status: u16| reason(status))
}

/// Returns the headers of a request; those that say whom it is for, or how it is sent, are not for scripts to set.
fn sendable(ctx: &Ctx<'_>, headers: Vec<Vec<String>>) -> rquickjs::Result<Vec<(String, String)>> {
    let pairs = headers
        .into_iter()
        .filter_map(|pair| <[String; 2]>::try_from(pair).ok());
    let pairs: Vec<_> = pairs.map(|[name, value]| (name, value)).collect();
    let refused = pairs
        .iter()
        .find(|(name, _)| OWN_HEADERS.iter().any(|own| name.eq_ignore_ascii_case(own)));
    match refused {
        Some((name, _)) => Err(Exception::throw_type(
            ctx,
            &format!(
                "the header \"{name}\" cannot be set by a script: it follows from the request"
            ),
        )),
        None => Ok(pairs),
    }
}

/// Returns a request that may be sent.
fn request(
    state: &State,
    method: String,
    url: &str,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
) -> Result<Request, String> {
    let mut url = Url::parse(url).map_err(|error| format!("`{url}` is no URL: {error}"))?;
    grants::net(&state.settings.grants, &url)?;
    url.set_fragment(None);
    Ok(Request {
        method,
        url: url.into(),
        headers,
        body,
        timeout: state.remaining(),
    })
}

/// Sends a request and waits for the answer.
fn asked(state: &State, request: Request) -> Result<Fetched, String> {
    let (sender, answer) = channel();
    let done = Box::new(move |result| {
        // Nobody waits for what comes too late.
        sender.send(result).ok();
    });
    let until = state.remaining();
    let since = Instant::now();
    Sender::of(state).send(request, MAX_REDIRECTS, done);
    loop {
        match answer.recv_timeout(NAP.min(until.saturating_sub(since.elapsed()))) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => return Err("there is no answer".to_owned()),
            Err(RecvTimeoutError::Timeout)
                if since.elapsed() >= until || state.stop.is_stopped() =>
            {
                return Err("there was no answer in time".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Sends requests, on whatever thread an answer comes.
struct Sender {
    settings: Arc<Settings>,
    host: Arc<dyn Host>,
    until: Option<Instant>,
}

impl Sender {
    fn of(state: &State) -> Self {
        Self {
            settings: Arc::clone(&state.settings),
            host: Arc::clone(&state.host),
            until: Instant::now().checked_add(state.remaining()),
        }
    }

    fn send(self, request: Request, redirects: u8, done: Done) {
        let host = Arc::clone(&self.host);
        let sent = request.clone();
        let answered = move |result: Result<Fetched, String>| match result {
            Err(why) => done(Err(why)),
            Ok(fetched) => self.answered(&sent, fetched, redirects, done),
        };
        host.fetch(request, Box::new(answered));
    }

    fn answered(self, sent: &Request, fetched: Fetched, redirects: u8, done: Done) {
        let grants = &self.settings.grants;
        // Whoever sends it may follow redirects by itself.
        if let Ok(url) = Url::parse(&fetched.url)
            && let Err(why) = grants::net(grants, &url)
        {
            return done(Err(format!("redirected, and {why}")));
        }
        let next = match redirects {
            0 => None,
            _ => redirect(sent, &fetched),
        };
        match next {
            None => done(Ok(fetched)),
            Some(_) if redirects == 1 => done(Err("there are too many redirects".to_owned())),
            Some(Err(why)) => done(Err(why)),
            Some(Ok((url, mut request))) => match grants::net(grants, &url) {
                Err(why) => done(Err(format!("redirected, and {why}"))),
                Ok(()) => {
                    let left = self
                        .until
                        .map(|until| until.saturating_duration_since(Instant::now()));
                    request.timeout = left.unwrap_or(sent.timeout);
                    self.send(request, redirects - 1, done);
                }
            },
        }
    }
}

/// Returns the request that an answer asks for instead.
fn redirect(sent: &Request, fetched: &Fetched) -> Option<Result<(Url, Request), String>> {
    if !matches!(fetched.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = fetched.headers.iter().find(|(name, _)| name == "location");
    let (_, location) = location?;
    let from = Url::parse(&fetched.url).or_else(|_| Url::parse(&sent.url));
    let url = match from.and_then(|from| from.join(location).map(|url| (from, url))) {
        Ok(url) => url,
        Err(error) => {
            return Some(Err(format!(
                "redirected to `{location}`, which is no URL: {error}"
            )));
        }
    };
    let (from, mut url) = url;
    url.set_fragment(None);
    let mut request = sent.clone();
    let is_changed = match fetched.status {
        303 => sent.method != "HEAD",
        301 | 302 => sent.method == "POST",
        _ => false,
    };
    if is_changed {
        request.method = "GET".to_owned();
        request.body = None;
        request
            .headers
            .retain(|(name, _)| !name.starts_with("content-"));
    }
    if from.origin() != url.origin() {
        // What was meant for one host is not told to another.
        let is_secret =
            |name: &str| matches!(name, "authorization" | "cookie" | "proxy-authorization");
        request.headers.retain(|(name, _)| !is_secret(name));
    }
    request.url = url.to_string();
    Some(Ok((url, request)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(status: u16, method: &str, location: &str) -> String {
        let sent = Request {
            method: method.to_owned(),
            url: "https://a.example/x/y".to_owned(),
            headers: ["authorization", "content-type", "accept"]
                .map(|name| (name.to_owned(), "v".to_owned()))
                .to_vec(),
            body: Some(b"body".to_vec()),
            timeout: Duration::ZERO,
        };
        let fetched = Fetched {
            status,
            headers: vec![("location".to_owned(), location.to_owned())],
            body: Vec::new(),
            url: sent.url.clone(),
        };
        match redirect(&sent, &fetched) {
            None => "stays".to_owned(),
            Some(Err(why)) => why,
            Some(Ok((_, request))) => {
                let names: Vec<_> = request
                    .headers
                    .iter()
                    .map(|(name, _)| name.as_str())
                    .collect();
                let body = request.body.map_or(0, |body| body.len());
                format!(
                    "{} {} {} {body}",
                    request.method,
                    request.url,
                    names.join(",")
                )
            }
        }
    }

    #[test]
    fn redirects_change_what_they_have_to() {
        insta::assert_snapshot!(next(302, "POST", "../z#part"), @"GET https://a.example/z authorization,accept 0");
        insta::assert_snapshot!(next(303, "PUT", "/z"), @"GET https://a.example/z authorization,accept 0");
        insta::assert_snapshot!(next(307, "POST", "/z"), @"POST https://a.example/z authorization,content-type,accept 4");
        insta::assert_snapshot!(next(308, "POST", "https://b.example/"), @"POST https://b.example/ content-type,accept 4");
        insta::assert_snapshot!(next(200, "GET", "/z"), @"stays");
        insta::assert_snapshot!(next(302, "GET", "https://["), @"redirected to `https://[`, which is no URL: invalid IPv6 address");
    }
}
