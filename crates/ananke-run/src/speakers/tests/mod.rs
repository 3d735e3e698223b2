//! Sessions with agents of every kind, made without config files: what a target is, is the tests' own business here.

mod a2a;
mod command;
mod judging;
mod judging_servers;
mod looks;
mod mcp;
pub(crate) mod mcp_server;
mod openai;
mod peer;
mod redaction;
mod scripted;

use std::collections::BTreeMap;

use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::{
    CommandTarget, KeyHeader, Limits, OpenAiTarget, Plan, Prompt, Protocol, ScriptedTarget, Target,
    Tls,
};
use ananke_model::result::TestResult;
pub(crate) use peer::{Peer, respond, streamed};
use serde_json::Value;

use crate::dispatch::RunOptions;
use crate::testing::{Project, options, run_live};

pub(crate) const LIMITS: Limits = Limits {
    event_bytes: 1 << 20,
    turn_bytes: 1 << 20,
};

fn place() -> Place {
    Place::file("ananke.config.yaml")
}

pub(crate) fn text(text: &str) -> Text {
    Text {
        text: text.to_owned(),
        place: place(),
    }
}

pub(crate) fn json(value: Value) -> Json {
    Json {
        value,
        place: place(),
    }
}

/// Returns a chat endpoint with a key.
pub(crate) fn chat(peer: &Peer) -> OpenAiTarget {
    OpenAiTarget {
        host: text(&peer.host()),
        model: text("m-1"),
        key: Some(text("sk-secret-1")),
        key_header: KeyHeader::Bearer,
        headers: Vec::new(),
        prompts: Vec::new(),
        parameters: None,
        tools: Vec::new(),
        stream: true,
        retries: 0,
        timeout_ms: 20_000,
        connect_timeout_ms: 10_000,
        tls: Tls::default(),
        limits: LIMITS,
        facts: BTreeMap::new(),
        assistant: None,
    }
}

pub(crate) fn system(content: &str, has_dollars: bool) -> Prompt {
    Prompt {
        role: "system".to_owned(),
        content: text(content),
        name: None,
        has_dollars,
    }
}

/// Returns a program that a shell runs.
pub(crate) fn shell(script: &str) -> CommandTarget {
    CommandTarget {
        cmd: ["sh", "-c", script].map(text).to_vec(),
        env: Vec::new(),
        timeout_ms: 20_000,
        limits: LIMITS,
    }
}

pub(crate) fn script(script: Value) -> ScriptedTarget {
    ScriptedTarget {
        script: json(script),
        timeout_ms: 20_000,
        forwarded_props: None,
        limits: LIMITS,
    }
}

pub(crate) fn target(protocol: Protocol) -> Target {
    Target {
        name: None,
        place: place(),
        protocol,
        concurrency: None,
        group: None,
        backoff_ms: None,
        connector: None,
        own_timeout_ms: None,
    }
}

/// Loads tests, and lets them talk to this agent.
pub(crate) fn plan(protocol: Protocol, tests: &[(&str, &str)]) -> (Project, Plan) {
    let project = Project::new("http://127.0.0.1:9/", tests);
    let mut plan = project.plan();
    for test in &mut plan.tests {
        test.target = target(protocol.clone());
    }
    (project, plan)
}

/// Runs tests with this agent.
async fn run(protocol: Protocol, tests: &[(&str, &str)]) -> Vec<TestResult> {
    run_with(protocol, tests, options()).await
}

async fn run_with(
    protocol: Protocol,
    tests: &[(&str, &str)],
    options: RunOptions,
) -> Vec<TestResult> {
    let (_project, plan) = plan(protocol, tests);
    run_live(&plan, options).await.0
}
