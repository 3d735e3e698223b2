//! Dynamic cases: who plays the user, and the checkpoints with what they demand.

use ananke_model::agent::{AgentCall, Checkpoint, Dynamic};
use ananke_model::check::Level;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::blocks::Gathered;
use super::extends::NamedBlocks;
use crate::parse::{CheckpointSpec, DynamicSpec, Found, SimulatorSpec, unchecked};

/// Plans a conversation that a simulator leads: the one of the case, else that of `--simulator`. `None` if there is none,
/// which is then reported.
pub(super) fn dynamic<'a>(
    spec: &'a DynamicSpec,
    of_run: Option<&str>,
    named: &NamedBlocks<'a>,
    found: &mut Found,
) -> Option<Dynamic> {
    let simulator = match (&spec.simulator, of_run) {
        (Some(own), of_run) => call(own, of_run, found)?,
        (None, Some(agent)) => AgentCall {
            agent: agent.to_owned(),
            metadata: None,
            connector: None,
            place: Place::default(),
        },
        (None, None) => {
            found.push(
                Diagnostic::error(&spec.place, "nobody plays the user in this case")
                    .label("neither `simulator` nor `--simulator` names an agent")
                    .hint("write `\"simulator\": {\"use\": \"…\"}`, or pass `--simulator`"),
            );
            return None;
        }
    };
    let checkpoints = spec.checkpoints.iter();
    Some(Dynamic {
        simulator,
        checkpoints: checkpoints
            .map(|checkpoint| planned(checkpoint, named, found))
            .collect(),
        max_turns: spec.max_turns,
        input: spec.input.clone(),
    })
}

fn call(spec: &SimulatorSpec, of_run: Option<&str>, found: &mut Found) -> Option<AgentCall> {
    let Some(agent) = spec.agent.as_deref().or(of_run) else {
        found.push(
            Diagnostic::error(&spec.place, "`use` is missing in `simulator`")
                .hint("write `\"use\": \"user-simulator\"`, or pass `--simulator`"),
        );
        return None;
    };
    // What only the flag names is looked for once; with a connector of its own it is another agent.
    let is_flagged = spec.agent.is_none() && spec.connector.is_none();
    Some(AgentCall {
        agent: agent.to_owned(),
        metadata: spec.metadata.clone(),
        connector: spec.connector.clone(),
        place: match is_flagged {
            true => Place::default(),
            false => spec.place.clone(),
        },
    })
}

/// A checkpoint inherits nothing: what the target and the case demand holds for the whole conversation.
fn planned<'a>(spec: &'a CheckpointSpec, named: &NamedBlocks<'a>, found: &mut Found) -> Checkpoint {
    let mut gathered = Gathered::default();
    gathered.add(&spec.assert, Level::Turn, named, found);
    // What `extends` names may be missing, and what was refused is not there: both are reported.
    if gathered.is_empty() && spec.assert.extends.is_empty() && !spec.is_refused {
        found.push(unchecked(Some(&spec.id.text), &spec.id.place));
    }
    Checkpoint {
        id: spec.id.text.clone(),
        description: spec.description.clone(),
        after: spec.after.iter().map(|id| id.text.clone()).collect(),
        required: spec.required,
        block: gathered.into_block(),
        place: spec.place.clone(),
    }
}
