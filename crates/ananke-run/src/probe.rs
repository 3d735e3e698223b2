//! A target that is looked at without a test: for `ananke doctor`.

use std::path::Path;
use std::time::Duration;

use ananke_model::plan::{AguiTarget, Protocol, Target};
use ananke_model::recording::Turn;
use ananke_model::variables::Variables;
use ananke_protocol::agui::{Action, Conversation, TurnRequest, run_turn};
use ananke_protocol::http::{Look, Proxies};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::clients::Clients;
use crate::redact::{Redactor, secrets_of_target};
use crate::session::{Prepared, new_id, prepare};

/// A target, ready to be talked to as a test would.
#[derive(Debug)]
pub struct Probe {
    prepared: Prepared,
    agui: AguiTarget,
    redactor: Redactor,
}

impl Probe {
    /// Resolves a target; says what keeps it from being used.
    pub fn new(
        target: &Target,
        variables: &Variables,
        proxies: &Proxies,
        root: &Path,
    ) -> Result<Self, String> {
        let clients = Clients::default();
        let prepared = prepare(target, variables, &clients, proxies, root)?;
        let Protocol::Agui(agui) = &target.protocol else {
            return Err("this kind of agent is not run yet".to_owned());
        };
        Ok(Self {
            prepared,
            agui: (**agui).clone(),
            redactor: secrets_of_target(target, variables).redactor(),
        })
    }

    /// Returns the endpoint with its references resolved. It may hold secrets.
    pub fn endpoint(&self) -> &str {
        &self.prepared.options.endpoint
    }

    /// Returns the agent's id with its references resolved.
    pub fn agent_id(&self) -> Option<&str> {
        self.prepared.options.agent_id.as_deref()
    }

    /// Returns the target's settings.
    pub fn settings(&self) -> &AguiTarget {
        &self.agui
    }

    /// Takes the target's secrets out of a text.
    pub fn redacted(&self, text: &str) -> String {
        self.redactor.text(text).into_owned()
    }

    /// Gets `url` with the target's headers, which must be the target's own origin.
    pub async fn get(&self, url: &str, limit: Duration) -> Result<Look, String> {
        let Prepared {
            client, headers, ..
        } = &self.prepared;
        client.get(url, headers, limit).await
    }

    /// Posts to the endpoint with the target's headers.
    pub async fn post(&self, body: &Value, limit: Duration) -> Result<Look, String> {
        let Prepared {
            client, headers, ..
        } = &self.prepared;
        client.post(self.endpoint(), headers, body, limit).await
    }

    /// Says `message` in a conversation of its own.
    pub async fn say(&self, message: &str, unix_ms: i64, cancel: &CancellationToken) -> Turn {
        let request = TurnRequest {
            client: &self.prepared.client,
            options: &self.prepared.options,
            headers: &self.prepared.headers,
            action: Action::User(message.to_owned()),
            encoding: self.agui.encoding,
            clock: self.agui.clock,
            timeout: Duration::from_millis(self.agui.timeout_ms),
            limits: self.agui.limits,
            unix_ms,
            cancel,
        };
        let mut conversation = Conversation::new(self.prepared.state.clone());
        run_turn(&request, &mut conversation, &mut new_id).await
    }
}
