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
pub use crate::script::ScriptTarget;
use crate::script::{ScriptCall, ScriptTest, Scripts};
use crate::sensitive::Sensitive;
pub use crate::target::{
    A2aBinding, A2aTarget, A2aVersion, AguiTarget, CallRule, ClientTool, Clock, CommandTarget,
    ElicitAction, Encoding, Envelope, Era, History, Isolation, KeyHeader, KeyPlace, Limits,
    McpAnswer, McpListed, McpTarget, McpWay, OpenAiTarget, Prompt, Protocol, ScriptedTarget,
    ServerAsk, Target, TargetAuth, TaskMessage, Tls, UserTool,
};

/// The stable name of a test: the path of its file below the project root, with forward slashes. A case has its own id
/// behind a `#`, and a test that is run against several targets has the name of the target behind an `@`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestId(pub String);

impl TestId {
    /// Returns the part that names the file: of a case what stands before its own id, of a test function what stands before
    /// its name.
    pub fn source(&self, case: Option<&Case>) -> &str {
        let file = || self.function_file().or_else(|| self.file_of_target());
        if let Some(file) = case.is_none().then(file).flatten() {
            return file;
        }
        let own = case.map_or_else(|| self.short(), |case| &case.id);
        let source = self.0.strip_suffix(own);
        let source = source.and_then(|source| source.strip_suffix('#'));
        source.unwrap_or(&self.0)
    }

    /// Returns the file of a test function, if that is what this names.
    fn function_file(&self) -> Option<&str> {
        let (file, name) = self.0.rsplit_once('#')?;
        let is_script = file.ends_with("_test.ts") || file.ends_with("_test.js");
        // The id of a case may look like anything.
        let is_case = file.contains(".jsonl#") || file.starts_with("stdin#");
        (is_script && name.starts_with("Test") && !is_case).then_some(file)
    }

    /// Returns the file of a test that is run against several targets, one of which its name ends with.
    fn file_of_target(&self) -> Option<&str> {
        if self.short() != self.0 {
            return None;
        }
        let file = |end: &str| {
            let (before, _) = self.0.rsplit_once(end)?;
            let (file, _) = self.0.split_at(before.len() + end.len() - 1);
            Some(file)
        };
        file(".yaml@").or_else(|| file(".yml@"))
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
    /// What scripts may do, and what they can reach.
    pub scripts: Scripts,
    /// What may hold secrets in the files that were read, whether or not a test uses it: the files are recorded.
    pub sensitive: Vec<Sensitive>,
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
    /// The function that is the test, if it is one of a script; it then has no turns, and its target is the script.
    pub script: Option<Arc<ScriptTest>>,
    /// `before` of a case: a function that is called before the first turn.
    pub before: Option<ScriptCall>,
    /// `after` of a case: a function that is called when all is judged, if `before` went well.
    pub after: Option<ScriptCall>,
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
    /// `a2a:send`: a message with parts of any kind.
    Send(Box<TaskMessage>),
    /// `mcp:call` and its like.
    Ask(Box<ServerAsk>),
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
            (
                "b@c/a@b.test.yaml@web/1",
                "b@c/a@b.test.yaml@web/1",
                "b@c/a@b.test.yaml",
            ),
            ("tests/a.jsonl#T001", "T001", "tests/a.jsonl"),
            ("tests/a.jsonl#T001@web", "T001@web", "tests/a.jsonl"),
            ("tests/a.jsonl#x#y.jsonl#z", "x#y.jsonl#z", "tests/a.jsonl"),
            ("stdin#T001", "T001", "stdin"),
            ("message#1", "message#1", "message#1"),
            ("a/b_test.ts#TestA", "a/b_test.ts#TestA", "a/b_test.ts"),
            ("a.jsonl#b_test.ts#TestA", "b_test.ts#TestA", "a.jsonl"),
        ];
        for (id, short, source) in ids {
            let id = TestId(id.to_owned());
            assert_eq!((id.short(), id.source(None)), (short, source));
        }
    }
}
