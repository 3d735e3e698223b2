//! The targets of a project, whether tests use them or not: for `ananke doctor`.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::plan::{Server, Target};
use ananke_model::script::FindFunctions;
use ananke_model::variables::Variables;

use crate::discover::nearest_project;
use crate::load::tree;
use crate::parse::{Found, config};
use crate::plan::{Surroundings, config_targets};

/// What a config says about its targets.
#[derive(Clone, Debug)]
pub struct LoadedTargets {
    /// The config file, absolute, if there is one.
    pub config: Option<PathBuf>,
    /// Its folder, or the working directory.
    pub root: PathBuf,
    /// The targets, and then the agents that help to test, each in the order of the file.
    pub targets: Vec<Target>,
    /// The app under test, if ananke starts it.
    pub server: Option<Server>,
    /// Everything that is wrong with the config, or worth a look.
    pub diagnostics: Vec<Diagnostic>,
    /// Its text.
    pub sources: Sources,
}

/// Reads the config that `named` names, or else the nearest one in `cwd` and the folders above. With `picked` only the
/// targets of these names are returned.
pub fn load_targets(
    cwd: &Path,
    named: Option<&Path>,
    picked: &[String],
    variables: &Variables,
    find_functions: FindFunctions,
) -> LoadedTargets {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let project = nearest_project(cwd, named, &mut found);
    let config_file = project.config.as_ref();
    let config = config_file
        .and_then(|file| tree(file, &mut sources, &mut found))
        .and_then(|node| config(&node, &mut found));
    let around = Surroundings {
        config_file: config_file.map(|file| &*file.shown),
        root: &project.root,
        cwd,
        variables,
        find_functions,
        sources: &mut sources,
    };
    let targets = config
        .as_ref()
        .map(|config| config_targets(config, picked, around, &mut found));
    LoadedTargets {
        config: config_file.map(|file| file.path.clone()),
        root: project.root.clone(),
        targets: targets.unwrap_or_default(),
        server: config.and_then(|config| config.server),
        diagnostics: found,
        sources,
    }
}
