//! Processes that tools name: functions of scripts, such as `scripts.orders.Find` or `agents.shop.refund.orders.Find`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;
use ananke_model::script::{ScriptCall, digest};

use super::app::App;
use super::document::Around;
use super::values::suggested;
use crate::discover::{assistant_id, nearest_sibling};

/// What a script ends with, the likelier first.
const ENDINGS: [&str; 4] = ["ts", "js", "mts", "mjs"];

/// Finds the function that a process names. `None` is reported.
pub(super) fn process(
    written: &Text,
    folder: &Path,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<ScriptCall> {
    let words: Vec<&str> = written.text.split('.').collect();
    let is_name = |word: &&str| {
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
        !word.is_empty() && word.chars().all(is_inner)
    };
    let (base, words) = match words.as_slice() {
        ["scripts", rest @ ..] if rest.len() > 1 && rest.iter().all(is_name) => {
            let root = app.map_or(folder, |app| &app.root);
            (root.join("scripts"), rest)
        }
        ["agents", rest @ ..] if rest.len() > 2 && rest.iter().all(is_name) => {
            own_scripts(rest, written, folder, app, around)?
        }
        _ => {
            let message = format!("the process `{}` is no function of a script", written.text);
            let hint =
                "write `scripts.<file>.<function>`, or `agents.<assistant>.<file>.<function>`";
            around.refuse(Diagnostic::error(&written.place, message).hint(hint));
            return None;
        }
    };
    let (function, file) = words.split_last()?;
    let path = script_at(&base, file, written, around)?;
    let (shown, text) = around.text(&path)?;
    let functions = around.functions(&shown, &text)?;
    let names = functions.iter().map(|function| function.name.as_str());
    if !names.clone().any(|name| name == *function) {
        let message = format!("`{shown}` has no function `{function}`");
        let diagnostic = Diagnostic::error(&written.place, message);
        around.refuse(suggested(diagnostic, function, names, "there are"));
        return None;
    }
    Some(ScriptCall {
        reference: written.text.clone(),
        path,
        shown,
        function: Some((*function).to_owned()),
        digest: digest(&text),
        place: written.place.clone(),
    })
}

/// Returns the folder of the scripts of the assistant with the longest id that `words` begin with, and the words behind it.
/// `None` is reported.
fn own_scripts<'w>(
    words: &'w [&'w str],
    written: &Text,
    folder: &Path,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> Option<(PathBuf, &'w [&'w str])> {
    for end in (1..words.len().saturating_sub(1)).rev() {
        let (id, rest) = words.split_at_checked(end)?;
        let id = id.join(".");
        let own = (id == assistant_id(folder)).then(|| folder.to_owned());
        if let Some(folder) = own.or_else(|| app?.assistant(&id)) {
            return Some((folder.join("src"), rest));
        }
    }
    let message = format!("the process `{}` names no assistant", written.text);
    let diagnostic = Diagnostic::error(&written.place, message);
    let mut known = app.map(App::assistant_ids).unwrap_or_default();
    known.push(assistant_id(folder));
    let (_, id) = words.split_last()?;
    let (_, id) = id.split_last()?;
    let hint = match did_you_mean(&id.join("."), known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `agents.{meant}.…`?"),
        None => format!("there is `agents.{}`", known.join("`, `agents.")),
    };
    around.refuse(diagnostic.hint(hint));
    None
}

/// Returns the script of this name in whichever language it is written. `None` is reported.
fn script_at(
    base: &Path,
    words: &[&str],
    written: &Text,
    around: &mut Around<'_>,
) -> Option<PathBuf> {
    let (name, above) = words.split_last()?;
    let folder = above.iter().fold(base.to_owned(), |at, word| at.join(word));
    let file = |ending| folder.join(format!("{name}.{ending}"));
    if let Some(path) = ENDINGS.into_iter().map(file).find(|path| path.is_file()) {
        return Some(path);
    }
    let path = file("ts");
    let shown: Arc<str> = around.shown(&path);
    let message = format!(
        "the process `{}` needs `{shown}`, which is not there",
        written.text
    );
    let diagnostic = Diagnostic::error(&written.place, message);
    around.refuse(match nearest_sibling(&path, around.cwd) {
        Some(sibling) => diagnostic.hint(format!("did you mean `{sibling}`?")),
        None => diagnostic,
    });
    None
}
