//! Whoever answers the calls of a model while its turn runs.

use std::fmt::Debug;
use std::pin::Pin;
use std::time::Duration;

use ananke_model::recording::ToolCall;
use serde_json::Value;

/// What a tool gave, or what went wrong in it. The model is told either.
pub type ToolAnswer = Result<Value, String>;

/// The answers to calls, once they are there.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Vec<ToolAnswer>> + Send + 'a>>;

/// Answers the calls of a model.
pub trait ToolAnswers: Debug + Send + Sync {
    /// Answers calls in their order, within the time that is left of the turn.
    fn answer<'a>(&'a self, calls: Vec<&'a ToolCall>, left: Duration) -> Answering<'a>;

    /// Returns how often answers go back to the model at most; never, if somebody else decides what becomes of them.
    fn max_rounds(&self) -> usize;
}
