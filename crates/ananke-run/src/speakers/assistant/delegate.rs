//! `delegate`: another agent goes on with the turn.

use std::sync::Arc;

use ananke_model::recording::{Trouble, TroubleKind, Turn};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use serde_json::{Map, Value};

use super::create::{kind, mismatch};
use super::hook::{Course, trouble};
use super::messages::{held, message_list};
use crate::script::target;
use crate::speakers::{Bounds, Call, Speaker};
use crate::world::World;

/// How often a turn is handed on at most.
const MAX_DEPTH: usize = 8;

/// Who goes on, and with what.
#[derive(Debug, PartialEq)]
pub(super) struct Delegate {
    pub(super) agent_id: String,
    /// What the agent is told; what this one was told, if there is nothing.
    pub(super) messages: Option<Vec<Value>>,
    pub(super) metadata: Map<String, Value>,
    pub(super) connector: Option<String>,
    /// Members of `options` that have no effect.
    pub(super) idle: Vec<String>,
}

impl Delegate {
    /// Reads `{agent_id, messages, options}`; says what cannot be meant.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let Value::Object(mut members) = value else {
            return Err(mismatch("delegate", &value, "an object with `agent_id`"));
        };
        let agent_id = match members.remove("agent_id") {
            Some(Value::String(id)) if !id.is_empty() => id,
            other => {
                let kind = other.as_ref().map_or("missing", kind);
                return Err(format!(
                    "`delegate.agent_id` is {kind}, expected the id of an agent"
                ));
            }
        };
        let messages = members.remove("messages").filter(|list| !list.is_null());
        let messages = messages.map(|list| message_list("delegate.messages", list));
        let mut options = match members.remove("options") {
            Some(Value::Object(options)) => options,
            _ => Map::new(),
        };
        let metadata = match options.remove("metadata") {
            Some(Value::Object(metadata)) => metadata,
            _ => Map::new(),
        };
        let connector = match options.remove("connector") {
            Some(Value::String(id)) if !id.is_empty() => Some(id),
            _ => None,
        };
        let idle = options.into_iter().filter(|(_, value)| !value.is_null());
        Ok(Self {
            agent_id,
            messages: messages.transpose()?,
            metadata,
            connector,
            idle: idle.map(|(name, _)| name).collect(),
        })
    }
}

/// A turn that is handed on.
#[derive(Debug)]
pub(super) struct Handing<'a> {
    pub(super) world: &'a Arc<World>,
    pub(super) variables: &'a Variables,
    pub(super) call: &'a Call,
    pub(super) course: Course,
    pub(super) bounds: Bounds<'a>,
}

impl Handing<'_> {
    /// Lets the other agent go on.
    pub(super) async fn hand_on(&self, to: Delegate) -> Result<Turn, Trouble> {
        let id = to.agent_id.as_str();
        let cannot = |why: String| trouble(TroubleKind::Transport, format!("`delegate`: {why}"));
        if self.call.depth >= MAX_DEPTH {
            let why = format!("the turn was handed on {MAX_DEPTH} times, at last to `{id}`");
            return Err(cannot(why));
        }
        let target = &target(self.world, id, to.connector.as_deref()).map_err(cannot)?;
        let mut call = self.call.clone();
        call.depth += 1;
        call.file = None;
        call.metadata.extend(to.metadata);
        let means = self.world.means(self.variables);
        let speaker = Speaker::new(target, &means, &call);
        let speaker = speaker.map_err(|why| cannot(format!("the agent `{id}`: {why}")))?;
        // An agent that hands on to itself would wait for itself.
        let is_first = self.call.depth == 0;
        let entering = async {
            match is_first {
                true => self.world.helpers.enter(id, target).await,
                false => None,
            }
        };
        let late = || self.course.late(&format!("`{id}` was busy"));
        let _turnstile = tokio::select! {
            entered = tokio::time::timeout(self.course.left(), entering) => entered.map_err(|_| late())?,
            () = self.bounds.cancel.cancelled() => return Err(trouble(TroubleKind::Cancelled, "interrupted")),
        };
        let messages = to.messages.iter().flatten();
        let action = Action::Messages(messages.map(held).collect());
        let bounds = Bounds {
            timeout: self.course.left(),
            whole: self.course.left(),
            ..self.bounds
        };
        let mut conversation = speaker.conversation();
        let turn = speaker.turn(action, &mut conversation, bounds);
        let mut turn = Box::pin(turn).await;
        turn.warnings.extend(speaker.close().await);
        let idle = to.idle.iter();
        turn.warnings
            .extend(idle.map(|name| format!("`delegate.options.{name}` has no effect in tests")));
        Ok(turn)
    }
}
