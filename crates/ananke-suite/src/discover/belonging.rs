//! Which tests belong to which config: no test is run against the target of another project.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;

use super::config_file::{Configs, Project};
use super::inputs::{Named, find_tests, fixed_folder};
use super::shown::{SourceFile, shown};
use super::spoken::Spoken;
use crate::load::{Input, LoadRequest};
use crate::parse::Found;

/// The config that a test belongs to.
type Owner = Option<Arc<Path>>;

/// What there is to load.
#[derive(Debug)]
pub(crate) struct Discovered {
    /// The config, and the folder that it stands in.
    pub(crate) project: Project,
    /// The files that hold tests: YAML, and JSONL with any number of cases.
    pub(crate) files: Vec<SourceFile>,
    /// Messages, and what came from standard input. They belong to the working directory.
    pub(crate) spoken: Vec<Spoken>,
}

/// Finds the config, and the tests that belong to it. Tests of other projects are reported and left out.
///
/// `--config` takes every test. Without it the config of the working directory is used, or that of the inputs when none
/// of them belongs here.
pub(crate) fn discover(request: &LoadRequest<'_>, found: &mut Found) -> Discovered {
    let cwd = request.cwd;
    if let Some(path) = request.config {
        let project = Project::named(path, cwd, found);
        let Named { files, spoken } = find_tests(request, &project.root, found);
        return Discovered {
            project,
            files,
            spoken,
        };
    }
    let mut configs = Configs::new(cwd);
    let here = configs.nearest(cwd, found);
    let root = here.as_deref().and_then(Path::parent).unwrap_or(cwd);
    let Named { files, spoken } = find_tests(request, root, found);
    let mut owner = |file: &SourceFile, found: &mut Found| {
        let folder = file.path.parent().unwrap_or(cwd);
        // A test outside of any project may be run from within one.
        configs.nearest(folder, found).or_else(|| here.clone())
    };
    let owners: Vec<Owner> = files.iter().map(|file| owner(file, found)).collect();
    let has_own = owners.contains(&here) || !spoken.is_empty();
    let chosen = if request.inputs.is_empty() || (here.is_some() && has_own) {
        here
    } else {
        let elsewhere = owners.iter().flatten().next().cloned();
        // Without any test there still is a config to check.
        let folder = request.inputs.first().and_then(|input| match input {
            Input::Argument(typed) | Input::Flag(typed) => Some(fixed_folder(cwd, typed)),
            Input::Message(_) | Input::Stdin(_) | Input::Cases { .. } => None,
        });
        elsewhere
            .or_else(|| configs.nearest(&folder?, found))
            .or(here)
    };
    Discovered {
        files: belonging(request, files.into_iter().zip(owners), &chosen, found),
        project: Project::new(chosen.as_deref(), cwd),
        spoken,
    }
}

/// Returns the files that belong to `chosen`, and reports the others: once for each config that they belong to.
fn belonging(
    request: &LoadRequest<'_>,
    files: impl Iterator<Item = (SourceFile, Owner)>,
    chosen: &Owner,
    found: &mut Found,
) -> Vec<SourceFile> {
    let mut strangers: BTreeMap<Owner, Vec<SourceFile>> = BTreeMap::new();
    let mut own = Vec::new();
    for (file, owner) in files {
        if owner == *chosen {
            own.push(file);
        } else {
            strangers.entry(owner).or_default().push(file);
        }
    }
    for (owner, files) in &strangers {
        found.push(stranger(
            request,
            owner.as_deref(),
            files,
            chosen.as_deref(),
        ));
    }
    own
}

fn stranger(
    request: &LoadRequest<'_>,
    owner: Option<&Path>,
    files: &[SourceFile],
    chosen: Option<&Path>,
) -> Diagnostic {
    let name = |path: &Path| format!("`{}`", shown(path, request.cwd));
    let (who, belong) = match files {
        [file] => (format!("`{}`", file.shown), "belongs"),
        files => {
            let first = files.first().map(|file| &*file.shown).unwrap_or_default();
            (format!("`{first}` and {} more", files.len() - 1), "belong")
        }
    };
    let message = match (owner, chosen) {
        (Some(owner), Some(chosen)) => {
            format!("{who} {belong} to {}, not to {}", name(owner), name(chosen))
        }
        (Some(owner), None) => format!(
            "no config here or in a folder above: {who} {belong} to {}",
            name(owner)
        ),
        (None, _) => format!("{who} {belong} to no config, the other tests do"),
    };
    let folder = owner.and_then(Path::parent);
    let hint = match folder.filter(|_| request.inputs.is_empty()) {
        Some(folder) => format!(
            "run one project at a time by naming its folder, such as {}, or pass `--config` to run all tests with one config",
            name(folder)
        ),
        None => {
            "run the projects one at a time, or pass `--config` to run all tests with one config"
                .to_owned()
        }
    };
    Diagnostic::error_anywhere(message).hint(hint)
}
