//! One reference to a function, followed by itself: for commands that call a script.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::script::ScriptCall;

use super::functions::ScriptFunctions;
use super::home::script_root;
use super::reference::Asker;
use crate::discover::nearest_project;
use crate::load::LoadRequest;
use crate::parse::Found;

/// Why a reference cannot be followed.
#[derive(Clone, Debug)]
pub struct RefusedScript {
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the files that were read.
    pub sources: Sources,
}

/// Returns the function that `reference` names as seen from the project of `request`: `tests.gen`, with or without
/// `scripts:` before it, or a path.
pub fn script_reference(
    request: &LoadRequest<'_>,
    reference: &str,
) -> Result<ScriptCall, RefusedScript> {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let project = nearest_project(request.cwd, request.config, &mut found);
    let root = script_root(&project.root);
    let mut functions = ScriptFunctions::new(root, request.cwd, request.find_functions);
    let whole = match reference.starts_with("scripts:") || reference.starts_with("scripts.") {
        true => reference.to_owned(),
        false => format!("scripts:{reference}"),
    };
    let call = functions.find(&whole, &Asker::Flag(""), &mut sources, &mut found);
    call.ok_or(RefusedScript {
        diagnostics: found,
        sources,
    })
}
