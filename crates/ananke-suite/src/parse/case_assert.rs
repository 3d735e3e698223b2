//! What a case demands: `assert` and `assertions`, each one entry or a list, as one block. An entry with `type` is a check,
//! one without is a block as in test files.

use ananke_model::check::{Check, OutputCheck, OutputCheckKind};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place};

use super::Found;
use super::assert::{AssertAt, AssertSpec, Inherit, Slot, assert};
use super::checks::check;
use super::object::Object;
use super::task_check::TaskSpec;
use crate::schema::{ASSERT, CHECK_TYPES};
use crate::yaml::{Kind, Node};

/// Keys that only a check has.
const CHECK_KEYS: [&str; 13] = [
    "value",
    "path",
    "pattern",
    "negate",
    "message",
    "name",
    "arguments",
    "tool",
    "result",
    "script",
    "use",
    "options",
    "samples",
];

/// Reads what a case demands. Without any entry, `expected` is what the output must equal.
pub(super) fn case_assert(
    case: &Object<'_>,
    expected: Option<&Json>,
    found: &mut Found,
) -> Option<AssertSpec> {
    demands(
        &[case.get("assert"), case.get("assertions")],
        expected,
        found,
    )
}

/// Reads what stands under either of two keys, as one block. Without any entry, `expected` is what the output must equal.
pub(super) fn demands(
    keys: &[Option<&Node>; 2],
    expected: Option<&Json>,
    found: &mut Found,
) -> Option<AssertSpec> {
    let mut spec: Option<AssertSpec> = None;
    let mut checks = Vec::new();
    let mut n_entries = 0;
    let mut inherits: Option<&Node> = None;
    for list in keys.iter().flatten() {
        for entry in entries(list) {
            match (inherits, entry.get("inherit")) {
                (Some(_), Some(second)) => found.push(
                    Diagnostic::error(&second.place, "two entries say what is inherited")
                        .hint("write `inherit` in one of them"),
                ),
                (None, first) => inherits = first,
                (Some(_), None) => {}
            }
            n_entries += 1;
            if is_block(entry) {
                let block = block(entry, found);
                spec = match (spec.take(), block) {
                    (Some(spec), Some(block)) => Some(merged(spec, block, found)),
                    (spec, block) => spec.or(block),
                };
            } else {
                checks.extend(check(entry, found));
            }
        }
    }
    // An entry that demands nothing must not keep `expected` from being checked.
    let demands_nothing = checks.is_empty() && spec.as_ref().is_none_or(AssertSpec::is_idle);
    if n_entries == 0 || demands_nothing {
        checks.extend(expected.map(equals));
    } else if let Some(expected) = expected.filter(|_| !has_script(&checks, spec.as_ref())) {
        let message = "`expected` is only shown: what `assert` says is checked instead";
        let is_known = |known: &Diagnostic| known.message == message;
        // Once for a file: what one case says the others mostly say too.
        if !found.iter().any(is_known) {
            found.push(
                Diagnostic::warning(&expected.place, message)
                    .hint("leave it out, or write it as `{\"type\": \"equals\", \"value\": …}`"),
            );
        }
    }
    let Some((place, _)) = checks.first() else {
        return spec;
    };
    let typed = AssertSpec {
        place: place.clone(),
        checks: Slot::Set(checks),
        ..AssertSpec::default()
    };
    Some(match spec {
        Some(spec) => merged(spec, typed, found),
        None => typed,
    })
}

/// Tells whether a function judges, which is told what is expected.
fn has_script(checks: &[(Place, Check)], spec: Option<&AssertSpec>) -> bool {
    let is_script = |(_, check): &(Place, Check)| matches!(check, Check::Script(_));
    let in_block = spec.is_some_and(|spec| match (&spec.script, &spec.checks) {
        (Slot::Set(_), _) => true,
        (_, Slot::Set(checks)) => checks.iter().any(is_script),
        _ => false,
    });
    in_block || checks.iter().any(is_script)
}

fn entries(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Seq(items) => items,
        Kind::Scalar(_) | Kind::Map(_) | Kind::Broken => std::slice::from_ref(node),
    }
}

/// Tells whether an entry is a block. One with keys of a check is a check that lacks its type.
fn is_block(entry: &Node) -> bool {
    let Kind::Map(entries) = &entry.kind else {
        return false;
    };
    let has = |key: &str| entries.iter().any(|entry| entry.key.text == key);
    let is_check = CHECK_KEYS.iter().chain(CHECK_TYPES).any(|key| has(key));
    let of_check = |key: &&&str| !matches!(**key, "script" | "type") && has(key);
    let n_of_check = CHECK_KEYS
        .iter()
        .chain(CHECK_TYPES)
        .filter(of_check)
        .count();
    // `script` alone is the one of a block; beside keys of a check it lacks its type.
    let is_own = |name: &str| has(name) && (name != "script" || n_of_check == 0);
    !has("type") && (ASSERT.fields.iter().any(|field| is_own(field.name)) || !is_check)
}

fn block(entry: &Node, found: &mut Found) -> Option<AssertSpec> {
    if matches!(&entry.kind, Kind::Map(entries) if entries.is_empty()) {
        found.push(
            Diagnostic::error(&entry.place, "the entry demands nothing")
                .hint("write a check, such as `{\"type\": \"contains\", \"value\": \"Hi\"}`"),
        );
        return None;
    }
    assert(entry, AssertAt::Test, found)
}

fn equals(expected: &Json) -> (Place, Check) {
    let check = OutputCheck {
        kind: OutputCheckKind::Equals(expected.clone()),
        path: None,
        negate: false,
        message: None,
        value: Some(expected.clone()),
    };
    (expected.place.clone(), Check::Output(Box::new(check)))
}

/// Returns what two entries demand together. What only one of them can decide is an error if both do.
fn merged(first: AssertSpec, second: AssertSpec, found: &mut Found) -> AssertSpec {
    let place = second.place;
    let mut join = Join {
        place: &place,
        found,
    };
    let inherit = match (first.inherit, second.inherit) {
        (inherit, Inherit::All) | (Inherit::All, inherit) => inherit,
        // That both say so is told where they are read.
        (first, _) => first,
    };
    let mut extends = first.extends;
    extends.extend(second.extends);
    AssertSpec {
        place: first.place,
        extends,
        inherit,
        forbid: join.lists("tools.forbid", first.forbid, second.forbid),
        require: join.lists("tools.require", first.require, second.require),
        forbid_calls: join.lists(
            "tools.forbid_calls",
            first.forbid_calls,
            second.forbid_calls,
        ),
        must_match: join.lists("text.must_match", first.must_match, second.must_match),
        must_not_match: join.lists(
            "text.must_not_match",
            first.must_not_match,
            second.must_not_match,
        ),
        max_duration: join.single(
            "timing.max_duration_ms",
            first.max_duration,
            second.max_duration,
        ),
        max_idle: join.single("timing.max_idle_ms", first.max_idle, second.max_idle),
        checks: join.lists("checks", first.checks, second.checks),
        judge: join.lists("judge", first.judge, second.judge),
        script: join.lists("script", first.script, second.script),
        error: join.single("error", first.error, second.error),
        protocol: join.single("protocol", first.protocol, second.protocol),
        snapshot: join.single("snapshot", first.snapshot, second.snapshot),
        tasks: join.tasks(first.tasks, second.tasks),
    }
}

/// Joins the slots of two entries, of which the second stands at `place`.
struct Join<'a> {
    place: &'a Place,
    found: &'a mut Found,
}

impl Join<'_> {
    fn tasks(&mut self, first: TaskSpec, second: TaskSpec) -> TaskSpec {
        TaskSpec {
            state: self.single("task.state", first.state, second.state),
            states: self.lists("task.states", first.states, second.states),
            count: self.single("artifacts.count", first.count, second.count),
            require: self.lists("artifacts.require", first.require, second.require),
            skills: self.lists("card.skills", first.skills, second.skills),
            capabilities: self.lists("card.capabilities", first.capabilities, second.capabilities),
            security: self.lists("card.security", first.security, second.security),
            card_match: self.lists("card.match", first.card_match, second.card_match),
        }
    }

    fn lists<T>(&mut self, key: &str, first: Slot<Vec<T>>, second: Slot<Vec<T>>) -> Slot<Vec<T>> {
        match (first, second) {
            (Slot::Set(mut first), Slot::Set(second)) => {
                first.extend(second);
                Slot::Set(first)
            }
            (first, second) => self.single(key, first, second),
        }
    }

    fn single<T>(&mut self, key: &str, first: Slot<T>, second: Slot<T>) -> Slot<T> {
        match (first, second) {
            (slot, Slot::Unset) | (Slot::Unset, slot) => slot,
            (Slot::Dropped, Slot::Dropped) => Slot::Dropped,
            (Slot::Set(first), Slot::Set(_)) => {
                self.refuse(key, &format!("two entries demand `{key}`"));
                Slot::Set(first)
            }
            (Slot::Dropped, Slot::Set(slot)) | (Slot::Set(slot), Slot::Dropped) => {
                self.refuse(key, &format!("one entry drops `{key}`, another demands it"));
                Slot::Set(slot)
            }
        }
    }

    fn refuse(&mut self, key: &str, message: &str) {
        let hint = format!("write `{key}` in one entry only");
        self.found
            .push(Diagnostic::error(self.place, message).hint(hint));
    }
}
