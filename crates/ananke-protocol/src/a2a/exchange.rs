//! One message on its way: signed, sent, its answer read or its refusal put into words; and again in another way where the
//! agent asks for that.

use std::sync::atomic::{AtomicBool, Ordering};

use ananke_model::recording::{Trouble, TroubleKind};
use bytes::Bytes;
use reqwest::header::HeaderMap;

use super::discover::Means;
use super::options::Streaming;
use super::turn::{Driver, trouble};
use super::wire::{Outgoing, Query, RpcError, Wire, build, refusal};
use crate::auth::Unfetched;
use crate::http::{Answer, Exchange, without_secrets};

const STREAM: &str = "text/event-stream, application/json, application/a2a+json";
const WHOLE: &str = "application/json, application/a2a+json";

impl Driver<'_, '_> {
    /// Fetches the card and a token, if that is still to be done.
    pub(super) async fn make_ready(&mut self) -> Result<(), Trouble> {
        let mut session = std::mem::take(self.session);
        let means = Means {
            client: self.request.client,
            options: self.request.options,
            headers: self.request.headers,
            deadline: self.deadline,
        };
        // It keeps the deadline itself, and says better what it waited for.
        let ready = self.unless_stopped(means.ready(&mut session)).await;
        *self.session = session;
        match ready? {
            Ok(warnings) => {
                for warning in warnings {
                    self.stream.fold.warn(warning);
                }
                Ok(())
            }
            Err(unfetched) => Err(self.unfetched(unfetched)),
        }
    }

    /// Sends the message and reads the answer to its end.
    pub(super) async fn exchange(
        &mut self,
        outgoing: &Outgoing,
        is_stream: bool,
    ) -> Result<(), Trouble> {
        let wire = self.wire()?;
        let query = match is_stream {
            true => Query::Stream(outgoing),
            false => Query::Send(outgoing),
        };
        self.session.n_requests += 1;
        self.stream
            .next_answer(wire.form(), self.session.n_requests);
        let built = build(&wire, query, self.session.n_requests);
        let built = built.map_err(|why| trouble(TroubleKind::BadEvent, why))?;
        let body = built.body.unwrap_or_default();
        let bytes = Bytes::from(body.to_string());
        self.requests.push(body);
        let mut url = built.url;
        let mut headers = HeaderMap::new();
        self.sign(&wire, &mut url, &mut headers)?;
        let exchange = Exchange {
            client: self.request.client,
            url: &url,
            headers: &headers,
            accept: if is_stream { STREAM } else { WHOLE },
            body: bytes,
            deadline: self.deadline,
            unix_ms: self.request.unix_ms,
            is_sent_twice: AtomicBool::new(false),
        };
        let sent = self.bounded(self.deadline, exchange.send()).await;
        if exchange.is_sent_twice.load(Ordering::Relaxed) {
            self.stream.fold.warn(
                "the request was sent twice: the server closed the kept-alive connection before it answered"
                    .to_owned(),
            );
        }
        let answer: Answer = match sent? {
            Ok(answer) => answer,
            Err(refused) => {
                self.reached |= refused.reached;
                return self.refused(refused.trouble);
            }
        };
        self.reached = true;
        if let (1, Some(connected_at)) = (self.requests.len(), answer.connected_at) {
            self.started = connected_at;
        }
        let elapsed = self.elapsed_us();
        self.connect_us.get_or_insert(elapsed);
        self.read(answer).await
    }

    pub(super) fn sign(
        &self,
        wire: &Wire,
        url: &mut String,
        headers: &mut HeaderMap,
    ) -> Result<(), Trouble> {
        let means = Means {
            client: self.request.client,
            options: self.request.options,
            headers: self.request.headers,
            deadline: self.deadline,
        };
        let signed = means.sign(Some(wire.version), url, headers, self.session.token());
        signed.map_err(|why| trouble(TroubleKind::BadEvent, why))
    }

    /// Decides whether an error says that the agent is to be spoken to in another way.
    pub(super) fn may_go_on(
        &mut self,
        error: &RpcError,
        is_stream: bool,
        is_version_tried: &mut bool,
    ) -> bool {
        let is_auto = self.request.options.stream == Streaming::Auto;
        let code = error.code.unwrap_or_default();
        let peer = self.session.peer.as_mut();
        let Some(peer) = peer else {
            return false;
        };
        let is_unsupported = code == RpcError::UNSUPPORTED;
        let is_unknown = code == RpcError::METHOD_NOT_FOUND && peer.streams.is_none();
        let is_about_version = matches!(code, RpcError::METHOD_NOT_FOUND | RpcError::VERSION);
        let warning = if is_about_version && !peer.is_version_settled && !*is_version_tried {
            *is_version_tried = true;
            let old = peer.wire.version;
            peer.wire.version = old.other();
            format!(
                "the agent does not take version {} ({}): spoken to in version {}",
                old.name(),
                error.message,
                peer.wire.version.name()
            )
        } else if is_auto && is_stream && (is_unsupported || is_unknown) {
            peer.streams = Some(false);
            format!(
                "the agent does not stream ({}): asked for the answer as a whole",
                error.message
            )
        } else {
            return false;
        };
        self.stream.fold.warn(warning);
        true
    }

    /// Puts what the server said in the place of its JSON. An error of JSON-RPC stays one, whatever status it comes with.
    pub(super) fn refused(&mut self, refused: Trouble) -> Result<(), Trouble> {
        let Some(status) = refused.refusal.map(|refusal| refusal.status) else {
            let message = self.hidden(refused.message);
            return Err(Trouble { message, ..refused });
        };
        let (words, error) = refusal(&refused.message);
        if let Some(error) = error.filter(|_| !matches!(status, 401 | 403)) {
            self.stream.error = Some(error);
            return Ok(());
        }
        let peer = self.peer()?;
        let next = match status {
            401 | 403 if peer.security.is_empty() => "; is `auth` right?".to_owned(),
            401 | 403 => format!(
                "; is `auth` right? The agent card names {}",
                peer.security.join(", ")
            ),
            404 | 405 => format!(
                "; is {} where the agent answers?",
                without_secrets(&peer.wire.url)
            ),
            _ => String::new(),
        };
        let message = self.hidden(words) + &next;
        Err(Trouble { message, ..refused })
    }

    pub(super) fn unfetched(&mut self, unfetched: Unfetched) -> Trouble {
        self.reached |= unfetched.reached;
        let trouble = unfetched.trouble;
        let next = match trouble.refusal.map(|refusal| refusal.status) {
            Some(401 | 403) => "; is `auth` right?".to_owned(),
            _ if trouble.kind == TroubleKind::Timeout => {
                let limit = self.request.timeout.as_millis();
                let message = format!("timeout after {limit}ms (timeout_ms): {}", trouble.message);
                return Trouble { message, ..trouble };
            }
            _ => String::new(),
        };
        let message = self.hidden(trouble.message) + &next;
        Trouble { message, ..trouble }
    }
}
