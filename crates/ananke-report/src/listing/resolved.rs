//! The plan as a bundle keeps it: targets complete, demands inherited, references resolved as far as that is possible before
//! the hooks ran.

use std::collections::BTreeMap;

use ananke_model::agent::Dynamic;
use ananke_model::case::Identity;
use ananke_model::check::Block;
use ananke_model::place::Text;
use ananke_model::plan::{Plan, PlannedTest, Protocol, Target, TurnAction};
use ananke_model::variables::Variables;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::demands::described;
use super::facts::target;

/// What the documents of this version are called.
const SCHEMA: &str = "ananke.plan/1";

/// Returns the plan as one JSON document, to be serialized.
pub fn resolved_plan<'a>(plan: &'a Plan, variables: &'a Variables) -> ResolvedPlan<'a> {
    ResolvedPlan {
        schema: SCHEMA,
        config_file: plan.config_file.as_deref(),
        agents: plan
            .agents
            .iter()
            .map(|(id, target)| (id.as_str(), agent(target, variables)))
            .collect(),
        tests: Tests { plan, variables },
    }
}

/// A plan that is ready to be serialized.
#[derive(Debug, Serialize)]
pub struct ResolvedPlan<'a> {
    schema: &'static str,
    config_file: Option<&'a str>,
    /// The agents that tests ask for help, by id.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    agents: BTreeMap<&'a str, AgentEntry>,
    tests: Tests<'a>,
}

#[derive(Debug, Serialize)]
struct AgentEntry {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    endpoint: String,
    timeout_ms: u64,
}

/// Tests that are resolved one by one while they are written.
#[derive(Debug)]
struct Tests<'a> {
    plan: &'a Plan,
    variables: &'a Variables,
}

impl Serialize for Tests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tests = self.plan.tests.iter();
        serializer.collect_seq(tests.map(|test| entry(test, self.variables)))
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    name: String,
    /// What is known of a case; messages are with its turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<CaseEntry<'a>>,
    /// The file and the place of a function of a script.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<ScriptEntry<'a>>,
    target: TargetEntry<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hooks: Vec<Vec<String>>,
    turns: Vec<TurnEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dynamic: Option<DynamicEntry<'a>>,
    demands: Vec<String>,
}

/// How the conversation goes on if a simulator leads it.
#[derive(Serialize)]
struct DynamicEntry<'a> {
    /// One of `agents`.
    simulator: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    max_turns: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    checkpoints: Vec<CheckpointEntry<'a>>,
}

#[derive(Serialize)]
struct CheckpointEntry<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    after: &'a [String],
    required: bool,
    demands: Vec<String>,
}

#[derive(Serialize)]
struct ScriptEntry<'a> {
    script: &'a str,
    file: &'a str,
    function: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct CaseEntry<'a> {
    id: &'a str,
    identity: &'a Identity,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
}

#[derive(Serialize)]
struct TargetEntry<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    connector: Option<&'a str>,
    endpoint: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    headers: Map<String, Value>,
    timeout_ms: u64,
}

#[derive(Serialize)]
struct TurnEntry {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Value>,
    /// The files that are sent with the messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<String>,
    /// Absent if the turn is not judged by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    demands: Option<Vec<String>>,
}

fn entry<'a>(test: &'a PlannedTest, variables: &Variables) -> Entry<'a> {
    let resolved = |text: &Text| resolved(text, variables);
    let protocol = &test.target.protocol;
    let headers = protocol.headers().iter();
    let turns = test.turns.iter().map(|turn| {
        let sent = |kind| TurnEntry {
            kind,
            user: None,
            messages: None,
            attachments: Vec::new(),
            demands: None,
        };
        let sent = match &turn.action {
            TurnAction::User { text } => TurnEntry {
                user: Some(resolved(text)),
                ..sent("user")
            },
            TurnAction::Connect { .. } => sent("agui:connect"),
            TurnAction::Messages(messages) => {
                let list = &messages.list.value;
                let files = messages.attachments.iter();
                TurnEntry {
                    messages: Some(variables.json(list).unwrap_or_else(|_| list.clone())),
                    attachments: files.map(|file| file.shown.clone()).collect(),
                    ..sent("messages")
                }
            }
            TurnAction::Resume(_) => sent("agui:resume"),
            TurnAction::Send(_) => sent("a2a:send"),
            TurnAction::Ask(asked) => sent(asked.kind()),
        };
        TurnEntry {
            demands: turn.block.as_ref().map(|block| demands(block, variables)),
            ..sent
        }
    });
    Entry {
        id: &test.id.0,
        name: resolved(&test.name),
        case: test.case.as_ref().map(|case| CaseEntry {
            id: &case.id,
            identity: &case.identity,
            expected: case.expected.as_ref(),
            timeout_ms: test.timeout_ms,
        }),
        script: test.script.as_ref().map(|script| ScriptEntry {
            script: &script.file.id,
            file: &script.file.shown,
            function: &script.function.name,
            line: script.function.place.line,
        }),
        target: TargetEntry {
            name: target(&test.target),
            connector: test.target.connector.as_deref(),
            endpoint: protocol.address().map(resolved).unwrap_or_default(),
            headers: headers
                .map(|(name, value)| (name.clone(), resolved(value).into()))
                .collect(),
            timeout_ms: protocol.timeout_ms(),
        },
        hooks: test
            .hooks
            .iter()
            .map(|hook| hook.cmd.iter().map(resolved).collect())
            .collect(),
        turns: turns.collect(),
        dynamic: test.dynamic.as_ref().map(|led| dynamic(led, variables)),
        demands: demands(&test.block, variables),
    }
}

fn agent(target: &Target, variables: &Variables) -> AgentEntry {
    let protocol = &target.protocol;
    let endpoint = protocol.address().map(|text| resolved(text, variables));
    AgentEntry {
        kind: match protocol {
            Protocol::Agui(_) => "agui",
            Protocol::OpenAi(_) => "openai",
            Protocol::Command(_) => "command",
            Protocol::Scripted(_) => "scripted",
            Protocol::Script(_) => "script",
            Protocol::A2a(_) => "a2a",
            Protocol::Mcp(_) => "mcp",
        },
        endpoint: endpoint.unwrap_or_default(),
        timeout_ms: protocol.timeout_ms(),
    }
}

fn dynamic<'a>(dynamic: &'a Dynamic, variables: &Variables) -> DynamicEntry<'a> {
    let metadata = dynamic.simulator.metadata.as_ref().map(|json| &json.value);
    let checkpoints = dynamic.checkpoints.iter();
    DynamicEntry {
        simulator: dynamic.simulator.key(),
        metadata: metadata.map(|json| variables.json(json).unwrap_or_else(|_| json.clone())),
        max_turns: dynamic.max_turns,
        input: dynamic.input.as_ref().map(|text| resolved(text, variables)),
        checkpoints: checkpoints
            .map(|checkpoint| CheckpointEntry {
                id: &checkpoint.id,
                description: checkpoint.description.as_deref(),
                after: &checkpoint.after,
                required: checkpoint.required,
                demands: demands(&checkpoint.block, variables),
            })
            .collect(),
    }
}

/// What only a hook can give stays as it is written.
fn resolved(text: &Text, variables: &Variables) -> String {
    in_words(text.text.clone(), variables)
}

fn in_words(text: String, variables: &Variables) -> String {
    if text.contains("${") {
        variables.text(&text).unwrap_or(text)
    } else {
        text
    }
}

fn demands(block: &Block, variables: &Variables) -> Vec<String> {
    let lines = block.demands.iter().map(|demand| {
        let check = described(&demand.check);
        let check = in_words(check, variables);
        let level = demand.origin.level;
        match &demand.origin.named {
            Some(named) => format!("{check} ({level} level, through `{named}`)"),
            None => format!("{check} ({level} level)"),
        }
    });
    lines.collect()
}
