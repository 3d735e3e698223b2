//! What a folder can hold that is not run: hook scripts and containers. Leaving it out would test another assistant.

use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::document::Around;
use crate::parse::Found;
use crate::yaml::{Entry, Kind};

/// Files that may hold hooks.
const SCRIPTS: [&str; 2] = ["src/index.ts", "src/index.js"];
/// The functions that are called before and behind the model.
const HOOKS: [&str; 2] = ["Create", "Next"];
/// Files that describe a container.
const CONTAINERS: [&str; 3] = ["sandbox.yao", "sandbox.jsonc", "sandbox.json"];

/// What to do instead, whatever is refused.
pub(super) const INSTEAD: &str =
    "run the app, and test it as a target of `type: agui` or `type: openai`";

/// Reports hook scripts and files that describe a container.
pub(super) fn refuse_files(folder: &Path, around: &mut Around<'_>) {
    for script in SCRIPTS {
        let path = folder.join(script);
        if path.is_file()
            && let Some((name, text)) = around.text(&path)
        {
            if let Some(place) = place_of_all(&name, &text) {
                let message = "`export *` may bring in the hooks `Create` and `Next`, which need a script engine that this version does not have";
                around.refuse(Diagnostic::error(&place, message).hint(INSTEAD));
            }
            for hook in HOOKS {
                if let Some(place) = place_of(hook, &name, &text) {
                    let message = format!(
                        "the hook `{hook}` needs a script engine, which this version does not have"
                    );
                    around.refuse(Diagnostic::error(&place, message).hint(INSTEAD));
                }
            }
        }
    }
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

/// Returns where `word` stands by itself for the first time.
///
/// Comments count: a hook that is overlooked would change the test without a word.
fn place_of(word: &str, file: &Arc<str>, text: &str) -> Option<Place> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let (start, _) = text.match_indices(word).find(|(start, _)| {
        let (before, rest) = text.split_at(*start);
        let behind = rest.strip_prefix(word).unwrap_or_default();
        !before.ends_with(is_inner) && !behind.starts_with(is_inner)
    })?;
    Some(place_at(start, word.len(), file, text))
}

/// Returns where everything of another file is handed on for the first time, under the names that it has there.
fn place_of_all(file: &Arc<str>, text: &str) -> Option<Place> {
    const EXPORT: &str = "export";
    let (start, _) = text.match_indices(EXPORT).find(|(start, _)| {
        let (_, rest) = text.split_at(*start);
        let behind = rest.strip_prefix(EXPORT).unwrap_or_default();
        let all = behind.trim_start().strip_prefix('*');
        all.is_some_and(|all| all.trim_start().starts_with("from"))
    })?;
    Some(place_at(start, EXPORT.len(), file, text))
}

fn place_at(start: usize, length: usize, file: &Arc<str>, text: &str) -> Place {
    let (before, _) = text.split_at(start);
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let line = before.rsplit('\n').next().unwrap_or_default();
    Place {
        file: Arc::clone(file),
        line: small(before.matches('\n').count() + 1),
        column: small(line.chars().count() + 1),
        start: small(start),
        end: small(start + length),
    }
}
