//! `ananke list`: the tests that would run.

use ananke_report::{json_load_error, list_json, list_text};
use clap::Args;

use super::load::{LoadArgs, load};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// List the tests that would run
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    load: LoadArgs,
    /// Print one JSON document
    #[arg(long, env = "ANANKE_JSON")]
    json: bool,
}

/// Lists tests; nothing is executed.
pub(crate) fn list(
    args: &ListArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let loaded = load(&args.load, environment)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        if args.json {
            ui.out(&format!(
                "{}\n",
                json_load_error(&loaded.diagnostics, Exit::Configuration.number())
            ));
        }
        return Ok(Exit::Configuration);
    }
    if args.json {
        ui.out(&format!("{:#}\n", list_json(&loaded.plan)));
    } else {
        ui.out(&list_text(&loaded.plan, &ui.stdout_style));
    }
    match loaded.nothing_to_run(&args.load) {
        Some(error) => Err(error),
        None => Ok(Exit::Passed),
    }
}
