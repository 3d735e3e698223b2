//! What the scripts of a plan may do, and what they can reach.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ananke_model::agent::AgentCall;
use ananke_model::check::{Block, Check};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{PlannedTest, Protocol, Target};
use ananke_model::script::{Grants, ScriptCall};

use super::agents::Agents;
use super::assemble::{Wish, assemble};
use super::connector::choose;
use super::pick::{Picked, known_ids};
use super::references::References;
use super::registry::Registry;
use crate::assistants::App;
use crate::discover::absolute;
use crate::parse::{ConfigFile, Found};

/// What the one target without a name is called.
const TARGET: &str = "target";

/// Returns what the config grants.
pub(super) fn grants(config: Option<&ConfigFile>, root: &Path) -> Grants {
    let Some(scripts) = config.map(|config| &config.scripts) else {
        return Grants::default();
    };
    let paths = scripts.fs.iter();
    Grants {
        net: scripts.net.clone(),
        fs: paths
            .map(|path| absolute(root, Path::new(&path.text)))
            .collect(),
        env: scripts.env.iter().map(|name| name.text.clone()).collect(),
    }
}

/// Tells whether any of these tests, or of the agents that they ask, is or has a script.
pub(super) fn has_scripts(tests: &[PlannedTest], agents: &BTreeMap<String, Target>) -> bool {
    let is_script = |target: &Target| match &target.protocol {
        Protocol::Script(_) => true,
        Protocol::OpenAi(chat) => chat.assistant.is_some(),
        Protocol::Agui(_)
        | Protocol::Command(_)
        | Protocol::Scripted(_)
        | Protocol::A2a(_)
        | Protocol::Mcp(_) => false,
    };
    let has_script = |test: &PlannedTest| {
        let hooks = test.before.is_some() || test.after.is_some();
        hooks || is_script(&test.target) || blocks(test).any(has_check)
    };
    tests.iter().any(has_script) || agents.values().any(is_script)
}

fn blocks(test: &PlannedTest) -> impl Iterator<Item = &Block> {
    let turns = test.turns.iter().filter_map(|turn| turn.block.as_ref());
    let checkpoints = test.dynamic.iter().flat_map(|led| &led.checkpoints);
    let checkpoints = checkpoints.map(|checkpoint| &checkpoint.block);
    turns.chain(checkpoints).chain([&test.block])
}

fn has_check(block: &Block) -> bool {
    let demands = &mut block.demands.iter();
    demands.any(|demand| matches!(demand.check, Check::Script(_)))
}

/// Returns everything that a script can name as an agent, with the reason where it cannot be used.
pub(super) fn reachable(
    config: Option<&ConfigFile>,
    config_file: Option<&str>,
    registry: &mut Registry<'_>,
) -> BTreeMap<String, Result<Target, String>> {
    let own = config.map(known_ids).unwrap_or_default();
    let mut ids: Vec<String> = own.into_iter().map(ToOwned::to_owned).collect();
    ids.extend(registry.app().map(App::assistant_ids).unwrap_or_default());
    ids.sort();
    ids.dedup();
    let mut reachable = BTreeMap::new();
    for id in ids {
        let mut found = Found::new();
        let mut references = References::new(registry.variables, config_file);
        let mut agents = Agents::new(config);
        agents.of_command(&id, "", registry, &mut references, &mut found);
        let target = agents.into_targets().remove(&id);
        let is_chat = |target: &Target| matches!(target.protocol, Protocol::OpenAi(_));
        if target.as_ref().is_some_and(is_chat) {
            for connector in registry.connector_ids() {
                let (key, target) = connected(&id, connector, config, config_file, registry);
                reachable.insert(key, target);
            }
        }
        reachable.insert(id, usable(target, &found));
    }
    if let Some(spec) = config.and_then(|config| config.target.as_ref())
        && !reachable.contains_key(TARGET)
    {
        let mut found = Found::new();
        let picked = Picked {
            name: Some(TARGET),
            spec,
        };
        let wish = Wish {
            picked: Some(picked),
            chosen: choose(None, None, None, Some(spec)),
            ..Wish::default()
        };
        let target = assemble(wish, registry, &mut found).map(|(target, _)| target);
        if let Some(target) = &target {
            References::new(registry.variables, config_file).check_helper(target, &mut found);
        }
        reachable.insert(TARGET.to_owned(), usable(target, &found));
    }
    reachable
}

/// Returns an agent with another connector, and the name under which a script finds it.
fn connected(
    id: &str,
    connector: String,
    config: Option<&ConfigFile>,
    config_file: Option<&str>,
    registry: &mut Registry<'_>,
) -> (String, Result<Target, String>) {
    let call = AgentCall {
        agent: id.to_owned(),
        metadata: None,
        connector: Some(Text {
            text: connector,
            place: Place::default(),
        }),
        place: Place::default(),
    };
    let mut found = Found::new();
    let mut references = References::new(registry.variables, config_file);
    let mut agents = Agents::new(config);
    agents.of_script(&call, registry, &mut references, &mut found);
    let target = agents.into_targets().remove(&call.key());
    (call.key(), usable(target, &found))
}

fn usable(target: Option<Target>, found: &Found) -> Result<Target, String> {
    let reason = found.iter().find(|one| one.is_error()).map(told);
    match (target, reason) {
        (Some(target), None) => Ok(target),
        (_, Some(reason)) => Err(reason),
        (None, None) => Err("it cannot be used as it is written".to_owned()),
    }
}

fn told(mistake: &Diagnostic) -> String {
    match &mistake.place {
        Some(place) => format!("{} ({place})", mistake.message),
        None => mistake.message.clone(),
    }
}

/// Returns the folder that scripts import from: the root, or the folder that holds all test files if none lies below it.
pub(super) fn import_root(root: &Path, tests: &[PlannedTest]) -> PathBuf {
    let files = tests.iter().filter_map(|test| test.script.as_ref());
    let mut folders = files.filter_map(|test| test.file.path.parent());
    let Some(first) = folders.next() else {
        return root.to_owned();
    };
    let mut common = first;
    for folder in folders.chain([first]) {
        if folder.starts_with(root) {
            return root.to_owned();
        }
        while !folder.starts_with(common) {
            match common.parent() {
                Some(above) => common = above,
                None => return root.to_owned(),
            }
        }
    }
    common.to_owned()
}

/// Puts the functions that are named in a block where only names are.
pub(super) fn resolve(block: &mut Block, mut find: impl FnMut(&ScriptCall) -> Option<ScriptCall>) {
    for demand in &mut block.demands {
        if let Check::Script(check) = &mut demand.check
            && let Some(call) = find(&check.call)
        {
            check.call = call;
        }
    }
}
