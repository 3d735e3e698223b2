//! `ananke demo`: the example project against the example agent, with nothing to install and nothing to set up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_serve::shop::{EXAMPLE_FILES, Shop, ShopBehavior};
use ananke_serve::spawn::RunningAgent;
use clap::Args;

use super::asking::AskingArgs;
use super::load::{LoadArgs, Loading, load};
use super::outputs::OutputsArgs;
use super::pipeline::{self, Job};
use super::run::HowArgs;
use super::serve::faces;
use super::serve_stdio::serve_stdio;
use crate::env_file::EnvFileArgs;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::signals::Signals;
use crate::ui::Ui;

/// Run example tests against a built-in example agent
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Break the example agent, to see what a failure looks like
    #[arg(long, env = "ANANKE_BROKEN", value_parser = parse_switch)]
    broken: bool,
    /// Only write the files of the example into this folder
    #[arg(long, value_name = "FOLDER", env = "ANANKE_WRITE")]
    write: Option<PathBuf>,
    /// Only serve the example agent, until Ctrl-C
    #[arg(long, env = "ANANKE_SERVE", value_parser = parse_switch, conflicts_with = "write")]
    serve: bool,
    /// With --serve: speak MCP on stdin and stdout instead
    #[arg(long, env = "ANANKE_STDIO", value_parser = parse_switch, requires = "serve")]
    stdio: bool,
    #[command(flatten)]
    pub(super) how: HowArgs,
    #[command(flatten)]
    outputs: OutputsArgs,
}

const AFTER_HEALTHY: &str = "
What a failure looks like:      ananke demo --broken
The files, to start your own:   ananke demo --write example
";

const AFTER_BROKEN: &str = "
This agent was broken on purpose: it skips the validation of the cart and
charges the card twice, while what it says still looks right. The lines above
name each demand that was not met, where it is written, and what was seen.
The files, to start your own:   ananke demo --write example
";

/// Runs the example, or writes it to a folder.
pub(crate) fn demo(
    args: &DemoArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if let Some(folder) = &args.write {
        write_example(&environment.cwd.join(folder))?;
        let folder = folder.display();
        ui.out(&format!(
            "The example project is in {folder}. Its agent, in another terminal:\n  \
             ananke demo --serve\n\
             Then, with the address that it prints:\n  \
             cd {folder} && ananke run tests --var SHOP_URL=http://127.0.0.1:…/\n"
        ));
        return Ok(Exit::Passed);
    }
    if args.serve && args.stdio {
        let shop = Arc::new(shop(args));
        return pipeline::runtime(1)?.block_on(serve_stdio(shop));
    }
    if args.serve {
        return pipeline::runtime(1)?.block_on(serve(args, ui));
    }
    let folder = tempfile::Builder::new().prefix("ananke-demo-").tempdir();
    let folder = folder.map_err(|error| trouble(format!("no temporary folder: {error}")))?;
    write_example(folder.path())?;
    pipeline::runtime(args.how.parallel)?.block_on(run_example(
        args,
        folder.path(),
        environment,
        ui,
    ))
}

/// Serves the agent alone, for the project that `--write` wrote.
async fn serve(args: &DemoArgs, ui: &Ui) -> Result<Exit, CommandError> {
    let signals =
        Signals::listen().map_err(|error| trouble(format!("signals cannot be heard: {error}")))?;
    let agent = start_agent(args).await?;
    if !ui.quiet {
        ui.talk(&faces(&agent.url));
    }
    ui.out(&format!("The example agent answers at {}\n", agent.url));
    signals.cancel.cancelled().await;
    agent.stop().await;
    Ok(signals.stop().map_or(Exit::Passed, Exit::Stopped))
}

fn shop(args: &DemoArgs) -> Shop {
    let behavior = if args.broken {
        ShopBehavior::Forgetful
    } else {
        ShopBehavior::Healthy
    };
    Shop { behavior }
}

async fn start_agent(args: &DemoArgs) -> Result<RunningAgent, CommandError> {
    let agent = RunningAgent::start(Arc::new(shop(args))).await;
    agent.map_err(|error| trouble(format!("the example agent cannot be started: {error}")))
}

async fn run_example(
    args: &DemoArgs,
    folder: &Path,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let agent = start_agent(args).await?;
    let input = if args.broken { "broken" } else { "tests" };
    let project = Environment {
        cwd: folder.to_owned(),
        variables: environment.variables.clone(),
        ..*environment
    };
    let load_args = LoadArgs {
        env_file: EnvFileArgs::default(),
        secrets: Vec::new(),
        inputs: vec![input.to_owned()],
        more_inputs: Vec::new(),
        config: None,
        targets: Vec::new(),
        vars: vec![("SHOP_URL".to_owned(), agent.url.clone())],
        run: None,
        tags: Vec::new(),
        asking: AskingArgs::default(),
        allow_unchecked: false,
    };
    let loaded = load(&load_args, Loading::default(), &project)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        return Err(trouble(
            "the example project has mistakes, which is a bug in ananke".to_owned(),
        ));
    }
    let job = Job {
        how: &args.how,
        outputs: &args.outputs,
        default_output: None,
        bundle: None,
        coverage: None,
        rerun: Vec::new(), // the files are gone afterwards
        facts: BTreeMap::new(),
    };
    // Reports go where the user is, not where the example is.
    let outputs = Environment {
        cwd: environment.cwd.clone(),
        variables: environment.variables.clone(),
        ..*environment
    };
    let exit = Box::pin(pipeline::run_async(loaded, job, &outputs, ui)).await?;
    agent.stop().await;
    if !args.how.json && !matches!(exit, Exit::Stopped(_)) {
        ui.talk(if args.broken {
            AFTER_BROKEN
        } else {
            AFTER_HEALTHY
        });
    }
    Ok(exit)
}

/// Writes all files, or none if one of them exists.
fn write_example(folder: &Path) -> Result<(), CommandError> {
    let mut paths = EXAMPLE_FILES.iter().map(|(path, _)| folder.join(path));
    if let Some(path) = paths.find(|path| path.symlink_metadata().is_ok()) {
        let message = format!("`{}` exists already; nothing was written", path.display());
        let error = CommandError::new(Exit::Configuration, message);
        return Err(error.hint("name a folder that is new or empty"));
    }
    for (path, content) in EXAMPLE_FILES {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, content))
            .map_err(|error| trouble(format!("`{}` cannot be written: {error}", path.display())))?;
    }
    Ok(())
}

fn trouble(message: String) -> CommandError {
    CommandError::new(Exit::Trouble, message)
}
