//! `ananke list`: the tests that would run.

use ananke_report::{json_load_error, list_json, list_text};
use clap::Args;

use super::load::{LoadArgs, Loading, load};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// List the tests that would run
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    load: LoadArgs,
    /// Print exactly one JSON document on stdout
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(super) json: bool,
}

/// Lists tests; nothing is executed.
pub(crate) fn list(
    args: &ListArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let loaded = load(&args.load, Loading::default(), environment)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        if args.json {
            ui.out(&format!(
                "{:#}\n",
                json_load_error(
                    &loaded.diagnostics,
                    &loaded.sources,
                    Exit::Configuration.number()
                )
            ));
        }
        return Ok(Exit::Configuration);
    }
    if let Some(error) = loaded.nothing_to_run(&args.load) {
        return Err(error);
    }
    if args.json {
        ui.out(&format!("{:#}\n", list_json(&loaded.plan)));
    } else {
        ui.out(&list_text(&loaded.plan, &ui.stdout_style));
    }
    Ok(Exit::Passed)
}
