//! `checkpoints` of a dynamic case, and how they depend on one another.

use std::collections::BTreeMap;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Place, Text};

use super::Found;
use super::assert::Slot;
use super::case_assert::demands;
use super::dynamic::CheckpointSpec;
use super::object::{Object, word_list};
use super::values::{boolean, items, text, texts};
use crate::schema::CHECKPOINT;
use crate::yaml::Node;

/// Reads `checkpoints`. `None` if they cannot be planned, which is then reported.
pub(super) fn checkpoints(node: &Node, found: &mut Found) -> Option<Vec<CheckpointSpec>> {
    let nodes = items(node, found)?;
    if nodes.is_empty() {
        found.push(
            Diagnostic::error(&node.place, "`checkpoints` is empty")
                .label("nothing says what has to happen in the conversation")
                .hint("write `{\"id\": \"asks\", \"assert\": {\"type\": \"contains\", \"value\": \"…\"}}`"),
        );
        return None;
    }
    let read: Vec<_> = nodes.iter().map(|node| checkpoint(node, found)).collect();
    let is_whole = read.iter().all(Option::is_some);
    let checkpoints: Vec<CheckpointSpec> = read.into_iter().flatten().collect();
    let mut is_right = are_unique(&checkpoints, found);
    // What could not be read may be what others depend on.
    if is_whole {
        is_right &= are_known(&checkpoints, found) && !has_cycle(&checkpoints, found);
        if checkpoints.iter().all(|checkpoint| !checkpoint.required) {
            found.push(
                Diagnostic::error(&node.place, "no checkpoint is required")
                    .label("the case would pass whatever the agent says")
                    .hint("leave `\"required\": false` out of at least one of them"),
            );
            is_right = false;
        }
        if is_right {
            warn_of_needed(&checkpoints, found);
        }
    }
    (is_whole && is_right).then_some(checkpoints)
}

fn checkpoint(node: &Node, found: &mut Found) -> Option<CheckpointSpec> {
    let n_before = found.len();
    let object = Object::open(node, &CHECKPOINT, found)?;
    let id = object.get("id").and_then(|node| id(node, found));
    let description = object.get("description").map(|node| text(node, found));
    let after = object.get("after").map(|node| texts(node, found));
    let required = object.get("required").map(|node| boolean(node, found));
    let n_errors = |found: &Found| found.iter().filter(|one| one.is_error()).count();
    let n_before_assert = n_errors(found);
    let assert = demands(
        &[object.get("assert"), object.get("assertion")],
        None,
        found,
    );
    let is_refused = n_errors(found) > n_before_assert;
    if assert.is_none() && found.len() == n_before {
        let place = id.as_ref().map_or(&node.place, |id| &id.place);
        let id = id.as_ref().map(|id| id.text.as_str());
        found.push(unchecked(id, place));
        return None;
    }
    if let Some(Slot::Set(snapshot)) = assert.as_ref().map(|spec| &spec.snapshot) {
        found.push(
            Diagnostic::error(
                &snapshot.name.place,
                "a checkpoint cannot demand a snapshot",
            )
            .label("which turn is stored would depend on the conversation")
            .hint("write `snapshot` in the `assert` of the case"),
        );
        return None;
    }
    Some(CheckpointSpec {
        id: id?,
        description: match description {
            Some(description) => Some(description?.text),
            None => None,
        },
        after: match after {
            Some(after) => after?,
            None => Vec::new(),
        },
        required: match required {
            Some(required) => required?,
            None => true,
        },
        assert: assert?,
        is_refused,
        place: node.place.clone(),
    })
}

/// Returns what is to be said about a checkpoint that demands nothing.
pub(crate) fn unchecked(id: Option<&str>, place: &Place) -> Diagnostic {
    let name = id.map_or_else(String::new, |id| format!(" `{id}`"));
    Diagnostic::error(place, format!("the checkpoint{name} has no check"))
        .label("it would be reached whatever the agent says")
        .hint("write `\"assert\": {\"type\": \"contains\", \"value\": \"…\"}`")
}

fn id(node: &Node, found: &mut Found) -> Option<Text> {
    let id = text(node, found)?;
    if !id.text.contains(char::is_control) && !id.text.contains("${") {
        return Some(id);
    }
    found.push(
        Diagnostic::error(
            &node.place,
            "the id of a checkpoint holds no control characters and no references",
        )
        .hint("write a short word, and what it is about under `description`"),
    );
    None
}

fn are_unique(checkpoints: &[CheckpointSpec], found: &mut Found) -> bool {
    let n_before = found.len();
    let mut first: BTreeMap<&str, &Place> = BTreeMap::new();
    for CheckpointSpec { id, .. } in checkpoints {
        if let Some(place) = first.get(id.text.as_str()) {
            let message = format!("the checkpoint `{}` is there twice", id.text);
            found.push(
                Diagnostic::error(&id.place, message)
                    .label(format!("the first is at {place}:{}", place.column))
                    .hint("give each checkpoint of a case an id of its own"),
            );
        } else {
            first.insert(&id.text, &id.place);
        }
    }
    found.len() == n_before
}

fn are_known(checkpoints: &[CheckpointSpec], found: &mut Found) -> bool {
    let n_before = found.len();
    let ids: Vec<&str> = checkpoints.iter().map(|one| one.id.text.as_str()).collect();
    for after in checkpoints.iter().flat_map(|one| &one.after) {
        if ids.contains(&after.text.as_str()) {
            continue;
        }
        let message = format!("`after` names `{}`, which is no checkpoint", after.text);
        let diagnostic =
            Diagnostic::error(&after.place, message).label(format!("expected {}", word_list(&ids)));
        found.push(match did_you_mean(&after.text, ids.iter().copied()) {
            Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
            None => diagnostic,
        });
    }
    found.len() == n_before
}

/// Warns of checkpoints that are called optional, although a required one comes after them.
fn warn_of_needed(checkpoints: &[CheckpointSpec], found: &mut Found) {
    let is_optional = |id: &str| {
        let mut optional = checkpoints.iter().filter(|one| !one.required);
        optional.any(|one| one.id.text == id)
    };
    for one in checkpoints.iter().filter(|one| one.required) {
        let needed = one.after.iter().filter(|after| is_optional(&after.text));
        found.extend(needed.map(|after| {
            let (id, needed) = (&one.id.text, &after.text);
            let message =
                format!("the required checkpoint `{id}` comes after `{needed}`, which is not required");
            Diagnostic::warning(&after.place, message)
                .label(format!("the case cannot pass without `{needed}`"))
                .hint(format!(
                    "leave `\"required\": false` out of `{needed}`, or take `{needed}` out of `after`"
                ))
        }));
    }
}

/// Tells whether checkpoints wait for one another for ever, which is then reported.
fn has_cycle(checkpoints: &[CheckpointSpec], found: &mut Found) -> bool {
    let by_id: BTreeMap<&str, &CheckpointSpec> = checkpoints
        .iter()
        .map(|one| (one.id.text.as_str(), one))
        .collect();
    let mut reachable: Vec<&str> = Vec::new();
    loop {
        let n_before = reachable.len();
        for one in checkpoints {
            let is_ready = one
                .after
                .iter()
                .all(|id| reachable.contains(&id.text.as_str()));
            if is_ready && !reachable.contains(&one.id.text.as_str()) {
                reachable.push(&one.id.text);
            }
        }
        if reachable.len() == n_before {
            break;
        }
    }
    let stuck = |id: &&Text| !reachable.contains(&id.text.as_str());
    let Some(start) = checkpoints.iter().map(|one| &one.id).find(stuck) else {
        return false;
    };
    // Each that waits for ever waits for another one that does: following them leads into the cycle.
    let mut path: Vec<&str> = vec![&start.text];
    let cycle = loop {
        let last = path.last().and_then(|id| by_id.get(id));
        let Some(next) = last.and_then(|one| one.after.iter().find(stuck)) else {
            return false;
        };
        if let Some(at) = path.iter().position(|id| *id == next.text) {
            path.push(&next.text);
            break path.split_off(at);
        }
        path.push(&next.text);
    };
    let first = cycle.first().and_then(|id| by_id.get(id));
    let place = first
        .and_then(|one| one.after.iter().find(stuck))
        .map_or(&start.place, |after| &after.place);
    let message = match cycle.as_slice() {
        [one, _] => format!("the checkpoint `{one}` comes after itself"),
        cycle => format!("checkpoints wait for one another: {}", cycle.join(" → ")),
    };
    found.push(
        Diagnostic::error(place, message)
            .label("none of them can be reached")
            .hint("take one of them out of `after`"),
    );
    true
}
