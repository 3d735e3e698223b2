//! `src/index.ts`: the hooks of an assistant, which are called before and behind the model.

use std::path::Path;
use std::sync::Arc;

use ananke_model::assistant::Hooks;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::script::{ScriptCall, ScriptFunction, digest};

use super::document::Around;

/// Files that may hold hooks.
const SCRIPTS: [&str; 2] = ["src/index.ts", "src/index.js"];
const EXPORT: &str = "export";

/// Reads the hooks of an assistant; nothing if it has no script of hooks, or if that cannot be read, which is reported.
pub(super) fn hooks(folder: &Path, around: &mut Around<'_>) -> Option<Hooks> {
    let mut paths = SCRIPTS.iter().map(|script| folder.join(script));
    let path = paths.find(|path| path.is_file())?;
    let (shown, text) = around.text(&path)?;
    let functions = around.functions(&shown, &text)?;
    if let Some(place) = place_of_all(&shown, &text) {
        let message = "`export *` does not say whether it brings in the hooks `Create` and `Next`";
        let hint = "name what is handed on: `export { Create, Next } from \"./hooks\"`";
        around.refuse(Diagnostic::error(&place, message).hint(hint));
    }
    let digest = digest(&text);
    let hook = |name: &str| {
        let is_there = functions.iter().any(|function| function.name == name);
        is_there.then(|| ScriptCall {
            reference: name.to_owned(),
            path: path.clone(),
            shown: Arc::clone(&shown),
            function: Some(name.to_owned()),
            digest: digest.clone(),
            place: Place::file(&shown),
        })
    };
    warn_of_misspelled(&functions, &shown, around);
    Some(Hooks {
        create: hook("Create"),
        next: hook("Next"),
        shown,
    })
}

/// Warns of functions that nobody calls but that look like hooks.
fn warn_of_misspelled(functions: &[ScriptFunction], shown: &Arc<str>, around: &mut Around<'_>) {
    for hook in ["Create", "Next"] {
        let is_near = |function: &&ScriptFunction| {
            function.name != hook && function.name.eq_ignore_ascii_case(hook)
        };
        let is_there = functions.iter().any(|function| function.name == hook);
        if let Some(near) = functions.iter().find(is_near).filter(|_| !is_there) {
            let message = format!(
                "the function `{}` is not called: the hook is `{hook}`",
                near.name
            );
            around.refuse(Diagnostic::warning(&Place::file(shown), message));
        }
    }
}

/// Returns where everything of another file is handed on for the first time, under the names that it has there.
fn place_of_all(file: &Arc<str>, text: &str) -> Option<Place> {
    let (start, _) = text.match_indices(EXPORT).find(|(start, _)| {
        let (_, rest) = text.split_at(*start);
        let behind = rest.strip_prefix(EXPORT).unwrap_or_default();
        let all = behind.trim_start().strip_prefix('*');
        all.is_some_and(|all| all.trim_start().starts_with("from"))
    })?;
    let (before, _) = text.split_at(start);
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let line = before.rsplit('\n').next().unwrap_or_default();
    Some(Place {
        file: Arc::clone(file),
        line: small(before.matches('\n').count() + 1),
        column: small(line.chars().count() + 1),
        start: small(start),
        end: small(start + EXPORT.len()),
    })
}
