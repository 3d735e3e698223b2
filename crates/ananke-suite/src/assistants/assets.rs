//! `@assets/…` in prompts: files of the assistant that stand in their text.

use std::path::{Component, Path};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::document::Around;
use crate::discover::nearest_sibling;

/// What an asset begins with.
const MARK: &str = "@assets/";
/// Files that are inlined.
const ENDINGS: [&str; 5] = [".md", ".yml", ".yaml", ".json", ".txt"];
/// Characters that stand for the `@` while a file is read: YAML lets no plain text begin with one.
const MASKS: [char; 6] = ['~', '+', '=', '^', ';', '('];

/// Prompts with their `@` masked.
#[derive(Debug)]
pub(super) struct Masked {
    /// The text, each character where it was.
    pub(super) text: String,
    mask: Option<String>,
}

/// Masks the `@` of assets, so that they may stand without quotes.
pub(super) fn mask(text: &str) -> Masked {
    let masks = MASKS
        .iter()
        .map(|mask| MARK.replace('@', &mask.to_string()));
    let mask = masks.into_iter().find(|mask| !text.contains(mask));
    Masked {
        text: match &mask {
            Some(mask) => text.replace(MARK, mask),
            None => text.to_owned(),
        },
        mask,
    }
}

impl Masked {
    /// Returns a text that was read as it was written.
    pub(super) fn unmask(&self, text: &str) -> String {
        match &self.mask {
            Some(mask) => text.replace(mask, MARK),
            None => text.to_owned(),
        }
    }
}

/// Puts the assets of `folder` into a prompt. Links may lead to files below `top`. `None` is reported.
pub(super) fn inline(
    prompt: &Text,
    folder: &Path,
    top: &Path,
    around: &mut Around<'_>,
) -> Option<String> {
    let mut out = String::new();
    let mut rest = prompt.text.as_str();
    let mut is_complete = true;
    while let Some((before, behind)) = rest.split_once(MARK) {
        out.push_str(before);
        let name = asset_name(behind);
        rest = behind.strip_prefix(name).unwrap_or(behind);
        if name.is_empty() {
            out.push_str(MARK);
        } else if !ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            let message = format!("`{MARK}{name}` stays as it is");
            let label =
                "only files that end with `.md`, `.yml`, `.yaml`, `.json` or `.txt` are inlined";
            around.refuse(Diagnostic::warning(&prompt.place, message).label(label));
            out.push_str(MARK);
            out.push_str(name);
        } else if let Some(text) = asset(name, prompt, folder, top, around) {
            out.push_str(text.trim_end_matches(['\n', '\r']));
        } else {
            is_complete = false;
        }
    }
    out.push_str(rest);
    is_complete.then_some(out)
}

/// Returns the path at the beginning of `text`. A full stop behind it belongs to the sentence.
fn asset_name(text: &str) -> &str {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let end = text.find(|c| !is_inner(c)).unwrap_or(text.len());
    let (name, _) = text.split_at(end);
    name.trim_end_matches('.')
}

fn asset(
    name: &str,
    prompt: &Text,
    folder: &Path,
    top: &Path,
    around: &mut Around<'_>,
) -> Option<String> {
    let path = folder.join("assets").join(name);
    let is_below = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below {
        let message = format!("`{MARK}{name}` leads out of the folder `assets`");
        around.refuse(Diagnostic::error(&prompt.place, message));
        return None;
    }
    if !path.is_file() {
        let message = format!("there is no file `{}`", around.shown(&path));
        let diagnostic = Diagnostic::error(&prompt.place, message);
        let diagnostic = match nearest_sibling(&path, around.cwd) {
            Some(sibling) => diagnostic.hint(format!("did you mean `{sibling}`?")),
            None => diagnostic.hint("assets lie in the folder `assets` beside `package.yao`"),
        };
        around.refuse(diagnostic);
        return None;
    }
    let real = |path: &Path| path.canonicalize().ok();
    if !real(&path)
        .zip(real(top))
        .is_some_and(|(path, top)| path.starts_with(top))
    {
        let message = format!(
            "`{}` is a link that leads out of the app",
            around.shown(&path)
        );
        around.refuse(Diagnostic::error(&prompt.place, message));
        return None;
    }
    around.text(&path).map(|(_, text)| text)
}
