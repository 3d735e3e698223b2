//! The command itself: what it is asked for, and what it says.

use std::path::{Path, PathBuf};

use ananke_protocol::http::{check_url, without_secrets};
use ananke_report::escape;
use ananke_script::TYPE_DEFINITIONS;
use ananke_suite::{SchemaKind, endpoint_problem};
use clap::Args;
use serde_json::Value;

use super::files::{Done, IGNORED, check, ignore_runs, write_new};
use super::templates::{CONFIG, SCRIPT, SCRIPT_TEST, TEST};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Write a config and a first test
#[derive(Args, Debug)]
pub(crate) struct InitArgs {
    /// The folder of the project; made if it is not there
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Where the agent answers
    #[arg(
        long,
        value_name = "URL",
        default_value = "http://localhost:8000/agent",
        env = "ANANKE_ENDPOINT"
    )]
    endpoint: String,
    /// Write `ananke.d.ts` too, so that editors complete `t`, `ctx` and `Process` in scripts, and a first script test
    #[arg(long, env = "ANANKE_INIT_SCRIPTS", value_parser = parse_switch)]
    scripts: bool,
}

const CONFIG_NAMES: [&str; 2] = ["ananke.config.yaml", "ananke.config.yml"];
const TEST_NAME: &str = "tests/first.test.yaml";
const TYPES_NAME: &str = "ananke.d.ts";
const SCRIPT_NAME: &str = "scripts/greeting.ts";
const SCRIPT_TEST_NAME: &str = "scripts/greeting_test.ts";
const GIT_IGNORE: &str = ".gitignore";

/// Writes what is not there yet.
pub(crate) fn init(
    args: &InitArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    check_endpoint(&args.endpoint, environment)?;
    // Without the dots that stand for nothing.
    let folder: PathBuf = environment.cwd.join(&args.folder).components().collect();
    if folder.exists() && !folder.is_dir() {
        let message = format!("`{}` is not a folder", args.folder.display());
        return Err(CommandError::new(Exit::Configuration, message));
    }
    // Quoted as JSON it is YAML too, whatever it holds.
    let endpoint = Value::from(args.endpoint.as_str()).to_string();
    let config = CONFIG.replace("@ENDPOINT@", &endpoint);
    let schema = |kind| format!("{:#}\n", ananke_suite::schema(kind));
    let config_name = config_name(&folder);
    let mut files = vec![
        (config_name, config),
        (TEST_NAME, TEST.to_owned()),
        (".ananke/schema/config.json", schema(SchemaKind::Config)),
        (".ananke/schema/test.json", schema(SchemaKind::Test)),
    ];
    if args.scripts {
        files.extend([
            (TYPES_NAME, TYPE_DEFINITIONS.to_owned()),
            (SCRIPT_NAME, SCRIPT.to_owned()),
            (SCRIPT_TEST_NAME, SCRIPT_TEST.to_owned()),
        ]);
    }
    let names = files.iter().map(|(name, _)| *name);
    for name in names.chain([GIT_IGNORE]) {
        check(&folder.join(name), &environment.cwd)?;
    }
    let mut done = Vec::new();
    for (name, content) in files {
        done.push((name, write_new(&folder.join(name), &content)?));
    }
    done.push((GIT_IGNORE, ignore_runs(&folder.join(GIT_IGNORE))?));
    if !ui.quiet {
        ui.out(&report(&args.folder, &done));
    }
    if done.contains(&(config_name, Done::Written))
        && let Some(outer) = outer_config(&folder)
    {
        let message = format!(
            "this project is inside that of `{}`: a run from there has to name its folders, such as `ananke run tests`",
            outer.display()
        );
        ui.warning(&message, &[]);
    }
    if done.contains(&(GIT_IGNORE, Done::Left)) {
        let path = shown(&args.folder, GIT_IGNORE);
        let message = format!(
            "`{path}` is a link out of the project and stays as it is: add the line `{IGNORED}` where it belongs"
        );
        ui.warning(&message, &[]);
    }
    Ok(Exit::Passed)
}

/// Refuses what a config with this endpoint would be refused for.
fn check_endpoint(endpoint: &str, environment: &Environment) -> Result<(), CommandError> {
    let problem = endpoint_problem(endpoint, &environment.references(&[]));
    let problem = match problem {
        Some(problem) => Some(format!("`{}`: {problem}", without_secrets(endpoint))),
        None if endpoint.contains("${") => None,
        None => check_url(endpoint).err(),
    };
    match problem {
        Some(problem) => Err(CommandError::new(
            Exit::Configuration,
            format!("--endpoint: {problem}"),
        )
        .hint("write it like http://localhost:8000/agent")),
        None => Ok(()),
    }
}

/// Returns the config of a project around this one.
fn outer_config(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let mut above = folder
        .ancestors()
        .skip(1)
        .flat_map(|folder| CONFIG_NAMES.map(|name| folder.join(name)));
    above.find(|path| path.is_file())
}

/// Says what was done, and what to do next.
fn report(folder: &Path, done: &[(&str, Done)]) -> String {
    let lines = done.iter().map(|(name, done)| told(folder, name, *done));
    let lines: String = lines.collect();
    if done.iter().any(|(_, done)| *done == Done::Written) {
        format!("The project is set up:\n{lines}{}", next_steps(folder))
    } else {
        format!("Everything is there already; nothing was changed:\n{lines}")
    }
}

/// Returns the name of the config; a second one beside an `ananke.config.yml` would be a mistake.
fn config_name(folder: &Path) -> &'static str {
    let [_, other] = CONFIG_NAMES;
    if folder.join(other).symlink_metadata().is_ok() {
        other
    } else {
        CONFIG_NAMES[0]
    }
}

fn told(folder: &Path, name: &str, done: Done) -> String {
    let path = shown(folder, name);
    match done {
        Done::Written if name == ".gitignore" => {
            format!("  wrote  {path} (the line {IGNORED})\n")
        }
        Done::Written => format!("  wrote  {path}\n"),
        Done::Kept => format!("  kept   {path}\n"),
        Done::KeptOld if name.ends_with(".json") => {
            let kind = name.rsplit('/').next().unwrap_or_default();
            let kind = kind.trim_end_matches(".json");
            format!(
                "  kept   {path} (of another version; renew it: ananke schema {kind} > {path})\n"
            )
        }
        Done::KeptOld => format!("  kept   {path}\n"),
        Done::Left => format!("  left   {path}\n"),
    }
}

fn next_steps(folder: &Path) -> String {
    let enter = if folder == Path::new(".") {
        String::new()
    } else {
        format!("  cd {}\n", escape(&folder.display().to_string()))
    };
    format!(
        "\nNext:\n{enter}  ananke doctor     check that the agent answers\n  \
         ananke run -vv    run the first test and show the conversation\n"
    )
}

fn shown(folder: &Path, name: &str) -> String {
    let path = if folder == Path::new(".") {
        PathBuf::from(name)
    } else {
        folder.join(name)
    };
    escape(&path.display().to_string()).into_owned()
}
