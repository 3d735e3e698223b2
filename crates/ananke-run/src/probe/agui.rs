//! Looks at a target that speaks AG-UI.

use std::path::Path;
use std::time::Duration;

use ananke_model::plan::{AguiTarget, Target};
use ananke_model::recording::Turn;
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use ananke_protocol::http::{Look, Proxies};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::redact::{Redactor, secrets_of_target};
use crate::speakers::{AguiSpeaker, Bounds, Call};
use crate::world::{Alone, World};

/// A target, ready to be talked to as a test would.
#[derive(Debug)]
pub struct Probe {
    speaker: AguiSpeaker,
    agui: AguiTarget,
    redactor: Redactor,
}

impl Probe {
    /// Resolves a target; says what keeps it from being used.
    pub(super) fn new(
        target: &Target,
        agui: &AguiTarget,
        variables: &Variables,
        proxies: &Proxies,
        root: &Path,
    ) -> Result<Self, String> {
        let redactor = secrets_of_target(target, variables).redactor();
        let world = World::alone(Alone {
            variables,
            proxies,
            root,
            identity: None,
            scripts: None,
            redactor: redactor.clone(),
            cancel: CancellationToken::new(),
        });
        let means = world.means(variables);
        Ok(Self {
            speaker: AguiSpeaker::new(agui, &means, &Call::default())?,
            agui: agui.clone(),
            redactor,
        })
    }

    /// Returns the endpoint with its references resolved. It may hold secrets.
    pub fn endpoint(&self) -> &str {
        &self.speaker.options.endpoint
    }

    /// Returns the agent's id with its references resolved.
    pub fn agent_id(&self) -> Option<&str> {
        self.speaker.options.agent_id.as_deref()
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
        let AguiSpeaker {
            client, headers, ..
        } = &self.speaker;
        client.get(url, headers, limit).await
    }

    /// Posts to the endpoint with the target's headers.
    pub async fn post(&self, body: &Value, limit: Duration) -> Result<Look, String> {
        let AguiSpeaker {
            client, headers, ..
        } = &self.speaker;
        client.post(self.endpoint(), headers, body, limit).await
    }

    /// Says `message` in a conversation of its own.
    pub async fn say(&self, message: &str, unix_ms: i64, cancel: &CancellationToken) -> Turn {
        let bounds = Bounds {
            timeout: Duration::from_millis(self.agui.timeout_ms),
            whole: Duration::MAX,
            unix_ms,
            cancel,
        };
        let mut conversation = self.speaker.conversation();
        let action = Action::User(message.to_owned());
        self.speaker.turn(action, &mut conversation, bounds).await
    }
}
