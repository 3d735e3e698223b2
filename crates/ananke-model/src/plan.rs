//! What is to be run: the output of `ananke-suite`, the input of `ananke-run` and of `ananke_assert::compile`.
//!
//! Texts still hold their `${…}` references; they are resolved for each test after its hooks ran.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::check::Block;
use crate::place::{Json, Place, Text};

/// The stable name of a test: the path of its file below the project root, with forward slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestId(pub String);

impl std::fmt::Display for TestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything that a run will do.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The tests, in the order of their reports.
    pub tests: Vec<PlannedTest>,
    /// The app under test, to be started before the first test.
    pub server: Option<Server>,
    /// The folder of the config file: where hooks run.
    pub root: PathBuf,
    /// The config file as the user would type it, if there is one.
    pub config_file: Option<String>,
    /// The blocks that stand in the config, each by itself and used by a test or not. They are there to be checked for
    /// mistakes; nothing is judged by them.
    pub config_blocks: Vec<Block>,
    /// What the config says about bundles.
    pub bundle: BundleSettings,
}

/// `bundle:` of the config.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleSettings {
    /// The folder that holds the bundles, from the folder of the config file.
    pub dir: Option<Text>,
    /// How many are kept.
    pub keep: Option<usize>,
}

/// One test: a file.
#[derive(Clone, Debug)]
pub struct PlannedTest {
    /// The stable name.
    pub id: TestId,
    /// What the user calls it; may hold references.
    pub name: Text,
    /// The file as the user would type it.
    pub file: Arc<str>,
    /// Words for `--tag`.
    pub tags: Vec<String>,
    /// Why this test is not to be run.
    pub skip: Option<Text>,
    /// The agent it talks to.
    pub target: Target,
    /// Commands to run before the first turn.
    pub hooks: Vec<Hook>,
    /// The conversation; `plan` refuses a test without turns.
    pub turns: Vec<PlannedTurn>,
    /// What the whole test is judged by.
    pub block: Block,
}

/// One step of the conversation.
#[derive(Clone, Debug)]
pub struct PlannedTurn {
    /// What is sent.
    pub action: TurnAction,
    /// Overrides the target's `timeout_ms` for this turn.
    pub timeout_ms: Option<u64>,
    /// What the turn is judged by at once; `None` if the turn has no `assert`.
    pub block: Option<Block>,
    /// Where the turn is written.
    pub place: Place,
}

/// What a turn sends.
#[derive(Clone, Debug)]
pub enum TurnAction {
    /// A user message.
    User {
        /// The message.
        text: Text,
    },
    /// `agui:connect`: attach to the thread without a message.
    Connect {
        /// Tells whether an empty replay is fine.
        allow_empty: bool,
    },
    /// `agui:resume`: answer the interrupts that the last run ended with.
    Resume(Resume),
}

/// The answer to open interrupts.
#[derive(Clone, Debug)]
pub struct Resume {
    /// Whether they are resolved or cancelled.
    pub status: ResumeStatus,
    /// What is handed to the agent.
    pub payload: Option<Json>,
}

/// How an interrupt is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeStatus {
    /// The user decided.
    Resolved,
    /// The user declined to decide.
    Cancelled,
}

/// An agent and how to talk to it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name under `targets:`; `None` for the one `target:`.
    pub name: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Tests that may talk to it at once, whatever `--parallel` says.
    pub concurrency: Option<usize>,
    /// Targets with the same group share one limit; without a group each target has its own.
    pub group: Option<String>,
    /// How long a turn may wait in all when the agent answers 429, or 503 with `Retry-After`. Nothing is sent again
    /// without it.
    pub backoff_ms: Option<u64>,
}

/// The protocols that a target can speak.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// `type: agui`.
    Agui(Box<AguiTarget>),
}

/// `type: agui`.
#[derive(Clone, Debug)]
pub struct AguiTarget {
    /// Where to send requests.
    pub endpoint: Text,
    /// The agent's id; required where the envelope sends it.
    pub agent_id: Option<Text>,
    /// The thread; generated for each test if absent.
    pub thread_id: Option<Text>,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// Limit for reaching the server.
    pub connect_timeout_ms: u64,
    /// How the request is wrapped.
    pub envelope: Envelope,
    /// How much of the conversation is sent.
    pub history: History,
    /// Which generation of the protocol is spoken.
    pub era: Era,
    /// Which encoding of events is asked for.
    pub encoding: Encoding,
    /// Which clock timing checks use.
    pub clock: Clock,
    /// `forwardedProps` of every request.
    pub forwarded_props: Option<Json>,
    /// The state before the first turn.
    pub state: Option<Json>,
    /// `context` entries: description and value.
    pub context: Vec<(Text, Text)>,
    /// Tools that the client offers, with scripted answers.
    pub tools: Vec<ClientTool>,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
}

/// A tool that the client offers to the agent.
#[derive(Clone, Debug)]
pub struct ClientTool {
    /// Its name.
    pub name: Text,
    /// What it is for.
    pub description: Text,
    /// A JSON Schema.
    pub parameters: Option<Json>,
    /// The answer that ananke sends when the agent calls it; a call stays pending without one.
    pub result: Option<Json>,
}

/// How a request is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// The body is `RunAgentInput`.
    Plain,
    /// CopilotKit's single route: `{method, params, body}`.
    CopilotKit,
    /// CopilotKit's routes: `/agent/<id>/run` and `/agent/<id>/connect`.
    CopilotKitRest,
}

/// How much of the conversation is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Every message so far.
    Full,
    /// Only the new message; the server keeps the thread.
    Last,
}

/// Which generation of AG-UI is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Declares no version.
    Before1,
    /// Declares 1.0.
    V1,
}

/// Which encoding of events is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `text/event-stream`.
    Sse,
    /// `application/vnd.ag-ui.event+proto`.
    Protobuf,
}

/// Which clock timing checks use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// When bytes arrived, by a monotonic clock.
    Arrival,
    /// The events' own timestamps, when every event has one.
    Event,
}

/// How TLS certificates are checked.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// A PEM file with the authorities to trust in addition.
    pub ca: Option<Text>,
    /// Accept any certificate.
    pub insecure: bool,
}

/// What is kept of an answer at most, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// One event.
    pub event_bytes: usize,
    /// One turn, decompressed; holding it may take half as much again.
    pub turn_bytes: usize,
}

/// A command that prepares a test.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Program and arguments; no shell.
    pub cmd: Vec<Text>,
    /// Wall-clock limit.
    pub timeout_ms: u64,
    /// Additional environment variables.
    pub env: Vec<(String, Text)>,
    /// Where it is written.
    pub place: Place,
}

/// The app under test, started by ananke.
#[derive(Clone, Debug)]
pub struct Server {
    /// Program and arguments; no shell.
    pub cmd: Vec<Text>,
    /// What must answer before the first test starts; any HTTP response counts.
    pub url: Text,
    /// How long it may take to answer.
    pub timeout_ms: u64,
    /// Additional environment variables.
    pub env: Vec<(String, Text)>,
    /// Where it is written.
    pub place: Place,
}
