//! `assert` blocks as written, before inheritance.

use ananke_model::check::{CallFilter, Check, Require};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};

use super::Found;
use super::checks::checks;
use super::judge::judges;
use super::object::Object;
use super::pattern::{pattern, patterns};
use super::require::{forbid_call_items, require_items};
use super::script_check::script_demands;
use super::snapshot::{SnapshotSpec, snapshot};
use super::task_check::TaskSpec;
use super::tool_name::tool_names;
use super::values::{choice, millis, texts};
use crate::schema::{ASSERT, INHERIT, PROTOCOL, Shape, TEXT, TIMING, TOOLS};
use crate::yaml::{Node, Scalar, ScalarKind};

/// An assertion block as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssertSpec {
    /// Where it stands.
    pub(crate) place: Place,
    /// Names of blocks to take over.
    pub(crate) extends: Vec<Text>,
    /// What is taken over from the levels above.
    pub(crate) inherit: Inherit,
    pub(crate) forbid: Slot<Vec<Text>>,
    pub(crate) require: Slot<Vec<(Place, Require)>>,
    pub(crate) forbid_calls: Slot<Vec<(Place, CallFilter)>>,
    pub(crate) must_match: Slot<Vec<Text>>,
    pub(crate) must_not_match: Slot<Vec<Text>>,
    pub(crate) max_duration: Slot<(Place, u64)>,
    pub(crate) max_idle: Slot<(Place, u64)>,
    pub(crate) checks: Slot<Vec<(Place, Check)>>,
    pub(crate) judge: Slot<Vec<(Place, Check)>>,
    pub(crate) script: Slot<Vec<(Place, Check)>>,
    pub(crate) error: Slot<Text>,
    pub(crate) protocol: Slot<(Place, Strictness)>,
    pub(crate) snapshot: Slot<SnapshotSpec>,
    pub(crate) tasks: TaskSpec,
}

impl AssertSpec {
    /// Tells whether nothing is demanded here.
    pub(crate) fn is_idle(&self) -> bool {
        let lists = [
            self.forbid.is_set(),
            self.require.is_set(),
            self.forbid_calls.is_set(),
            self.must_match.is_set(),
            self.must_not_match.is_set(),
            self.max_duration.is_set(),
            self.max_idle.is_set(),
            self.checks.is_set(),
            self.judge.is_set(),
            self.script.is_set(),
            self.error.is_set(),
            self.protocol.is_set(),
            self.snapshot.is_set(),
        ];
        self.extends.is_empty() && !lists.contains(&true) && self.tasks.is_idle()
    }
}

/// What a block says about one key.
#[derive(Clone, Debug, Default)]
pub(crate) enum Slot<T> {
    /// Nothing.
    #[default]
    Unset,
    /// `false`: what was inherited is dropped.
    Dropped,
    /// This.
    Set(T),
}

impl<T> Slot<T> {
    pub(super) fn is_set(&self) -> bool {
        matches!(self, Self::Set(_))
    }
}

/// What a block takes over from the levels above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Inherit {
    /// Everything.
    #[default]
    All,
    /// Prohibitions and limits.
    Limits,
    /// Nothing.
    Nothing,
}

/// The words of `protocol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Sequence findings fail the turn.
    Strict,
    /// Sequence findings are warnings.
    Lenient,
}

/// Where a block stands, which decides what it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssertAt {
    /// Under `assertions` in the config.
    Named,
    /// Under a target.
    Target,
    /// At the root of a test.
    Test,
    /// Under a turn.
    Turn,
}

/// Reads an assertion block.
pub(super) fn assert(node: &Node, at: AssertAt, found: &mut Found) -> Option<AssertSpec> {
    if node.is_false() {
        found.push(
            Diagnostic::error(&node.place, "expected an assertion block, found `false`")
                .hint("write `assert: {inherit: none}` to drop what is inherited"),
        );
        return None;
    }
    let object = Object::open(node, &ASSERT, found)?;
    let tools = Part::open(object.get("tools"), &TOOLS, found);
    let text = Part::open(object.get("text"), &TEXT, found);
    let timing = Part::open(object.get("timing"), &TIMING, found);
    let spec = AssertSpec {
        place: node.place.clone(),
        extends: object
            .get("extends")
            .and_then(|node| texts(node, found))
            .unwrap_or_default(),
        inherit: inherit(object.get("inherit"), at, found),
        forbid: tools.slot("forbid", found, tool_names),
        require: tools.slot("require", found, require_items),
        forbid_calls: tools.slot("forbid_calls", found, forbid_call_items),
        must_match: text.slot("must_match", found, patterns),
        must_not_match: text.slot("must_not_match", found, patterns),
        max_duration: timing.slot("max_duration_ms", found, limit),
        max_idle: timing.slot("max_idle_ms", found, limit),
        checks: slot(object.get("checks"), found, checks),
        judge: slot(object.get("judge"), found, judges),
        script: slot(object.get("script"), found, script_demands),
        error: slot(object.get("error"), found, error_pattern),
        protocol: slot(object.get("protocol"), found, protocol),
        snapshot: slot(object.get("snapshot"), found, snapshot),
        tasks: TaskSpec::read(&object, found),
    };
    if let (AssertAt::Target, Slot::Set(error)) = (at, &spec.error) {
        found.push(
            Diagnostic::error(&error.place, "a target cannot demand an error")
                .hint("write `error` in the `assert` of a test or a turn"),
        );
    }
    if let (AssertAt::Target | AssertAt::Named, Slot::Set(snapshot)) = (at, &spec.snapshot) {
        let who = match at {
            AssertAt::Target => "a target",
            _ => "a named block",
        };
        let message = format!("{who} cannot demand a snapshot");
        found.push(
            Diagnostic::error(&snapshot.name.place, message)
                .label("one file would serve many tests")
                .hint("write `snapshot` in the `assert` of a test or a turn"),
        );
    }
    Some(spec)
}

/// A part of a block that has keys of its own, such as `tools`.
pub(super) enum Part<'n> {
    Unset,
    Dropped,
    Open(Object<'n>),
}

impl<'n> Part<'n> {
    pub(super) fn open(node: Option<&'n Node>, shape: &'static Shape, found: &mut Found) -> Self {
        match node {
            None => Self::Unset,
            Some(node) if node.is_false() => Self::Dropped,
            Some(node) => Object::open(node, shape, found).map_or(Self::Unset, Self::Open),
        }
    }

    pub(super) fn slot<T>(
        &self,
        key: &str,
        found: &mut Found,
        read: impl Fn(&Node, &mut Found) -> Option<T>,
    ) -> Slot<T> {
        match self {
            Self::Unset => Slot::Unset,
            Self::Dropped => Slot::Dropped,
            Self::Open(object) => slot(object.get(key), found, read),
        }
    }
}

fn slot<T>(
    node: Option<&Node>,
    found: &mut Found,
    read: impl Fn(&Node, &mut Found) -> Option<T>,
) -> Slot<T> {
    match node {
        None => Slot::Unset,
        Some(node) if node.is_false() => Slot::Dropped,
        Some(node) => read(node, found).map_or(Slot::Unset, Slot::Set),
    }
}

/// Reads the pattern of `error`. `true` reads like "any error", which it would not be.
fn error_pattern(node: &Node, found: &mut Found) -> Option<Text> {
    let is_bool = |scalar: &Scalar| matches!(scalar.kind, ScalarKind::Bool(_));
    if node.scalar().is_some_and(is_bool) {
        let message = format!("expected a pattern, found {}", node.described());
        found.push(
            Diagnostic::error(&node.place, message)
                .label("what the message of the error must match")
                .hint("write `/.+/` for any error, or put the word in quotes"),
        );
        return None;
    }
    pattern(node, found)
}

fn inherit(node: Option<&Node>, at: AssertAt, found: &mut Found) -> Inherit {
    let Some(node) = node else {
        return Inherit::All;
    };
    if at == AssertAt::Named {
        found.push(
            Diagnostic::error(&node.place, "a named block inherits from no level")
                .hint("write `inherit` in the block that extends this one"),
        );
    }
    match choice(node, INHERIT, found) {
        Some("limits") => Inherit::Limits,
        Some("none") => Inherit::Nothing,
        _ => Inherit::All,
    }
}

fn limit(node: &Node, found: &mut Found) -> Option<(Place, u64)> {
    millis(node, found).map(|limit| (node.place.clone(), limit))
}

fn protocol(node: &Node, found: &mut Found) -> Option<(Place, Strictness)> {
    let strictness = match choice(node, PROTOCOL, found)? {
        "strict" => Strictness::Strict,
        _ => Strictness::Lenient,
    };
    Some((node.place.clone(), strictness))
}
