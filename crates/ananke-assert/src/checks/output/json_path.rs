//! `type: json_path`: what stands at a path in the JSON of the output is this; without a value, something stands there.

use serde_json::Value;

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
        match looking.nodes(evidence) {
            Err(judged) => judged,
            Ok(nodes) if nodes.is_empty() => {
                let said = format!("{}: nothing is there", looking.named());
                Judged::fails(said, "nothing").details(looking.near(evidence))
            }
            Ok(nodes) => Judged::holds(shown(&nodes)),
        }
    }

    /// Judges whether `value` stands at the path.
    ///
    /// One node: it equals the value, or is one of the items of a value that is a list. Several nodes: they are the items
    /// of a value that is a list, in that order; each of them equals any other value.
    pub(super) fn judge_value(
        value: &Value,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        let nodes = match looking.nodes(evidence) {
            Ok(nodes) => nodes,
            Err(judged) => return judged,
        };
        let (named, wanted) = (looking.named(), brief(value));
        if nodes.is_empty() {
            let said = match is_negated {
                true => format!("{named}: nothing is there"),
                false => format!("{named}: expected {wanted}, got nothing"),
            };
            return Judged::undecided(said, "nothing").details(looking.near(evidence));
        }
        let root = looking.path().unwrap_or("$");
        let (is_met, mut details) = match (nodes.as_slice(), value) {
            ([node], Value::Array(items)) if !node.is_array() => {
                let is_one = items.iter().any(|item| json_equal(item, node));
                (is_one, Vec::new())
            }
            ([node], _) => {
                let line = first_difference(value, node, root);
                // At the root of what stands there the sentence has said it already.
                let line = line.filter(|_| value.is_object() || value.is_array());
                (json_equal(value, node), line.into_iter().collect())
            }
            (nodes, Value::Array(items)) => {
                let is_same = items.len() == nodes.len()
                    && items
                        .iter()
                        .zip(nodes)
                        .all(|(item, node)| json_equal(item, node));
                (is_same, Vec::new())
            }
            (nodes, _) => {
                let others = nodes
                    .iter()
                    .enumerate()
                    .filter(|(_, node)| !json_equal(value, node));
                let lines: Vec<_> = others
                    .map(|(index, node)| format!("number {} is {}", index + 1, brief(node)))
                    .collect();
                (lines.is_empty(), listed(lines))
            }
        };
        if is_met {
            return Judged::holds(shown(&nodes));
        }
        if nodes.len() > 1 {
            details.push(format!("the path leads to {} values", nodes.len()));
        }
        let seen = shown(&nodes);
        Judged::fails(format!("{named}: expected {wanted}, got {seen}"), seen).details(details)
    }
}

/// Returns what stands at a path as JSON; several values as a list.
fn shown(nodes: &[&Value]) -> String {
    let text = match nodes {
        [node] => node.to_string(),
        nodes => Value::from_iter(nodes.iter().take(20).copied().cloned()).to_string(),
    };
    shorten(&text).into_owned()
}
