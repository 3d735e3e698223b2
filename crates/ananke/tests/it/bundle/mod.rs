//! Runs leave bundles, and bundles are judged, replayed, rendered and joined.

mod judge;
mod keeping;
mod replay;
mod report;
mod trouble;

use ananke_testkit::RunOutput;
use serde_json::{Value, json};

use crate::project::Project;

/// A shop that finds things, greets, and fails on request.
fn shop() -> Project {
    let project = Project::new(json!({"rules": [
        {"when": {"user_contains": "find"}, "reply": [
            {"tool": {"name": "search", "args": {"query": "mug"}, "result": {"hits": 2}}},
            {"text": "There are two mugs."},
        ]},
        {"when": {"user_contains": "break"}, "reply": [{"error": {"message": "out of order"}}]},
        {"reply": [{"text": "Hello there."}]},
    ]}));
    project.test_named(
        "find",
        "turns:\n  - user: find a mug\n    assert:\n      tools:\n        require: [{name: search}]\n      text: {must_match: two mugs}\n",
    );
    project.test_named(
        "greet",
        "turns:\n  - user: hi\n    assert: {text: {must_match: Hello}}\n  - user: hi again\nassert:\n  text: {must_not_match: mug}\n",
    );
    project
}

impl Project {
    /// Runs all tests as a user does, with a bundle.
    fn record(&self, args: &[&str]) -> RunOutput {
        self.cx.bundled(&[&["run"], args].concat()).run()
    }

    /// Runs another command, as a user does.
    fn command(&self, args: &[&str]) -> RunOutput {
        self.cx.bundled(args).run()
    }

    /// Returns the names of the runs that left a bundle, the oldest first.
    fn runs(&self) -> Vec<String> {
        let mut names = self.cx.files(".ananke/runs");
        names.retain(|name| name != ".gitignore");
        names
    }
}

/// Returns the document on stdout.
fn document(output: &RunOutput) -> Value {
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}:\n{output}"))
}
