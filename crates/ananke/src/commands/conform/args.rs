//! The flags.

use std::path::PathBuf;
use std::time::Duration;

use ananke_conform::Profile;
use ananke_conform::sse_stack::Vocabulary;
use ananke_model::conformance::Severity;
use clap::{Args, ValueEnum};

use crate::commands::find_bundle::PlaceArgs;
use crate::env_file::EnvFileArgs;
use crate::settings::{parse_switch, parse_var};

/// Find out whether an agent server is correct: drive scenarios, judge every answer with its request
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ananke conform http://localhost:8000/agent                  judge a server by AG-UI 1.0
  ananke conform http://localhost:8000/agent --profile ag-ui@0.x
  ananke conform --setup conform.yaml -o conform.sarif        prompts and tools of your own agent
  ananke conform --file capture.sse --request input.json      judge what was captured before
  ananke conform --file latest                                judge what the last run recorded
  ananke conform http://localhost:9999 --profile a2a          judge an agent of A2A by its card and its answers
  ananke conform http://localhost:8000/mcp --profile mcp      judge a server of MCP
  ananke conform --profile sse-stack --base-url http://localhost:3113 --bearer \"$TOKEN\"
  ananke conform --explain semantics.pending-calls            what a rule means

Exit codes: 0 no rule failed, 1 a rule failed or the baseline is out of date, 2 configuration error,
3 the server could not be reached, 5 nothing could be judged, or with --strict not everything.")]
pub(crate) struct ConformArgs {
    /// The server: `POST RunAgentInput` goes here; for A2A where the card is, for MCP where messages go
    #[arg(value_name = "URL")]
    pub(super) url: Option<String>,
    /// What the server is held to
    #[arg(long, value_enum, value_name = "PROFILE", env = "ANANKE_PROFILE")]
    pub(super) profile: Option<ProfileName>,
    /// A file with the prompts, tools and rules for this server
    #[arg(long, value_name = "FILE", env = "ANANKE_SETUP")]
    pub(super) setup: Option<PathBuf>,
    /// Only this scenario; may be repeated
    #[arg(
        long = "scenario",
        value_name = "NAME",
        env = "ANANKE_SCENARIO",
        value_delimiter = ','
    )]
    pub(super) scenarios: Vec<String>,
    /// A document with the agent's capabilities: a URL or a file
    #[arg(long, value_name = "URL|FILE", env = "ANANKE_CAPABILITIES")]
    pub(super) capabilities: Option<String>,
    /// Judge this file instead of a server: an event stream, events as JSON lines, a bundle, `latest`, `-` for stdin
    #[arg(long, value_name = "FILE", env = "ANANKE_CONFORM_FILE")]
    pub(super) file: Option<String>,
    /// The `RunAgentInput` that the file answers
    #[arg(long, value_name = "FILE", env = "ANANKE_CONFORM_REQUEST")]
    pub(super) request: Option<PathBuf>,
    #[command(flatten)]
    pub(super) asking: AskingArgs,
    #[command(flatten)]
    pub(super) stack: StackArgs,
    #[command(flatten)]
    pub(super) verdict: VerdictArgs,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
    /// Show every rule, and do nothing else
    #[arg(long, env = "ANANKE_RULES", value_parser = parse_switch, help_heading = "Rules")]
    pub(super) rules: bool,
    /// Show what a rule means, and do nothing else
    #[arg(
        long,
        value_name = "RULE",
        env = "ANANKE_EXPLAIN",
        help_heading = "Rules"
    )]
    pub(super) explain: Option<String>,
    /// Write a page for each rule into this folder, and do nothing else
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub(super) pages: Option<PathBuf>,
    /// Write the report, format by extension: json, xml (JUnit), sarif, md; may be repeated
    #[arg(
        short,
        long = "output",
        value_name = "FILE",
        env = "ANANKE_CONFORM_OUTPUT",
        help_heading = "Output"
    )]
    pub(super) outputs: Vec<PathBuf>,
    /// Print exactly one JSON document on stdout
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(crate) json: bool,
}

/// How requests are sent.
#[derive(Args, Debug)]
#[command(next_help_heading = "Requests")]
pub(crate) struct AskingArgs {
    /// A header of every request; may be repeated
    #[arg(
        long = "header",
        value_name = "NAME: VALUE",
        value_parser = parse_header,
        env = "ANANKE_HEADER"
    )]
    pub(super) headers: Vec<(String, String)>,
    /// A token, sent as `Authorization: Bearer …`
    #[arg(long, value_name = "TOKEN", env = "ANANKE_BEARER")]
    pub(super) bearer: Option<String>,
    /// How long each request may take, its answer included [default: 30000; for sse-stack all of them together, 5000]
    #[arg(
        long,
        value_name = "MS",
        env = "ANANKE_TIMEOUT_MS",
        value_parser = clap::value_parser!(u64).range(1..=86_400_000)
    )]
    pub(super) timeout_ms: Option<u64>,
    /// How many events of an answer are read [default: 100000; for sse-stack 32]
    #[arg(
        long,
        value_name = "N",
        env = "ANANKE_MAX_FRAMES",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) max_frames: Option<u32>,
    /// A file of certificate authorities to trust in addition, as PEM
    #[arg(long, value_name = "FILE", env = "ANANKE_CA")]
    pub(super) ca: Option<PathBuf>,
    /// Accept any certificate
    #[arg(long, env = "ANANKE_INSECURE", value_parser = parse_switch)]
    pub(super) insecure: bool,
    /// Values for references.
    #[arg(
        long = "var",
        value_name = "NAME=VALUE",
        value_parser = parse_var,
        help = "A value for ${NAME} in the setup; may be repeated [env: ANANKE_VAR_<NAME>]"
    )]
    pub(super) vars: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) env_files: EnvFileArgs,
}

/// What only the profile `sse-stack` knows.
#[derive(Args, Debug)]
#[command(next_help_heading = "Profile sse-stack")]
pub(crate) struct StackArgs {
    /// The server's address; the paths are added to it
    #[arg(long, value_name = "URL", env = "ANANKE_BASE_URL")]
    pub(super) base_url: Option<String>,
    /// Where the stream is [default: /remote/stream]
    #[arg(long, value_name = "PATH", env = "ANANKE_STREAM_PATH")]
    pub(super) stream_path: Option<String>,
    /// Where a write with too little scope is tried [default: /remote/inject]
    #[arg(long, value_name = "PATH", env = "ANANKE_WRITE_PROBE_PATH")]
    pub(super) write_probe_path: Option<String>,
    /// A token that may read and not write; only with it a write is tried
    #[arg(long, value_name = "TOKEN", env = "ANANKE_INSUFFICIENT_SCOPE_BEARER")]
    pub(super) insufficient_scope_bearer: Option<String>,
    /// A token that is bound to a key; only with it `DPoP` is looked at
    #[arg(long, value_name = "TOKEN", env = "ANANKE_CNF_BOUND_BEARER")]
    pub(super) cnf_bound_bearer: Option<String>,
    /// Which event types are known [default: 19]
    #[arg(long, value_enum, value_name = "NAME", env = "ANANKE_VOCABULARY")]
    pub(super) vocabulary: Option<VocabularyName>,
}

/// What becomes of findings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Verdict")]
pub(crate) struct VerdictArgs {
    /// What a finding of a rule does: ID=off, ID=warn or ID=error; may be repeated
    #[arg(
        long = "rule",
        value_name = "ID=SEVERITY",
        value_parser = parse_rule,
        env = "ANANKE_RULE"
    )]
    pub(super) severities: Vec<(String, Severity)>,
    /// Failures that are known; an entry that passes now fails the run until it is removed
    #[arg(long, value_name = "FILE", env = "ANANKE_BASELINE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the findings of this run as a baseline
    #[arg(
        long,
        value_name = "FILE",
        env = "ANANKE_WRITE_BASELINE",
        conflicts_with = "baseline"
    )]
    pub(super) write_baseline: Option<PathBuf>,
    /// What could not be judged ends with 5
    #[arg(long, env = "ANANKE_STRICT", value_parser = parse_switch)]
    pub(super) strict: bool,
}

/// A profile as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// AG-UI 1.0
    #[value(name = "ag-ui@1.0", aliases = ["ag-ui", "agui"])]
    V1,
    /// AG-UI before 1.0
    #[value(name = "ag-ui@0.x")]
    Old,
    /// A2A, in the version that the agent's card names
    #[value(name = "a2a")]
    A2a,
    /// A2A 1.0
    #[value(name = "a2a@1.0")]
    A2aV1,
    /// A2A 0.3
    #[value(name = "a2a@0.3")]
    A2aOld,
    /// MCP over streamable HTTP, with and without a handshake
    #[value(name = "mcp")]
    Mcp,
    /// Fifteen checks of an observer stream: headers, wire format, order, reconnect, auth
    #[value(name = "sse-stack")]
    Stack,
}

/// Who asks, and by which rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// A server of AG-UI, or a file.
    AgUi(Profile),
    /// An agent of A2A; without a profile its card decides.
    A2a(Option<Profile>),
    /// A server of MCP.
    Mcp,
    /// An observer stream.
    Stack,
}

impl ProfileName {
    /// Reads the name that a file has.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }

    /// Returns who asks, and by which rules.
    pub(super) fn judged(self) -> Judged {
        match self {
            Self::V1 => Judged::AgUi(Profile::V1),
            Self::Old => Judged::AgUi(Profile::Old),
            Self::A2a => Judged::A2a(None),
            Self::A2aV1 => Judged::A2a(Some(Profile::A2a)),
            Self::A2aOld => Judged::A2a(Some(Profile::A2aOld)),
            Self::Mcp => Judged::Mcp,
            Self::Stack => Judged::Stack,
        }
    }
}

/// A vocabulary as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VocabularyName {
    /// The 19 types of the first versions
    #[value(name = "19")]
    Nineteen,
    /// The types of AG-UI before 1.0
    #[value(name = "0.x")]
    Old,
    /// The 31 types of AG-UI 1.0
    #[value(name = "1.0")]
    V1,
}

impl From<VocabularyName> for Vocabulary {
    fn from(name: VocabularyName) -> Self {
        match name {
            VocabularyName::Nineteen => Self::Nineteen,
            VocabularyName::Old => Self::Old,
            VocabularyName::V1 => Self::V1,
        }
    }
}

impl AskingArgs {
    /// Returns how long a request may take.
    pub(super) fn timeout(&self, usual_ms: u64) -> Duration {
        Duration::from_millis(self.timeout_ms.unwrap_or(usual_ms))
    }
}

fn parse_header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once(':').ok_or("expected `Name: value`")?;
    if name.trim().is_empty() {
        return Err("the name before `:` is missing".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn parse_rule(text: &str) -> Result<(String, Severity), String> {
    let (id, word) = text
        .split_once('=')
        .ok_or("expected ID=off, ID=warn or ID=error")?;
    let severity = match word.trim() {
        "off" => Severity::Off,
        "warn" => Severity::Warn,
        "error" => Severity::Error,
        other => return Err(format!("`{other}` is not a severity: off, warn or error")),
    };
    Ok((id.trim().to_owned(), severity))
}
