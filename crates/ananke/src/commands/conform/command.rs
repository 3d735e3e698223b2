//! Decides what is judged, and by what.

use ananke_conform::{Case, Profile, Settings, judge};
use ananke_model::conformance::{Baseline, ConformSetup};
use ananke_run::Secrets;
use clap::ValueEnum as _;
use serde_json::json;

use super::args::{ConformArgs, Judged, ProfileName};
use super::capabilities::capabilities;
use super::output::{self, Outputs};
use super::{catalogue, file, live, stack};
use crate::commands::pipeline::runtime;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// Judges a server or a file. With `--json` there is one document on stdout in every case.
pub(crate) fn conform(
    args: &ConformArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let result = act(args, environment, ui);
    let failure = match &result {
        Err(error) => Some((error.message.as_str(), error.exit)),
        Ok(Exit::Configuration) => Some(("a file has mistakes", Exit::Configuration)),
        Ok(_) => None,
    };
    if let Some((message, exit)) = failure.filter(|_| args.json) {
        let document = json!({
            "schema": "ananke.conform/1",
            "ok": false,
            "verdict": "error",
            "error": {"message": message, "exit_code": exit.number()},
        });
        ui.out(&format!("{document:#}\n"));
    }
    result
}

fn act(args: &ConformArgs, environment: &Environment, ui: &Ui) -> Result<Exit, CommandError> {
    if args.rules {
        return Ok(catalogue::list(args, ui));
    }
    if let Some(id) = &args.explain {
        return catalogue::explain(id, args.json, ui);
    }
    if let Some(folder) = &args.pages {
        return catalogue::pages(folder, environment, ui);
    }
    catalogue::check_ids(args)?;
    check_together(args)?;
    let outputs = Outputs::new(args, environment)?;
    let Some(setup) = setup(args, environment, ui) else {
        return Ok(Exit::Configuration);
    };
    let Some(baseline) = baseline(args, environment, ui) else {
        return Ok(Exit::Configuration);
    };
    hide_secrets(args, &setup, ui);
    let profile = profile(args, &setup);
    let judged = profile.judged();
    check_file(args, profile)?;
    if judged == Judged::Stack {
        stack::check_fits(args)?;
        return stack::run(args, &setup, baseline.as_ref(), &outputs, environment, ui);
    }
    stack::check_unused(args)?;
    let (case, profile): (Case, Profile) = match (&args.file, judged) {
        (Some(name), Judged::AgUi(profile)) => {
            let mut case = file::read(args, name, environment)?;
            if let Some(source) = args.capabilities.as_ref().or(setup.capabilities.as_ref()) {
                let document = capabilities(source, None, args, environment);
                case.capabilities = Some(runtime(1)?.block_on(document)?);
            }
            (case, profile)
        }
        _ => live::ask(args, &setup, judged, environment, ui)?,
    };
    let mut severities = setup.rules.clone();
    severities.extend(args.verdict.severities.iter().cloned());
    let settings = Settings {
        profile,
        severities,
        baseline,
        strict: args.verdict.strict,
    };
    let report = judge(&case, &settings);
    outputs.write(&report, environment, ui)?;
    Ok(output::exit(&report))
}

/// Refuses what only the profiles of AG-UI can do.
fn check_file(args: &ConformArgs, profile: ProfileName) -> Result<(), CommandError> {
    if let Judged::AgUi(_) = profile.judged() {
        return Ok(());
    }
    let name = profile.to_possible_value();
    let name = name.as_ref().map_or("", |value| value.get_name());
    if args.file.is_some() {
        return Err(configuration(format!(
            "`--profile {name}` asks a server and cannot judge a file"
        )));
    }
    if args.capabilities.is_some() && profile != ProfileName::Stack {
        return Err(configuration(format!(
            "`--capabilities` means nothing to `--profile {name}`: such a server says itself what it can do"
        )));
    }
    Ok(())
}

/// Refuses flags that contradict one another, and those that would do nothing. They may come from the environment.
fn check_together(args: &ConformArgs) -> Result<(), CommandError> {
    let file = ("--file (ANANKE_CONFORM_FILE)", args.file.is_some());
    let url = ("a URL", args.url.is_some());
    let base_url = (
        "--base-url (ANANKE_BASE_URL)",
        args.stack.base_url.is_some(),
    );
    for ((one, has_one), (other, has_other)) in [(file, url), (file, base_url), (url, base_url)] {
        if has_one && has_other {
            return Err(configuration(format!(
                "{one} and {other} are both given: what is to be judged?"
            )));
        }
    }
    if args.request.is_some() && args.file.is_none() {
        return Err(configuration(
            "`--request` (ANANKE_CONFORM_REQUEST) belongs to `--file`: to a server, requests are sent",
        ));
    }
    Ok(())
}

/// Returns the profile: what is typed, else what the setup says, else what the other flags mean.
fn profile(args: &ConformArgs, setup: &ConformSetup) -> ProfileName {
    let in_setup = setup.profile.as_deref().and_then(ProfileName::named);
    let usual = if args.stack.base_url.is_some() {
        ProfileName::Stack
    } else {
        ProfileName::V1
    };
    args.profile.or(in_setup).unwrap_or(usual)
}

/// Reads `--setup`; `None` if it has mistakes, which are then shown.
fn setup(args: &ConformArgs, environment: &Environment, ui: &Ui) -> Option<ConformSetup> {
    let Some(path) = &args.setup else {
        return Some(ConformSetup::default());
    };
    let files = args.asking.env_files.read(environment);
    ui.diagnostics(&files.diagnostics, &files.sources);
    if !files.diagnostics.is_empty() {
        return None;
    }
    let variables = files.over(environment).references(&args.asking.vars);
    let ids = catalogue::ids();
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    let loaded = ananke_suite::load_conform_setup(
        &environment.cwd.join(path),
        &path.display().to_string(),
        &known,
        &variables,
    );
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    loaded.setup
}

/// Reads `--baseline`; the outer `None` stands for mistakes, which are then shown.
#[expect(
    clippy::option_option,
    reason = "no baseline is as good as one, mistakes are not"
)]
fn baseline(args: &ConformArgs, environment: &Environment, ui: &Ui) -> Option<Option<Baseline>> {
    let Some(path) = &args.verdict.baseline else {
        return Some(None);
    };
    let ids = catalogue::ids();
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    let loaded = ananke_suite::load_conform_baseline(
        &environment.cwd.join(path),
        &path.display().to_string(),
        &known,
    );
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    loaded.baseline.map(Some)
}

/// Tokens are never shown, even where a server repeats them.
fn hide_secrets(args: &ConformArgs, setup: &ConformSetup, ui: &Ui) {
    let mut secrets = Secrets::default();
    let tokens = [
        ("bearer", &args.asking.bearer),
        (
            "insufficient-scope-bearer",
            &args.stack.insufficient_scope_bearer,
        ),
        ("cnf-bound-bearer", &args.stack.cnf_bound_bearer),
    ];
    for (name, token) in tokens {
        secrets.add(name, token.as_deref().unwrap_or_default());
    }
    let headers = args.asking.headers.iter().chain(&setup.headers);
    for (name, value) in headers {
        let is_harmless = ["accept", "content-type", "user-agent"];
        if !is_harmless
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
        {
            // A scheme such as `Bearer` is no secret.
            let token = value
                .split_once(' ')
                .map_or(value.as_str(), |(_, rest)| rest);
            secrets.add(name, token);
        }
    }
    ui.hide(secrets.redactor());
}

pub(super) fn configuration(message: impl Into<String>) -> CommandError {
    CommandError::new(Exit::Configuration, message.into())
}
