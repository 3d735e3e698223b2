//! `ananke history`: a recorded conversation as a new test.

use std::path::{Path, PathBuf};

use ananke_model::result::TestResult;
use ananke_model::variables::{Piece, Scope, pieces};
use ananke_protocol::a2a::SentMessage;
use ananke_report::{HistoryError, Kept, Sent, messages_case, pick, yaml_test};
use ananke_store::Bundle;
use ananke_suite::WrittenFile;
use clap::{Args, ValueEnum};

use super::find_bundle::PlaceArgs;
use super::write_file::{Existing, check_path, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Candidates beyond this many are counted only.
const MOST_CANDIDATES: usize = 10;

/// Write a recorded conversation as a new test
#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// The bundle: its folder, the name of a run, `latest` or `previous`
    #[arg(value_name = "BUNDLE")]
    bundle: String,
    /// The test: its id, its name, or a part of either that no other test has
    #[arg(value_name = "TEST")]
    test: String,
    /// What to write.
    #[arg(
        long = "as",
        help = "yaml: a test with suggested assertions; messages: a line of JSON with the conversation so far",
        value_enum,
        value_name = "FORM",
        default_value = "yaml",
        env = "ANANKE_HISTORY_AS"
    )]
    form: Form,
    /// With `--as messages`: the turn whose user message is the last; by default the last that has one
    #[arg(long, value_name = "N", env = "ANANKE_HISTORY_TURN")]
    turn: Option<usize>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Write to a file instead of stdout; a file that exists is left as it is
    #[arg(
        short,
        long = "output",
        value_name = "FILE",
        env = "ANANKE_HISTORY_OUTPUT",
        help_heading = "Output"
    )]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, env = "ANANKE_FORCE", value_parser = parse_switch, help_heading = "Output")]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Yaml,
    Messages,
}

/// Writes a recorded conversation as a test.
pub(crate) fn history(
    args: &HistoryArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if args.turn.is_some() && args.form == Form::Yaml {
        let message = "`--turn` belongs to `--as messages`: a YAML test holds every turn";
        return Err(CommandError::new(Exit::Configuration, message));
    }
    if let Some(path) = &args.output {
        check_path(path, environment)?;
    }
    let place = args.place.place(environment);
    let bundle = place.read(&args.bundle)?;
    let result = pick(&bundle.results, &args.test).map_err(|error| {
        let mut details: Vec<String> = error.candidates.clone();
        let n_more = details.len().saturating_sub(MOST_CANDIDATES);
        details.truncate(MOST_CANDIDATES);
        if n_more > 0 {
            details.push(format!("and {n_more} more"));
        }
        CommandError {
            details,
            ..CommandError::new(Exit::Configuration, error.to_string())
                .hint("name one of these tests by its id")
        }
    })?;
    let text = match args.form {
        Form::Yaml => yaml_test(result, &bundle.head.run.run_id, &kept(&bundle, result)),
        Form::Messages => messages_case(result, args.turn),
    };
    let text = text.map_err(|error| refused(&result.id.0, &error))?;
    let Some(path) = &args.output else {
        ui.out(&text);
        return Ok(Exit::Passed);
    };
    let existing = if args.force {
        Existing::Replace
    } else {
        Existing::Keep
    };
    write_file(path, &text, existing, environment, ui)?;
    if !ui.quiet {
        ui.talk(&format!(
            "wrote {}\n",
            ananke_report::escape(&path.display().to_string())
        ));
    }
    Ok(Exit::Passed)
}

fn refused(id: &str, error: &HistoryError) -> CommandError {
    CommandError::new(Exit::Configuration, format!("{id}: {error}"))
}

/// Returns what the new test needs of the recorded one to talk to the same agent in the same way.
fn kept(bundle: &Bundle, result: &TestResult) -> Kept {
    let mut kept = Kept {
        sent: sent(result),
        ..Kept::default()
    };
    let source = |name: &str| {
        let mut sources = bundle.sources.iter();
        let found = sources.find(|(path, _)| path == name);
        found.map(|(_, text)| text.as_str())
    };
    let config_file = bundle.head.run.config_file.as_deref();
    let config = config_file
        .and_then(|file| Path::new(file).file_name()?.to_str())
        .and_then(source)
        .unwrap_or_default();
    let config_file = WrittenFile::read(config);
    let targets = config_file
        .as_ref()
        .map(|file| file.names_below("targets"))
        .unwrap_or_default();
    // A case stands in no file of YAML.
    let file = match result.case {
        Some(_) => &result.id.0,
        None => result.source_id(),
    };
    let test = source(file).and_then(WrittenFile::read);
    let lines_of = |key: &str| test.as_ref()?.lines_of(key);
    let target = lines_of("target");
    let is_override = test
        .as_ref()
        .is_some_and(|file| !file.names_below("target").is_empty());
    // With one target there is nothing to pick, and its name alone can be in `targets`.
    let is_picked = targets.len() > 1 && targets.contains(&result.target.as_str());
    match (&target, is_picked) {
        (None, true) => {
            kept.target_name = Some(result.target.clone());
            let note =
                "That run picked the target; without the line `target`, `--target` picks it.";
            kept.notes.push(note.to_owned());
        }
        (Some(_), true) if is_override => kept.notes.push(format!(
            "Run it with `--target {}`, as that run did.",
            result.target
        )),
        _ => {}
    }
    // The messages hold what hooks gave; a target may ask for it anew.
    let needs_hooks = [config, target.as_deref().unwrap_or_default()]
        .into_iter()
        .flat_map(pieces)
        .any(|piece| match piece {
            Piece::Reference(reference) => {
                reference.scope == Scope::Variable && result.variables.contains_key(reference.name)
            }
            Piece::Literal(_) | Piece::Malformed(_) => false,
        });
    let hooks = lines_of("hooks");
    if hooks.is_some() {
        kept.notes.push(if needs_hooks {
            "The hooks are kept because the target or the config uses what they give.".to_owned()
        } else {
            "The hooks are left out: add them if they prepare something for the agent.".to_owned()
        });
    }
    // A key that is taken over may need the version of the file that it comes from.
    kept.minor_version = lines_of("version").map_or(0, |line| minor_version(&line));
    kept.keys.extend(target);
    kept.keys.extend(hooks.filter(|_| needs_hooks));
    kept.keys.extend(lines_of("timeout_ms"));
    kept
}

/// Returns for each turn the message with parts that it sent, in whatever form that went over the wire.
fn sent(result: &TestResult) -> Vec<Option<Sent>> {
    let turns = result.turns.iter().map(|judged| &judged.turn);
    let sent = turns.map(|turn| {
        let mut requests = turn.requests.iter();
        let message = requests.find_map(SentMessage::read)?;
        Some(Sent {
            parts: message.parts,
            metadata: message.metadata,
            task_id: message.task_id,
            context_id: message.context_id,
        })
    });
    sent.collect()
}

/// Returns the number after the point of `version: "1.2"`.
fn minor_version(line: &str) -> u32 {
    let digits = line.split_once(':').and_then(|(_, value)| {
        let value = value.trim_start_matches([' ', '"', '\'']);
        let (_, minor) = value
            .split_once("1.")
            .filter(|(major, _)| major.is_empty())?;
        minor.split(|c: char| !c.is_ascii_digit()).next()
    });
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
