//! A transport around another that does not wait for ever for servers that do not know `server/discover`. `rmcp` waits for
//! ten seconds, which many servers of the legacy era would cost.

use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::lines::substitute;

/// How long a server may be silent when it is asked what it can; then it is one that begins with `initialize`. It may only be
/// slow to start, and a program that imports half a registry is.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 8000 });

/// Returns how long a server may be silent of the time that it has to connect: the other handshake needs some, too.
pub(super) fn patience(within: Duration) -> Duration {
    PATIENCE.min(within / 3)
}

/// Another transport, looked at.
#[derive(Debug)]
pub(super) struct Watched<T> {
    inner: T,
    /// None where there is nothing to fall back to.
    patience: Option<Duration>,
    probe: Probe,
}

/// Where the first question stands.
#[derive(Debug)]
enum Probe {
    /// Nothing was asked yet.
    Fresh,
    /// It waits for an answer until then.
    Asked(Value, Instant),
    /// It was given up; an answer that comes late is left out.
    GivenUp(Value),
    /// There is nothing to wait for.
    Over,
}

impl<T> Watched<T> {
    pub(super) fn new(inner: T, patience: Option<Duration>) -> Self {
        Self {
            inner,
            patience,
            probe: Probe::Fresh,
        }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Watched<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if matches!(self.probe, Probe::Fresh)
            && let Ok(message) = serde_json::to_value(&message)
        {
            let is_probe = message["method"] == "server/discover";
            self.probe = match self.patience.filter(|_| is_probe) {
                Some(patience) => Probe::Asked(message["id"].clone(), Instant::now() + patience),
                None => Probe::Over,
            };
        }
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            let message = match &self.probe {
                Probe::Asked(id, until) => match timeout_at(*until, self.inner.receive()).await {
                    Ok(message) => message?,
                    Err(_) => {
                        let id = id.clone();
                        self.probe = Probe::GivenUp(id.clone());
                        return substitute(&id, "nothing came");
                    }
                },
                _ => self.inner.receive().await?,
            };
            if !self.is_left_out(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}

impl<T> Watched<T> {
    /// Tells whether a message answers the first question when that was given up.
    fn is_left_out(&mut self, message: &RxJsonRpcMessage<RoleClient>) -> bool {
        let (id, is_given_up) = match &self.probe {
            Probe::Asked(id, _) => (id, false),
            Probe::GivenUp(id) => (id, true),
            Probe::Fresh | Probe::Over => return false,
        };
        if answered(message).as_ref() != Some(id) {
            return false;
        }
        self.probe = Probe::Over;
        is_given_up
    }
}

/// Returns the id of the request that a message answers.
fn answered(message: &RxJsonRpcMessage<RoleClient>) -> Option<Value> {
    let message = serde_json::to_value(message).ok()?;
    let is_answer = message.get("method").is_none();
    message.get("id").filter(|_| is_answer).cloned()
}
