//! `ananke serve`: scripted and recorded agents over HTTP, as a client sees them.

mod faces;
mod recordings;
mod scripts;

use ananke_testkit::{Running, TestContext};

/// Starts a server and waits for its address.
fn serve(cx: &TestContext, args: &[&str]) -> (Running, String) {
    let mut words = vec!["serve"];
    words.extend(args);
    let mut running = cx.command(&words).start();
    // The faces are told last on stderr, which is read beside stdout.
    let is_quiet = args.iter().any(|arg| ["-q", "--quiet"].contains(arg));
    let is_told = |stderr: &str| is_quiet || stderr.contains("MCP:   http");
    running.wait_for(|stdout, stderr| stdout.contains('\n') && is_told(stderr));
    let stdout = running.stdout_so_far();
    let url = stdout.lines().next().expect("a line was waited for");
    (running, url.to_owned())
}

/// What a server says on stderr, without where it speaks which protocol.
fn beside_faces(stderr: &str) -> String {
    let faces = ["AG-UI: http", "A2A:   http", "MCP:   http"];
    let lines = stderr.split_inclusive('\n');
    lines
        .filter(|line| !faces.iter().any(|face| line.starts_with(face)))
        .collect()
}

/// A test that says `user` and demands `assert`.
fn test(user: &str, assert: &str) -> String {
    format!(
        "version: 1\nname: {user}\nturns: [{{user: {user}, timeout_ms: 1000}}]\nassert: {assert}\n"
    )
}

/// The result of each test: status, name, and why.
fn verdicts(cx: &TestContext, args: &[&str]) -> String {
    let output = cx.bundled(args).run();
    let lines = output.stdout.lines().map(str::trim);
    let told: Vec<&str> = lines
        .filter(|line| ["✓", "✗", "└─"].iter().any(|mark| line.starts_with(mark)))
        .collect();
    let code = output.code.expect("nobody killed it");
    let shown = format!("exit code: {code}\n{}\n", told.join("\n"));
    without_times(&shown)
}

/// Durations and addresses differ from run to run.
fn without_times(text: &str) -> String {
    ananke_testkit::Filters::default().apply(text)
}
