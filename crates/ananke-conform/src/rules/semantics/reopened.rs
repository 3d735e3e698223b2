//! What is opened again is what it was.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};

use super::story::{Step, Story};
use crate::rule::{Findings, Rule};

static REOPENED: Rule = Rule {
    id: "semantics.reopened",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a message or call that is opened again keeps its role, name and parent",
    reason: "Opening an id again goes on with the same item; a client keeps the first role, name and parent and drops the others.",
    section: "Events, reopening",
    advice: "Repeat the values of the first START or leave them out; another message or call needs an id of its own.",
    needs: "message or call that was opened again",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&REOPENED];

#[derive(Default)]
struct Items<'a> {
    by_id: BTreeMap<&'a str, Item<'a>>,
}

struct Item<'a> {
    is_open: bool,
    first: [(&'static str, Option<&'a str>); 2],
}

/// Looks at what begins again after its end. Beginning again before the end is a matter of sequence.
pub(super) fn look(story: &Story<'_>, found: &mut Findings) {
    let mut texts = Items::default();
    let mut calls = Items::default();
    for told in story.steps() {
        let differences = match told.step {
            Step::Text { id, role, name } => texts.begin(id, [("role", role), ("name", name)]),
            Step::Call { id, name, parent } => calls.begin(
                id,
                [("toolCallName", Some(name)), ("parentMessageId", parent)],
            ),
            Step::TextEnd { id } => {
                texts.end(id);
                None
            }
            Step::CallEnd { id } => {
                calls.end(id);
                None
            }
            _ => None,
        };
        if let Some(differences) = differences {
            found.saw(&REOPENED);
            for difference in differences {
                found.at(&REOPENED, told.event, difference);
            }
        }
    }
}

impl<'a> Items<'a> {
    /// Begins an item; returns what differs if it was opened and closed before.
    fn begin(
        &mut self,
        id: &'a str,
        members: [(&'static str, Option<&'a str>); 2],
    ) -> Option<Vec<String>> {
        let Some(item) = self.by_id.get_mut(id) else {
            let item = Item {
                is_open: true,
                first: members,
            };
            self.by_id.insert(id, item);
            return None;
        };
        if item.is_open {
            return None;
        }
        item.is_open = true;
        let pairs = item.first.iter().zip(members);
        let differences = pairs.filter_map(|((name, then), (_, now))| {
            let (then, now) = (then.or(usual(name)), now?);
            (then != Some(now)).then(|| match then {
                Some(then) => {
                    format!("`{id}` is opened again with the `{name}` `{now}`; it was `{then}`")
                }
                None => format!("`{id}` is opened again with the `{name}` `{now}`; it had none"),
            })
        });
        Some(differences.collect())
    }

    fn end(&mut self, id: &str) {
        if let Some(item) = self.by_id.get_mut(id) {
            item.is_open = false;
        }
    }
}

/// Returns what a member means where it is left out.
fn usual(name: &str) -> Option<&'static str> {
    (name == "role").then_some("assistant")
}
