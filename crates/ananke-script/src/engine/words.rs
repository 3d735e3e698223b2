//! The engine's words about errors in ours, with what it leaves out.

use std::path::Path;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use rquickjs::{Array, Object, Value as JsValue};

use super::failure::{is_error, text};
use super::modules::EXPORTS;
use super::resolve::{Import, resolve};
use super::state::State;
use crate::compile::{Source, imported};

/// How many causes, and how many members of an `AggregateError`, are told.
const REASONS: usize = 3;

/// How much of each is told.
const REASON_BYTES: usize = 1 << 10;

/// Returns what an error says: its name, if it is a particular one, and its message.
pub(super) fn said(error: &Object<'_>) -> String {
    let ctx = error.ctx();
    let name = text(ctx, error, "name").unwrap_or_else(|| "Error".to_owned());
    let words = text(ctx, error, "message").unwrap_or_default();
    match (name.as_str(), words.as_str()) {
        (_, "") => name,
        ("Error", _) => words,
        _ => format!("{name}: {words}"),
    }
}

/// Returns what is behind an error: the members of an `AggregateError`, and its causes.
pub(super) fn behind(error: &Object<'_>) -> String {
    let mut told = String::new();
    let errors = member(error, "errors").and_then(|errors| errors.into_array());
    if let Some(errors) = errors.filter(|errors| !errors.is_empty()) {
        told.push_str(&members(&errors));
    }
    let mut next = member(error, "cause");
    for _ in 0..REASONS {
        let Some(cause) = next.filter(|cause| !cause.is_undefined() && !cause.is_null()) else {
            break;
        };
        let words = format!(" (caused by: {})", one(&cause));
        if told.ends_with(&words) {
            break;
        }
        told.push_str(&words);
        next = cause.as_object().and_then(|cause| member(cause, "cause"));
    }
    told
}

fn members(errors: &Array<'_>) -> String {
    let first: Vec<String> = (0..errors.len().min(REASONS))
        .filter_map(|index| match errors.get::<JsValue<'_>>(index) {
            Ok(error) => Some(one(&error)),
            Err(_) => {
                errors.ctx().catch();
                None
            }
        })
        .collect();
    let more = match errors.len() - errors.len().min(REASONS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!(" (caused by: {}{more})", first.join("; "))
}

fn one(value: &JsValue<'_>) -> String {
    let words = match value.as_object().filter(|object| is_error(object)) {
        Some(error) => said(error),
        None => crate::globals::shown(value),
    };
    match words.get(..words.floor_char_boundary(REASON_BYTES)) {
        Some(kept) if kept.len() < words.len() => format!("{kept}…"),
        _ => words,
    }
}

/// Reads a member, whatever the script made of its errors.
fn member<'js>(object: &Object<'js>, name: &str) -> Option<JsValue<'js>> {
    match object.get::<_, JsValue<'js>>(name) {
        Ok(value) => Some(value),
        Err(_) => {
            object.ctx().catch();
            None
        }
    }
}

impl State {
    /// Says what can be changed instead of a variable of another module.
    pub(super) fn read_only(&self, message: &str, file: Option<&str>) -> &'static str {
        let name = message
            .strip_prefix("TypeError: '")
            .and_then(|rest| rest.strip_suffix("' is read-only"));
        let (Some(name), Some(file)) = (name, file) else {
            return "";
        };
        let modules = self.modules.borrow();
        let has = |module: &crate::compile::Compiled| module.names().iter().any(|one| one == name);
        let is_elsewhere = modules.values().any(|one| one.shown() != file && has(one));
        let is_own = modules
            .values()
            .filter(|one| one.shown() == file)
            .any(|one| one.code.contains(&format!("const {name} ")));
        match is_elsewhere && !is_own {
            true => "; a test can change members of what a module exports, not its variables",
            false => "",
        }
    }

    /// Returns the mistake behind an error that says that a module lacks an export, or has two of one name.
    pub(super) fn missing_export(&self, message: &str) -> Option<Diagnostic> {
        let message = message.strip_prefix("SyntaxError: ")?;
        let missing = message.strip_prefix("Could not find export '");
        let rest = missing.or_else(|| message.strip_prefix("export '"))?;
        let (name, rest) = rest.split_once("' in module '")?;
        let rest = match missing {
            Some(_) => rest,
            None => rest.strip_suffix(" is ambiguous")?,
        };
        let file = rest.strip_suffix('\'')?;
        let file = Path::new(file.strip_prefix(EXPORTS).unwrap_or(file));
        let modules = self.modules.borrow();
        for (base, compiled) in modules.iter() {
            let source = Source {
                shown: compiled.shown(),
                text: compiled.text(),
            };
            let found = imported(source).into_iter().find(|one| {
                let module = resolve(
                    Path::new(base),
                    &one.module,
                    self.settings.root(),
                    Path::is_file,
                );
                one.name == name
                    && module
                        .is_ok_and(|module| matches!(&module, Import::File(path) if path == file))
            });
            if let Some(found) = found {
                if missing.is_none() {
                    let module = &found.module;
                    let message = format!(
                        "`{module}` exports everything of two modules that both have `{name}`"
                    );
                    return Some(Diagnostic::error(&found.place, message));
                }
                let known = modules.get(&file.display().to_string());
                let names = known.map_or(&[][..], |known| known.names());
                let more = match did_you_mean(name, names.iter().map(String::as_str)) {
                    _ if names.iter().any(|one| one == name) => {
                        format!("; it declares `{name}`, but does not export it")
                    }
                    Some(near) => format!("; did you mean `{near}`?"),
                    None => String::new(),
                };
                let message = format!("`{}` has no export `{name}`{more}", found.module);
                return Some(Diagnostic::error(&found.place, message));
            }
        }
        None
    }
}
