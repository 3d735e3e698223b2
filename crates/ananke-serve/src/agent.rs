//! What an agent is to the server: something that answers a run.

use std::fmt;

use serde_json::Value;

use crate::engine::{Reply, compose};
use crate::input::RunInput;
use crate::script::Script;

/// Answers runs. The same input must always get the same reply.
pub trait Agent: Send + Sync + fmt::Debug {
    /// Returns what is sent for this run.
    fn reply(&self, input: &RunInput) -> Reply;

    /// Is told of every POST whose body is JSON, before it is answered.
    fn observe(&self, _request: &Received) {}
}

impl Agent for Script {
    fn reply(&self, input: &RunInput) -> Reply {
        let (steps, framing) = self.answer(input);
        compose(steps, framing, self.clock(), input)
    }
}

/// A request as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// Path and query.
    pub path: String,
    /// Header names in lower case with their values, in order of arrival.
    pub headers: Vec<(String, String)>,
    /// The whole body, envelope included.
    pub body: Value,
}
