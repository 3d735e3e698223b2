//! Dynamic cases: a simulator plays the user, and checkpoints say what has to happen on the way.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};

use super::Found;
use super::agent_reference::{Prefix, agent_reference};
use super::assert::AssertSpec;
use super::case_options::options;
use super::checkpoints::checkpoints;
use super::object::Object;
use super::values::{text, whole};
use crate::schema::{MOST_TURNS, SIMULATOR};
use crate::yaml::{Entry, Kind, Node};

/// Keys that make a case a dynamic one.
pub(super) const DYNAMIC: [&str; 3] = ["simulator", "checkpoints", "max_turns"];
/// How many turns a case may take if it does not say.
const DEFAULT_TURNS: u32 = 20;

/// What every simulator is told by the run itself.
const OWN_NAMES: [&str; 6] = [
    "conversation",
    "turn_number",
    "max_turns",
    "checkpoints_reached",
    "checkpoints_pending",
    "test_mode",
];

/// What is written in a dynamic case and in no other.
#[derive(Clone, Debug)]
pub(crate) struct DynamicSpec {
    /// Where the key stands that makes the case a dynamic one.
    pub(crate) place: Place,
    /// Who plays the user; the one of `--simulator` if absent.
    pub(crate) simulator: Option<SimulatorSpec>,
    /// What has to happen on the way; none if they were written wrong, which is then reported.
    pub(crate) checkpoints: Vec<CheckpointSpec>,
    /// After how many turns the case has failed.
    pub(crate) max_turns: u32,
    /// The first message of the user.
    pub(crate) input: Option<Text>,
}

/// `simulator`.
#[derive(Clone, Debug)]
pub(crate) struct SimulatorSpec {
    /// The agent's id; the one of `--simulator` if absent.
    pub(crate) agent: Option<String>,
    /// `options.metadata`.
    pub(crate) metadata: Option<Json>,
    /// `options.connector`.
    pub(crate) connector: Option<Text>,
    /// Where the agent is named, or else `simulator`.
    pub(crate) place: Place,
}

/// One entry of `checkpoints`.
#[derive(Clone, Debug)]
pub(crate) struct CheckpointSpec {
    /// Its id.
    pub(crate) id: Text,
    /// What it is about.
    pub(crate) description: Option<String>,
    /// Ids of checkpoints of the same case.
    pub(crate) after: Vec<Text>,
    /// Whether the case fails without it.
    pub(crate) required: bool,
    /// What a turn is judged by.
    pub(crate) assert: AssertSpec,
    /// Whether something in there was refused, which is then reported.
    pub(crate) is_refused: bool,
    /// Where it is written.
    pub(crate) place: Place,
}

/// Reads what makes a case a dynamic one. `None` if it is none, or cannot be planned, which is then reported.
pub(super) fn dynamic(case: &Object<'_>, found: &mut Found) -> Option<DynamicSpec> {
    let keys = DYNAMIC.map(|key| case.get(key));
    let [simulator_node, checkpoints_node, max_turns] = keys;
    let place = case.key_place(DYNAMIC.into_iter().find(|key| case.get(key).is_some())?);
    let simulator = simulator_node.map(|node| simulator(node, found));
    let checkpoints = match checkpoints_node {
        Some(node) => checkpoints(node, found),
        None => {
            found.push(
                Diagnostic::error(&place, "a dynamic case has no `checkpoints`")
                    .label("nothing says what has to happen in the conversation")
                    .hint("write `\"checkpoints\": [{\"id\": \"asks\", \"assert\": {\"type\": \"contains\", \"value\": \"…\"}}]`"),
            );
            None
        }
    };
    let max_turns = match max_turns {
        Some(node) => whole(node, 1, MOST_TURNS, found),
        None => Some(u64::from(DEFAULT_TURNS)),
    };
    refuse_messages(case, found);
    let input = case.get("input").map(|node| first_message(node, found));
    let max_turns = max_turns.and_then(|turns| u32::try_from(turns).ok());
    Some(DynamicSpec {
        place,
        simulator: match simulator {
            Some(simulator) => Some(simulator?),
            None => None,
        },
        checkpoints: checkpoints?,
        max_turns: max_turns?,
        input: match input {
            Some(input) => Some(input?),
            None => None,
        },
    })
}

/// Tells whether a case is one that a simulator leads.
pub(super) fn is_dynamic(case: &Node) -> bool {
    match &case.kind {
        Kind::Map(entries) => entries
            .iter()
            .any(|entry: &Entry| DYNAMIC.contains(&entry.key.text.as_str())),
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => false,
    }
}

fn simulator(node: &Node, found: &mut Found) -> Option<SimulatorSpec> {
    let object = Object::open(node, &SIMULATOR, found)?;
    let agent = object.get("use").map(|node| text(node, found));
    let options_node = object.get("options");
    let options = options_node.map(|node| options(node, found));
    if let Some(metadata) = options_node.and_then(|node| node.get("metadata")) {
        refuse_own_names(metadata, found);
    }
    let (agent, place) = match agent {
        Some(agent) => {
            let agent = agent?;
            let id = agent_reference(&agent, Prefix::Forbidden, found)?;
            (Some(id), agent.place)
        }
        None => (None, node.place.clone()),
    };
    let mut spec = SimulatorSpec {
        agent,
        metadata: None,
        connector: None,
        place,
    };
    for option in options.into_iter().flatten() {
        match option.name {
            "metadata" => spec.metadata = Some(option.value),
            "connector" => {
                spec.connector = option.value.value.as_str().map(|id| Text {
                    text: id.to_owned(),
                    place: option.value.place.clone(),
                });
            }
            name => {
                let message = format!("the option `{name}` has no effect");
                found.push(
                    Diagnostic::warning(&option.place, message)
                        .label("a simulator is given `connector` and `metadata`"),
                );
            }
        }
    }
    Some(spec)
}

fn refuse_own_names(metadata: &Node, found: &mut Found) {
    let Kind::Map(entries) = &metadata.kind else {
        return;
    };
    for Entry { key, .. } in entries {
        if OWN_NAMES.contains(&key.text.as_str()) {
            let message = format!(
                "`{}` is told to every simulator and cannot be given",
                key.text
            );
            found.push(Diagnostic::error(&key.place, message).hint("give it another name"));
        }
    }
}

fn refuse_messages(case: &Object<'_>, found: &mut Found) {
    if let Some(messages) = case.get("messages") {
        found.push(
            Diagnostic::error(
                &messages.place,
                "a case has a simulator or `messages`, not both",
            )
            .label("the simulator makes the conversation")
            .hint("write the first message of the user under `input`, or leave `messages` out"),
        );
    }
    if case.get("expected").is_some() {
        let place = case.key_place("expected");
        found.push(
            Diagnostic::error(
                &place,
                "a dynamic case has no one output that is `expected`",
            )
            .hint("write what has to be said under `checkpoints`"),
        );
    }
}

fn first_message(node: &Node, found: &mut Found) -> Option<Text> {
    if let Kind::Map(_) | Kind::Seq(_) = node.kind {
        found.push(
            Diagnostic::error(
                &node.place,
                format!("expected text, found {}", node.described()),
            )
            .label("the first message of a dynamic case")
            .hint("write `\"input\": \"Hello\"`"),
        );
        return None;
    }
    text(node, found)
}
