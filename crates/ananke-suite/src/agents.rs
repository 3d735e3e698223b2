//! Agents by their ids, before there is any test: for commands that ask one for cases.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::plan::{Server, Target};

use crate::discover::nearest_project;
use crate::load::{LoadRequest, tree};
use crate::parse::{Found, config};
use crate::plan::{Surroundings, helpers};

/// Agents that were found.
#[derive(Clone, Debug)]
pub struct LoadedAgents {
    /// The folder of the config, or the working directory.
    pub root: PathBuf,
    /// The agents of `asking.helpers`, by their ids.
    pub agents: BTreeMap<String, Target>,
    /// The app under test, if ananke starts it.
    pub server: Option<Server>,
    /// Everything that is wrong with the config or with the ids, or worth a look.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of every file that was read.
    pub sources: Sources,
}

/// Finds the agents of `request.asking.helpers`. No test is read: of the request, `cwd`, `config` and `variables` count
/// beside them.
pub fn load_agents(request: &LoadRequest<'_>) -> LoadedAgents {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let project = nearest_project(request.cwd, request.config, &mut found);
    let config = match &project.config {
        Some(file) => tree(file, &mut sources, &mut found).map(|node| config(&node, &mut found)),
        None => None,
    };
    let is_broken = project.is_broken
        || match &project.config {
            Some(_) => config.as_ref().is_none_or(Option::is_none),
            None => false,
        };
    let config = config.flatten();
    let around = Surroundings {
        config_file: project.config.as_ref().map(|file| &*file.shown),
        root: &project.root,
        cwd: request.cwd,
        variables: request.variables,
        sources: &mut sources,
    };
    // Any id may be right if the config could not be read, which was reported.
    let ids = request.asking.helpers;
    let ids = if is_broken { &[] } else { ids };
    let agents = helpers(config.as_ref(), ids, around, &mut found);
    LoadedAgents {
        root: project.root.clone(),
        agents,
        server: config.and_then(|config| config.server),
        diagnostics: found,
        sources,
    }
}
