//! What an agent says it can do: the document is well formed, and what it declares can be seen.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use crate::case::Case;
use crate::exchange::{Answer, Asked, Exchange, Framing, Probe};
use crate::rule::{Findings, Rule};
use crate::rules::semantics::run::{Outcome, outcome, runs};
use crate::rules::shape;

static SHAPE: Rule = Rule {
    id: "capabilities.shape",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Must),
    title: "the capability document is one",
    reason: "Clients read it by the names and types that the schema gives, and a misspelt member says nothing to them.",
    section: "Capabilities: `AgentCapabilities`",
    advice: "Write members as the schema has them; your own belong under `custom`.",
    needs: "capability document",
};

static SHOWN: Rule = Rule {
    id: "capabilities.shown",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Convention),
    title: "a declared capability can be seen in the scenario that is made for it",
    reason: "Clients build their pages by what is declared, so a capability that never shows makes buttons without effect.",
    section: "Capabilities: declarations inform",
    advice: "Set the prompts of the scenario so that the agent shows it, or do not declare it.",
    needs: "declared capability with a scenario that was run",
};

static DENIED: Rule = Rule {
    id: "capabilities.denied",
    layer: Layer::Behaviour,
    old: None,
    v1: Some(Level::Convention),
    title: "what is declared as `false` is not seen",
    reason: "A client that believes the declaration is not prepared for what comes.",
    section: "Capabilities: declarations inform",
    advice: "Declare `true`, or leave the member out: what is not declared is not known.",
    needs: "capability that is declared as `false`",
};

pub(super) const RULES: &[&Rule] = &[&SHAPE, &SHOWN, &DENIED];

/// A member of the document, and how it shows.
struct Capability {
    /// JSON pointer.
    member: &'static str,
    name: &'static str,
    /// Scenarios that are made for it; none if any run may show it.
    scenarios: &'static [&'static str],
    /// What is looked for.
    sign: &'static str,
    is_shown: fn(&Exchange) -> bool,
}

const CAPABILITIES: [Capability; 9] = [
    Capability {
        member: "/transport/httpBinary",
        name: "transport.httpBinary",
        scenarios: &["probes"],
        sign: "answer in the binary form",
        is_shown: |exchange| exchange.answer.framing == Framing::Protobuf,
    },
    Capability {
        member: "/tools/supported",
        name: "tools.supported",
        scenarios: &["backend-tool", "parallel-tools", "frontend-tool"],
        sign: "tool call",
        is_shown: |exchange| n_calls(exchange, false) > 0,
    },
    Capability {
        member: "/tools/parallelCalls",
        name: "tools.parallelCalls",
        scenarios: &["parallel-tools"],
        sign: "run with two tool calls",
        is_shown: |exchange| n_calls(exchange, false) > 1,
    },
    Capability {
        member: "/tools/clientProvided",
        name: "tools.clientProvided",
        scenarios: &["frontend-tool"],
        sign: "call of a tool that the request offers",
        is_shown: |exchange| n_calls(exchange, true) > 0,
    },
    Capability {
        member: "/state/snapshots",
        name: "state.snapshots",
        scenarios: &["state"],
        sign: "STATE_SNAPSHOT",
        is_shown: |exchange| has(&exchange.answer, "STATE_SNAPSHOT"),
    },
    Capability {
        member: "/state/deltas",
        name: "state.deltas",
        scenarios: &["state"],
        sign: "STATE_DELTA",
        is_shown: |exchange| has(&exchange.answer, "STATE_DELTA"),
    },
    Capability {
        member: "/humanInTheLoop/interrupts",
        name: "humanInTheLoop.interrupts",
        scenarios: &["interrupt"],
        sign: "run with the outcome `interrupt`",
        is_shown: |exchange| {
            let mut events = exchange.answer.events.iter();
            events.any(|event| matches!(outcome(event), Some(Outcome::Interrupt(_))))
        },
    },
    Capability {
        member: "/reasoning/supported",
        name: "reasoning.supported",
        scenarios: &[],
        sign: "REASONING event",
        is_shown: |exchange| has(&exchange.answer, "REASONING_"),
    },
    Capability {
        member: "/multiAgent/subagents",
        name: "multiAgent.subagents",
        scenarios: &[],
        sign: "SUBAGENT event",
        is_shown: |exchange| has(&exchange.answer, "SUBAGENT_"),
    },
];

pub(super) fn look_at_all(case: &Case, found: &mut Findings) {
    let Some(document) = &case.capabilities else {
        return;
    };
    // The document belongs to no request, so it stands after the last.
    found.enter(case.exchanges.len());
    found.saw(&SHAPE);
    for message in shape::check_capabilities(document) {
        found.whole(&SHAPE, message);
    }
    for capability in &CAPABILITIES {
        match document.pointer(capability.member) {
            Some(Value::Bool(true)) => declared(capability, case, found),
            Some(Value::Array(items)) if !items.is_empty() => declared(capability, case, found),
            Some(Value::Bool(false)) => denied(capability, case, found),
            _ => {}
        }
    }
}

fn declared(capability: &Capability, case: &Case, found: &mut Findings) {
    let mut asked = case.exchanges.iter().enumerate();
    let Some((number, exchange)) = asked.find(|(_, exchange)| could_show(capability, exchange))
    else {
        return;
    };
    found.saw(&SHOWN);
    if !case.exchanges.iter().any(capability.is_shown) {
        found.enter(number);
        let place = match capability.scenarios {
            [] => "no run of any scenario had a".to_owned(),
            _ => format!("the scenario `{}` had no", exchange.scenario),
        };
        let message = format!(
            "`{}` is declared, and {place} {}",
            capability.name, capability.sign
        );
        found.whole(&SHOWN, message);
    }
}

fn denied(capability: &Capability, case: &Case, found: &mut Findings) {
    if case
        .exchanges
        .iter()
        .any(|exchange| exchange.answer.is_stream())
    {
        found.saw(&DENIED);
    }
    let mut exchanges = case.exchanges.iter().enumerate();
    if let Some((number, _)) = exchanges.find(|(_, exchange)| (capability.is_shown)(exchange)) {
        found.enter(number);
        let message = format!(
            "`{}` is declared as `false`, and here is a {}",
            capability.name, capability.sign
        );
        found.whole(&DENIED, message);
    }
}

/// Tells whether a request was made for the capability and the run came to an end.
fn could_show(capability: &Capability, exchange: &Exchange) -> bool {
    if capability.member == "/transport/httpBinary" {
        return exchange.asked == Asked::Probe(Probe::AcceptProtobuf)
            && exchange.answer.is_stream();
    }
    let scenario = exchange.scenario.as_str();
    let is_meant = match capability.scenarios {
        [] => scenario != "file",
        scenarios => scenarios.contains(&scenario),
    };
    let runs = runs(&exchange.answer);
    let is_finished = runs.iter().filter_map(|run| run.end()).any(|end| {
        matches!(
            end.outcome,
            Outcome::Success | Outcome::Interrupt(_) | Outcome::Cancelled
        )
    });
    is_meant && exchange.asked == Asked::Run && exchange.answer.is_stream() && is_finished
}

fn has(answer: &Answer, beginning: &str) -> bool {
    let mut kinds = answer.events.iter().filter_map(|event| event.kind());
    kinds.any(|kind| kind.starts_with(beginning))
}

/// Counts the calls of an answer, or only those of tools that the request offered.
fn n_calls(exchange: &Exchange, offered_only: bool) -> usize {
    let offered = exchange.offered_tools();
    let calls = exchange.answer.events.iter().filter_map(|event| {
        let is_start = matches!(event.kind(), Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK"));
        let name = event.text("toolCallName").filter(|_| is_start)?;
        let is_meant = !offered_only || offered.contains(&name);
        event.text("toolCallId").filter(|_| is_meant)
    });
    calls.collect::<BTreeSet<_>>().len()
}
