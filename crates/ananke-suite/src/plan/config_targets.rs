//! The targets of a config by themselves.

use std::path::Path;

use ananke_model::place::Sources;
use ananke_model::plan::Target;
use ananke_model::script::FindFunctions;
use ananke_model::variables::Variables;

use super::assemble::{Wish, assemble};
use super::connector::choose;
use super::folders::Folders;
use super::pick::{Flagged, Known, Picked, flagged};
use super::references::References;
use super::registry::Registry;
use super::target::check_certificates;
use crate::parse::{ConfigFile, Found};

/// Where a config is, and what its references can have.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    /// The config file as the user would type it.
    pub(crate) config_file: Option<&'a str>,
    /// Its folder.
    pub(crate) root: &'a Path,
    /// The working directory.
    pub(crate) cwd: &'a Path,
    /// What references can have.
    pub(crate) variables: &'a Variables,
    /// Finds the functions of a script.
    pub(crate) find_functions: FindFunctions,
    /// Where texts are kept.
    pub(crate) sources: &'a mut Sources,
}

/// Returns the targets of a config and then its agents, or those that `picked` names, checked.
pub(crate) fn config_targets(
    config: &ConfigFile,
    picked: &[String],
    around: Surroundings<'_>,
    found: &mut Found,
) -> Vec<Target> {
    let references = References::new(around.variables, around.config_file);
    let folders = Folders::default();
    let known = Known {
        config: Some(config),
        folders: &folders,
    };
    let specs: Vec<Picked<'_>> = match flagged(known, picked, None, found) {
        Flagged::Targets(picked) => picked,
        Flagged::Refused => Vec::new(),
        Flagged::Nothing => {
            let one = config.target.iter().map(|spec| Picked { name: None, spec });
            let named = config.targets.iter().chain(&config.agents);
            let named = named.filter_map(|(name, spec)| {
                let name = Some(name.text.as_str());
                spec.as_ref().map(|spec| Picked { name, spec })
            });
            one.chain(named).collect()
        }
    };
    let (root, cwd, variables) = (around.root, around.cwd, around.variables);
    let find_functions = around.find_functions;
    let sources = around.sources;
    let mut registry = Registry::new(Some(config), root, cwd, variables, find_functions, sources);
    let mut targets = Vec::new();
    for picked in specs {
        let wish = Wish {
            picked: Some(picked),
            chosen: choose(None, None, None, Some(picked.spec)),
            ..Wish::default()
        };
        if let Some((target, _)) = assemble(wish, &mut registry, found) {
            references.check_target(&target, found);
            check_certificates(&target, root, variables, found);
            targets.push(target);
        }
    }
    targets
}
