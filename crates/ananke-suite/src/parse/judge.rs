//! What other agents judge: checks of `type: agent`, and `judge` in a block.

use ananke_model::agent::{AgentCall, AgentCheck};
use ananke_model::check::Check;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place};
use serde_json::Value;

use super::Found;
use super::agent_reference::{Prefix, agent_reference};
use super::case_options::json_map;
use super::duration::duration;
use super::object::Object;
use super::values::{boolean, json, text, whole};
use crate::schema::{JUDGE, JUDGE_OPTIONS};
use crate::yaml::{Kind, Node};

/// More answers cost time and money, and say no more.
const MAX_SAMPLES: u64 = 15;
/// What a judge is told by the run itself.
const OWN_NAMES: [&str; 3] = ["input", "output", "test_mode"];

/// Returns the demands that stand in a list, or the one that stands there without one.
pub(super) fn demanded<'n>(node: &'n Node, found: &mut Found) -> Option<&'n [Node]> {
    match &node.kind {
        Kind::Seq(items) if items.is_empty() => {
            let message = "the list is empty and demands nothing";
            found.push(Diagnostic::error(&node.place, message));
            None
        }
        Kind::Seq(items) => Some(items),
        Kind::Scalar(_) | Kind::Map(_) | Kind::Broken => Some(std::slice::from_ref(node)),
    }
}

/// Reads what stands under `judge`: a map, or a list of them.
pub(super) fn judges(node: &Node, found: &mut Found) -> Option<Vec<(Place, Check)>> {
    let items = demanded(node, found)?;
    Some(items.iter().filter_map(|item| judge(item, found)).collect())
}

fn judge(node: &Node, found: &mut Found) -> Option<(Place, Check)> {
    if let Some(scalar) = node.scalar() {
        let message = format!("expected a map, found {}", node.described());
        let judge = match scalar.text.starts_with("agents:") {
            true => scalar.text.as_str(),
            false => "agents:…",
        };
        let hint = format!("write `judge: {{use: \"{judge}\", criteria: …}}`");
        found.push(Diagnostic::error(&node.place, message).hint(hint));
        return None;
    }
    let object = Object::open(node, &JUDGE, found)?;
    let criteria = ("criteria", object.get("criteria"));
    let asked = [
        object.get("metadata"),
        object.get("connector"),
        object.get("timeout"),
    ];
    let check = read(&object, criteria, asked, found)?;
    Some((node.place.clone(), Check::Agent(Box::new(check))))
}

/// Reads a check of `type: agent`, whose type was read before.
pub(super) fn agent_check(object: &Object<'_>, found: &mut Found) -> Option<AgentCheck> {
    let n_before = found.len();
    let options = object.get("options");
    let options = options.and_then(|node| Object::open(node, &JUDGE_OPTIONS, found));
    let asked = ["metadata", "connector", "timeout"].map(|key| options.as_ref()?.get(key));
    let check = read(object, ("value", object.get("value")), asked, found);
    check.filter(|_| found.len() == n_before)
}

/// Reads what both forms have in common. `criteria` comes with the key it may stand under; `asked` are `metadata`,
/// `connector` and `timeout`.
fn read(
    object: &Object<'_>,
    criteria: (&str, Option<&Node>),
    asked: [Option<&Node>; 3],
    found: &mut Found,
) -> Option<AgentCheck> {
    let n_before = found.len();
    let agent = object.get("use").and_then(|node| text(node, found));
    let agent = agent.and_then(|text| {
        let id = agent_reference(&text, Prefix::Required, found)?;
        Some((id, text.place))
    });
    let samples = object.get("samples");
    let samples = samples.and_then(|node| whole(node, 1, MAX_SAMPLES, found));
    let negate = object.get("negate").and_then(|node| boolean(node, found));
    let message = object.get("message").and_then(|node| text(node, found));
    let [metadata, connector, timeout] = asked;
    let in_metadata = metadata.and_then(|node| node.get("criteria"));
    let metadata = metadata.and_then(|node| metadata_of(node, found));
    let connector = connector.and_then(|node| text(node, found));
    let timeout_ms = timeout.and_then(|node| duration(node, found));
    let criteria = match (criteria.1, in_metadata) {
        (Some(node), None) | (None, Some(node)) => criteria_of(node, found),
        (Some(node), Some(_)) => {
            let message = format!("`{}` and `criteria` in `metadata` say the same", criteria.0);
            found.push(Diagnostic::error(&node.place, message).hint("leave one of them out"));
            None
        }
        (None, None) => {
            let message = format!("`{}` is missing in {}", criteria.0, object.title());
            let hint = format!(
                "say what to judge by: `{}: the answer is polite`",
                criteria.0
            );
            found.push(Diagnostic::error(object.place(), message).hint(hint));
            None
        }
    };
    // A demand without one of its parts is another demand.
    if found.len() > n_before {
        return None;
    }
    let (agent, place) = agent?;
    Some(AgentCheck {
        call: AgentCall {
            agent,
            metadata,
            connector,
            place,
        },
        criteria,
        samples: samples.and_then(|n| u32::try_from(n).ok()).unwrap_or(1),
        timeout_ms,
        negate: negate.unwrap_or(false),
        message,
    })
}

fn metadata_of(node: &Node, found: &mut Found) -> Option<Json> {
    let metadata = json_map(node, found)?;
    if let Kind::Map(entries) = &node.kind {
        for entry in entries {
            let key = entry.key.text.as_str();
            if OWN_NAMES.contains(&key) {
                let message = format!("`{key}` is told to every judge and cannot be given");
                let hint = "give it another name";
                found.push(Diagnostic::error(&entry.key.place, message).hint(hint));
            }
        }
    }
    Some(metadata)
}

/// Reads criteria: text, or a list or map of them, with something in it.
fn criteria_of(node: &Node, found: &mut Found) -> Option<Json> {
    if node.scalar().is_some() {
        let text = text(node, found)?;
        return Some(Json {
            value: Value::from(text.text),
            place: text.place,
        });
    }
    let criteria = json(node, found)?;
    let is_empty = match &criteria.value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if is_empty {
        found.push(Diagnostic::error(&node.place, "the criteria are empty"));
        return None;
    }
    Some(criteria)
}
