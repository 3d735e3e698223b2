//! `ananke validate`: every mistake of every file, nothing executed.

use ananke_report::{diagnostics_json, effective_demands};
use clap::Args;
use serde_json::json;

use super::load::{LoadArgs, Loading, load};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Check every file without running anything
#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    load: LoadArgs,
    /// Print exactly one JSON document on stdout
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(super) json: bool,
}

/// Checks files. With `-v` it shows what each test will be judged by, and the level each demand came from.
pub(crate) fn validate(
    args: &ValidateArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let loaded = load(&args.load, Loading::default(), environment)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    let n_tests = loaded.plan.tests.len();
    let is_valid = !loaded.has_errors();
    if let (true, Some(error)) = (is_valid, loaded.nothing_to_run(&args.load)) {
        return Err(error);
    }
    if args.json {
        let diagnostics = diagnostics_json(&loaded.diagnostics, &loaded.sources);
        ui.out(&format!(
            "{:#}\n",
            json!({"valid": is_valid, "tests": n_tests, "diagnostics": diagnostics})
        ));
    } else if is_valid {
        if ui.verbose > 0 {
            ui.out(&effective_demands(&loaded.plan, &ui.stdout_style));
            ui.out("\n");
        }
        let tests = if n_tests == 1 {
            "1 test is".to_owned()
        } else {
            format!("{n_tests} tests are")
        };
        ui.out(&format!("{tests} valid\n"));
    }
    Ok(if is_valid {
        Exit::Passed
    } else {
        Exit::Configuration
    })
}
