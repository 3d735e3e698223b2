//! The targets of a config by themselves.

use std::path::Path;

use ananke_model::plan::Target;
use ananke_model::variables::Variables;

use super::references::References;
use super::target::{Picked, check_ca, complete, pick};
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
        Some(_) => pick(config, None, picked, found).into_iter().collect(),
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
    for Picked { name, spec } in specs {
        if let Some(target) = complete(spec, name, None, found) {
            references.check_target(&target, found);
            check_ca(&target, root, variables, found);
            targets.push(target);
        }
    }
    targets
}
