//! Turns with agents that do not speak AG-UI themselves: what they said is told in its events, and folded as if it had
//! come over the wire.

use ananke_model::plan::Clock;
use ananke_model::recording::{Trouble, Turn};
use serde_json::Value;

use super::conversation::Conversation;
use super::ending::Ending;
use super::fold::Fold;
use super::spoken::say;
use super::stream::{Framing, Stream};
use crate::action::Action;
use crate::sse::Decoder;

/// A turn whose words are in the conversation, and whose answer is still to come.
#[derive(Debug)]
pub struct ToldTurn {
    action: Action,
    user: Option<String>,
    message_id: Option<String>,
}

/// What came of a turn.
#[derive(Debug)]
pub struct Told<'a> {
    /// What was sent.
    pub request: Value,
    /// Whether there was anybody to be asked.
    pub reached: bool,
    /// What was said, as events. They count as having come at the end.
    pub events: &'a [Value],
    /// Why the turn did not come to an end of its own, if it did not.
    pub run: Result<(), Trouble>,
    /// Oddities.
    pub warnings: Vec<String>,
    /// When it was sent, in Unix milliseconds.
    pub unix_ms: i64,
    /// How long it took.
    pub total_us: u64,
}

impl ToldTurn {
    /// Puts what `action` says into `conversation`.
    pub fn begin(
        action: Action,
        conversation: &mut Conversation,
        new_id: &mut (dyn FnMut() -> String + Send),
    ) -> Self {
        let (news, user) = say(&action, conversation, new_id);
        Self {
            action,
            user,
            message_id: news.message_ids.last().cloned(),
        }
    }

    /// Returns the user's words.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    /// Folds what was said into `conversation`, and makes a turn of it.
    pub fn end(self, told: Told<'_>, conversation: &mut Conversation) -> Turn {
        let fold = Fold::new(conversation, self.message_id.as_deref(), false);
        let mut stream = Stream::new(fold);
        for event in told.events {
            stream.event(&event.to_string(), told.total_us);
        }
        stream.finish_body(&mut Framing::Sse(Decoder::new(0)), true);
        stream.warnings.extend(told.warnings);
        let ending = Ending {
            user: self.user,
            requests: vec![told.request],
            reached: told.reached,
            run: told.run,
            unix_ms: told.unix_ms,
            connect_us: None,
            total_us: told.total_us,
            clock: Clock::Arrival,
        };
        ending.turn(stream, &self.action)
    }
}
