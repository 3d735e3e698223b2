//! `ananke run`: which tests are run, in which order, what is judged, and what the user reads.

mod discovery;
mod environment;
mod judging;
mod last_run;
mod levels;
mod order;
mod output;
mod pacing;
mod several_targets;
mod targets;

use ananke_testkit::{ScriptedAgent, TestContext};

use crate::ANANKE;

/// Returns a test file with one turn; `rest` follows at the top level.
pub(crate) fn one_turn(name: &str, user: &str, rest: &str) -> String {
    format!("version: \"1.0\"\nname: {name}\nturns:\n  - user: {user}\n{rest}")
}

/// Returns a test file that passes when the agent's answer has `word`.
pub(crate) fn expects(name: &str, word: &str) -> String {
    one_turn(
        name,
        name,
        &format!("assert: {{text: {{must_match: {word}}}}}\n"),
    )
}

/// Returns a project whose agent answers everything with `Hello there`.
pub(crate) fn friendly() -> (TestContext, ScriptedAgent) {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello there");
    cx.config_for(&agent);
    (cx, agent)
}

/// Returns what the user said in each request, the newest message of each.
pub(crate) fn said(agent: &ScriptedAgent) -> Vec<String> {
    let last = |body: &serde_json::Value| {
        let messages = body["messages"].as_array()?;
        let user = messages.iter().rfind(|message| message["role"] == "user")?;
        user["content"].as_str().map(str::to_owned)
    };
    agent.requests().iter().filter_map(last).collect()
}

/// Returns the rows of the tests: what stands between the heading and the end.
pub(crate) fn rows(shown: &str) -> String {
    let is_row = |line: &&str| line.starts_with(['✓', '✗', '○', '?']);
    shown.lines().filter(is_row).collect::<Vec<_>>().join("\n")
}
