//! What an agent is to the server: something that answers a run.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::engine::{Reply, compose};
use crate::input::RunInput;
use crate::recorded::RecordedAgent;
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

    /// Returns what the agent says of itself.
    fn about(&self) -> About {
        About::default()
    }

    /// Returns what the agent works with, where others may use it too.
    fn toolbox(&self) -> Option<&dyn Toolbox> {
        None
    }

    /// Returns the recordings that the agent answers from, if that is what it does: those of A2A and MCP are played as they
    /// are.
    fn recordings(&self) -> Option<&RecordedAgent> {
        None
    }
}

/// What an agent says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct About {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub description: String,
    /// What it can do, as an A2A card lists it.
    pub skills: Vec<Value>,
}

impl Default for About {
    fn default() -> Self {
        let skill = json!({
            "id": "talk",
            "name": "Talk",
            "description": "Answers messages.",
            "tags": ["scripted"],
        });
        Self {
            name: "scripted agent".to_owned(),
            description: "An agent that does as it is told.".to_owned(),
            skills: vec![skill],
        }
    }
}

/// What an agent works with: tools, resources and prompts, in the form of MCP.
pub trait Toolbox {
    /// Returns the tools, as `tools/list` does.
    fn tools(&self) -> Vec<Value>;
    /// Calls a tool; `state` is the shared state of the conversation. `None` if there is no such tool.
    fn call(&self, name: &str, args: &Value, state: &mut Value) -> Option<Result<Value, String>>;
    /// Returns the resources, as `resources/list` does.
    fn resources(&self) -> Vec<Value>;
    /// Returns the content of a resource, if there is one.
    fn read(&self, uri: &str) -> Option<Value>;
    /// Returns the prompts, as `prompts/list` does.
    fn prompts(&self) -> Vec<Value>;
    /// Returns a prompt, filled in, if there is one.
    fn prompt(&self, name: &str, args: &Value) -> Option<Value>;
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
