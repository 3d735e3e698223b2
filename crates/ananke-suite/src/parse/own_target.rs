//! `target` and `targets` of a test or a case: which of the config's targets it is for.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::object::Object;
use super::test::TestTarget;
use super::values::{items, text};
use crate::yaml::Node;

/// Reads `target`, with `read`, or else `targets`. `None` if neither is there, `Some(None)` if what is there cannot be used,
/// which is then reported.
pub(super) fn own_target(
    object: &Object<'_>,
    read: impl FnOnce(&Node, &mut Found) -> Option<TestTarget>,
    found: &mut Found,
) -> Option<Option<TestTarget>> {
    match (object.get("target"), object.get("targets")) {
        (None, None) => None,
        (Some(node), None) => Some(read(node, found)),
        (None, Some(node)) => Some(listed(node, found)),
        (Some(_), Some(_)) => {
            let place = object.key_place("targets");
            found.push(
                Diagnostic::error(&place, "`target` and `targets` contradict each other").hint(
                    "leave one of them out: `targets` names all that the test is run against",
                ),
            );
            Some(None)
        }
    }
}

/// Reads `targets`. `None` if any of it cannot be used.
fn listed(node: &Node, found: &mut Found) -> Option<TestTarget> {
    let n_before = found.len();
    let items = items(node, found)?;
    let mut names: Vec<Text> = Vec::with_capacity(items.len());
    for item in items {
        let Some(name) = text(item, found) else {
            continue;
        };
        if let Some(first) = names.iter().find(|known| known.text == name.text) {
            let message = format!("`targets` names `{}` twice", name.text);
            found.push(
                Diagnostic::error(&name.place, message)
                    .label(format!("the first is at {}", first.place))
                    .hint("name each target once"),
            );
        } else {
            names.push(name);
        }
    }
    if items.is_empty() {
        found.push(
            Diagnostic::error(&node.place, "`targets` is empty: the test would not be run")
                .hint("name the config's targets that it is run against, or leave `targets` out"),
        );
    }
    (found.len() == n_before).then_some(TestTarget::Listed(names))
}
