//! Speaks to an assistant folder in which scripts take part: the hook `Create` before the model, tools that scripts answer,
//! and the hook `Next` behind the model.
//!
//! `speaker` leads through a turn, `create` and `next` read what hooks return, `compose` puts together what the model gets and
//! `ask` asks it, `tools` and `schema` answer its calls, `delegate` hands a turn on to another agent, `messages` and `joined`
//! turn what was said and done into one turn.

mod ask;
mod compose;
mod create;
mod delegate;
mod hook;
mod joined;
mod messages;
mod next;
mod schema;
mod servers;
mod speaker;
#[cfg(test)]
mod tests;
mod tools;

pub(super) use compose::composed;
pub(crate) use speaker::AssistantSpeaker;
