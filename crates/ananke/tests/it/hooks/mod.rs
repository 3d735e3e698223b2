//! Hooks: what they are given, what they give, how they fail, and what becomes of the processes that they start.

mod children;
mod failures;
mod given;
mod printed;

use crate::project::Project;

/// What every test here ends with.
const TURN: &str = "turns:\n  - user: hello\n    assert: {text: {must_match: ok}}\n";

/// A project with one test that has one hook: `sh` with this script.
fn project(script: &str) -> Project {
    let project = Project::ok();
    project.cx.write("hook.sh", script);
    project.test(&format!("hooks:\n  - cmd: [sh, hook.sh]\n{TURN}"));
    project
}

/// Says what comes of a test with one hook.
fn verdict(script: &str) -> String {
    project(script).run(&[])
}
