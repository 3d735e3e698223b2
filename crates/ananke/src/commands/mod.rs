//! One file per command: its arguments, whose comments are the help, and one function.

mod demo;
mod list;
mod load;
mod pipeline;
mod run;
mod schema;
mod validate;

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::{OutputArgs, Ui};

/// Tests tool-using AI agents
///
/// Conversations and hard assertions in YAML, a verdict that CI can trust out. Zero evidence is never a pass.
#[derive(Debug, Parser)]
#[command(name = "ananke", version, about, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const EXIT_CODES: &str = "Exit codes: 0 passed, 1 some test failed, 2 configuration error, 3 ananke could not do its job, \
4 no test matched, 5 inconclusive, 130/143 interrupted";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run tests
    #[command(visible_alias = "test")]
    Run(run::RunArgs),
    /// List the tests that would run
    List(list::ListArgs),
    /// Check every file without running anything
    #[command(visible_alias = "check")]
    Validate(validate::ValidateArgs),
    /// Print the JSON Schema of a file format
    Schema(schema::SchemaArgs),
    /// Run example tests against a built-in example agent
    Demo(demo::DemoArgs),
}

/// Carries out a command.
pub(crate) fn execute(
    command: Command,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    match command {
        Command::Run(args) => run::run(&args, environment, ui),
        Command::List(args) => list::list(&args, environment, ui),
        Command::Validate(args) => validate::validate(&args, environment, ui),
        Command::Schema(args) => Ok(schema::schema(&args, ui)),
        Command::Demo(args) => demo::demo(&args, environment, ui),
    }
}

/// Reads `-run X` as `--run X`, as Go tools write it; clap would take it for `-r un`.
pub(crate) fn go_style(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    words.map(|word| match word.to_str() {
        Some("-run") => "--run".into(),
        Some(text) if text.starts_with("-run=") => format!("-{text}").into(),
        _ => word,
    })
}
