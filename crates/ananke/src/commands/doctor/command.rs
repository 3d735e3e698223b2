//! The command itself: its arguments, and the order of the checks.

use std::path::{Path, PathBuf};

use ananke_model::plan::Target;
use ananke_protocol::http::without_secrets;
use ananke_run::{Probed, probe};
use clap::Args;

use super::config::{Project, project};
use super::network::{Reached, reach};
use super::notes::{Finding, Notes};
use super::other::examine_other;
use super::run::say_hello;
use crate::commands::pipeline::runtime;
use crate::env_file::EnvFileArgs;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch, parse_var};
use crate::signals::Signals;
use crate::ui::Ui;

/// Find out why it does not work: config, connection, and a small run with the agent
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// The config file; by default the ananke.config.yaml of this folder or the nearest above
    #[arg(long, value_name = "FILE", env = "ANANKE_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Which of the config's targets to look at; by default all
    #[arg(
        long = "target",
        value_name = "NAME",
        env = "ANANKE_TARGET",
        value_delimiter = ','
    )]
    pub(super) targets: Vec<String>,
    /// Values for references.
    #[arg(
        long = "var",
        value_name = "NAME=VALUE",
        value_parser = parse_var,
        help = "A value for ${NAME} in the config; may be repeated [env: ANANKE_VAR_<NAME>]"
    )]
    pub(super) vars: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) env_files: EnvFileArgs,
    /// What to say to the agent
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Hello",
        env = "ANANKE_MESSAGE"
    )]
    message: String,
    /// Do not talk to the agent: reach its server only
    #[arg(long, env = "ANANKE_NO_RUN", value_parser = parse_switch)]
    no_run: bool,
    /// Print exactly one JSON document on stdout
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(crate) json: bool,
}

/// Goes through the checks.
pub(crate) fn doctor(
    args: &DoctorArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let mut notes = Notes::new(ui, args.json);
    if let Some(project) = project(args, environment, ui, &mut notes) {
        runtime(1)?.block_on(async {
            let signals = Signals::listen().map_err(|error| {
                CommandError::new(Exit::Trouble, format!("signals cannot be heard: {error}"))
            })?;
            for target in &project.targets {
                let checks = examine(args, target, &project, &mut notes, &signals);
                Box::pin(checks).await;
            }
            if let Some(stop) = signals.stop() {
                notes.end_with(Exit::Stopped(stop));
            }
            Ok(())
        })?;
    }
    Ok(notes.finish())
}

/// Looks at one target, as far as it goes.
async fn examine(
    args: &DoctorArgs,
    target: &Target,
    project: &Project,
    notes: &mut Notes<'_>,
    signals: &Signals,
) {
    if signals.cancel.is_cancelled() {
        return;
    }
    notes.target(target.name.as_deref());
    let probe = match prepare(target, project, &project.root) {
        Ok(Probed::Agui(probe)) => probe,
        Ok(Probed::Other(probe)) => {
            let message = (!args.no_run).then_some(args.message.as_str());
            return examine_other(&probe, message, notes, &signals.cancel).await;
        }
        Err(finding) => {
            notes.add(*finding);
            notes.end_with(Exit::Configuration);
            return;
        }
    };
    notes.add(Finding::fine("endpoint", without_secrets(probe.endpoint())));
    let reached = tokio::select! {
        reached = reach(&probe, project, notes) => reached,
        () = signals.cancel.cancelled() => return,
    };
    match reached {
        Reached::No => notes.end_with(Exit::Trouble),
        Reached::Yes if args.no_run => {}
        Reached::Yes => say_hello(&probe, &args.message, notes, &signals.cancel).await,
    }
}

fn prepare(target: &Target, project: &Project, root: &Path) -> Result<Probed, Box<Finding>> {
    probe(target, &project.variables, &project.proxies, root).map_err(|why| {
        // What is known of hooks does not matter here: none was run.
        let what = why.split(": no hook has").next().unwrap_or(&why);
        let finding = Finding::wrong("endpoint", what);
        Box::new(if what.starts_with("no value for") {
            finding.hint("give values with --var NAME=VALUE, --env-file FILE or the environment")
        } else {
            finding
        })
    })
}
