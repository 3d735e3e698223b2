//! What a test demands: one variant for each check a user can write, and where the demand came from.

use serde::{Deserialize, Serialize};

use crate::agent::AgentCheck;
use crate::place::{Json, Place, Text};
use crate::script::ScriptCheck;
use crate::task_check::TaskCheck;

/// The level at which a demand was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `target.assert` in the config.
    Target,
    /// `assert` at the root of the test file.
    Test,
    /// `assert` under a turn.
    Turn,
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Target => "target",
            Self::Test => "test",
            Self::Turn => "turn",
        })
    }
}

/// Where a demand came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The level whose block holds the demand, or extends the named block that holds it.
    pub level: Level,
    /// The named `assertions` block it came through, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// Where the demand itself is written.
    pub place: Place,
}

/// One demand of an assertion block after inheritance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demand {
    /// What is demanded.
    pub check: Check,
    /// Who demands it.
    pub origin: Origin,
}

/// Everything a turn or a test is judged by, in the order in which failures are shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The demands, all of which must hold.
    pub demands: Vec<Demand>,
}

/// A check that a user can write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// `tools.forbid`: no call of this tool.
    Forbid(Text),
    /// `tools.require`: enough calls that match.
    Require(Require),
    /// `tools.forbid_calls`: no call that matches.
    ForbidCall(CallFilter),
    /// `text.must_match`: the pattern is found in the text.
    MustMatch(Text),
    /// `text.must_not_match`: the pattern is not found in the text.
    MustNotMatch(Text),
    /// `timing.max_duration_ms`: an inclusive limit.
    MaxDuration(u64),
    /// `timing.max_idle_ms`: an inclusive limit on the longest stretch without a tool call in progress.
    MaxIdle(u64),
    /// `error`: the run ends with an error whose message matches.
    Error(Text),
    /// `protocol: strict`: no sequence finding.
    ProtocolStrict,
    /// `snapshot`: the same as what was stored.
    Snapshot(Snapshot),
    /// One entry of `checks`, or of a case's `assert`: what `type` says.
    Output(Box<OutputCheck>),
    /// `agent`: another agent judges the output.
    Agent(Box<AgentCheck>),
    /// `script`: a function judges the output.
    Script(Box<ScriptCheck>),
    /// `task`, `artifacts` or `card`: what the agent worked on, what it made, what it says of itself.
    Task(Box<TaskCheck>),
}

impl Check {
    /// Returns the key under which a user writes this check.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Forbid(_) => "tools.forbid",
            Self::Require(_) => "tools.require",
            Self::ForbidCall(_) => "tools.forbid_calls",
            Self::MustMatch(_) => "text.must_match",
            Self::MustNotMatch(_) => "text.must_not_match",
            Self::MaxDuration(_) => "timing.max_duration_ms",
            Self::MaxIdle(_) => "timing.max_idle_ms",
            Self::Error(_) => "error",
            Self::ProtocolStrict => "protocol",
            Self::Snapshot(_) => "snapshot",
            Self::Output(check) => check.kind.name(),
            Self::Agent(_) => "agent",
            Self::Script(_) => "script",
            Self::Task(check) => check.key(),
        }
    }
}

/// A check on what the agent gave back, or on one tool; `type` tells which.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputCheck {
    /// What is demanded.
    pub kind: OutputCheckKind,
    /// Where in the JSON of the output; the whole output if absent.
    pub path: Option<Text>,
    /// Whether the opposite is demanded. What cannot be decided stays undecided.
    pub negate: bool,
    /// What to say when it does not hold.
    pub message: Option<Text>,
    /// The demand as written, under whatever key it was written.
    pub value: Option<Json>,
}

/// What an [`OutputCheck`] demands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputCheckKind {
    /// Deeply equal; key order and the spelling of numbers do not matter.
    Equals(Json),
    /// The text, or each text of a list, is found; other values are found in the JSON of the output.
    Contains(Json),
    /// The text, or any text of a list, is not found.
    NotContains(Json),
    /// The pattern is found.
    Regex(Text),
    /// What stands at `path` is this; without a value, that something stands there.
    JsonPath(Option<Json>),
    /// The output, or what stands at `path`, is of this type.
    Type(JsonType),
    /// A tool was called.
    ToolCalled(ToolCalled),
    /// A tool gave a result.
    ToolResult(ToolResult),
}

impl OutputCheckKind {
    /// Returns the word that a user writes as `type`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Equals(_) => "equals",
            Self::Contains(_) => "contains",
            Self::NotContains(_) => "not_contains",
            Self::Regex(_) => "regex",
            Self::JsonPath(_) => "json_path",
            Self::Type(_) => "type",
            Self::ToolCalled(_) => "tool_called",
            Self::ToolResult(_) => "tool_result",
        }
    }
}

/// The types of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonType {
    /// `null`.
    Null,
    /// Text.
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list.
    Array,
    /// A map.
    Object,
}

/// `tool_called`: one of these tools was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCalled {
    /// The names, of which one is enough: whole, or the part after `server__` or `server.`.
    pub names: Vec<Text>,
    /// Members that the arguments must have, deeply.
    pub arguments: Option<Json>,
}

/// `tool_result`: a call of this tool gave a result, and no error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The name: whole, or the part after `server__` or `server.`.
    pub tool: Text,
    /// What the result must hold: members, deeply; text that begins with `regex:` is a pattern.
    pub result: Option<Json>,
}

/// `snapshot`: what was seen is compared with a file that an earlier run wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// What the user calls it.
    pub name: Text,
    /// What is compared, in this order.
    pub of: Vec<SnapshotPart>,
    /// The file, below the project root, with forward slashes.
    pub path: String,
    /// What the file holds; `None` if there is none.
    pub stored: Option<String>,
    /// When the file is to be written.
    pub update: SnapshotUpdate,
}

/// A part of what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SnapshotPart {
    /// The text of the assistant.
    Text,
    /// The tool calls with arguments and results.
    Tools,
    /// The shared state at the end.
    State,
    /// What the tasks made.
    Artifacts,
}

/// `--update-snapshots`: when snapshot files are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SnapshotUpdate {
    /// Every one.
    All,
    /// Those that differ or are missing.
    Changed,
    /// Those that are missing.
    Missing,
    /// Never: a difference fails, a missing file fails.
    #[default]
    None,
}

/// `tools.require`: filter the calls, then count them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Require {
    /// Which calls are counted.
    pub filter: CallFilter,
    /// How many there must be.
    pub count: Count,
    /// A tool that must have been called before the first counted call.
    pub after: Option<Text>,
}

/// Which calls of a tool are meant. All conditions must hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallFilter {
    /// The tool's whole name.
    pub name: Text,
    /// Argument paths with patterns that must match.
    pub args_match: Vec<ArgPattern>,
    /// Argument paths with patterns that must not match.
    pub args_not_match: Vec<ArgPattern>,
    /// A pattern that must match the result; a call without result does not match.
    pub result_match: Option<Text>,
    /// A pattern that must not match the result; a call without result is kept.
    pub result_not_match: Option<Text>,
}

/// A pattern for one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgPattern {
    /// The path: dots, `[0]` or `.0` for arrays, `["a.b"]` for odd keys.
    pub path: Text,
    /// The pattern, in the text form of the scalar that was written.
    pub pattern: Text,
}

/// How many calls there must be. `exact` is `min` and `max` alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// At least this many.
    pub min: u64,
    /// At most this many, if limited.
    pub max: Option<u64>,
}

impl Default for Count {
    fn default() -> Self {
        Self { min: 1, max: None }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self {
                min,
                max: Some(max),
            } if min == max => write!(f, "exactly {min}"),
            Self {
                min: 0,
                max: Some(max),
            } => write!(f, "at most {max}"),
            Self {
                min,
                max: Some(max),
            } => write!(f, "{min} to {max}"),
            Self { min, max: None } => write!(f, "at least {min}"),
        }
    }
}
