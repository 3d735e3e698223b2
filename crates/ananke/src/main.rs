//! `ananke`: tests tool-using AI agents.
//!
//! The only crate that prints, reads the environment, exits and builds the async runtime. What a command does is in
//! [`commands`], one file each; the whole pipeline fits on one screen in `commands/run.rs`.

mod commands;
mod env_file;
mod error;
mod settings;
mod signals;
mod ui;

use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = settings::Environment::read();
    let cli = commands::Cli::read(std::env::args_os(), &environment);
    let ui = ui::Ui::new(&cli.output, &environment);
    let exit = commands::execute(cli.command, &environment, &ui).unwrap_or_else(|error| {
        ui.error(&error);
        error.exit
    });
    let exit = match ui.lost_report() {
        Some(error) => {
            ui.error(&error);
            exit.or_worse(error.exit)
        }
        None => exit,
    };
    exit.code()
}
