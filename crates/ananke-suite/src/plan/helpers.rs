//! Agents that a command asks before there is any test.

use std::collections::BTreeMap;

use ananke_model::plan::Target;

use super::agents::Agents;
use super::config_targets::Surroundings;
use super::references::References;
use super::registry::Registry;
use crate::parse::{ConfigFile, Found};

/// Returns the agents with these ids, checked. Those that are not there are reported.
pub(crate) fn helpers(
    config: Option<&ConfigFile>,
    ids: &[&str],
    around: Surroundings<'_>,
    found: &mut Found,
) -> BTreeMap<String, Target> {
    let mut references = References::new(around.variables, around.config_file);
    let (root, cwd, variables) = (around.root, around.cwd, around.variables);
    let mut registry = Registry::new(config, root, cwd, variables, around.sources);
    let mut agents = Agents::new(config);
    for id in ids {
        agents.of_command(id, "", &mut registry, &mut references, found);
    }
    agents.into_targets()
}
