//! `ananke init`: a config, a first test, the schemas for editors and a line in `.gitignore`. Never overwrites.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use ananke_protocol::http::check_url;
use ananke_report::escape;
use ananke_suite::SchemaKind;
use clap::Args;
use serde_json::Value;

use crate::error::{CommandError, Exit};
use crate::settings::Environment;
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
}

const CONFIG_NAME: &str = "ananke.config.yaml";
const TEST_NAME: &str = "tests/first.test.yaml";
const IGNORED: &str = ".ananke/runs/";

const CONFIG: &str = r#"# yaml-language-server: $schema=.ananke/schema/config.json
#
# The agent under test, and what all tests share. Every key: `ananke schema config`.

version: "1.0"

target:
  type: agui
  # Where requests are sent. ${ENV.NAME} takes a value from the environment or from `--env-file`.
  endpoint: @ENDPOINT@

  # headers:
  #   Authorization: "Bearer ${ENV.AGENT_TOKEN}"

  # For a CopilotKit runtime: `copilotkit` or `copilotkit-rest`, and the agent's id.
  # envelope: copilotkit
  # agentId: my-agent

  # What every test demands of this agent.
  # assert:
  #   text:
  #     must_not_match: "(?i)internal server error"

# The app under test, started before the first test and stopped after the last.
# server:
#   cmd: [npm, start]
#   url: "http://localhost:8000/health"
"#;

const TEST: &str = r#"# yaml-language-server: $schema=../.ananke/schema/test.json
#
# One file is one test: a conversation, and what must hold. Every key: `ananke schema test`.

version: "1.0"
name: the agent says hello

turns:
  - user: "Hello!"
    assert:
      text:
        # A regular expression: here, that there is any answer at all.
        must_match: '\S'
      # tools:
      #   require:
      #     - name: search
      #   forbid: [delete_account]
      # timing:
      #   max_duration_ms: 10000
"#;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Written,
    Kept,
    /// It is there and not what would be written today.
    KeptOld,
}

/// Writes what is not there yet.
pub(crate) fn init(
    args: &InitArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if !args.endpoint.contains("${") {
        check_url(&args.endpoint).map_err(|error| {
            CommandError::new(Exit::Configuration, format!("--endpoint: {error}"))
                .hint("write it like http://localhost:8000/agent")
        })?;
    }
    let folder = environment.cwd.join(&args.folder);
    if folder.exists() && !folder.is_dir() {
        let message = format!("`{}` is not a folder", args.folder.display());
        return Err(CommandError::new(Exit::Configuration, message));
    }
    // Quoted as JSON it is YAML too, whatever it holds.
    let endpoint = Value::from(args.endpoint.as_str()).to_string();
    let config = CONFIG.replace("@ENDPOINT@", &endpoint);
    let schema = |kind| format!("{:#}\n", ananke_suite::schema(kind));
    let files = [
        (config_name(&folder), config),
        (TEST_NAME, TEST.to_owned()),
        (".ananke/schema/config.json", schema(SchemaKind::Config)),
        (".ananke/schema/test.json", schema(SchemaKind::Test)),
    ];
    let mut said = String::new();
    let mut is_changed = false;
    for (name, content) in files {
        let done = write_new(&folder.join(name), &content)?;
        is_changed |= done == Done::Written;
        said.push_str(&told(&args.folder, name, done));
    }
    let done = ignore_runs(&folder.join(".gitignore"))?;
    is_changed |= done == Done::Written;
    said.push_str(&told(&args.folder, ".gitignore", done));
    let (title, next) = if is_changed {
        ("The project is set up:\n", next_steps(&args.folder))
    } else {
        (
            "Everything is there already; nothing was changed:\n",
            String::new(),
        )
    };
    ui.out(&format!("{title}{said}{next}"));
    Ok(Exit::Passed)
}

/// Returns the name of the config; a second one beside an `ananke.config.yml` would be a mistake.
fn config_name(folder: &Path) -> &'static str {
    let other = "ananke.config.yml";
    if folder.join(other).symlink_metadata().is_ok() {
        other
    } else {
        CONFIG_NAME
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

/// Writes a file that is not there; one that is there stays as it is.
fn write_new(path: &Path, content: &str) -> Result<Done, CommandError> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_same = std::fs::read(path).is_ok_and(|found| found == content.as_bytes());
            return Ok(if is_same { Done::Kept } else { Done::KeptOld });
        }
        Err(error) => return Err(unwritable(path, &error)),
    };
    let written = file.write_all(content.as_bytes());
    written.map_err(|error| {
        // Half a file would be kept by the next `init`.
        std::fs::remove_file(path).ok();
        unwritable(path, &error)
    })?;
    Ok(Done::Written)
}

/// Adds the line to `.gitignore`, unless it or a wider one is there.
fn ignore_runs(path: &Path) -> Result<Done, CommandError> {
    let found = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(unwritable(path, &error)),
    };
    let text = String::from_utf8_lossy(&found);
    let is_there = text.lines().any(|line| {
        let line = line.trim().trim_start_matches('/').trim_end_matches('/');
        line == ".ananke/runs" || line == ".ananke"
    });
    if is_there {
        return Ok(Done::Kept);
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        line_end
    };
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(format!("{before}{IGNORED}{line_end}").as_bytes()))
        .map_err(|error| unwritable(path, &error))?;
    Ok(Done::Written)
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    let message = format!("`{}` cannot be written: {error}", path.display());
    CommandError::new(Exit::Trouble, message)
}
