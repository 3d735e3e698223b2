//! Speaks to an MCP server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ananke_model::plan::{Isolation, McpTarget};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use ananke_protocol::agui::{Action, Conversation, Told, ToldTurn};
use ananke_protocol::mcp::{McpSession, McpTurn};
use serde_json::Value;
use tokio::sync::Mutex;

use super::asked::{Tool, asked};
use super::settings::Settings;
use crate::ids::new_id;
use crate::redact::Redactor;
use crate::session::Resolver;
use crate::speakers::a2a::hide_token;
use crate::speakers::shared_servers::Held;
use crate::speakers::{Bounds, Call, Means};

/// An MCP server, ready to be asked.
#[derive(Debug)]
pub(crate) struct McpSpeaker {
    session: Held,
    user_tool: Option<Tool>,
    /// Whether there was a turn: tests that share a server do not share which answers it got.
    has_begun: AtomicBool,
    /// What only one test at a time may use, if the server is shared.
    turnstile: Option<String>,
    redactor: Redactor,
    /// Where the server is, as it may be shown.
    pub(crate) address: String,
}

impl McpSpeaker {
    /// Resolves a target.
    pub(crate) fn new(server: &McpTarget, means: &Means<'_>, call: &Call) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let user_tool = server
            .user_tool
            .as_ref()
            .map(|tool| Tool::resolve(tool, &mut resolver));
        let settings = Settings::resolve(server, &mut resolver);
        resolver.finish()?;
        let key = format!("{settings:?} {}", settings.secret());
        let address = settings.address();
        let options = settings.options(server, means)?;
        let new = || McpSession::new(options);
        let file = call.file.as_ref();
        let file = file.filter(|_| server.isolation == Isolation::File);
        let session = match file {
            Some(file) => means.world.shared_servers.get(file, &key, new),
            None => Arc::new(Mutex::new(new())),
        };
        Ok(Self {
            session,
            user_tool,
            has_begun: AtomicBool::new(false),
            turnstile: file.map(|file| format!("{file} {key}")),
            redactor: means.world.redactor.clone(),
            address,
        })
    }

    /// Returns what only one test at a time may use, if the server is shared.
    pub(crate) fn turnstile(&self) -> Option<&str> {
        self.turnstile.as_deref()
    }

    pub(crate) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let asked = match asked(&action, self.user_tool.as_ref()) {
            Ok(asked) => asked,
            Err(why) => return refused(action, why, conversation, bounds),
        };
        let calls_at = self.user_tool.as_ref().filter(|_| asked.user.is_some());
        let request = McpTurn {
            action: asked.action,
            user: asked.user,
            calls_at: calls_at.and_then(|tool| tool.calls_at.as_deref()),
            timeout: bounds.timeout,
            whole: bounds.whole,
            unix_ms: bounds.unix_ms,
            cancel: bounds.cancel,
        };
        let mut session = self.session.lock().await;
        if !self.has_begun.swap(true, Ordering::Relaxed) {
            session.forget_answers();
        }
        let mut ids = new_id;
        let turn = session.turn(&request, conversation, &mut ids);
        let mut turn = Box::pin(turn).await;
        hide_token(&self.redactor, session.token());
        turn.warnings.extend(asked.warning);
        action.kind().clone_into(&mut turn.kind);
        turn
    }

    /// Closes the connection, unless others go on with it. Returns what was odd.
    pub(crate) async fn close(&self) -> Vec<String> {
        match self.turnstile {
            Some(_) => Vec::new(),
            None => self.session.lock().await.disconnect().await,
        }
    }
}

/// Ends a turn that nothing is sent for.
fn refused(
    action: Action,
    why: String,
    conversation: &mut Conversation,
    bounds: Bounds<'_>,
) -> Turn {
    let turn = ToldTurn::begin(action, conversation, &mut new_id);
    let told = Told {
        request: Value::Null,
        reached: false,
        events: &[],
        run: Err(Trouble {
            kind: TroubleKind::BadEvent,
            message: why,
            refusal: None,
        }),
        warnings: Vec::new(),
        unix_ms: bounds.unix_ms,
        total_us: 0,
    };
    let mut turn = turn.end(told, conversation);
    turn.requests.clear();
    turn
}
