//! What is to be run: the output of `ananke-suite`, the input of `ananke-run` and of `ananke_assert::compile`.
//!
//! Texts still hold their `${…}` references; they are resolved for each test after its hooks ran.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::agent::Dynamic;
use crate::case::{Case, Identity, Messages};
use crate::check::Block;
use crate::place::{Json, Place, Text};

/// The stable name of a test: the path of its file below the project root, with forward slashes. A case has its own id
/// behind a `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestId(pub String);

impl TestId {
    /// Returns the part that names the file: of a case what stands before its own id.
    pub fn source(&self, case: Option<&Case>) -> &str {
        let own = case.map_or_else(|| self.short(), |case| &case.id);
        let source = self.0.strip_suffix(own);
        let source = source.and_then(|source| source.strip_suffix('#'));
        source.unwrap_or(&self.0)
    }

    /// Returns what stands behind the file in the name of a case, where nothing else is known of the test; the whole name of
    /// any other test.
    pub fn short(&self) -> &str {
        let id = self.0.as_str();
        let behind = |end: &str| id.split_once(end).map(|(_, behind)| behind);
        let is_case = id.starts_with("stdin#");
        behind(".jsonl#")
            .or_else(|| behind("#").filter(|_| is_case))
            .unwrap_or(id)
    }
}

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
    /// Who asks, if the tests are to tell their agents.
    pub identity: Option<Identity>,
    /// The agents that tests ask for help: simulators, judges, and those of `asking.helpers`.
    pub agents: BTreeMap<String, Target>,
}

impl Plan {
    /// Returns the connector that all tests use which are to be run; `None` if they differ or one uses none.
    pub fn connector(&self) -> Option<&str> {
        let mut tests = self.tests.iter().filter(|test| test.skip.is_none());
        let connector = tests.next()?.target.connector.as_deref()?;
        tests
            .all(|test| test.target.connector.as_deref() == Some(connector))
            .then_some(connector)
    }
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
    /// Overrides `--timeout` for this test.
    pub timeout_ms: Option<u64>,
    /// What is known of it if it is a JSONL case or a message.
    pub case: Option<Arc<Case>>,
    /// How the conversation goes on if a simulator leads it; it then has no turns.
    pub dynamic: Option<Box<Dynamic>>,
}

impl PlannedTest {
    /// Returns what a person calls this test: the id of a case, else the stable name.
    pub fn short_id(&self) -> &str {
        self.case.as_ref().map_or(&self.id.0, |case| &case.id)
    }

    /// Returns the stable name of the file: of a case the part before its own id.
    pub fn source_id(&self) -> &str {
        self.id.source(self.case.as_deref())
    }
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
    /// The messages of a case, all at once.
    Messages(Messages),
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
    /// The connector that was chosen with `-c` or by a case.
    pub connector: Option<String>,
}

/// The protocols that a target can speak.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// `type: agui`.
    Agui(Box<AguiTarget>),
    /// `type: openai`, and assistant folders.
    OpenAi(Box<OpenAiTarget>),
    /// `type: command`.
    Command(Box<CommandTarget>),
    /// `type: scripted`.
    Scripted(Box<ScriptedTarget>),
}

impl Protocol {
    /// Returns where the agent is, if it is somewhere.
    pub fn address(&self) -> Option<&Text> {
        match self {
            Self::Agui(target) => Some(&target.endpoint),
            Self::OpenAi(target) => Some(&target.host),
            Self::Command(target) => target.cmd.first(),
            Self::Scripted(_) => None,
        }
    }

    /// Returns the agent's id, where it has one beside its address.
    pub fn agent_id(&self) -> Option<&Text> {
        match self {
            Self::Agui(target) => target.agent_id.as_ref(),
            Self::OpenAi(_) | Self::Command(_) | Self::Scripted(_) => None,
        }
    }

    /// Returns the headers that are sent with every request.
    pub fn headers(&self) -> &[(String, Text)] {
        match self {
            Self::Agui(target) => &target.headers,
            Self::OpenAi(target) => &target.headers,
            Self::Command(_) | Self::Scripted(_) => &[],
        }
    }

    /// Returns how TLS certificates are checked, if there are any.
    pub fn tls(&self) -> Option<&Tls> {
        match self {
            Self::Agui(target) => Some(&target.tls),
            Self::OpenAi(target) => Some(&target.tls),
            Self::Command(_) | Self::Scripted(_) => None,
        }
    }

    /// Returns the wall-clock limit of a turn.
    pub fn timeout_ms(&self) -> u64 {
        match self {
            Self::Agui(target) => target.timeout_ms,
            Self::OpenAi(target) => target.timeout_ms,
            Self::Command(target) => target.timeout_ms,
            Self::Scripted(target) => target.timeout_ms,
        }
    }
}

/// `type: openai`: a chat endpoint, with the prompts that make an agent of it.
#[derive(Clone, Debug)]
pub struct OpenAiTarget {
    /// The host, or the whole address; the usual path is added if it is missing.
    pub host: Text,
    /// The model.
    pub model: Text,
    /// The key; none is sent without it.
    pub key: Option<Text>,
    /// In which header the key is sent.
    pub key_header: KeyHeader,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Messages before the conversation, oldest first.
    pub prompts: Vec<Prompt>,
    /// Members of the request, such as `temperature`.
    pub parameters: Option<Json>,
    /// Tools that the client offers, with scripted answers.
    pub tools: Vec<ClientTool>,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// How often a request is sent again that was refused with 429 or 5xx.
    pub retries: usize,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// Limit for reaching the server.
    pub connect_timeout_ms: u64,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
    /// What prompts of an assistant folder can name with `$CTX.`, beside who asks: `ASSISTANT_ID` and so on.
    pub facts: BTreeMap<String, String>,
}

/// In which header a key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer`.
    Bearer,
    /// `api-key`.
    ApiKey,
    /// `x-api-key`.
    XApiKey,
}

/// A message before the conversation. `{{name}}` stands for what the call says, and in the prompts of an assistant folder
/// `$CTX.`, `$ENV.` and `$SYS.` stand for what is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Who says it.
    pub role: String,
    /// What is said.
    pub content: Text,
    /// The name of who says it.
    pub name: Option<String>,
    /// Whether `$CTX.`, `$ENV.` and `$SYS.` are replaced.
    pub has_dollars: bool,
}

/// `type: command`: a program that gets one JSON object on stdin and answers with one on stdout.
#[derive(Clone, Debug)]
pub struct CommandTarget {
    /// Program and arguments; no shell.
    pub cmd: Vec<Text>,
    /// Additional environment variables.
    pub env: Vec<(String, Text)>,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// What is kept at most.
    pub limits: Limits,
}

/// `type: scripted`: an agent that follows a script inside this process.
#[derive(Clone, Debug)]
pub struct ScriptedTarget {
    /// The script, in the form that `serve` takes.
    pub script: Json,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// `forwardedProps` of every request.
    pub forwarded_props: Option<Json>,
    /// What is kept at most.
    pub limits: Limits,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_where_they_are_those_of_cases() {
        let ids = [
            (
                "tests/a.test.yaml",
                "tests/a.test.yaml",
                "tests/a.test.yaml",
            ),
            (
                "tests/a#b.test.yaml",
                "tests/a#b.test.yaml",
                "tests/a#b.test.yaml",
            ),
            ("tests/a.jsonl#T001", "T001", "tests/a.jsonl"),
            ("tests/a.jsonl#x#y.jsonl#z", "x#y.jsonl#z", "tests/a.jsonl"),
            ("stdin#T001", "T001", "stdin"),
            ("message#1", "message#1", "message#1"),
        ];
        for (id, short, source) in ids {
            let id = TestId(id.to_owned());
            assert_eq!((id.short(), id.source(None)), (short, source));
        }
    }
}
