//! Calls one function of a script, off the threads of the runtime.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::case::Identity;
use ananke_model::plan::{Protocol, Target};
use ananke_model::script::{FailureKind, ScriptCall, ScriptFailure};
use ananke_script::{Argument, Called, Calling, Memory, Stop, call};
use serde_json::{Value, json};

use super::{Logs, RunHost};
use crate::speakers::Call;
use crate::world::World;

/// Functions of scripts as they are called in a run.
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    world: Arc<World>,
    /// How many agents that are scripts wait for each other.
    depth: usize,
    stop: Stop,
    /// What they keep for each other.
    memory: Memory,
    /// What they logged.
    pub(crate) logs: Logs,
}

impl Calls {
    /// Returns calls that end when the user stops the run.
    pub(crate) fn new(world: &Arc<World>, depth: usize) -> Self {
        Self {
            world: Arc::clone(world),
            depth,
            stop: world.stop.clone(),
            memory: Memory::default(),
            logs: Logs::default(),
        }
    }

    /// Returns calls that are made even after the user stopped the run: of what cleans up.
    pub(crate) fn cleaning(world: &Arc<World>) -> Self {
        Self {
            stop: Stop::default(),
            ..Self::new(world, 0)
        }
    }

    /// Calls a function whose answer matters: what JSON cannot say is an error.
    pub(crate) async fn answer(
        &self,
        function: &ScriptCall,
        arguments: Vec<Argument>,
        timeout: Duration,
    ) -> Called {
        self.call(function, arguments, timeout).await.strict()
    }

    /// Calls a function and waits for what comes of it.
    pub(crate) async fn call(
        &self,
        function: &ScriptCall,
        arguments: Vec<Argument>,
        timeout: Duration,
    ) -> Called {
        let host = Arc::new(RunHost::new(&self.world, self.depth));
        let calling = Calling {
            settings: Arc::clone(&self.world.settings),
            host: host.clone(),
            stop: self.stop.clone(),
            path: function.path.clone(),
            function: function.function.clone(),
            arguments,
            timeout,
            memory: self.memory.clone(),
        };
        let mut called = tokio::task::spawn_blocking(move || call(calling));
        let called = tokio::select! {
            called = &mut called => called,
            () = self.world.cancel.cancelled() => {
                // Only what is to be stopped by the user is: others have stops of their own.
                self.world.stop.stop();
                called.await
            }
        };
        match called {
            Ok(mut called) => {
                self.world.cover(std::mem::take(&mut called.coverage));
                self.logs.keep("agent", &called.logs);
                if let Err(failure) = &mut called.result {
                    host.tell_late(failure, timeout);
                }
                called
            }
            Err(error) => Called::failed(ScriptFailure {
                kind: FailureKind::Load,
                message: format!("the script could not be called: {error}"),
                ..ScriptFailure::default()
            }),
        }
    }
}

/// Returns what a `ctx` is made of.
pub(crate) fn context_of(identity: Option<&Identity>, assistant_id: &str) -> Value {
    let Identity {
        user_id,
        team_id,
        locale,
        client_type,
        client_ip,
        user_agent,
        referer,
        accept,
        mut authorized,
        metadata,
        chat_id,
    } = identity.cloned().unwrap_or_default();
    authorized.insert("user_id".to_owned(), user_id.into());
    authorized.insert("team_id".to_owned(), team_id.into());
    let mut context = json!({
        "assistant_id": assistant_id,
        "locale": locale,
        "referer": referer,
        "accept": accept,
        "client": {"type": client_type, "ip": client_ip, "user_agent": user_agent},
        "metadata": metadata,
        "authorized": authorized,
    });
    if let Some(chat_id) = chat_id {
        context["chat_id"] = chat_id.into();
    }
    context
}

/// Returns what the `ctx` of a conversation is made of: who asks, what is told beside it, and which conversation it is.
pub(crate) fn context_within(call: &Call, chat_id: &str, assistant_id: &str) -> Value {
    let mut context = context_of(Some(&call.identity), assistant_id);
    if call.identity.chat_id.is_none() {
        context["chat_id"] = chat_id.into();
    }
    context["metadata"] = Value::Object(call.metadata.clone());
    context
}

/// Returns what an agent is called in a `ctx`: the id of its folder, else its name.
pub(crate) fn assistant_id(target: &Target) -> &str {
    let folder = match &target.protocol {
        Protocol::OpenAi(chat) => chat.assistant.as_deref(),
        _ => None,
    };
    match folder {
        Some(assistant) => &assistant.id,
        None => target.name.as_deref().unwrap_or_default(),
    }
}
