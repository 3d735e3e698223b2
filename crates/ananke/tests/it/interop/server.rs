//! A server of `interop/`, started for a test and stopped with it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::{installed, sources};
use crate::ANANKE;

/// Starting takes two seconds; on a machine that also compiles, longer.
const START_LIMIT: Duration = Duration::from_secs(60);

/// A running server. It leaves when its stdin ends, so it does not outlive the test process either.
pub(super) struct Server {
    child: Child,
    url: String,
}

impl Server {
    pub(super) fn pydantic() -> Self {
        Self::python("pydantic_app.py")
    }

    pub(super) fn langgraph() -> Self {
        Self::python("langgraph_app.py")
    }

    pub(super) fn encoder() -> Self {
        Self::node("encoder_server.mjs", &[])
    }

    /// Starts an OpenAI-compatible endpoint.
    pub(super) fn chat() -> Self {
        Self::node("chat_server.mjs", &[])
    }

    /// Starts CopilotKit's runtime in front of `agent`.
    pub(super) fn copilot(agent: &Self, mode: &str) -> Self {
        Self::node(
            "copilot_server.mjs",
            &["--agent", agent.url(), "--mode", mode],
        )
    }

    /// Starts an A2A agent on the Python SDK of today.
    pub(super) fn a2a(args: &[&str]) -> Self {
        Self::python_of("venv-new", "a2a_app.py", args)
    }

    /// Starts an A2A agent on the Python SDK of the version before.
    pub(super) fn a2a_old(args: &[&str]) -> Self {
        Self::python_of("venv-old", "a2a_old_app.py", args)
    }

    /// Starts an A2A agent on the Node SDK.
    pub(super) fn a2a_node(args: &[&str]) -> Self {
        Self::node("a2a_server.mjs", args)
    }

    /// Starts the tools on fastmcp; `transport` is `http` or `sse`.
    pub(super) fn mcp(transport: &str, args: &[&str]) -> Self {
        let args = [&["--transport", transport], args].concat();
        Self::python_of("venv-new", "mcp_app.py", &args)
    }

    /// Starts the tools on mcp 1.
    pub(super) fn mcp_old(transport: &str, args: &[&str]) -> Self {
        let args = [&["--transport", transport], args].concat();
        Self::python_of("venv-old", "mcp_old_app.py", &args)
    }

    /// Starts the reference server of MCP.
    pub(super) fn everything(transport: &str) -> Self {
        Self::node("everything_server.mjs", &["--transport", transport])
    }

    /// Starts ananke itself, as the agents of a recorded run.
    pub(super) fn replay(bundles: &Path) -> Self {
        let mut command = Command::new(ANANKE);
        command
            .args(["serve", "latest", "--instant", "--bundle-dir"])
            .arg(bundles);
        Self::start("replay", &mut command)
    }

    fn python(script: &str) -> Self {
        Self::python_of("venv", script, &[])
    }

    fn python_of(environment: &str, script: &str, args: &[&str]) -> Self {
        let mut command = Command::new(installed().join(environment).join("bin/python"));
        // Without -B a cache would be written beside the sources.
        command.arg("-B").arg(sources().join(script)).args(args);
        Self::start(script, &mut command)
    }

    fn node(script: &str, args: &[&str]) -> Self {
        let mut command = Command::new("node");
        command
            .arg(installed().join("node").join(script))
            .args(args);
        Self::start(script, &mut command)
    }

    fn start(name: &str, command: &mut Command) -> Self {
        // Servers write traces of the errors that tests ask for; they matter only if a start fails.
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let log =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("interop-{number}-{name}.log"));
        let stderr = std::fs::File::create(&log).expect("target/tmp is writable");
        let mut child = command
            .args(["--port", "0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, first_line) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines();
            // Nobody may be waiting any more.
            sender.send(lines.next()).ok();
            lines.for_each(drop);
        });
        let line = first_line.recv_timeout(START_LIMIT);
        let url = match &line {
            // `ananke serve` says nothing but the address.
            Ok(Some(Ok(line))) if line.starts_with("http://") => Some(line.as_str()),
            Ok(Some(Ok(line))) => line.strip_prefix("listening on "),
            _ => None,
        };
        let Some(url) = url.map(str::to_owned) else {
            child.kill().ok();
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            panic!("{command:?} did not say where it listens: {line:?}\n{said}");
        };
        Self { child, url }
    }

    /// Returns the address of its root, with a slash at the end.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have left by itself.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
