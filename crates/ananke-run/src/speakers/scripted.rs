//! Speaks to an agent that follows a script: a server of this process, on a loopback port, that speaks AG-UI.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ananke_model::plan::{Clock, Encoding, Envelope, Era, History, Limits, ScriptedTarget};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use ananke_protocol::agui::{
    Action, AguiOptions, Conversation, Told, ToldTurn, TurnRequest, run_turn,
};
use ananke_protocol::http::{Headers, HttpClient, HttpOptions, Proxies};
use ananke_serve::agent::ScriptAgent;
use ananke_serve::script::Script;
use ananke_serve::spawn::RunningAgent;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::agui::put_metadata;
use super::{Bounds, Call, Means};
use crate::ids::new_id;
use crate::session::Resolver;

/// How long this process may take to answer itself.
const CONNECT: Duration = Duration::from_secs(10);

/// The scripted agents of a run. All tests that name one talk to the same: its rules with `times` count for all of them.
#[derive(Debug, Default)]
pub(crate) struct Scripts(Mutex<HashMap<String, Arc<ScriptServer>>>);

/// An agent that is served once somebody talks to it.
#[derive(Debug)]
struct ScriptServer {
    agent: Arc<ScriptAgent>,
    running: OnceCell<RunningAgent>,
}

impl Scripts {
    fn get(&self, target: &ScriptedTarget) -> Result<Arc<ScriptServer>, String> {
        let key = format!("{} {}", target.script.place, target.script.value);
        let mut servers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = servers.get(&key) {
            return Ok(Arc::clone(server));
        }
        let script: Script = serde_json::from_value(target.script.value.clone())
            .map_err(|error| format!("script: {}: {error}", target.script.place))?;
        let server = Arc::new(ScriptServer {
            agent: Arc::new(ScriptAgent::new(script)),
            running: OnceCell::new(),
        });
        servers.insert(key, Arc::clone(&server));
        Ok(server)
    }
}

/// A scripted agent, ready to be talked to.
#[derive(Debug)]
pub(crate) struct ScriptedSpeaker {
    server: Arc<ScriptServer>,
    client: HttpClient,
    /// Without the endpoint, which is known once the agent is served.
    options: AguiOptions,
    limits: Limits,
}

impl ScriptedSpeaker {
    /// Resolves a target.
    pub(crate) fn new(
        scripted: &ScriptedTarget,
        means: &Means<'_>,
        call: &Call,
    ) -> Result<Self, String> {
        let mut resolver = Resolver::new(means.variables);
        let mut forwarded_props = forwarded_props(scripted, &mut resolver);
        resolver.finish()?;
        if call.is_question {
            put_metadata(&mut forwarded_props, &call.metadata);
        }
        let client = means.clients.get(HttpOptions {
            connect_timeout: CONNECT,
            ca_pem: None,
            identity: None,
            insecure: false,
            needs_tls: false,
            // Nobody stands between a process and itself.
            proxies: Proxies::default(),
        });
        Ok(Self {
            server: means.scripts.get(scripted)?,
            client: client.map_err(|error| error.to_string())?,
            options: AguiOptions {
                endpoint: String::new(),
                agent_id: None,
                envelope: Envelope::Plain,
                history: History::Full,
                era: Era::V1,
                thread_id: new_id(),
                forwarded_props,
                context: Vec::new(),
                tools: Vec::new(),
            },
            limits: scripted.limits,
        })
    }

    pub(super) async fn turn(
        &self,
        action: Action,
        conversation: &mut Conversation,
        bounds: Bounds<'_>,
    ) -> Turn {
        let agent = Arc::clone(&self.server.agent);
        let running = self
            .server
            .running
            .get_or_try_init(|| RunningAgent::start(agent));
        let endpoint = match running.await {
            Ok(running) => running.url.clone(),
            Err(error) => return not_served(action, conversation, bounds, &error),
        };
        let options = AguiOptions {
            endpoint,
            ..self.options.clone()
        };
        let request = TurnRequest {
            client: &self.client,
            options: &options,
            headers: &Headers::default(),
            action,
            encoding: Encoding::Sse,
            clock: Clock::Arrival,
            timeout: bounds.timeout,
            limits: self.limits,
            unix_ms: bounds.unix_ms,
            cancel: bounds.cancel,
        };
        run_turn(&request, conversation, &mut new_id).await
    }
}

/// Returns `forwardedProps`.
pub(super) fn forwarded_props(scripted: &ScriptedTarget, resolver: &mut Resolver<'_>) -> Value {
    let props = scripted.forwarded_props.as_ref();
    props.map_or_else(|| json!({}), |props| resolver.json(props))
}

fn not_served(
    action: Action,
    conversation: &mut Conversation,
    bounds: Bounds<'_>,
    error: &std::io::Error,
) -> Turn {
    let turn = ToldTurn::begin(action, conversation, &mut new_id);
    let told = Told {
        request: json!({}),
        reached: false,
        events: &[],
        run: Err(Trouble {
            kind: TroubleKind::Unreachable,
            message: format!("the scripted agent has no port to answer at: {error}"),
            refusal: None,
        }),
        warnings: Vec::new(),
        unix_ms: bounds.unix_ms,
        total_us: 0,
    };
    turn.end(told, conversation)
}
