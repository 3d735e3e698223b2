//! `task`, `artifacts` and `card` in an assertion block.

use ananke_model::check::Check;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::task_check::{Capability, RequiredArtifact, TASK_STATES, TaskCheck};

use super::Found;
use super::assert::{Part, Slot};
use super::object::Object;
use super::pattern::{arg_patterns, pattern};
use super::require::number_of;
use super::values::{boolean, choice, entries, items, mismatch, texts};
use crate::schema::{ARTIFACT, ARTIFACTS, CARD, TASK};
use crate::yaml::{Kind, Node};

/// One demand with its place.
type One = (Place, Check);

/// What a block says about tasks, artifacts and the card.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaskSpec {
    pub(crate) state: Slot<One>,
    pub(crate) states: Slot<Vec<One>>,
    pub(crate) count: Slot<One>,
    pub(crate) require: Slot<Vec<One>>,
    pub(crate) skills: Slot<Vec<One>>,
    pub(crate) capabilities: Slot<Vec<One>>,
    pub(crate) security: Slot<Vec<One>>,
    pub(crate) card_match: Slot<Vec<One>>,
}

impl TaskSpec {
    /// Reads the three parts of a block.
    pub(super) fn read(block: &Object<'_>, found: &mut Found) -> Self {
        let task = Part::open(block.get("task"), &TASK, found);
        let artifacts = Part::open(block.get("artifacts"), &ARTIFACTS, found);
        let card = Part::open(block.get("card"), &CARD, found);
        Self {
            state: task.slot("state", found, state),
            states: task.slot("states", found, states),
            count: artifacts.slot("count", found, count),
            require: artifacts.slot("require", found, require),
            skills: card.slot("skills", found, |node, found| {
                named(node, TaskCheck::Skill, found)
            }),
            capabilities: card.slot("capabilities", found, capabilities),
            security: card.slot("security", found, |node, found| {
                named(node, TaskCheck::Security, found)
            }),
            card_match: card.slot("match", found, card_match),
        }
    }

    /// Tells whether nothing is demanded here.
    pub(super) fn is_idle(&self) -> bool {
        let lists = [
            &self.states,
            &self.require,
            &self.skills,
            &self.capabilities,
            &self.security,
            &self.card_match,
        ];
        let is_set = |slot: &&Slot<Vec<One>>| slot.is_set();
        !self.state.is_set() && !self.count.is_set() && !lists.iter().any(is_set)
    }
}

fn one(place: &Place, check: TaskCheck) -> One {
    (place.clone(), Check::Task(Box::new(check)))
}

fn state(node: &Node, found: &mut Found) -> Option<One> {
    Some(one(&node.place, TaskCheck::State(words(node, found)?)))
}

/// An order is one demand, however many states it has.
fn states(node: &Node, found: &mut Found) -> Option<Vec<One>> {
    let states = TaskCheck::States(words(node, found)?);
    Some(vec![one(&node.place, states)])
}

/// Reads a state, or a list of states.
fn words(node: &Node, found: &mut Found) -> Option<Vec<String>> {
    let nodes = match &node.kind {
        Kind::Scalar(_) => std::slice::from_ref(node),
        Kind::Seq(items) if items.is_empty() => {
            found.push(
                Diagnostic::error(&node.place, "the list is empty")
                    .label("no state would be demanded")
                    .hint("`false` drops what was inherited"),
            );
            return None;
        }
        Kind::Seq(items) => items,
        Kind::Map(_) | Kind::Broken => {
            mismatch(node, "a state or a list of states", found);
            return None;
        }
    };
    let words = nodes.iter().map(|node| word(node, found));
    // Every mistake is reported before giving up.
    let words: Vec<Option<&str>> = words.collect();
    let words = words.into_iter().map(|word| word.map(str::to_owned));
    words.collect()
}

/// Reads a state. Other spellings of it are told the right one.
fn word(node: &Node, found: &mut Found) -> Option<&'static str> {
    let written = node.scalar().map_or("", |scalar| scalar.text.as_str());
    let plain = written.to_lowercase().replace('_', "-");
    let plain = plain.strip_prefix("task-state-").unwrap_or(&plain);
    let plain = if plain == "cancelled" {
        "canceled"
    } else {
        plain
    };
    let meant = TASK_STATES.iter().find(|state| **state == plain);
    match meant {
        Some(meant) if *meant != written => {
            let message = format!("unknown state `{written}`");
            let hint = format!("write `{meant}`: states are in lower case, with hyphens");
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            None
        }
        _ => choice(node, TASK_STATES, found),
    }
}

fn count(node: &Node, found: &mut Found) -> Option<One> {
    let count = number_of(node, found)?;
    Some(one(&node.place, TaskCheck::Artifacts(count)))
}

fn require(node: &Node, found: &mut Found) -> Option<Vec<One>> {
    let required = items(node, found)?.iter().filter_map(|item| {
        let artifact = artifact(item, found)?;
        Some(one(&item.place, TaskCheck::Artifact(artifact)))
    });
    Some(required.collect())
}

fn artifact(node: &Node, found: &mut Found) -> Option<RequiredArtifact> {
    let object = Object::open(node, &ARTIFACT, found)?;
    let n_before = found.len();
    let mut read = |key: &str| object.get(key).and_then(|node| pattern(node, found));
    let (name, text_match) = (read("name"), read("text_match"));
    let data_match = match object.get("data_match") {
        Some(node) => arg_patterns(node, found),
        None => Vec::new(),
    };
    let count = object.get("count").and_then(|node| number_of(node, found));
    (found.len() == n_before).then(|| RequiredArtifact {
        name,
        text_match,
        data_match,
        count: count.unwrap_or_default(),
    })
}

fn named(node: &Node, check: fn(Text) -> TaskCheck, found: &mut Found) -> Option<Vec<One>> {
    let names = texts(node, found)?.into_iter().map(|name| {
        let place = name.place.clone();
        one(&place, check(name))
    });
    Some(names.collect())
}

fn capabilities(node: &Node, found: &mut Found) -> Option<Vec<One>> {
    let read = entries(node, found)?.iter().filter_map(|entry| {
        let capability = Capability {
            name: entry.key.text.clone(),
            wanted: boolean(&entry.value, found)?,
        };
        Some(one(&entry.key.place, TaskCheck::Capability(capability)))
    });
    Some(read.collect())
}

fn card_match(node: &Node, found: &mut Found) -> Option<Vec<One>> {
    entries(node, found)?;
    let patterns = arg_patterns(node, found).into_iter().map(|written| {
        let place = written.path.place.clone();
        one(&place, TaskCheck::Card(written))
    });
    Some(patterns.collect())
}
