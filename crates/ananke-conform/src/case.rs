//! All that is judged at once.

use serde_json::Value;

use crate::exchange::Exchange;

/// What was asked of a server and what it answered, or what a file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The URL without secrets, or the file.
    pub subject: String,
    /// In the order in which they were sent.
    pub exchanges: Vec<Exchange>,
    /// Every scenario, whether the agent showed it or not; none if a file is judged.
    pub scenarios: Vec<ScenarioSeen>,
    /// What the agent says it can do, if that is known.
    pub capabilities: Option<Value>,
    /// A request of ours that breaks the protocol: then no verdict counts.
    pub harness_error: Option<String>,
    /// Facts that are no findings.
    pub notes: Vec<String>,
    /// How long all of it took.
    pub duration_ms: u64,
}

/// What became of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioSeen {
    /// Such as `frontend-tool`.
    pub name: &'static str,
    /// What became of it.
    pub shown: Shown,
    /// What was seen, or why not.
    pub detail: String,
}

/// Whether the agent did what the scenario is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It did.
    Yes,
    /// It did not: nothing about the scenario can be judged.
    No,
    /// The scenario was left out on purpose.
    Off,
}
