//! Test files.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::Hook;

use super::Found;
use super::assert::{AssertAt, AssertSpec, assert};
use super::case_spec::CaseSpec;
use super::command::hook;
use super::object::Object;
use super::own_target::own_target;
use super::target::{TargetSpec, overrides};
use super::turn::{TurnSpec, turns};
use super::values::{items, millis, mismatch, text};
use super::version::version;
use crate::schema::TEST;
use crate::yaml::{Kind, Node, ScalarKind};

/// A test as written: a file, or a case.
#[derive(Clone, Debug)]
pub(crate) struct TestFile {
    pub(crate) name: Text,
    pub(crate) tags: Vec<String>,
    pub(crate) skip: Option<Text>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) target: Option<TestTarget>,
    pub(crate) hooks: Vec<Hook>,
    pub(crate) turns: Vec<TurnSpec>,
    /// What stands at the root; the entries of a case are one block.
    pub(crate) assert: Option<AssertSpec>,
    /// What is known of it if it is a case or a message.
    pub(crate) case: Option<CaseSpec>,
    /// Where the file, or the case, begins.
    pub(crate) place: Place,
    /// Tells whether something was refused, so that what seems to be missing may only be misspelt.
    pub(crate) is_broken: bool,
}

/// What a test says about its target.
#[derive(Clone, Debug)]
pub(crate) enum TestTarget {
    /// Which of the config's `targets` it is.
    Named(Text),
    /// `targets`: which of them it is run against, one after another; each is there once.
    Listed(Vec<Text>),
    /// What is different for this test.
    Overrides(Box<TargetSpec>),
}

/// Reads a test file. `None` if it cannot be planned, which is then reported.
pub(crate) fn test(node: &Node, found: &mut Found) -> Option<TestFile> {
    let n_before = found.len();
    let object = Object::open(node, &TEST, found)?;
    let name = object.get("name").and_then(|node| text(node, found));
    let hooks = object.get("hooks").map(|node| hooks(node, found));
    let turns = object.get("turns").map(|node| turns(node, found));
    let assert = object
        .get("assert")
        .and_then(|node| assert(node, AssertAt::Test, found));
    let tags = object.get("tags").map(|node| tags(node, found));
    let skip = object.get("skip").and_then(|node| skip(node, found));
    let timeout_ms = object
        .get("timeout_ms")
        .and_then(|node| millis(node, found));
    let target = own_target(&object, test_target, found);
    let version = object.get("version").and_then(|node| version(node, found));
    if let Some(version) = version {
        let typed = object
            .get("turns")
            .and_then(|node| items(node, &mut Found::new()));
        let typed = typed.unwrap_or_default().iter().chain(object.get("target"));
        typed.for_each(|node| version.check_type(node, found));
    }
    // A target that was written wrong is not the same as none: the test would run against another agent.
    if let Some(None) = target {
        return None;
    }
    let place = node.place.clone();
    Some(TestFile {
        name: name.unwrap_or_else(|| Text {
            text: String::new(),
            place: place.clone(),
        }),
        tags: tags.unwrap_or_default(),
        skip,
        timeout_ms,
        target: target.flatten(),
        hooks: hooks.unwrap_or_default(),
        turns: turns.unwrap_or_default(),
        assert,
        case: None,
        place,
        is_broken: found.iter().skip(n_before).any(Diagnostic::is_error),
    })
}

fn hooks(node: &Node, found: &mut Found) -> Vec<Hook> {
    let items = items(node, found).unwrap_or_default();
    items.iter().filter_map(|item| hook(item, found)).collect()
}

/// Reads `tags`.
pub(super) fn tags(node: &Node, found: &mut Found) -> Vec<String> {
    let items = items(node, found).unwrap_or_default();
    let tags = items.iter().filter_map(|item| text(item, found));
    tags.map(|tag| tag.text).collect()
}

fn skip(node: &Node, found: &mut Found) -> Option<Text> {
    if let Some(ScalarKind::Bool(_)) = node.scalar().map(|scalar| scalar.kind) {
        let message = format!("`skip` needs a reason, found {}", node.described());
        found.push(
            Diagnostic::error(&node.place, message)
                .hint("write `skip: waits for the new cart`, or leave it out"),
        );
        return None;
    }
    text(node, found)
}

fn test_target(node: &Node, found: &mut Found) -> Option<TestTarget> {
    match &node.kind {
        Kind::Map(_) => overrides(node, found).map(|spec| TestTarget::Overrides(Box::new(spec))),
        Kind::Scalar(_) => text(node, found).map(TestTarget::Named),
        Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "the name of a target or a map", found);
            None
        }
    }
}
