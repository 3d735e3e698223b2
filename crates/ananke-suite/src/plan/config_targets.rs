//! The targets of a config by themselves.

use std::path::Path;

use ananke_model::plan::Target;
use ananke_model::variables::Variables;

use super::connector::{choose, connector, layered};
use super::pick::{Flagged, Picked, flagged};
use super::references::References;
use super::target::{check_ca, complete};
use crate::parse::{ConfigFile, Found};

/// Returns the targets of a config, or the one that `picked` names, checked.
pub(crate) fn config_targets(
    config: &ConfigFile,
    picked: Option<&str>,
    config_file: Option<&str>,
    root: &Path,
    variables: &Variables,
    found: &mut Found,
) -> Vec<Target> {
    let references = References::new(variables, config_file);
    let specs: Vec<Picked<'_>> = match picked {
        Some(_) => match flagged(config, picked, None, found) {
            Flagged::Target(picked) => vec![picked],
            Flagged::Nothing | Flagged::Refused => Vec::new(),
        },
        None => {
            let one = config.target.iter().map(|spec| Picked { name: None, spec });
            let named = config.targets.iter().filter_map(|(name, spec)| {
                let name = Some(name.text.as_str());
                spec.as_ref().map(|spec| Picked { name, spec })
            });
            one.chain(named).collect()
        }
    };
    let mut targets = Vec::new();
    for picked in specs {
        let Picked { name, spec } = picked;
        let chosen = choose(None, None, None, Some(spec));
        let changes = chosen.and_then(|chosen| connector(chosen, Some(picked), None, found));
        let spec = layered(spec, changes, None);
        if let Some(mut target) = complete(&spec, name, None, found) {
            target.connector = chosen.map(|chosen| chosen.id.to_owned());
            references.check_target(&target, found);
            check_ca(&target, root, variables, found);
            targets.push(target);
        }
    }
    targets
}
