//! What is asked of a server: prompts and tools of the scenarios, rules that are switched, known failures.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{KnownFailure, Severity};

/// A file of `ananke conform`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConformSetup {
    /// The server, unless the command line names one.
    pub url: Option<String>,
    /// Sent with every request.
    pub headers: Vec<(String, String)>,
    /// Such as `ag-ui@1.0`, unless the command line names one.
    pub profile: Option<String>,
    /// Where a document with the agent's capabilities lies: a URL or a file.
    pub capabilities: Option<String>,
    /// Sent as `forwardedProps` of every run.
    pub forwarded_props: Option<Value>,
    /// The scenarios.
    pub scenarios: ScenarioPlan,
    /// Severities by rule.
    pub rules: BTreeMap<String, Severity>,
}

/// Each scenario: as by default, otherwise, or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioPlan {
    /// By name, such as `hello`; those that are missing are as by default.
    pub given: BTreeMap<String, ScenarioSetup>,
}

/// How a scenario is brought about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioSetup {
    /// The scenario is left out.
    pub is_off: bool,
    /// What the user says, one prompt for each run.
    pub prompts: Vec<String>,
    /// What the user says first, to bring the agent to where the scenario begins; not judged for the scenario.
    pub before: Vec<String>,
    /// Tools of the front end that are offered.
    pub tools: Vec<OfferedFrontendTool>,
    /// The state that is sent.
    pub state: Option<Value>,
    /// Answers to interrupts.
    pub interrupt: InterruptScenario,
    /// After how many events the client goes away.
    pub after_events: Option<usize>,
    /// The tool that is called, where the scenario calls one.
    pub tool: Option<String>,
    /// Its arguments.
    pub args: Option<Value>,
}

/// A tool of the front end, and what the front end answers.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedFrontendTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// What the front end answers.
    pub result: Value,
}

/// Answers to interrupts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterruptScenario {
    /// The payload that resolves one.
    pub resolve: Option<Value>,
    /// A payload that does not match what was asked for.
    pub wrong: Option<Value>,
}

/// Failures that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// In the order of the file.
    pub known: Vec<KnownFailure>,
}
