//! Tests of agents that work on tasks, and of servers that answer with data.

use std::sync::Arc;

use ananke_model::recording::{
    Artifact, ErrorLayer, Spoken, StateChange, TaskError, TaskRecord, Turn,
};
use ananke_model::result::{Outcome, TestResult, TestStatus};
use serde_json::json;

use super::{HOSTILE, check, hostile, judged, result, turn};

/// Returns a test whose task made an invoice, and one check of which cannot be decided.
pub(crate) fn invoiced(id: &str) -> TestResult {
    let mut state = check("task.state", "completed", Outcome::Passed);
    state.expected = "completed".to_owned();
    state.actual = "completed (after submitted, working)".to_owned();
    let mut calls = check("tools.require", "search", Outcome::Inconclusive);
    calls.expected = "at least 1 call of `search`".to_owned();
    calls.actual = "no call: this agent exposes no tool calls".to_owned();
    let turn = Turn {
        task: Some(Box::new(task())),
        ..turn("Bill me", "Total: 42\nThank you")
    };
    let turns = vec![judged(turn, vec![state, calls])];
    result(id, TestStatus::Inconclusive, turns)
}

/// Returns a test that asked a server for a list.
pub(crate) fn listed(id: &str) -> TestResult {
    let turn = Turn {
        kind: "mcp:list".to_owned(),
        user: None,
        data: json!({"tools": [{"name": "add"}]}),
        ..turn("", "add")
    };
    result(id, TestStatus::Passed, vec![judged(turn, Vec::new())])
}

/// Returns a test whose task tries to be more than text.
pub(crate) fn hostile_task(id: &str) -> TestResult {
    let mut result = hostile(id);
    let words = HOSTILE.to_owned();
    result.turns[0].turn.task = Some(Box::new(TaskRecord {
        id: Some(words.clone()),
        state: Some(words.clone()),
        states: vec![StateChange {
            state: words.clone(),
            at_us: 1,
            timestamp: Some(words.clone()),
        }],
        artifacts: vec![Artifact {
            id: words.clone(),
            name: Some(words.clone()),
            description: Some(words.clone()),
            parts: vec![json!({"text": words}), json!({"data": words}), json!(words)],
            metadata: json!(words),
        }],
        no_calls_because: Some(words),
        ..task()
    }));
    result.turns[0].turn.data = json!(HOSTILE);
    result
}

fn task() -> TaskRecord {
    let change = |state: &str, at_us| StateChange {
        state: state.to_owned(),
        at_us,
        timestamp: None,
    };
    TaskRecord {
        id: Some("task-1".to_owned()),
        context_id: Some("ctx-1".to_owned()),
        state: Some("completed".to_owned()),
        states: vec![
            change("submitted", 1_000),
            change("working", 2_000),
            change("completed", 900_000),
        ],
        artifacts: vec![
            Artifact {
                id: "a-1".to_owned(),
                name: Some("invoice".to_owned()),
                description: Some("What to pay".to_owned()),
                parts: vec![
                    json!({"text": "Total: 42\nThank you"}),
                    json!({"data": {"total": 42}}),
                ],
                ..Artifact::default()
            },
            Artifact {
                id: "a-2".to_owned(),
                parts: vec![json!({"url": "http://h/a.png", "mediaType": "image/png"})],
                ..Artifact::default()
            },
        ],
        card: Some(Arc::new(json!({"name": "Shop"}))),
        spoken: Some(Spoken {
            version: "1.0".to_owned(),
            binding: "JSONRPC".to_owned(),
            url: "http://localhost:9999/".to_owned(),
            streamed: true,
        }),
        no_calls_because: Some("this agent exposes no tool calls".to_owned()),
        error: Some(TaskError {
            layer: ErrorLayer::Agent,
            code: None,
            message: "no ink".to_owned(),
        }),
    }
}
