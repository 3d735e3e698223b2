//! `prompts.yml`, presets, and the prompts of the whole app: what the model is told before the conversation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::Prompt;

use super::app::App;
use super::assets::{inline, mask};
use super::document::Around;
use super::listing::ids;
use super::values::{items, mismatch, suggested, text, warn_of_unknown};
use crate::yaml::{Kind, Node, compose};

const KEYS: [&str; 3] = ["role", "content", "name"];
const ROLES: [&str; 4] = ["system", "developer", "user", "assistant"];
const ENDINGS: [&str; 2] = [".yml", ".yaml"];

/// The prompts of an assistant.
#[derive(Debug, Default)]
pub(super) struct Prompts {
    /// Those of the whole app, which come first.
    pub(super) of_app: Vec<Prompt>,
    /// Its own, or those of the preset that was chosen.
    pub(super) own: Vec<Prompt>,
}

/// Reads the prompts of an assistant, those of the app only if they are wanted. `None` is reported.
pub(super) fn prompts(
    folder: &Path,
    app: Option<&App>,
    has_app_prompts: bool,
    preset: Option<&Text>,
    around: &mut Around<'_>,
) -> Option<Prompts> {
    let top = app.map_or(folder, |app| &app.root);
    let of_app = app
        .filter(|_| has_app_prompts)
        .and_then(|app| beside(&app.root.join("agent"), "prompts"));
    let own = match preset {
        Some(preset) => Some(preset_file(preset, folder, around)?),
        None => beside(folder, "prompts"),
    };
    let mut prompts = Prompts::default();
    if let Some(path) = of_app {
        let assets = path.parent().unwrap_or(folder);
        prompts.of_app = prompt_file(&path, assets, top, around)?;
    }
    if let Some(path) = own {
        prompts.own = prompt_file(&path, folder, top, around)?;
    }
    Some(prompts)
}

/// Reads all presets of an assistant, by their ids. Mistakes in them are reported.
pub(super) fn presets(
    folder: &Path,
    app: Option<&App>,
    around: &mut Around<'_>,
) -> BTreeMap<String, Vec<Prompt>> {
    let top = app.map_or(folder, |app| &app.root);
    let below = folder.join("prompts");
    let mut presets = BTreeMap::new();
    for (id, path) in ids(&below, &ENDINGS) {
        if let Some(prompts) = prompt_file(&below.join(path), folder, top, around) {
            presets.insert(id, prompts);
        }
    }
    presets
}

/// Returns the YAML file of this name in `folder`, if there is one.
fn beside(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut paths = ENDINGS
        .iter()
        .map(|ending| folder.join(format!("{name}{ending}")));
    paths.find(|path| path.is_file())
}

/// Returns the file of a preset. `None` is reported: other prompts in its place would test something else.
fn preset_file(preset: &Text, folder: &Path, around: &mut Around<'_>) -> Option<PathBuf> {
    let folder = folder.join("prompts");
    let mut presets = ids(&folder, &ENDINGS);
    if let Some(path) = presets.remove(&preset.text) {
        return Some(folder.join(path));
    }
    let message = format!("the assistant has no preset `{}`", preset.text);
    let diagnostic = Diagnostic::error(&preset.place, message);
    around.refuse(if presets.is_empty() {
        let path = preset.text.replace('.', "/");
        diagnostic.hint(format!("write `prompts/{path}.yml` beside `package.yao`"))
    } else {
        let names = presets.keys().map(String::as_str);
        suggested(diagnostic, &preset.text, names, "there are")
    });
    None
}

fn prompt_file(
    path: &Path,
    folder: &Path,
    top: &Path,
    around: &mut Around<'_>,
) -> Option<Vec<Prompt>> {
    let n_before = around.found.len();
    let (name, source) = around.text(path)?;
    let masked = mask(&source);
    let node = compose(&name, &masked.text, around.found)?;
    let list = items(&node, "a file of prompts", around.found);
    let mut prompts = Vec::new();
    for item in list {
        let Some(mut prompt) = prompt(item, around) else {
            continue;
        };
        prompt.content.text = masked.unmask(&prompt.content.text);
        if let Some(text) = inline(&prompt.content, folder, top, around) {
            prompt.content.text = text;
            prompts.push(prompt);
        }
    }
    if list.is_empty() && !around.has_errors_since(n_before) {
        let message = "the file holds no prompts";
        around.refuse(
            Diagnostic::error(&node.place, message)
                .hint("write `- {role: system, content: You help with …}`"),
        );
    }
    (!around.has_errors_since(n_before)).then_some(prompts)
}

fn prompt(node: &Node, around: &mut Around<'_>) -> Option<Prompt> {
    if !matches!(node.kind, Kind::Map(_)) {
        let expected = "a map with `role` and `content`";
        mismatch(node, "a prompt", expected, around.found);
        return None;
    }
    warn_of_unknown(node, "a prompt", &KEYS, around.found);
    let mut required = |key: &str| match node.get(key) {
        Some(node) => text(node, &format!("`{key}`"), around.found),
        None => {
            let message = format!("`{key}` is missing in a prompt");
            around.refuse(
                Diagnostic::error(&node.place, message)
                    .hint("write `- {role: system, content: You help with …}`"),
            );
            None
        }
    };
    let role = required("role");
    let content = required("content");
    let name = node.get("name").filter(|name| !name.is_null());
    let name = name.map(|name| text(name, "`name`", around.found));
    let role = role?;
    if !ROLES.contains(&role.text.as_str()) {
        let message = format!("unknown role `{}`", role.text);
        let diagnostic = Diagnostic::error(&role.place, message);
        let known = ROLES.iter().copied();
        around.refuse(suggested(diagnostic, &role.text, known, "there are"));
        return None;
    }
    Some(Prompt {
        role: role.text,
        content: content?,
        name: name.flatten().map(|name| name.text),
        has_dollars: true,
    })
}
