//! The config file.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use ananke_model::plan::{BundleSettings, Server};

use super::Found;
use super::agent_reference::is_agent_id;
use super::assert::{AssertAt, AssertSpec, assert};
use super::command::server;
use super::config_connectors::{ConnectorSpec, config_connectors};
use super::object::Object;
use super::script_grants::{ScriptsSpec, scripts};
use super::target::{TargetSpec, target};
use super::values::{count, entries, text};
use super::version::version;
use crate::schema::{BUNDLE, CONFIG};
use crate::yaml::{Entry, Node};

/// A config file as written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfigFile {
    /// Whether there is neither `target` nor `targets`, which is fine beside agents and connectors.
    pub(crate) has_no_target: bool,
    /// `target`.
    pub(crate) target: Option<TargetSpec>,
    /// `targets`, in the order of the file. Those that could not be read have no spec.
    pub(crate) targets: Vec<(Text, Option<TargetSpec>)>,
    /// `agents`, in the order of the file. Those that could not be read have no spec.
    pub(crate) agents: Vec<(Text, Option<TargetSpec>)>,
    /// `connectors`, in the order of the file. Those that could not be read have no spec.
    pub(crate) connectors: Vec<(Text, Option<ConnectorSpec>)>,
    /// `assertions`, in the order of the file.
    pub(crate) assertions: Vec<(Text, AssertSpec)>,
    /// `server`.
    pub(crate) server: Option<Server>,
    /// `bundle`.
    pub(crate) bundle: BundleSettings,
    /// `scripts`.
    pub(crate) scripts: ScriptsSpec,
}

/// Reads a config file. `None` if it is no map, which is then reported.
pub(crate) fn config(node: &Node, found: &mut Found) -> Option<ConfigFile> {
    let object = Object::open(node, &CONFIG, found)?;
    // Agents and assistant folders can be tested by their ids.
    let has_others = ["agents", "connectors", "scripts"]
        .iter()
        .any(|key| object.get(key).is_some());
    let mut has_no_target = false;
    match (object.get("target"), object.get("targets")) {
        (Some(_), Some(targets)) => found.push(
            Diagnostic::error(
                &targets.place,
                "a config has `target` or `targets`, not both",
            )
            .hint("move the one `target` under `targets` and give it a name"),
        ),
        (None, None) if has_others => has_no_target = true,
        (None, None) => found.push(
            Diagnostic::error(object.place(), "`target` is missing in a config file")
                .hint("write `target: {type: agui, endpoint: \"http://localhost:8000/agent\"}`"),
        ),
        _ => {}
    }
    let target = object.get("target").and_then(|node| target(node, found));
    let targets = object.get("targets").map(|node| targets(node, found));
    let agents = object.get("agents").map(|node| agents(node, found));
    let agents = agents.unwrap_or_default();
    for (id, _) in &agents {
        let targets = targets.iter().flatten();
        if let Some((first, _)) = targets.into_iter().find(|(name, _)| name.text == id.text) {
            let message = format!("`{}` is both a target and an agent", id.text);
            found.push(
                Diagnostic::error(&id.place, message)
                    .label(format!("the target is at {}", first.place))
                    .hint("give one of them another name"),
            );
        }
    }
    let connectors = object
        .get("connectors")
        .map(|node| config_connectors(node, found));
    let assertions = object.get("assertions").map(|node| assertions(node, found));
    let server = object.get("server").and_then(|node| server(node, found));
    let bundle = object.get("bundle").map(|node| bundle(node, found));
    let scripts = object.get("scripts").map(|node| scripts(node, found));
    let version = object.get("version").and_then(|node| version(node, found));
    if let Some(version) = version {
        let maps = [object.get("targets"), object.get("agents")];
        let named = maps.into_iter().flatten();
        let named = named.filter_map(|node| entries(node, &mut Found::new()));
        let named = named.flatten().map(|entry| &entry.value);
        let typed = object.get("target").into_iter().chain(named);
        typed.for_each(|node| version.check_type(node, found));
    }
    Some(ConfigFile {
        has_no_target,
        target,
        targets: targets.unwrap_or_default(),
        agents,
        connectors: connectors.unwrap_or_default(),
        assertions: assertions.unwrap_or_default(),
        server,
        bundle: bundle.unwrap_or_default(),
        scripts: scripts.unwrap_or_default(),
    })
}

fn bundle(node: &Node, found: &mut Found) -> BundleSettings {
    let Some(object) = Object::open(node, &BUNDLE, found) else {
        return BundleSettings::default();
    };
    let keep = object.get("keep").and_then(|node| count(node, found));
    BundleSettings {
        dir: object.get("dir").and_then(|node| text(node, found)),
        keep: keep.map(|keep| usize::try_from(keep).unwrap_or(usize::MAX)),
    }
}

fn targets(node: &Node, found: &mut Found) -> Vec<(Text, Option<TargetSpec>)> {
    let Some(entries) = entries(node, found) else {
        return Vec::new();
    };
    if entries.is_empty() {
        let message = "`targets` is empty";
        found.push(Diagnostic::error(&node.place, message));
    }
    let named = |entry: &Entry| (entry.key.clone(), target(&entry.value, found));
    entries.iter().map(named).collect()
}

fn agents(node: &Node, found: &mut Found) -> Vec<(Text, Option<TargetSpec>)> {
    let entries = entries(node, found).unwrap_or_default();
    let named = |entry: &Entry| {
        let spec = target(&entry.value, found);
        let is_usable = is_agent_id(&entry.key.text, &entry.key.place, found);
        (entry.key.clone(), spec.filter(|_| is_usable))
    };
    entries.iter().map(named).collect()
}

fn assertions(node: &Node, found: &mut Found) -> Vec<(Text, AssertSpec)> {
    let entries = entries(node, found).unwrap_or_default();
    let named = |entry: &Entry| {
        // A block that could not be read keeps its name, so that nobody says that it is unknown.
        let spec = assert(&entry.value, AssertAt::Named, found).unwrap_or_default();
        (entry.key.clone(), spec)
    };
    entries.iter().map(named).collect()
}
