//! Plans, and the tests in them.

use std::sync::Arc;

use ananke_model::agent::{AgentCall, AgentCheck, Checkpoint, Dynamic};
use ananke_model::case::{Case, Messages};
use ananke_model::check::{Block, Check, Demand, Level, Origin};
use ananke_model::place::Json;
use ananke_model::plan::{
    AguiTarget, Clock, Encoding, Envelope, Era, History, Limits, Plan, PlannedTest, PlannedTurn,
    Protocol, Target, TestId, Tls, TurnAction,
};
use serde_json::{Value, json};

use super::results::{place, text};

pub(crate) fn demand(check: Check, level: Level, named: Option<&str>) -> Demand {
    Demand {
        check,
        origin: Origin {
            level,
            named: named.map(str::to_owned),
            place: place(7, 5),
        },
    }
}

/// Returns a test of two turns, only the first of which has a block.
pub(crate) fn planned(id: &str, turn: Vec<Demand>, test: Vec<Demand>) -> PlannedTest {
    let turns = [Some(Block { demands: turn }), None].map(|block| PlannedTurn {
        action: TurnAction::User { text: text("Hi") },
        timeout_ms: None,
        block,
        place: place(3, 3),
    });
    PlannedTest {
        id: TestId(format!("tests/{id}.test.yaml")),
        name: text(&format!("{id} works")),
        file: format!("tests/{id}.test.yaml").into(),
        tags: Vec::new(),
        skip: None,
        target: target(),
        hooks: Vec::new(),
        turns: turns.into(),
        block: Block { demands: test },
        timeout_ms: None,
        case: None,
        dynamic: None,
        script: None,
        before: None,
        after: None,
    }
}

/// Returns a case that is to be run; `name` is what the user calls it.
pub(crate) fn planned_case(id: &str, name: &str, test: Vec<Demand>) -> PlannedTest {
    let input = "Find shoes\n  for  Ada, who wants red ones with laces in size 42";
    let list = json!([{"role": "user", "content": input}]);
    let planned = planned(id, Vec::new(), test);
    PlannedTest {
        id: TestId(format!("tests/shop.jsonl#{id}")),
        name: text(name),
        file: "tests/shop.jsonl".into(),
        turns: vec![PlannedTurn {
            action: TurnAction::Messages(Messages {
                list: Json {
                    value: list,
                    place: place(1, 1),
                },
                attachments: Vec::new(),
            }),
            timeout_ms: None,
            block: None,
            place: place(1, 1),
        }],
        case: Some(Arc::new(Case {
            id: id.to_owned(),
            input: json!(input),
            n_messages: 1,
            ..Case::default()
        })),
        ..planned
    }
}

fn as_written(value: Value) -> Json {
    Json {
        value,
        place: place(1, 1),
    }
}

/// Returns a question to `agent`, with a persona.
fn agent_call(agent: &str) -> AgentCall {
    AgentCall {
        agent: agent.to_owned(),
        metadata: Some(as_written(json!({"persona": "New employee"}))),
        connector: None,
        place: place(4, 4),
    }
}

/// Returns a demand that `tone-judge` decides, by most of three answers.
pub(crate) fn judged_by_agent() -> Check {
    Check::Agent(Box::new(AgentCheck {
        call: agent_call("tone-judge"),
        criteria: Some(as_written(json!("The answer is polite"))),
        samples: 3,
        timeout_ms: None,
        negate: false,
        message: Some(text("be polite")),
    }))
}

/// Returns a case that a simulator leads past two checkpoints, the second of which is optional.
pub(crate) fn planned_dynamic(id: &str) -> PlannedTest {
    let checkpoint = |id: &str, check: Check| Checkpoint {
        id: id.to_owned(),
        description: None,
        after: Vec::new(),
        required: true,
        block: Block {
            demands: vec![demand(check, Level::Test, None)],
        },
        place: place(5, 5),
    };
    let asks = Checkpoint {
        description: Some("Agent asks for the type".to_owned()),
        ..checkpoint("ask_type", Check::MustMatch(text("/type/")))
    };
    let thanks = Checkpoint {
        after: vec!["ask_type".to_owned()],
        required: false,
        ..checkpoint("thanks", judged_by_agent())
    };
    let mut planned = planned_case(id, id, Vec::new());
    planned.turns.clear();
    planned.case = Some(Arc::new(Case {
        id: id.to_owned(),
        ..Case::default()
    }));
    planned.dynamic = Some(Box::new(Dynamic {
        simulator: agent_call("user-simulator"),
        checkpoints: vec![asks, thanks],
        max_turns: 10,
        input: Some(text("Help me file an expense")),
    }));
    planned
}

pub(crate) fn plan(tests: Vec<PlannedTest>) -> Plan {
    Plan {
        tests,
        server: None,
        root: ".".into(),
        config_file: Some("ananke.config.yaml".to_owned()),
        config_blocks: Vec::new(),
        bundle: ananke_model::plan::BundleSettings::default(),
        identity: None,
        agents: std::collections::BTreeMap::new(),
        sensitive: Vec::new(),
        ..Plan::default()
    }
}

fn target() -> Target {
    let agui = AguiTarget {
        endpoint: text("http://localhost:8000/agui"),
        agent_id: None,
        thread_id: None,
        headers: Vec::new(),
        timeout_ms: 120_000,
        connect_timeout_ms: 10_000,
        envelope: Envelope::Plain,
        history: History::Full,
        era: Era::V1,
        encoding: Encoding::Sse,
        clock: Clock::Arrival,
        forwarded_props: None,
        state: None,
        context: Vec::new(),
        tools: Vec::new(),
        tls: Tls::default(),
        limits: Limits {
            event_bytes: 1 << 24,
            turn_bytes: 1 << 28,
        },
    };
    Target {
        name: None,
        place: place(2, 1),
        protocol: Protocol::Agui(Box::new(agui)),
        concurrency: None,
        group: None,
        backoff_ms: None,
        connector: None,
        own_timeout_ms: None,
    }
}
