//! What scripts ask of the world. `ananke-run` answers.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

/// Whoever answers what scripts ask. All functions but `fetch` block the script's own thread.
pub trait Host: Send + Sync + std::fmt::Debug {
    /// Takes note that a test function begins: what is asked from now on, it asks.
    fn begins(&self, _function: &str) {}

    /// Answers `Process("agents.<id>.Stream", ctx, messages, options)`: `{content, tool_calls, …}`, or why there is no answer.
    fn stream(&self, call: AgentCall) -> Result<Value, String>;

    /// Asks an agent for a verdict: `t.assert.Agent`. An error means that there is none.
    fn judge(&self, question: Judged) -> Result<Verdict, String>;

    /// Finds the file and the function of a process such as `scripts.orders.Find` or `agents.shop.tools.Find`; nothing if the
    /// name is of another kind.
    fn script(&self, process: &str) -> Option<Result<(PathBuf, String), String>>;

    /// Sends a request whose host was granted; `done` is called once, on any thread.
    fn fetch(
        &self,
        request: Request,
        done: Box<dyn FnOnce(Result<Fetched, String>) + Send + 'static>,
    );

    /// Returns an environment variable that was granted.
    fn env(&self, name: &str) -> Option<String>;

    /// Tells whether a pattern of the kind that tests use is found in `text`; an error says what is wrong with the pattern.
    fn matches(&self, pattern: &str, text: &str) -> Result<bool, String>;

    /// Returns what stands at `path`, by the rules of the check `json_path`; an error says what is wrong with the path.
    fn json_path(&self, value: &Value, path: &str) -> Result<Option<Value>, String>;
}

/// A call of an agent.
#[derive(Clone, Debug)]
pub struct AgentCall {
    /// Its id.
    pub agent: String,
    /// The first argument: the context that the script handed on, as JSON.
    pub context: Value,
    /// A list of messages, one message, or a text.
    pub messages: Value,
    /// The third argument.
    pub options: Value,
    /// How long it may take.
    pub timeout: Duration,
}

/// A question to a judge.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its id, without prefix.
    pub agent: String,
    /// What is judged.
    pub response: Value,
    /// `{criteria, metadata, connector}` as the script gave it.
    pub options: Value,
    /// How long it may take.
    pub timeout: Duration,
}

/// What a judge said.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Its verdict.
    pub passed: bool,
    /// Its reason.
    pub reason: String,
}

/// A request of `fetch` or `http`.
#[derive(Clone, Debug)]
pub struct Request {
    /// `GET` and so on.
    pub method: String,
    /// Absolute.
    pub url: String,
    /// In order.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Vec<u8>>,
    /// How long it may take.
    pub timeout: Duration,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// In order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Where it came from, redirects followed.
    pub url: String,
}
