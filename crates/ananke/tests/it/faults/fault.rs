//! One test against a misbehaving server, and the bounds that hold whatever the server does.

use std::fmt::Write as _;
use std::time::Duration;

use ananke_testkit::{RunOutput, TestContext};
use serde_json::Value;

use crate::ANANKE;

/// What a run may take beyond its turns' `timeout_ms`: starting, reporting and ending included.
const SLACK: Duration = Duration::from_secs(2);
/// What a run may hold in memory at most.
const MAX_RSS_KIB: u64 = 512 << 10;

/// A project with one test, `hello`, whose agent is at `url`.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) cx: TestContext,
    version: &'static str,
    timeout_ms: u64,
    target: String,
    turns: String,
    demand: String,
}

impl Fault {
    /// The agent is expected to say `Hello`, within a time that no test should need.
    pub(crate) fn at(url: &str) -> Self {
        Self::new("1.0", &format!("  type: agui\n  endpoint: \"{url}\"\n"))
    }

    /// The same of an A2A agent, whose card is asked for at `url`.
    pub(crate) fn card_at(url: &str) -> Self {
        Self::new("1.1", &format!("  type: a2a\n  agentCardUrl: \"{url}\"\n"))
    }

    /// The same of an A2A agent without a card.
    pub(crate) fn tasks_at(url: &str) -> Self {
        Self::new("1.1", &format!("  type: a2a\n  endpoint: \"{url}\"\n"))
    }

    /// The same of an MCP server that is a script of the shell: `hi` is what the tool `say` is called with.
    pub(crate) fn tools_of(script: &str) -> Self {
        let target =
            "  type: mcp\n  command: [sh, server.sh]\n  userTool: {name: say, argument: words}\n";
        let fault = Self::new("1.2", target);
        fault.cx.write("server.sh", script);
        fault
    }

    /// Starts another program than the shell.
    pub(crate) fn program(mut self, program: &str) -> Self {
        self.target = self
            .target
            .replace("[sh, server.sh]", &format!("[{program}]"));
        self
    }

    fn new(version: &'static str, target: &str) -> Self {
        Self {
            cx: TestContext::new(ANANKE),
            version,
            timeout_ms: 10_000,
            target: target.to_owned(),
            turns: "  - user: hi\n".to_owned(),
            demand: "  text: {must_match: Hello}\n".to_owned(),
        }
    }

    /// Limits the turn.
    pub(crate) fn timeout_ms(mut self, timeout_ms: u64) -> Self {
        self.timeout_ms = timeout_ms;
        self
    }

    /// Adds a key to the target.
    pub(crate) fn target(mut self, yaml: &str) -> Self {
        writeln!(self.target, "  {yaml}").expect("a string can be written to");
        self
    }

    /// Says `hi` that many times.
    pub(crate) fn turns(mut self, n_turns: usize) -> Self {
        self.turns = "  - user: hi\n".repeat(n_turns);
        self
    }

    /// Demands something else of the agent.
    pub(crate) fn demands(mut self, yaml: &str) -> Self {
        self.demand = format!("  {yaml}\n");
        self
    }

    /// Writes the project.
    pub(crate) fn write(&self) {
        self.cx.write(
            "ananke.config.yaml",
            &format!(
                "version: \"{}\"\ntarget:\n  timeout_ms: {}\n{}",
                self.version, self.timeout_ms, self.target
            ),
        );
        self.cx.write(
            "hello.test.yaml",
            &format!(
                "version: \"1.0\"\nname: hello\nturns:\n{}assert:\n{}",
                self.turns, self.demand
            ),
        );
    }

    /// Runs the test twice, for a person and as JSON, and shows what both say.
    pub(crate) fn shown(&self) -> String {
        self.shown_with(&[])
    }

    /// The same, with environment variables.
    pub(crate) fn shown_with(&self, env: &[(&str, &str)]) -> String {
        self.write();
        let person = self.run(&["run"], env);
        let json = self.run(&["run", "--json"], env);
        assert_eq!(person.code, json.code, "{person}{json}");
        assert_eq!(json.stderr, person.stderr);
        let mut shown = RunOutput {
            stdout: test_lines(&person.stdout),
            ..person
        };
        shown.stdout.push_str("--- json\n");
        shown.stdout.push_str(&kept(&json.stdout));
        let shown = without_numbers_of_errors(&self.cx.show(&shown));
        shown
            .strip_suffix("--- stderr\n")
            .unwrap_or(&shown)
            .to_owned()
    }

    /// Runs the test as JSON and returns the report.
    pub(crate) fn report(&self) -> Value {
        self.write();
        let output = self.run(&["run", "--json"], &[]);
        serde_json::from_str(&output.stdout).expect("the report parses")
    }

    /// Runs the binary in the project that was written, and holds it to the bounds.
    pub(crate) fn run(&self, args: &[&str], env: &[(&str, &str)]) -> RunOutput {
        let mut command = self.cx.command(args);
        for (name, value) in env {
            command = command.env(name, value);
        }
        let output = command.run();
        let deadline = Duration::from_millis(self.timeout_ms) + SLACK;
        assert!(output.elapsed < deadline, "{:?}: {output}", output.elapsed);
        let peak_kib = output.peak_rss_kib.unwrap_or_default();
        assert!(peak_kib < MAX_RSS_KIB, "{peak_kib} KiB");
        assert!(!output.left_processes);
        for text in [&output.stdout, &output.stderr] {
            assert!(!text.contains("panicked"), "{output}");
        }
        output
    }
}

/// Returns what the human report says about the test itself; what stands around it is the same in every run.
fn test_lines(stdout: &str) -> String {
    let lines = stdout.lines().skip_while(|line| {
        !["✓", "✗", "⚠"]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
    });
    lines
        .take_while(|line| !line.is_empty())
        .fold(String::new(), |shown, line| shown + line + "\n")
}

/// Returns what the JSON report keeps of the test: how it ended, and everything that was captured.
fn kept(stdout: &str) -> String {
    let report: Value = serde_json::from_str(stdout).expect("the report parses");
    let test = &report["results"][0];
    let mut shown = format!("{}\n", word(&test["status"]));
    for turn in test["turns"].as_array().into_iter().flatten() {
        let kind = &turn["error"]["kind"];
        let kind = kind.as_str().map(|kind| format!(" ({kind})"));
        writeln!(
            shown,
            "turn {}: {}{}, {} events, text {}",
            turn["turn"],
            word(&turn["status"]),
            kind.unwrap_or_default(),
            turn["n_events"],
            brief(&turn["text"])
        )
        .expect("a string can be written to");
        for call in turn["tool_calls"].as_array().into_iter().flatten() {
            let result = match &call["result"] {
                Value::Null => String::new(),
                result => format!(" -> {}", brief(result)),
            };
            let name = word(&call["name"]);
            writeln!(shown, "call: {name} {}{result}", brief(&call["args"]))
                .expect("a string can be written to");
        }
        for finding in turn["findings"].as_array().into_iter().flatten() {
            writeln!(
                shown,
                "finding: {} {}",
                word(&finding["rule"]),
                word(&finding["message"])
            )
            .expect("a string can be written to");
        }
        for warning in turn["warnings"].as_array().into_iter().flatten() {
            writeln!(shown, "warning: {}", word(warning)).expect("a string can be written to");
        }
    }
    shown
}

/// Takes out `(os error 111)`: systems number them differently.
fn without_numbers_of_errors(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| {
        shown + part.split_once(')').map_or("", |(_, rest)| rest)
    })
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

/// Returns a value as JSON, its middle left out if it is long.
fn brief(value: &Value) -> String {
    const END: usize = 40;
    let chars: Vec<char> = value.to_string().chars().collect();
    if chars.len() <= 3 * END {
        return chars.into_iter().collect();
    }
    let (head, tail) = (&chars[..END], &chars[chars.len() - END..]);
    let text = |chars: &[char]| chars.iter().collect::<String>();
    format!(
        "{} … {} ({} characters)",
        text(head),
        text(tail),
        chars.len()
    )
}
