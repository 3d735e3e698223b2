//! Agents that help to test agents: what is asked of them, and what they said.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::check::Block;
use crate::place::{Json, Place, Text};
use crate::result::CheckResult;

/// A question to a helper agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCall {
    /// Its id.
    pub agent: String,
    /// `options.metadata` as written; strings inside may hold references.
    pub metadata: Option<Json>,
    /// `options.connector`: which connector it uses instead of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connector: Option<Text>,
    /// Where the agent is named.
    pub place: Place,
}

impl AgentCall {
    /// Returns the key of `Plan.agents` under which the agent stands: its id, with the connector that the call chose.
    pub fn key(&self) -> String {
        match &self.connector {
            Some(connector) => format!("{}?connector={}", self.agent, connector.text),
            None => self.agent.clone(),
        }
    }
}

/// A conversation that a simulator leads until the checkpoints are reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Who plays the user.
    pub simulator: AgentCall,
    /// What has to happen on the way.
    pub checkpoints: Vec<Checkpoint>,
    /// After how many turns the case has failed.
    pub max_turns: u32,
    /// The first message of the user; without it the simulator begins.
    pub input: Option<Text>,
}

/// Something that has to happen on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its id.
    pub id: String,
    /// What it is about.
    pub description: Option<String>,
    /// Checkpoints that have to be reached before, or in the same turn.
    pub after: Vec<String>,
    /// Whether the case fails without it.
    pub required: bool,
    /// What a turn is judged by.
    pub block: Block,
    /// Where it is written.
    pub place: Place,
}

/// What came of a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointResult {
    /// Its id.
    pub id: String,
    /// What it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the case fails without it.
    pub required: bool,
    /// The turn in which it was reached, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached_at_turn: Option<usize>,
    /// What its checks said in that turn, or in the last one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckResult>,
}

/// What a simulator said before a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// The user's next message; empty if the goal is achieved.
    pub input: String,
    /// Whether the simulator thinks that the goal is achieved.
    pub goal_achieved: bool,
    /// Why, in its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Who said it; kept where it speaks for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<SimulatedBy>>,
}

/// Who played the user, references resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulatedBy {
    /// The simulator: a key of `Plan.agents`.
    pub agent: String,
    /// The persona that it was given.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub persona: Value,
    /// The goal that it was given.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub goal: Value,
}

/// A demand that another agent judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentCheck {
    /// Who judges.
    pub call: AgentCall,
    /// `value`: what is demanded, beside what `options.metadata` says.
    pub criteria: Option<Json>,
    /// How often it is asked; most of the answers decide.
    pub samples: u32,
    /// How long one answer may take, if the check says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// Whether the opposite is demanded.
    pub negate: bool,
    /// What to say when it does not hold.
    pub message: Option<Text>,
}

/// What a judge said about an output. Part of the recording: judging again asks nobody.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// The agent, its criteria and metadata with references resolved, and the output: what the opinion is about.
    pub about: Value,
    /// Every answer.
    pub samples: Vec<Sample>,
    /// The files that were loaded if a function judged, relative to the folder of the scripts, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// A digest over their texts, in that order. Empty if it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
}

/// One answer of a judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Its verdict; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// Its reason, or why there is no verdict.
    pub reason: String,
    /// What it answered, as JSON or text.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub answer: Value,
    /// How long it took.
    pub duration_us: u64,
}
