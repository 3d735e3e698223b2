//! `server:` in the config: the app under test is started, waited for, and stopped with everything that it started.
//!
//! The servers are small Python programs. Where there is no Python the tests say so and prove nothing; in CI that fails.

mod trouble;
mod works;

use std::io::Write as _;
use std::net::TcpListener;

use ananke_testkit::{RunOutput, TestContext};

use crate::ANANKE;
use crate::project::verdicts;

/// An agent in Python that says `ok`. `setup()` is where a test puts its own behavior; GET answers 404.
const APP: &str = r#"
import http.server, json, os, signal, socketserver, sys, time

def event(**fields):
    return b"data: " + json.dumps(fields).encode() + b"\n\n"

class Agent(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        run = json.loads(self.rfile.read(int(self.headers["content-length"])))
        ids = {"threadId": run["threadId"], "runId": run["runId"]}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(event(type="RUN_STARTED", **ids))
        self.wfile.write(event(type="TEXT_MESSAGE_CHUNK", messageId="m", delta=TEXT))
        self.wfile.write(event(type="RUN_FINISHED", **ids))

    def do_GET(self):
        self.send_error(404)

    def log_message(self, *words):
        pass

TEXT = os.environ.get("APP_TEXT", "ok")
PORT = int(sys.argv[1])
SETUP
class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
with Server(("127.0.0.1", PORT), Agent) as server:
    server.serve_forever()
"#;

/// A project whose config starts the agent.
struct App {
    cx: TestContext,
    port: u16,
}

impl App {
    /// Writes the project; the agent runs `setup` before it listens. `None` if there is no Python.
    fn new(setup: &str) -> Option<Self> {
        has_python().then(|| {
            let app = Self {
                cx: TestContext::new(ANANKE),
                port: free_port(),
            };
            app.cx.write("app.py", &APP.replace("SETUP", setup));
            app.server(&["cmd: [python3, app.py, ${PORT}]"]);
            app.test("ok");
            app
        })
    }

    /// Writes the config with these lines under `server`, the address aside.
    fn server(&self, lines: &[&str]) {
        let port = self.port;
        let lines = lines
            .iter()
            .map(|line| format!("  {}\n", line.replace("${PORT}", &port.to_string())));
        let lines: String = lines.collect();
        self.cx.write(
            "ananke.config.yaml",
            &format!(
                "version: 1.0\nserver:\n{lines}  url: http://127.0.0.1:{port}/health\ntarget:\n  type: agui\n  endpoint: http://127.0.0.1:{port}/\n"
            ),
        );
    }

    /// Writes a test that expects this answer.
    fn test(&self, answer: &str) {
        let test = format!(
            "version: 1.0\nname: t\nturns:\n  - user: hello\n    assert: {{text: {{must_match: '^{answer}$'}}}}\n"
        );
        self.cx.write("t.test.yaml", &test);
    }

    /// Runs the tests. Nothing may be left, and nobody may listen any more.
    fn run(&self, args: &[&str]) -> RunOutput {
        let output = self.cx.run(&[&["run"], args].concat());
        assert!(!output.left_processes, "processes were left:\n{output}");
        assert!(
            TcpListener::bind(("127.0.0.1", self.port)).is_ok(),
            "the server still listens:\n{output}"
        );
        output
    }

    /// Cuts a run down to what is worth reading.
    fn verdict(&self, args: &[&str]) -> String {
        verdicts(&self.cx.show(&self.run(args)))
    }
}

/// Returns a port that nobody uses.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    listener.local_addr().expect("the socket is bound").port()
}

/// Tells whether there is a Python to run servers with. Says so if not; in CI there must be one.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own environment, not the product's settings"
)]
fn has_python() -> bool {
    let version = std::process::Command::new("python3")
        .arg("--version")
        .output();
    let found = version.is_ok_and(|output| output.status.success());
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "python3 is missing, and CI needs it"
        );
        // Not captured by the test harness: a skipped test is seen.
        writeln!(std::io::stderr(), "SKIPPED: python3 is missing").ok();
    }
    found
}
