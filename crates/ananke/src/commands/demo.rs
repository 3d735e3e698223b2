//! `ananke demo`: the example project against the example agent, with nothing to install and nothing to set up.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_serve::shop::{EXAMPLE_FILES, Shop, ShopBehavior};
use ananke_serve::spawn::RunningAgent;
use clap::Args;

use super::load::{LoadArgs, load};
use super::pipeline::{self, Reporting};
use super::run::HowArgs;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// Run example tests against a built-in example agent
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Break the example agent, to see what a failure looks like
    #[arg(long)]
    broken: bool,
    /// Write the example project into this folder and stop
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    #[command(flatten)]
    how: HowArgs,
}

/// Runs the example, or writes it to a folder.
pub(crate) fn demo(
    args: &DemoArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if let Some(folder) = &args.write {
        write_example(&environment.cwd.join(folder))?;
        ui.out(&format!("the example project is in {}\n", folder.display()));
        return Ok(Exit::Passed);
    }
    let folder = tempfile::Builder::new().prefix("ananke-demo-").tempdir();
    let folder = folder.map_err(|error| trouble(format!("no temporary folder: {error}")))?;
    write_example(folder.path())?;
    pipeline::runtime()?.block_on(run_example(args, folder.path(), environment, ui))
}

async fn run_example(
    args: &DemoArgs,
    folder: &Path,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let behavior = if args.broken {
        ShopBehavior::Forgetful
    } else {
        ShopBehavior::Healthy
    };
    let agent = RunningAgent::start(Arc::new(Shop { behavior })).await;
    let agent =
        agent.map_err(|error| trouble(format!("the example agent cannot be started: {error}")))?;
    let input = if args.broken { "broken" } else { "tests" };
    let project = Environment {
        cwd: folder.to_owned(),
        variables: environment.variables.clone(),
        ..*environment
    };
    let load_args = LoadArgs {
        inputs: vec![input.to_owned()],
        more_inputs: Vec::new(),
        config: None,
        target: None,
        vars: vec![("SHOP_URL".to_owned(), agent.url.clone())],
        run: None,
        tags: Vec::new(),
        allow_unchecked: false,
    };
    let loaded = load(&load_args, &project)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        return Err(trouble(
            "the example project has mistakes, which is a bug in ananke".to_owned(),
        ));
    }
    let reporting = Reporting {
        json: args.how.json,
        rerun: vec!["ananke".to_owned(), "run".to_owned()],
    };
    let exit = Box::pin(pipeline::run_async(
        loaded, &args.how, &reporting, &project, ui,
    ))
    .await?;
    agent.stop().await;
    if !args.how.json {
        ui.talk("\nThe files of this example: ananke demo --write ananke-example\n");
    }
    Ok(exit)
}

fn write_example(folder: &Path) -> Result<(), CommandError> {
    for (path, content) in EXAMPLE_FILES {
        let path = folder.join(path);
        let unwritable = |error: std::io::Error| {
            trouble(format!("`{}` cannot be written: {error}", path.display()))
        };
        if path.exists() {
            return Err(CommandError::new(
                Exit::Configuration,
                format!("`{}` exists already", path.display()),
            ));
        }
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(unwritable)?;
        std::fs::write(&path, content).map_err(unwritable)?;
    }
    Ok(())
}

fn trouble(message: String) -> CommandError {
    CommandError::new(Exit::Trouble, message)
}
