//! Requests of A2A over JSON-RPC, in both versions.

use ananke_protocol::http::Ask;
use serde_json::{Value, json};

use super::asked::A2aAsked;
use super::interface::{Interface, is_same_place};
use super::wire::{self, Kind, Standing};
use crate::drive::{DriveError, Target};
use crate::exchange::{Answer, Asked, Observed};
use crate::rpc::{Driver, Until};

/// Where an agent is, and which version it is asked in.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) interface: Interface,
    pub(super) is_new: bool,
}

/// What a message continues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) task: Option<String>,
    pub(super) context: Option<String>,
}

impl Agent {
    /// Returns the name of a method.
    fn method(&self, asked: A2aAsked, is_streamed: bool) -> &'static str {
        match (asked, self.is_new) {
            (A2aAsked::Get | A2aAsked::UnknownTask, true) => "GetTask",
            (A2aAsked::Get | A2aAsked::UnknownTask, false) => "tasks/get",
            (A2aAsked::CancelFinished, true) => "CancelTask",
            (A2aAsked::CancelFinished, false) => "tasks/cancel",
            (A2aAsked::UnknownMethod, _) => "ananke/noSuchMethod",
            (_, true) if is_streamed => "SendStreamingMessage",
            (_, false) if is_streamed => "message/stream",
            (_, true) => "SendMessage",
            (_, false) => "message/send",
        }
    }

    /// Returns the parameters of a message.
    pub(super) fn message(&self, text: &str, place: &Place) -> Value {
        let id = uuid::Uuid::new_v4().to_string();
        let mut message = match self.is_new {
            true => json!({"messageId": id, "role": "ROLE_USER", "parts": [{"text": text}]}),
            false => json!({
                "kind": "message",
                "messageId": id,
                "role": "user",
                "parts": [{"kind": "text", "text": text}],
            }),
        };
        if let Some(task) = &place.task {
            message["taskId"] = task.as_str().into();
        }
        if let Some(context) = &place.context {
            message["contextId"] = context.as_str().into();
        }
        json!({"message": message})
    }

    /// Returns the headers of the protocol for a version.
    fn version(&self, asked: A2aAsked) -> Option<&'static str> {
        match asked {
            A2aAsked::BadVersion => Some("99.0"),
            // Without it a request is one of 0.3.
            _ => self.is_new.then_some("1.0"),
        }
    }

    /// Sends a request and keeps its answer.
    pub(super) async fn ask<'d>(
        &self,
        driver: &'d mut Driver<'_>,
        asked: A2aAsked,
        mut params: Value,
        is_streamed: bool,
    ) -> Result<&'d Answer, DriveError> {
        if let Some(tenant) = &self.interface.tenant {
            params["tenant"] = tenant.as_str().into();
        }
        let id = driver.next_id();
        let method = self.method(asked, is_streamed);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let (body, request) = match asked {
            A2aAsked::BadJson => (br#"{"jsonrpc": "2.0", "id": "#.to_vec(), None),
            _ => (request.to_string().into_bytes(), Some(request)),
        };
        let accept = if is_streamed {
            "text/event-stream"
        } else {
            "application/json"
        };
        let mut own = vec![("accept", accept), ("content-type", "application/json")];
        own.extend(self.version(asked).map(|version| ("a2a-version", version)));
        let ask = Ask {
            method: "POST",
            url: self.interface.url.clone(),
            headers: headers(driver.target, &self.interface.url, &own),
            body: Some(body),
        };
        let is_new = self.is_new;
        let is_last = move |event: &Observed| settles(event, is_new);
        let step = match (asked, is_streamed) {
            (A2aAsked::Continue, true) => "continue, streamed".to_owned(),
            _ => asked.name().to_owned(),
        };
        driver
            .ask(step, Asked::A2a(asked), request, &ask, Until::End(&is_last))
            .await
    }
}

/// Returns the headers of a request: what the user gave goes to the address that the user gave, and to no other.
pub(super) fn headers(target: &Target, url: &str, own: &[(&str, &str)]) -> Vec<(String, String)> {
    if is_same_place(&target.url, url) {
        return target.headers(own);
    }
    let own = own.iter();
    own.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// Tells whether after this event of a stream little is left to say.
fn settles(event: &Observed, is_new: bool) -> bool {
    let Ok(value) = &event.value else {
        return false;
    };
    if value.get("error").is_some() {
        return true;
    }
    let Some(Ok((kind, content))) = value.get("result").map(|result| wire::kind(result, is_new))
    else {
        return false;
    };
    let state = wire::state(content);
    let standing = state.and_then(|state| wire::standing(state, is_new));
    kind == Kind::Message || standing.is_some_and(|standing| standing != Standing::Running)
}
