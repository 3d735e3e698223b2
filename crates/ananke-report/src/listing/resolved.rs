//! The plan as a bundle keeps it: targets complete, demands inherited, references resolved as far as that is possible before
//! the hooks ran.

use ananke_model::case::Identity;
use ananke_model::check::Block;
use ananke_model::place::Text;
use ananke_model::plan::{Plan, PlannedTest, TurnAction};
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
        tests: Tests { plan, variables },
    }
}

/// A plan that is ready to be serialized.
#[derive(Debug, Serialize)]
pub struct ResolvedPlan<'a> {
    schema: &'static str,
    config_file: Option<&'a str>,
    tests: Tests<'a>,
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
    target: TargetEntry<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hooks: Vec<Vec<String>>,
    turns: Vec<TurnEntry>,
    demands: Vec<String>,
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
        demands: demands(&test.block, variables),
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
