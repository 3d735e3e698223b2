//! Which of the config's targets a test begins with.

use std::path::Path;

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;

use crate::discover::{PackageFolder, shown};
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
#[derive(Clone, Copy, Debug)]
pub(super) enum Flagged<'a> {
    /// Neither is there.
    Nothing,
    /// They name this one.
    Target(Picked<'a>),
    /// They name none, and a diagnostic says so.
    Refused,
}

/// Returns the target that `--target` and `-n` name.
pub(super) fn flagged<'a>(
    config: &'a ConfigFile,
    target: Option<&str>,
    name: Option<&str>,
    found: &mut Found,
) -> Flagged<'a> {
    let by_target = target.map(|wanted| {
        let report = |message| Diagnostic::error_anywhere(format!("--target: {message}"));
        named(config, wanted, report, found)
    });
    let by_name = name.map(|wanted| addressed(config, wanted, found));
    match (by_target, by_name) {
        (None, None) => Flagged::Nothing,
        (Some(None), _) | (_, Some(None)) => Flagged::Refused,
        (Some(Some(one)), Some(Some(other))) if !std::ptr::eq(one.spec, other.spec) => {
            let message = "`--target` and `-n` name different targets";
            found.push(Diagnostic::error_anywhere(message).hint("leave one of them out"));
            Flagged::Refused
        }
        (Some(picked), _) | (None, Some(picked)) => {
            picked.map_or(Flagged::Refused, Flagged::Target)
        }
    }
}

/// Returns the target that a test names.
pub(super) fn wanted<'a>(
    config: &'a ConfigFile,
    wanted: &Text,
    found: &mut Found,
) -> Option<Picked<'a>> {
    let report = |message| Diagnostic::error(&wanted.place, message);
    named(config, &wanted.text, report, found)
}

/// Returns the only target there is.
pub(super) fn only<'a>(config: &'a ConfigFile, found: &mut Found) -> Option<Picked<'a>> {
    match (&config.target, config.targets.as_slice()) {
        (Some(spec), _) => Some(Picked { name: None, spec }),
        (None, [(name, spec)]) => spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        }),
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

/// Returns the target of an assistant: the one with its id as name, or as `agentId`.
pub(super) fn of_package<'a>(
    config: &'a ConfigFile,
    package: &PackageFolder,
    cwd: &Path,
    found: &mut Found,
) -> Option<Picked<'a>> {
    let id = &package.id;
    if let [picked] = matching(config, id).as_slice() {
        return *picked;
    }
    let file = shown(&package.file, cwd);
    let message = format!(
        "the tests belong to the assistant `{id}` of `{file}`, which this version cannot run itself"
    );
    found.push(Diagnostic::error_anywhere(message).hint(format!(
        "write how to reach it under `targets`, as `{id}` or with `agentId: {id}`, or name another target with `-n`"
    )));
    None
}

/// Returns every target with this name; or else every one with this `agentId`. `None` stands for one that could not be read.
fn matching<'a>(config: &'a ConfigFile, wanted: &str) -> Vec<Option<Picked<'a>>> {
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
        let agent = spec.agent_id.as_ref();
        agent.is_some_and(|agent| agent.text == wanted)
    };
    all()
        .filter(|(_, spec)| spec.is_some_and(has_agent))
        .map(picked)
        .collect()
}

/// Returns the target that `-n` names, by its name or by its agent.
fn addressed<'a>(config: &'a ConfigFile, wanted: &str, found: &mut Found) -> Option<Picked<'a>> {
    match matching(config, wanted).as_slice() {
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
    let specs = config.targets.iter().filter_map(|(_, spec)| spec.as_ref());
    let agents = config.target.iter().chain(specs);
    let agents = agents.filter_map(|spec| spec.agent_id.as_ref());
    let names = config.targets.iter().map(|(name, _)| name);
    let mut known: Vec<&str> = Vec::new();
    for text in names.chain(agents) {
        if !known.contains(&text.text.as_str()) {
            known.push(&text.text);
        }
    }
    let message = format!("-n: no target is called `{wanted}` and none has that agent");
    let diagnostic = Diagnostic::error_anywhere(message);
    found.push(if let Some(word) = did_you_mean(wanted, known.iter().copied()) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else if known.is_empty() {
        diagnostic.hint(format!(
            "the config has one `target` without a name; write `agentId: {wanted}` in it, or write it under `targets`"
        ))
    } else {
        diagnostic.hint(format!("the config knows `{}`", known.join("`, `")))
    });
    None
}

fn named<'a>(
    config: &'a ConfigFile,
    wanted: &str,
    report: impl Fn(String) -> Diagnostic,
    found: &mut Found,
) -> Option<Picked<'a>> {
    let known = config.targets.iter().find(|(name, _)| name.text == wanted);
    if let Some((name, spec)) = known {
        return spec.as_ref().map(|spec| Picked {
            name: Some(&name.text),
            spec,
        });
    }
    let diagnostic = report(format!("unknown target `{wanted}`"));
    let names = config.targets.iter().map(|(name, _)| name.text.as_str());
    found.push(if config.targets.is_empty() {
        diagnostic
            .hint("the config has one `target` without a name; write it under `targets` to name it")
    } else if let Some(word) = did_you_mean(wanted, names) {
        diagnostic.hint(format!("did you mean `{word}`?"))
    } else {
        diagnostic.hint(format!("the config has {}", target_names(&config.targets)))
    });
    None
}

fn target_names(targets: &[(Text, Option<TargetSpec>)]) -> String {
    let names: Vec<_> = targets
        .iter()
        .map(|(name, _)| format!("`{}`", name.text))
        .collect();
    names.join(", ")
}
