//! Servers that we did not write, from the Python and Node registries: `interop/` at the root says what they are and how they start.
//!
//! `suites/<server>/` holds the tests that the real binary runs against them, as a user would write them. What came of it is
//! snapshotted in few words. A server that is not installed is a skip that says so; with `CI=true` it is a failure.

mod a2a;
mod chat;
mod clients;
mod conform;
mod conform_tasks;
mod conform_tools;
mod copilot;
mod digest;
mod encoder;
mod junit;
mod langgraph;
mod mcp;
mod mcp_conformance;
mod pydantic;
mod recorded;
mod replayed;
mod server;
mod types;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ananke_testkit::{Filters, Invocation, RunOutput};
use serde_json::Value;

use crate::ANANKE;

/// A suite takes a second or two; on a machine that also compiles, longer.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Returns the folder that `cargo xtask test` installs packages into.
pub(crate) fn installed() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    target.expect("it is target/tmp").join("interop")
}

/// Returns the folder of the servers' sources.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../interop")
}

/// Tells whether the Python servers can be started; says so if not.
fn has_python(what: &str) -> bool {
    is_installed(what, "ANANKE_INTEROP_NO_PYTHON", "venv.stamp")
}

/// Tells whether the servers on the newest and on older packages of A2A and MCP can be started; says so if not.
fn has_both_pythons(what: &str) -> bool {
    ["venv-new.stamp", "venv-old.stamp"]
        .iter()
        .all(|stamp| is_installed(what, "ANANKE_INTEROP_NO_PYTHON", stamp))
}

/// Tells whether the Node servers can be started; says so if not.
fn has_node(what: &str) -> bool {
    is_installed(what, "ANANKE_INTEROP_NO_NODE", "node.stamp")
}

/// Returns the browser that pages can be opened in; says so if there is none.
pub(crate) fn browser(what: &str) -> Option<String> {
    is_installed(what, "ANANKE_INTEROP_NO_BROWSER", "browser.stamp").then(|| {
        let stamp = installed().join("browser.stamp");
        std::fs::read_to_string(stamp).expect("it was just seen")
    })
}

/// Tells whether `jq` is there, which scripts of a CI use; says so if not.
pub(crate) fn has_jq(what: &str) -> bool {
    is_installed(what, "ANANKE_INTEROP_NO_JQ", "jq.stamp")
}

fn is_installed(what: &str, variable: &str, stamp: &str) -> bool {
    let why = match variable_of(variable) {
        Some(why) => why,
        None if installed().join(stamp).exists() => return true,
        None => "the servers are not installed; `cargo xtask test` does that".to_owned(),
    };
    let is_ci = variable_of("CI").is_some_and(|value| value == "true" || value == "1");
    assert!(!is_ci, "with CI=true nothing may be skipped: {what}: {why}");
    // Not `println!`, which is kept from the user when a test passes; one write, so that lines stay whole.
    let line = format!("skipped: {what}: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).ok();
    false
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests have no settings to take it from"
)]
fn variable_of(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Runs the binary in the folder of a suite.
fn ananke(suite: &str, args: &[&str]) -> RunOutput {
    invocation(suite, args).env("ANANKE_NO_BUNDLE", "1").run()
}

/// The same, and it may keep what it records.
fn bundled(suite: &str, args: &[&str]) -> RunOutput {
    invocation(suite, args).run()
}

fn invocation(suite: &str, args: &[&str]) -> Invocation {
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/interop/suites");
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    Invocation::new(Path::new(ANANKE), &suites.join(suite), home)
        .args(args)
        .time_limit(TIME_LIMIT)
}

/// Runs the binary in the folder of a suite and returns its JSON report. All tests must pass.
fn report(suite: &str, args: &[&str]) -> Value {
    report_of("4", suite, args)
}

/// The same, with so many tests at a time.
fn report_of(parallel: &str, suite: &str, args: &[&str]) -> Value {
    let args = [&["run", "--json", "--parallel", parallel], args].concat();
    let output = ananke(suite, &args);
    let report = serde_json::from_str(&output.stdout);
    let report: Value = report.unwrap_or_else(|error| panic!("{error} in\n{output}"));
    assert_eq!(output.code, Some(0), "{}", digest::digest(&report));
    report
}

/// Shows an output as a user sees it, with times and addresses replaced.
fn shown(output: &RunOutput) -> String {
    Filters::default().apply(&output.to_string())
}

/// Shows what an output tells about each test, and the exit code.
fn told(output: &RunOutput) -> String {
    let mut filters = Filters::default();
    filters.replace(&installed().display().to_string(), "[INSTALLED]");
    let text = filters.apply(&output.to_string());
    let lines = text
        .lines()
        .skip_while(|line| !line.contains("Running Tests"));
    let tests = lines.skip(3).take_while(|line| !line.is_empty());
    let code = text.lines().next().into_iter();
    code.chain(tests).collect::<Vec<_>>().join("\n")
}
