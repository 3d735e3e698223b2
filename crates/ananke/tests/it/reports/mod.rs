//! Reports in files: every format at once, rendered again from the bundle, streamed, for GitHub, and paths that cannot be
//! written.

mod files;
mod github;
mod hostile;
mod paths;
mod stream;

use ananke_testkit::{ScriptedAgent, TestContext};
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::{expects, one_turn};

/// Returns a project with a test for each way to come out: passed, failed, error, skipped, flaky with `--retries 1`.
pub(crate) fn all_sorts() -> (TestContext, ScriptedAgent) {
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "boom"}, "reply": [{"text": "Let me"}, {"error": {"message": "out of order"}}]},
        {"when": {"user_equals": "moody"}, "times": 1, "reply": [{"text": "Go away"}]},
        {"reply": [
            {"tool": {"name": "search", "args": {"q": "mug"}, "result": {"hits": 3}}},
            {"text": "Hello there"},
        ]},
    ]}));
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    cx.write("shop/a.test.yaml", &expects("polite", "Hello"));
    cx.write("shop/b.test.yaml", &expects("farewell", "Goodbye"));
    cx.write("shop/deep/c.test.yaml", &expects("boom", "Hello"));
    cx.write("d.test.yaml", &expects("moody", "Hello"));
    let skipped = "skip: waits for the till\nassert: {text: {must_match: x}}\n";
    cx.write("e.test.yaml", &one_turn("later", "later", skipped));
    (cx, agent)
}

/// Reads a JSON report of the project.
fn report(cx: &TestContext, path: &str) -> Value {
    serde_json::from_str(&cx.read(path)).expect("a report is JSON")
}
