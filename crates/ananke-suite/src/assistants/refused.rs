//! What a folder can hold that is not run: containers. Leaving it out would test another assistant.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::document::Around;
use crate::parse::Found;
use crate::yaml::{Entry, Kind};

/// Files that describe a container.
const CONTAINERS: [&str; 3] = ["sandbox.yao", "sandbox.jsonc", "sandbox.json"];

/// What to do instead, whatever is refused.
pub(super) const INSTEAD: &str =
    "run the app, and test it as a target of `type: agui` or `type: openai`";

/// Reports files that describe a container.
pub(super) fn refuse_files(folder: &Path, around: &mut Around<'_>) {
    for container in CONTAINERS {
        let path = folder.join(container);
        if path.exists() {
            let place = around.place(&path);
            around.refuse(no_container(&place));
        }
    }
}

/// Reports a key that describes a container, unless it says that there is none.
pub(super) fn container_key(entry: &Entry, found: &mut Found) {
    let is_set = !(entry.value.is_null() || entry.value.is_false());
    if is_set && !matches!(entry.value.kind, Kind::Broken) {
        found.push(no_container(&entry.key.place));
    }
}

fn no_container(place: &Place) -> Diagnostic {
    let message = "the assistant runs in a container, which ananke does not start";
    Diagnostic::error(place, message).hint(INSTEAD)
}
