//! `type: json_path`: what stands at a path in the JSON of the output is this; without a value, something stands there.

use serde_json::Value;

use super::looking::Seen;
use super::{Judged, Looking};
use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::value::{brief, first_difference, json_equal};

/// Demands a value at a path.
#[derive(Clone, Debug)]
pub(super) struct AtPath {
    pub(super) value: Option<Value>,
}

impl AtPath {
    /// Says what is demanded, or what is not if it is negated.
    pub(super) fn expected(&self, looking: &Looking, is_negated: bool) -> String {
        let what = match (&self.value, is_negated) {
            (None, false) => "something".to_owned(),
            (None, true) => "nothing".to_owned(),
            (Some(value), false) => shorten(&value.to_string()).into_owned(),
            (Some(value), true) => format!("anything but {}", shorten(&value.to_string())),
        };
        format!("{what}{}", looking.at())
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self, looking: &Looking) -> String {
        match &self.value {
            Some(value) => format!("{}: should not be {}", looking.named(), brief(value)),
            None => format!("{}: nothing should be there", looking.named()),
        }
    }

    /// Judges the evidence.
    pub(super) fn judge(
        &self,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        if let Some(value) = &self.value {
            return Self::judge_value(value, looking, evidence, is_negated);
        }
        match looking.nodes(evidence, is_negated) {
            Err(judged) => judged,
            Ok(seen) if seen.lists.is_empty() => {
                if let Some(doubt) = looking.doubt(&seen, evidence).filter(|_| is_negated) {
                    return doubt;
                }
                let said = format!("{}: nothing is there", looking.named());
                Judged::fails(said, "nothing").details(looking.near(evidence))
            }
            Ok(seen) => Judged::holds(shown(&seen.nodes().collect::<Vec<_>>(), false)),
        }
    }

    /// Judges whether `value` stands at the path.
    ///
    /// A path to one value: it equals `value`, or is one of the items of a `value` that is a list. A path to any number of
    /// values: they are the items of a `value` that is a list, in that order; each of them equals any other `value`.
    /// Negated: none of them does.
    pub(super) fn judge_value(
        value: &Value,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        let seen = match looking.nodes(evidence, is_negated) {
            Ok(seen) => seen,
            Err(judged) => return judged,
        };
        let (named, wanted) = (looking.named(), brief(value));
        let is_singular = looking.is_singular();
        if is_negated {
            if seen.lists.is_empty() {
                let said = format!("{named}: nothing is there");
                return Judged::undecided(said, "nothing").details(looking.near(evidence));
            }
            return forbidden(value, looking, &seen, evidence);
        }
        let Some(nodes) = seen.lists.first() else {
            let said = format!("{named}: expected {wanted}, got nothing");
            return Judged::undecided(said, "nothing").details(looking.near(evidence));
        };
        let root = looking.path().unwrap_or("$");
        let (is_met, details) = match (nodes.as_slice(), value) {
            ([node], _) if is_singular => {
                let line = first_difference(value, node, root);
                // At the root of what stands there the sentence has said it already.
                let is_inside = value.is_object() || (value.is_array() && node.is_array());
                (
                    is(value, node, true),
                    line.filter(|_| is_inside).into_iter().collect(),
                )
            }
            (nodes, Value::Array(items)) => {
                let why = format!(
                    "the path may lead to any number of values: the list of all {} is compared",
                    nodes.len()
                );
                (are(items, nodes), vec![why])
            }
            (nodes, _) => {
                let others = nodes
                    .iter()
                    .enumerate()
                    .filter(|(_, node)| !json_equal(value, node));
                let lines: Vec<_> = others
                    .map(|(index, node)| format!("number {} is {}", index + 1, brief(node)))
                    .collect();
                let is_met = lines.is_empty();
                let mut lines = listed(lines.into_iter().filter(|_| nodes.len() > 1));
                if nodes.len() > 1 {
                    lines.push(format!("the path leads to {} values", nodes.len()));
                }
                (is_met, lines)
            }
        };
        let seen = shown(nodes, value.is_array() && !is_singular);
        if is_met {
            return Judged::holds(seen);
        }
        Judged::fails(format!("{named}: expected {wanted}, got {seen}"), seen).details(details)
    }
}

/// Judges whether `value` stands anywhere at the path, which it must not.
fn forbidden(value: &Value, looking: &Looking, seen: &Seen<'_>, evidence: &Evidence<'_>) -> Judged {
    let is_singular = looking.is_singular();
    if let Some(node) = seen.nodes().find(|node| is(value, node, is_singular)) {
        return Judged::holds(shown(&[node], false));
    }
    let items = value.as_array().filter(|_| !is_singular);
    let mut lists = seen.lists.iter();
    let same = items.and_then(|items| lists.find(|nodes| are(items, nodes)));
    if let Some(nodes) = same {
        return Judged::holds(shown(nodes, true));
    }
    if let Some(judged) = looking.unread(seen.unread, evidence) {
        return judged;
    }
    let nodes: Vec<_> = seen.nodes().collect();
    Judged::fails(
        format!("{}: is another value", looking.named()),
        shown(&nodes, false),
    )
}

/// Tells whether a value is what is demanded; at a path to one value also whether it is one of the items of a list.
fn is(wanted: &Value, node: &Value, is_singular: bool) -> bool {
    let items = wanted
        .as_array()
        .filter(|_| is_singular && !node.is_array());
    json_equal(wanted, node)
        || items.is_some_and(|items| items.iter().any(|item| json_equal(item, node)))
}

/// Tells whether values are the items of a list.
fn are(items: &[Value], nodes: &[&Value]) -> bool {
    let mut pairs = items.iter().zip(nodes);
    items.len() == nodes.len() && pairs.all(|(item, node)| json_equal(item, node))
}

/// Returns what stands at a path as JSON; several values as a list.
fn shown(nodes: &[&Value], is_list: bool) -> String {
    let text = match nodes {
        [node] if !is_list => node.to_string(),
        nodes => Value::from_iter(nodes.iter().take(20).copied().cloned()).to_string(),
    };
    shorten(&text).into_owned()
}
