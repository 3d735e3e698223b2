//! OpenAI-compatible chat endpoints: `chat/completions`, streamed or whole.
//!
//! The conversation stays in AG-UI form. `request` and `parts` turn it into a body, `chunk` reads what comes back, `fold`
//! adds it to the turn and to the conversation, `stream` stands between bytes and chunks, and `turn` drives it all.
//! `answers` answers tools, `body` reads within the limits, `retry` decides what is sent again, `words` says what a server said was wrong.

mod answers;
mod body;
mod chunk;
mod delta;
mod fold;
#[cfg(fuzzing)]
pub mod fuzzing;
mod parts;
mod request;
mod retry;
mod stream;
#[cfg(test)]
mod tests;
mod turn;
mod url;
mod words;

pub use answers::{Answering, ToolAnswer, ToolAnswers};
pub use delta::deltas;
pub use request::{OpenAiOptions, shared_members, wire_messages};
pub use turn::{OpenAiTurn, run_turn};
pub use url::chat_url;
