//! Answers to requests, as the script side takes them.

use std::sync::mpsc::Sender;

use rquickjs::{Ctx, Object, TypedArray};

use crate::engine::Completion;
use crate::host::Fetched;

/// Returns an answer as the script side takes it.
pub(crate) fn fetched<'js>(ctx: &Ctx<'js>, fetched: Fetched) -> rquickjs::Result<Object<'js>> {
    let answer = Object::new(ctx.clone())?;
    let headers = fetched
        .headers
        .into_iter()
        .map(|(name, value)| vec![name, value]);
    answer.set("status", fetched.status)?;
    answer.set("headers", headers.collect::<Vec<_>>())?;
    answer.set("body", TypedArray::new(ctx.clone(), fetched.body)?)?;
    answer.set("url", fetched.url)?;
    Ok(answer)
}

/// Returns an answer that was waited for; `why` says why there is none.
pub(super) fn ended<'js>(
    ctx: &Ctx<'js>,
    result: Result<Fetched, String>,
) -> rquickjs::Result<Object<'js>> {
    match result {
        Ok(answer) => fetched(ctx, answer),
        Err(why) => {
            let answer = Object::new(ctx.clone())?;
            answer.set("why", why)?;
            Ok(answer)
        }
    }
}

/// An answer that is expected. The script is told even if nobody gives it.
pub(super) struct Answer {
    id: u32,
    to: Option<Sender<Completion>>,
}

impl Answer {
    pub(super) fn new(id: u32, to: Sender<Completion>) -> Self {
        Self { id, to: Some(to) }
    }

    pub(super) fn give(mut self, result: Result<Fetched, String>) {
        self.tell(result);
    }

    fn tell(&mut self, result: Result<Fetched, String>) {
        if let Some(to) = self.to.take() {
            // An engine that is gone needs no answer.
            to.send(Completion {
                id: self.id,
                result,
            })
            .ok();
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.tell(Err("there is no answer".to_owned()));
    }
}

/// Returns the words that go with a status.
pub(super) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        418 => "I'm a teapot",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}
