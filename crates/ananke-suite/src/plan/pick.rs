//! Which target a test begins with, and what ids mean: targets by their name or agent, agents, assistant folders.

use std::path::Path;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;

use super::folders::Folders;
use crate::discover::{PackageFolder, assistant_id};
use crate::parse::{ConfigFile, Found, TargetSpec};

/// A target of the config.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked<'a> {
    /// Its name under `targets`.
    pub(super) name: Option<&'a str>,
    /// As written.
    pub(super) spec: &'a TargetSpec,
}

/// What `--target` and `-n` say.
#[derive(Clone, Debug)]
pub(super) enum Flagged<'a> {
    /// Neither is there.
    Nothing,
    /// They name these, at least one.
    Targets(Vec<Picked<'a>>),
    /// They name one that is not there, and a diagnostic says so.
    Refused,
}

/// What ids can mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    /// The config, if there is one.
    pub(super) config: Option<&'a ConfigFile>,
    /// The assistant folders that are asked.
    pub(super) folders: &'a Folders,
}

/// Returns the targets that `--target` and `-n` name.
pub(super) fn flagged<'a>(
    known: Known<'a>,
    targets: &[String],
    name: Option<&str>,
    found: &mut Found,
) -> Flagged<'a> {
    let by_targets: Vec<Option<Picked<'a>>> = targets
        .iter()
        .enumerate()
        .map(|(index, wanted)| {
            let report = |message| Diagnostic::error_anywhere(format!("--target: {message}"));
            if targets.iter().take(index).any(|other| other == wanted) {
                let diagnostic = report(format!("`{wanted}` is named twice"));
                found.push(diagnostic.hint("name each target once"));
                return None;
            }
            named(known, wanted, report, found)
        })
        .collect();
    let by_name = name.map(|wanted| addressed(known, wanted, found));
    let picked: Vec<Picked<'a>> = by_targets.iter().copied().flatten().collect();
    if picked.len() < by_targets.len() {
        return Flagged::Refused;
    }
    match (picked.as_slice(), by_name) {
        ([], None) => Flagged::Nothing,
        (_, Some(None)) => Flagged::Refused,
        ([], Some(Some(other))) => Flagged::Targets(vec![other]),
        (_, None) => Flagged::Targets(picked),
        ([one], Some(Some(other))) if std::ptr::eq(one.spec, other.spec) => {
            Flagged::Targets(picked)
        }
        (several, Some(Some(_))) => {
            let message = match several {
                [_] => "`--target` and `-n` name different targets",
                _ => "`--target` names several targets, and `-n` one agent",
            };
            found.push(Diagnostic::error_anywhere(message).hint("leave one of them out"));
            Flagged::Refused
        }
    }
}

/// Returns the target that a test names.
pub(super) fn wanted<'a>(known: Known<'a>, wanted: &Text, found: &mut Found) -> Option<Picked<'a>> {
    let report = |message| Diagnostic::error(&wanted.place, message);
    named(known, &wanted.text, report, found)
}

/// Returns the only target there is.
pub(super) fn only<'a>(config: &'a ConfigFile, found: &mut Found) -> Option<Picked<'a>> {
    match (&config.target, config.targets.as_slice()) {
        (Some(spec), _) => Some(Picked { name: None, spec }),
        (None, [(name, spec)]) => spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        }),
        (None, []) if config.has_no_target => {
            let diagnostic = Diagnostic::error_anywhere("the config has no `target`");
            found.push(match config.agents.is_empty() {
                true => diagnostic.hint("write one, or name an assistant with `-n`"),
                false => {
                    let names = target_names(&config.agents);
                    diagnostic.hint(format!("write one, or name an agent with `-n`: {names}"))
                }
            });
            None
        }
        // Neither of them could be read, and a diagnostic says so.
        (None, []) => None,
        (None, targets) => {
            let names = target_names(targets);
            found.push(
                Diagnostic::error_anywhere("the config has several targets and none was picked")
                    .hint(format!(
                        "pick one with `--target`, or with `target: <name>` in the test: {names}"
                    )),
            );
            None
        }
    }
}

/// Returns the target of an assistant: the one that its id means in the config, else its folder.
pub(super) fn of_package<'a>(known: Known<'a>, package: &PackageFolder) -> Option<Picked<'a>> {
    match known.config.map(|config| matching(config, &package.id)) {
        Some(one) if one.len() == 1 => one.first().copied().flatten(),
        Some(_) | None => known.folders.of_package(package),
    }
}

/// Returns every target with this name; or else every one with this `agentId` or of this assistant; or else the agent with
/// this id. `None` stands for one that could not be read.
pub(super) fn matching<'a>(config: &'a ConfigFile, wanted: &str) -> Vec<Option<Picked<'a>>> {
    let all = || {
        let one = config.target.iter().map(|spec| (None, Some(spec)));
        let named = config.targets.iter();
        let named = named.map(|(name, spec)| (Some(name.text.as_str()), spec.as_ref()));
        one.chain(named)
    };
    let picked = |(name, spec): (_, Option<&'a TargetSpec>)| spec.map(|spec| Picked { name, spec });
    if let Some(known) = all().find(|(name, _)| *name == Some(wanted)) {
        return vec![picked(known)];
    }
    let has_agent = |spec: &TargetSpec| {
        let agent = spec.agent_id.as_ref().or(spec.id.as_ref());
        let folder = spec.folder.as_ref();
        agent.is_some_and(|agent| agent.text == wanted)
            || folder.is_some_and(|folder| assistant_id(Path::new(&folder.text)) == wanted)
    };
    let mut matching: Vec<_> = all()
        .filter(|(_, spec)| spec.is_some_and(has_agent))
        .map(picked)
        .collect();
    if matching.is_empty() {
        matching.extend(by_name(&config.agents, wanted));
    }
    matching
}

/// Returns every id that the config knows.
pub(super) fn known_ids(config: &ConfigFile) -> Vec<&str> {
    let specs = config.targets.iter().filter_map(|(_, spec)| spec.as_ref());
    let of_targets = config.target.iter().chain(specs);
    let of_targets = of_targets.filter_map(|spec| spec.agent_id.as_ref());
    let names = config.targets.iter().map(|(name, _)| name);
    let agents = config.agents.iter().map(|(id, _)| id);
    let mut known: Vec<&str> = Vec::new();
    for text in names.chain(of_targets).chain(agents) {
        if !known.contains(&text.text.as_str()) {
            known.push(&text.text);
        }
    }
    known
}

/// Returns the target that `-n` names, by its name or by its agent.
fn addressed<'a>(known: Known<'a>, wanted: &str, found: &mut Found) -> Option<Picked<'a>> {
    let of_config = known.config.map(|config| matching(config, wanted));
    match of_config.as_deref().unwrap_or_default() {
        [picked] => return *picked,
        [] => {}
        several => {
            let names = several.iter().flatten().filter_map(|picked| picked.name);
            let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
            let message = format!("-n: several targets have the agent `{wanted}`");
            found.push(
                Diagnostic::error_anywhere(message)
                    .hint(format!("name the target: {}", names.join(", "))),
            );
            return None;
        }
    }
    if let Some(folder) = known.folders.named(wanted) {
        return Some(folder);
    }
    let folders = known.folders.ids();
    let of_folders = folders.iter().map(String::as_str);
    let Some(config) = known.config else {
        let message = format!("-n: there is no config file that could know `{wanted}`");
        let diagnostic = Diagnostic::error_anywhere(message);
        found.push(match did_you_mean(wanted, of_folders) {
            Some(word) => diagnostic.hint(format!("did you mean the assistant `{word}`?")),
            None => diagnostic.hint(
                "write it under `agents` in `ananke.config.yaml`, or go to the app whose assistant it is",
            ),
        });
        return None;
    };
    let ids = known_ids(config);
    let message = format!("-n: no target is called `{wanted}` and none has that agent");
    let diagnostic = Diagnostic::error_anywhere(message);
    let all = ids.iter().copied().chain(of_folders);
    found.push(if let Some(word) = did_you_mean(wanted, all) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else if ids.is_empty() {
        diagnostic.hint(format!(
            "the config has one `target` without a name; write `agentId: {wanted}` in it, or write it under `targets`"
        ))
    } else {
        diagnostic.hint(format!("the config knows `{}`", ids.join("`, `")))
    });
    None
}

fn named<'a>(
    known: Known<'a>,
    wanted: &str,
    report: impl Fn(String) -> Diagnostic,
    found: &mut Found,
) -> Option<Picked<'a>> {
    let Some(config) = known.config else {
        let folder = known.folders.named(wanted);
        if folder.is_none() {
            let message = format!("there is no config file that could know the target `{wanted}`");
            found.push(report(message).hint("write it under `targets` in `ananke.config.yaml`"));
        }
        return folder;
    };
    let of_config = by_name(&config.targets, wanted).or_else(|| by_name(&config.agents, wanted));
    if let Some(picked) = of_config {
        return picked;
    }
    if let Some(folder) = known.folders.named(wanted) {
        return Some(folder);
    }
    let diagnostic = report(format!("unknown target `{wanted}`"));
    let names = config.targets.iter().chain(&config.agents);
    let names = names.map(|(name, _)| name.text.as_str());
    let folders = known.folders.ids();
    let names = names.chain(folders.iter().map(String::as_str));
    found.push(if let Some(word) = did_you_mean(wanted, names) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else if config.targets.is_empty() {
        diagnostic
            .hint("the config has one `target` without a name; write it under `targets` to name it")
    } else {
        diagnostic.hint(format!("the config has {}", target_names(&config.targets)))
    });
    None
}

/// Returns the entry with this name. `Some(None)` is one that could not be read.
fn by_name<'a>(
    entries: &'a [(Text, Option<TargetSpec>)],
    wanted: &str,
) -> Option<Option<Picked<'a>>> {
    let known = entries.iter().find(|(name, _)| name.text == wanted);
    known.map(|(name, spec)| {
        spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        })
    })
}

fn target_names(targets: &[(Text, Option<TargetSpec>)]) -> String {
    let names: Vec<_> = targets
        .iter()
        .map(|(name, _)| format!("`{}`", name.text))
        .collect();
    names.join(", ")
}
