//! What an agent is to the server: something that answers a run.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::engine::{Reply, compose};
use crate::input::RunInput;
use crate::script::{Rule, Script};

/// Answers runs. The same input gets the same reply, unless the agent is told to count: see the crate's invariant.
pub trait Agent: Send + Sync + fmt::Debug {
    /// Returns what is sent for this run.
    fn reply(&self, input: &RunInput) -> Reply;

    /// Returns what is sent to a client that attaches to a thread through an envelope; `None` replays what this server
    /// sent on the thread so far.
    fn connect(&self, _input: &RunInput) -> Option<Reply> {
        None
    }

    /// Is told of every POST whose body is JSON, before it is answered.
    fn observe(&self, _request: &Received) {}
}

/// Follows a script, and counts the requests that each rule could answer.
#[derive(Debug)]
pub struct ScriptAgent {
    script: Script,
    /// One for each rule.
    n_asked: Vec<AtomicUsize>,
}

impl ScriptAgent {
    /// Returns an agent that has not answered yet.
    pub fn new(script: Script) -> Self {
        let n_asked = script.rules.iter().map(|_| AtomicUsize::new(0)).collect();
        Self { script, n_asked }
    }
}

impl Agent for ScriptAgent {
    fn reply(&self, input: &RunInput) -> Reply {
        let may_answer = |number: usize, rule: &Rule| match self.n_asked.get(number) {
            Some(n_asked) if rule.counts() => rule.takes(n_asked.fetch_add(1, Ordering::Relaxed)),
            _ => true,
        };
        let (steps, framing) = self.script.answer(input, may_answer);
        compose(steps, framing, self.script.clock(), input)
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
