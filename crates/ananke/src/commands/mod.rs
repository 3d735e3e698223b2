//! One file per command: its arguments, whose comments are the help, and one function.

mod agent_report;
mod arrange;
mod as_recorded;
mod asking;
mod bundle;
mod compare;
mod completions;
mod conform;
mod coverage;
mod default_output;
mod demo;
mod doctor;
mod facts;
mod find_bundle;
mod generate;
mod generator;
mod history;
mod init;
mod judge;
mod list;
mod load;
mod man;
mod order;
mod outputs;
mod pipeline;
mod replay;
mod report;
mod reporting;
mod run;
mod schema;
mod serve;
mod serve_stdio;
mod server;
mod sink;
mod snapshots;
mod stdin;
mod validate;
mod write_file;

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::{ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_list};
use crate::ui::{OutputArgs, Ui};

/// Tests tool-using AI agents: conversations and hard assertions in, a verdict that CI can trust out
#[derive(Debug, Parser)]
#[command(name = "ananke", version, about, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const AFTER_HELP: &str = "\
Examples:
  ananke demo                            see it work; nothing to set up
  ananke run                             run every *.test.yaml of this project
  ananke run tests/cart.test.yaml -vv    run one test and show the conversation
  ananke validate                        check every file without running anything

Exit codes:
  0 passed            1 some test failed            2 configuration error
  3 ananke could not do its job (no agent could be reached, the server did not start)
  4 no test was run   5 inconclusive                130, 143 interrupted

Each flag has an environment twin: `ANANKE_PARALLEL=4` stands for `--parallel 4`. The twin of a flag
that may be repeated takes a list: `ANANKE_OUTPUT=report.html,junit.xml`.";

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
    /// Judge the recordings of a bundle again, with the tests as they are now
    Judge(judge::JudgeArgs),
    /// Render reports of runs that are over, and join shards
    Report(report::ReportArgs),
    /// Find out whether an agent server is correct: drive scenarios, judge every answer with its request
    #[command(visible_alias = "conformance")]
    Conform(Box<conform::ConformArgs>),
    /// Compare two runs: which tests broke, were fixed, are new or gone, or behave otherwise
    Compare(compare::CompareArgs),
    /// Write a recorded conversation as a new test
    History(history::HistoryArgs),
    /// Serve a recorded or scripted agent, until Ctrl-C
    Serve(serve::ServeArgs),
    /// Write a config and a first test
    Init(init::InitArgs),
    /// Find out why it does not work: config, connection, and a small run with the agent
    Doctor(doctor::DoctorArgs),
    /// Print the JSON Schema of a file format
    Schema(schema::SchemaArgs),
    /// Print the completion script of a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write one page for each command
    Man(man::ManArgs),
    /// Run example tests against a built-in example agent
    Demo(demo::DemoArgs),
}

impl Cli {
    /// Reads the command line and the environment twins of flags. A twin that is empty counts as unset, as CI systems
    /// write it; help names the twins without their values, which may be secret.
    pub(crate) fn read(words: impl Iterator<Item = OsString>, environment: &Environment) -> Self {
        let command = twins(Self::command(), environment);
        let matches = command.get_matches_from(go_style(words));
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

fn twins(command: clap::Command, environment: &Environment) -> clap::Command {
    let is_empty = |name: &str| {
        environment
            .variables
            .get(name)
            .is_some_and(String::is_empty)
    };
    let command = command.mut_args(|arg| {
        let twin = arg.get_env().and_then(|name| name.to_str());
        if twin.is_some_and(is_empty) {
            return arg.env(Resettable::Reset);
        }
        let value = twin.and_then(|name| environment.get(name));
        match value.map(|value| (value, parse_list(value))) {
            // The parser would take the list for one value.
            Some((value, items))
                if matches!(arg.get_action(), ArgAction::Append) && items != [value] =>
            {
                arg.env(Resettable::Reset)
                    .default_values(items)
                    .hide_default_value(true)
            }
            _ => arg.hide_env_values(true),
        }
    });
    command.mut_subcommands(|command| twins(command, environment))
}

/// Carries out a command. With `--json` there is one document on stdout in every case, errors included.
pub(crate) fn execute(
    command: Command,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let (json, result) = match command {
        Command::Run(args) => (args.how.json, run::run(&args, environment, ui)),
        Command::List(args) => (args.json, list::list(&args, environment, ui)),
        Command::Judge(args) => (args.json, judge::judge(&args, environment, ui)),
        Command::Report(args) => (args.json, report::report(&args, environment, ui)),
        Command::Validate(args) => (args.json, validate::validate(&args, environment, ui)),
        // Its document is another.
        Command::Conform(args) => (false, conform::conform(&args, environment, ui)),
        Command::Compare(args) => (args.json, compare::compare(&args, environment, ui)),
        Command::History(args) => (false, history::history(&args, environment, ui)),
        Command::Serve(args) => (false, serve::serve(&args, environment, ui)),
        Command::Init(args) => (false, init::init(&args, environment, ui)),
        Command::Doctor(args) => (args.json, doctor::doctor(&args, environment, ui)),
        Command::Schema(args) => (false, Ok(schema::schema(&args, ui))),
        Command::Completions(args) => (false, Ok(completions::completions(&args, ui))),
        Command::Man(args) => (false, man::man(&args, environment, ui)),
        Command::Demo(args) => (args.how.json, demo::demo(&args, environment, ui)),
    };
    if let (true, Err(error)) = (json, &result) {
        ui.json_error(error);
    }
    result
}

/// Reads `-run X` as `--run X`, as Go tools write it; clap would take it for `-r un`.
fn go_style(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_over = false;
    words.map(move |word| match word.to_str() {
        _ if is_over => word,
        Some("-run") => "--run".into(),
        Some(text) if text.starts_with("-run=") => format!("-{text}").into(),
        Some("--") => {
            is_over = true;
            word
        }
        _ => word,
    })
}
