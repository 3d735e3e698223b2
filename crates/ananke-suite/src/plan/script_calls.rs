//! Functions of scripts that tests and the command line name, found before anything runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ananke_model::place::Text;
use ananke_model::plan::{PlannedTest, Target};
use ananke_model::script::Scripts;

use super::build::{PlanInput, SourceTest};
use super::folders::folder_of;
use super::pick::matching;
use super::registry::Registry;
use super::script_world::{grants, has_scripts, import_root, reachable, resolve};
use crate::discover::absolute;
use crate::parse::{ConfigFile, Found};
use crate::scripts::{Asker, script_root};

/// Finds the functions that a test names: in its checks, and before and after it.
pub(super) fn call_scripts(
    test: &mut PlannedTest,
    source: &SourceTest,
    agent: Option<&Path>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) {
    let turns = test.turns.iter_mut().filter_map(|turn| turn.block.as_mut());
    let checkpoints = test.dynamic.iter_mut().flat_map(|led| &mut led.checkpoints);
    let checkpoints = checkpoints.map(|checkpoint| &mut checkpoint.block);
    for block in turns.chain(checkpoints).chain([&mut test.block]) {
        resolve(block, |call| {
            registry.function(&call.reference, &call.place, found)
        });
    }
    let Some(case) = &source.test.case else {
        return;
    };
    let beside: Vec<&Path> = source.path.parent().into_iter().collect();
    let mut hook = |name: &Text| {
        let asker = Asker::Place(name.place.clone());
        registry.hook(&name.text, &asker, (agent, &beside), found)
    };
    test.before = case.before.as_ref().and_then(&mut hook);
    test.after = case.after.as_ref().and_then(&mut hook);
}

/// Returns what scripts may do and can reach, and what is called before and after everything.
pub(super) fn scripts_of(
    input: &PlanInput<'_>,
    config: Option<&ConfigFile>,
    tests: &[PlannedTest],
    agents: &BTreeMap<String, Target>,
    registry: &mut Registry<'_>,
    found: &mut Found,
) -> Scripts {
    let asking = input.asking;
    let agent = asking.name.and_then(|name| {
        let of_config = config
            .map(|config| matching(config, name))
            .unwrap_or_default();
        let of_config = of_config.into_iter().flatten().next();
        of_config
            .and_then(|picked| registry.assistant_folder(picked.spec))
            .or_else(|| folder_of(name, registry.app(), input.cwd))
    });
    let files: BTreeSet<PathBuf> = tests
        .iter()
        .map(|test| absolute(input.cwd, Path::new(&*test.file)))
        .collect();
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let mut beside: Vec<&Path> = folders.into_iter().collect();
    beside.push(input.cwd);
    let mut hook = |name: Option<&str>, flag| {
        let folders = (agent.as_deref(), beside.as_slice());
        registry.hook(name?, &Asker::Flag(flag), folders, found)
    };
    let before_all = hook(asking.before_all, "--before-all");
    let after_all = hook(asking.after_all, "--after-all");
    let has_scripts = asking.calls_script
        || before_all.is_some()
        || after_all.is_some()
        || has_scripts(tests, agents);
    let root = script_root(&input.root);
    Scripts {
        grants: grants(config, &input.root),
        agents: match has_scripts {
            true => reachable(config, input.config_file, registry),
            false => BTreeMap::new(),
        },
        root: import_root(&root, tests),
        before_all,
        after_all,
    }
}
