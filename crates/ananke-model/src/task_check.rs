//! Checks on the task of a turn, on what the task made, and on the card that describes the agent.

use serde::{Deserialize, Serialize};

use crate::check::{ArgPattern, Count};
use crate::place::Text;

/// The states that a task can be in.
pub const TASK_STATES: &[&str] = &[
    "submitted",
    "working",
    "input-required",
    "auth-required",
    "completed",
    "failed",
    "canceled",
    "rejected",
    "unknown",
];

/// The states in which a task was given up: a turn that ends so has failed, unless that is what was demanded.
const GIVEN_UP: &[&str] = &["failed", "canceled", "rejected"];

/// A check on a task, on artifacts or on the agent's card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskCheck {
    /// `task.state`: the last state is one of these.
    State(Vec<String>),
    /// `task.states`: these states came one after another; others may stand between them.
    States(Vec<String>),
    /// `artifacts.count`: so many artifacts were made.
    Artifacts(Count),
    /// `artifacts.require`: enough artifacts match.
    Artifact(RequiredArtifact),
    /// `card.skills`: the card has a skill with this id.
    Skill(Text),
    /// `card.capabilities`: the card says that the agent can do this, or cannot.
    Capability(Capability),
    /// `card.security`: the card names this security scheme.
    Security(Text),
    /// `card.match`: what stands at a path of the card matches.
    Card(ArgPattern),
}

impl TaskCheck {
    /// Returns the key under which a user writes this check.
    pub fn key(&self) -> &'static str {
        match self {
            Self::State(_) => "task.state",
            Self::States(_) => "task.states",
            Self::Artifacts(_) => "artifacts.count",
            Self::Artifact(_) => "artifacts.require",
            Self::Skill(_) => "card.skills",
            Self::Capability(_) => "card.capabilities",
            Self::Security(_) => "card.security",
            Self::Card(_) => "card.match",
        }
    }

    /// Returns every text that a user wrote and that may hold references.
    pub fn texts(&self) -> Vec<&Text> {
        match self {
            Self::State(_) | Self::States(_) | Self::Artifacts(_) | Self::Capability(_) => {
                Vec::new()
            }
            Self::Artifact(artifact) => {
                let patterns = [&artifact.name, &artifact.text_match];
                let data = artifact.data_match.iter();
                let data = data.flat_map(|at| [&at.path, &at.pattern]);
                patterns.into_iter().flatten().chain(data).collect()
            }
            Self::Skill(text) | Self::Security(text) => vec![text],
            Self::Card(ArgPattern { path, pattern }) => vec![path, pattern],
        }
    }

    /// Tells whether a task that was given up may be what is demanded.
    pub fn accepts_failure(&self) -> bool {
        match self {
            Self::State(states) => states.iter().any(|state| is_given_up(state)),
            _ => false,
        }
    }
}

/// Tells whether a task in this state was given up.
pub fn is_given_up(state: &str) -> bool {
    GIVEN_UP.contains(&state)
}

/// `artifacts.require`: filter the artifacts, then count them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequiredArtifact {
    /// A pattern for the name.
    pub name: Option<Text>,
    /// A pattern for the text.
    pub text_match: Option<Text>,
    /// Paths with patterns, all of which match in one of the data parts.
    pub data_match: Vec<ArgPattern>,
    /// How many there must be.
    pub count: Count,
}

/// `card.capabilities`: something that an agent may be able to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    /// Its name on the card.
    pub name: String,
    /// Whether the card must say that the agent can do it, or must not say so.
    pub wanted: bool,
}
