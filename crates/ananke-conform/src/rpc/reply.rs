//! JSON-RPC messages among the events of an answer.

use serde_json::Value;

use crate::exchange::{Answer, Ending, Framing};

/// A JSON value of an answer, and which event of a stream it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reply<'a> {
    /// `None` if the answer is no stream.
    pub(crate) event: Option<usize>,
    /// The JSON.
    pub(crate) value: &'a Value,
}

/// Returns all that is JSON.
pub(crate) fn replies(answer: &Answer) -> impl Iterator<Item = Reply<'_>> {
    let is_stream = answer.framing == Framing::Sse;
    let events = answer.events.iter().enumerate();
    events.filter_map(move |(number, event)| {
        Some(Reply {
            event: is_stream.then_some(number),
            value: event.value.as_ref().ok()?,
        })
    })
}

/// Returns the last message that is a result or an error. Notifications and questions of the server are neither.
pub(crate) fn response(answer: &Answer) -> Option<Reply<'_>> {
    let is_response = |reply: &Reply<'_>| {
        let has = |name| reply.value.get(name).is_some();
        !has("method") && (has("result") || has("error"))
    };
    replies(answer).filter(is_response).last()
}

/// Says what came back, as in `saw …` or `it answered with …`.
pub(crate) fn came(answer: &Answer) -> String {
    match (&answer.ending, response(answer), answer.status) {
        (Ending::NoAnswer(why), _, _) => format!("no answer: {why}"),
        (_, Some(reply), Some(200) | None) => reply.words(),
        (_, Some(reply), Some(status)) => format!("status {status} and {}", reply.words()),
        (_, None, Some(status)) => format!("status {status} and no JSON-RPC response"),
        (_, None, None) => "no JSON-RPC response".to_owned(),
    }
}

impl<'a> Reply<'a> {
    /// Returns the result.
    pub(crate) fn result(self) -> Option<&'a Value> {
        self.value.get("result")
    }

    /// Returns the code of the error.
    pub(crate) fn code(self) -> Option<i64> {
        self.value.get("error")?.get("code")?.as_i64()
    }

    /// Tells what it is, for messages.
    pub(crate) fn words(self) -> String {
        let Some(error) = self.value.get("error") else {
            return "a result".to_owned();
        };
        let message = error.get("message").and_then(Value::as_str);
        match (error.get("code"), message) {
            (Some(code), Some(message)) => format!("the error {code} ({message})"),
            (Some(code), None) => format!("the error {code}"),
            (None, _) => "an error without a code".to_owned(),
        }
    }
}
