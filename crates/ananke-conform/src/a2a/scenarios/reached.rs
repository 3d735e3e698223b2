//! How far an answer came: which task it is about, and where that stands.

use super::super::requests::Place;
use super::super::wire::{self, Kind, Standing};
use crate::exchange::Answer;
use crate::rpc::{came, replies};

/// What an answer amounts to.
#[derive(Clone, Debug, Default)]
pub(super) struct Reached {
    /// The task and its context.
    pub(super) place: Place,
    /// Where the task stands.
    pub(super) standing: Option<Standing>,
    /// The agent answered with a message.
    pub(super) is_message: bool,
    /// What came instead.
    pub(super) refusal: Option<String>,
}

/// Reads an answer to a message.
pub(super) fn reached(answer: &Answer, is_new: bool) -> Reached {
    let mut reached = Reached::default();
    for reply in replies(answer) {
        let Some(Ok((kind, content))) = reply.result().map(|result| wire::kind(result, is_new))
        else {
            continue;
        };
        reached.is_message |= kind == Kind::Message;
        if kind == Kind::Message {
            continue;
        }
        if let Some(id) = wire::task_id(kind, content) {
            reached.place.task.get_or_insert_with(|| id.to_owned());
        }
        let context = content.get("contextId").and_then(|id| id.as_str());
        if let Some(context) = context.filter(|_| reached.place.context.is_none()) {
            reached.place.context = Some(context.to_owned());
        }
        let state = wire::state(content);
        if let Some(standing) = state.and_then(|state| wire::standing(state, is_new)) {
            reached.standing = Some(standing);
        }
    }
    if reached.place.task.is_none() && !reached.is_message {
        reached.refusal = Some(format!(
            "expected a task or a message, saw {}",
            came(answer)
        ));
    }
    reached
}

impl Reached {
    /// Says what was seen.
    pub(super) fn words(&self) -> String {
        match (self.standing, &self.refusal) {
            (_, Some(why)) => why.clone(),
            (Some(Standing::Terminal), _) => "a task that ended".to_owned(),
            (Some(Standing::Interrupted), _) => "a task that waits for the user".to_owned(),
            (Some(Standing::Running), _) => "a task that is still at work".to_owned(),
            (None, _) if self.is_message => "a message".to_owned(),
            (None, _) => "a task without a state".to_owned(),
        }
    }
}
