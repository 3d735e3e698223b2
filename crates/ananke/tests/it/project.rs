//! A project with an agent of its own, and what of a run is worth reading in a test.

use ananke_testkit::{RunOutput, ScriptedAgent, TestContext};
use serde_json::{Value, json};

use crate::ANANKE;

/// A project whose config talks to a scripted agent.
pub(crate) struct Project {
    pub(crate) cx: TestContext,
    pub(crate) agent: ScriptedAgent,
}

impl Project {
    /// Starts an agent that follows a script.
    pub(crate) fn new(script: Value) -> Self {
        let (cx, agent) = (TestContext::new(ANANKE), ScriptedAgent::start(script));
        cx.config_for(&agent);
        Self { cx, agent }
    }

    /// Starts an agent that answers everything with these steps.
    pub(crate) fn replies(steps: Value) -> Self {
        Self::new(json!({"rules": [{"reply": steps}]}))
    }

    /// Starts an agent that answers everything with these events and nothing else.
    pub(crate) fn sends(events: &[Value]) -> Self {
        let steps: Vec<Value> = events.iter().map(|event| json!({"event": event})).collect();
        Self::new(json!({"rules": [{"reply": steps, "bare": true}]}))
    }

    /// Starts an agent that answers everything with `ok`.
    pub(crate) fn ok() -> Self {
        Self::replies(json!([{"text": "ok"}]))
    }

    /// Writes the config with more keys for its target, as YAML.
    pub(crate) fn target(self, keys: &str) -> Self {
        let endpoint = self.agent.url();
        let keys = indented(keys);
        let config =
            format!("version: \"1.0\"\ntarget:\n  type: agui\n  endpoint: \"{endpoint}\"\n{keys}");
        self.cx.write("ananke.config.yaml", &config);
        self
    }

    /// Writes the test `t.test.yaml`: everything but version and name, as YAML.
    pub(crate) fn test(&self, keys: &str) {
        self.test_named("t", keys);
    }

    /// Writes another test.
    pub(crate) fn test_named(&self, name: &str, keys: &str) {
        let text = format!("version: \"1.0\"\nname: {name}\n{keys}");
        self.cx.write(&format!("{name}.test.yaml"), &text);
    }

    /// Runs all tests; returns the exit code and what is said about each test.
    pub(crate) fn run(&self, args: &[&str]) -> String {
        self.verdicts(&self.output(args))
    }

    /// Runs all tests.
    pub(crate) fn output(&self, args: &[&str]) -> RunOutput {
        let output = self.cx.run(&[&["run"], args].concat());
        assert!(!output.left_processes, "processes were left:\n{output}");
        output
    }

    /// Runs all tests; returns the JSON report.
    pub(crate) fn json(&self) -> Value {
        let output = self.output(&["--json"]);
        match serde_json::from_str(&output.stdout) {
            Ok(report) => report,
            Err(error) => panic!("stdout is not JSON: {error}\n{output}"),
        }
    }

    /// Runs the one test; returns its turns, from the JSON report.
    pub(crate) fn turns(&self) -> Vec<Value> {
        let report = self.json();
        let turns = report["results"][0]["turns"].as_array();
        turns.cloned().unwrap_or_default()
    }

    /// Cuts a run down to its exit code, what is said about each test, and stderr.
    pub(crate) fn verdicts(&self, output: &RunOutput) -> String {
        verdicts(&self.cx.show(output))
    }

    /// Returns the newest message of each request so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        let newest = |request: Value| request["messages"].as_array()?.last().cloned();
        let text = |message: Value| message["content"].as_str().map(str::to_owned);
        let requests = self.agent.requests().into_iter();
        requests
            .map(|request| newest(request).and_then(text).unwrap_or_default())
            .collect()
    }
}

/// Cuts what a user sees down to the exit code, the part about each test, and stderr.
pub(crate) fn verdicts(shown: &str) -> String {
    let (head, stderr) = shown.split_once("--- stderr\n").unwrap_or((shown, ""));
    let (code, stdout) = head.split_once("--- stdout\n").unwrap_or((head, ""));
    let tests = stdout
        .split_once("  Running Tests\n")
        .map_or(stdout, |(_, tests)| tests);
    let tests: Vec<&str> = tests
        .lines()
        .skip_while(|line| line.is_empty() || line.starts_with('─'))
        .take_while(|line| *line != "Failures:" && !line.starts_with('─'))
        .collect();
    let tests = tests.join("\n");
    let mut shown = format!("{code}{}\n", tests.trim_end()).replace("\n\n", "\n");
    if !stderr.is_empty() {
        shown.push_str("--- stderr\n");
        shown.push_str(stderr);
    }
    shown.trim_end().to_owned()
}

/// Returns a request's or report's value as JSON with ids replaced.
pub(crate) fn shown(cx: &TestContext, value: &Value) -> String {
    let mut filters = ananke_testkit::Filters::default();
    filters.replace(&cx.root().display().to_string(), "[ROOT]");
    filters.apply(&format!("{value:#}"))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
