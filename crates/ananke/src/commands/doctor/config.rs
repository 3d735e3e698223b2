//! The config: where it is, whether it is valid, which targets it has.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::Target;
use ananke_model::variables::Variables;
use ananke_protocol::http::{Proxies, without_secrets};
use ananke_suite::{LoadedTargets, load_targets};

use super::command::DoctorArgs;
use super::notes::{Finding, Notes};
use crate::error::Exit;
use crate::settings::Environment;
use crate::ui::Ui;

/// What the checks of a target need.
#[derive(Debug)]
pub(super) struct Project {
    pub(super) targets: Vec<Target>,
    pub(super) root: PathBuf,
    pub(super) variables: Variables,
    pub(super) proxies: Proxies,
    /// Whether ananke starts the app under test.
    pub(super) has_server: bool,
}

/// Finds the config and its targets; `None` if there is nothing to look at.
pub(super) fn project(
    args: &DoctorArgs,
    environment: &Environment,
    ui: &Ui,
    notes: &mut Notes<'_>,
) -> Option<Project> {
    let (os, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let version = env!("CARGO_PKG_VERSION");
    notes.add(Finding::fine(
        "ananke",
        format!("{version} ({os} {machine})"),
    ));
    let files = args.env_files.read(environment);
    let variables = files.over(environment).references(&args.vars);
    let named = args.config.as_deref();
    let loaded = load_targets(
        &environment.cwd,
        named,
        &args.targets,
        &variables,
        ananke_script::find_functions,
    );
    ui.diagnostics(&files.diagnostics, &files.sources);
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    let (flag, own): (Vec<_>, Vec<_>) = errors(&loaded.diagnostics)
        .partition(|found| found.place.is_none() && found.message.starts_with("--target: "));
    let mut is_broken = loaded.config.is_none() || !own.is_empty();
    notes.add(config(
        &loaded,
        named.is_some(),
        own.len(),
        &environment.cwd,
    ));
    // What a flag brought in is no mistake of the config.
    let brought: Vec<&Diagnostic> = errors(&files.diagnostics).collect();
    for (check, found) in [("env-file", brought), ("target", flag)] {
        if let Some(finding) = of_flag(check, &found) {
            notes.add(finding);
            is_broken = true;
        }
    }
    if is_broken {
        notes.end_with(Exit::Configuration);
        return None;
    }
    let names = loaded
        .targets
        .iter()
        .filter_map(|target| target.name.as_deref());
    let names: Vec<&str> = names.collect();
    if !names.is_empty() {
        notes.add(Finding::fine("targets", names.join(", ")));
    }
    let proxies = environment.proxies();
    if let Some(finding) = proxy(&proxies) {
        notes.add(finding);
    }
    Some(Project {
        targets: loaded.targets,
        root: loaded.root,
        variables,
        proxies,
        has_server: loaded.server.is_some(),
    })
}

fn errors(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(|found| found.is_error())
}

/// Names the flag that mistakes come from; its environment twin counts as the flag.
fn of_flag(check: &'static str, found: &[&Diagnostic]) -> Option<Finding> {
    let (first, rest) = found.split_first()?;
    let flag = format!("--{check}");
    let message = first.message.trim_start_matches(&format!("{flag}: "));
    let place = first.place.as_ref().map_or_else(String::new, |place| {
        format!(" {}:{}", place.file, place.line)
    });
    let more = match rest.len() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    let hint = match &first.hint {
        Some(hint) => hint.as_str(),
        None => "correct what is shown on stderr",
    };
    Some(Finding::wrong(check, format!("{flag}{place}: {message}{more}")).hint(hint))
}

fn config(loaded: &LoadedTargets, is_named: bool, n_mistakes: usize, cwd: &Path) -> Finding {
    let Some(path) = &loaded.config else {
        if is_named {
            let first = loaded.diagnostics.iter().find(|found| found.is_error());
            let message = first.map(|found: &Diagnostic| found.message.clone());
            return Finding::wrong("config", message.unwrap_or_default())
                .hint("correct --config, or leave it out to have the config looked for");
        }
        let n_above = cwd.ancestors().count() - 1;
        let message = format!(
            "no ananke.config.yaml in {} or the {n_above} folders above",
            cwd.display()
        );
        return Finding::wrong("config", message).hint("`ananke init` writes one");
    };
    let folder = path.parent().unwrap_or(cwd);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let n_up = cwd.ancestors().position(|above| above == folder);
    let origin = match n_up {
        _ if is_named => format!("{}, named by --config or ANANKE_CONFIG", path.display()),
        Some(0) => format!("{name}, in this folder"),
        Some(n_up) => {
            let s = if n_up == 1 { "" } else { "s" };
            format!("{}, {n_up} folder{s} above", path.display())
        }
        None => path.display().to_string(),
    };
    match n_mistakes {
        0 => Finding::fine("config", origin),
        1 => Finding::wrong("config", format!("{origin}; it has a mistake"))
            .hint("correct what is shown on stderr"),
        n => Finding::wrong("config", format!("{origin}; it has {n} mistakes"))
            .hint("correct what is shown on stderr"),
    }
}

/// Tells which proxies are in use, without their passwords.
fn proxy(proxies: &Proxies) -> Option<Finding> {
    let named = [
        ("HTTP_PROXY", &proxies.http),
        ("HTTPS_PROXY", &proxies.https),
        ("ALL_PROXY", &proxies.all),
    ];
    let mut shown: Vec<String> = named
        .into_iter()
        .filter_map(|(name, url)| Some(format!("{name} is {}", without_secrets(url.as_deref()?))))
        .collect();
    if shown.is_empty() {
        return None;
    }
    shown.extend(
        proxies
            .no_proxy
            .as_ref()
            .map(|hosts| format!("NO_PROXY is {hosts}")),
    );
    Some(Finding::fine("proxy", shown.join(", ")))
}
