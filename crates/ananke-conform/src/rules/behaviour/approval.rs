//! A run that waits for approval says so in its outcome.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::{Asked, Exchange};
use crate::rule::{Findings, Rule};
use crate::rules::semantics::run::{Outcome, Run, runs};

static NOT_SUCCESS: Rule = Rule {
    id: "behaviour.approval-not-success",
    layer: Layer::Behaviour,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a run that waits for approval finishes with the outcome `interrupt`",
    reason: "Success means that nothing is waited for, so a client asks nobody, and what waits is never answered.",
    section: "Interrupts: a paused run",
    advice: "Finish with `outcome: {type: \"interrupt\", interrupts: […]}`; a CUSTOM event may come in addition.",
    needs: "run that waits for approval",
};

pub(super) const RULES: &[&Rule] = &[&NOT_SUCCESS];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    for run in runs(&exchange.answer) {
        let Some(end) = run.end() else {
            continue;
        };
        match end.outcome {
            Outcome::Interrupt(_) => found.saw(&NOT_SUCCESS),
            Outcome::Success => {
                if let Some((number, message)) = waits(exchange, run, end.at) {
                    found.at(&NOT_SUCCESS, number, message);
                }
            }
            Outcome::Cancelled | Outcome::Error(_) | Outcome::Unreadable => {}
        }
    }
}

/// Returns the event that shows that a run waits although it finished as success, with words.
fn waits(exchange: &Exchange, run: Run<'_>, end: usize) -> Option<(usize, String)> {
    let is_scenario = exchange.scenario == "interrupt" && exchange.asked == Asked::Run;
    let asks = |name: &str| {
        let name = name.to_lowercase();
        // Elsewhere, only the name that a framework is known to use for this is telling.
        name == "on_interrupt"
            || is_scenario && (name.contains("interrupt") || name.contains("approval"))
    };
    let custom = run.numbered().find_map(|(number, event)| {
        let name = event
            .text("name")
            .filter(|_| event.kind() == Some("CUSTOM"))?;
        asks(name).then_some((number, name))
    });
    if let Some((number, name)) = custom {
        let message = format!(
            "a CUSTOM event `{name}` asks for an answer, but the run finished as success, not with the outcome `interrupt`"
        );
        return Some((number, message));
    }
    if !is_scenario || exchange.request.is_none() {
        return None;
    }
    let offered = exchange.offered_tools();
    let open = run.open_calls();
    let (id, name) = open.iter().find(|(_, name)| !offered.contains(name))?;
    let message = format!(
        "the call `{id}` of `{name}` got no result, and the run finished as success, not with the outcome `interrupt`"
    );
    Some((end, message))
}
