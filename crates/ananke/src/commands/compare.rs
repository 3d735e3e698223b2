//! `ananke compare`: two runs side by side, from bundles or JSON reports.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::did_you_mean;
use ananke_report::{
    Comparison, Missing, Side, Verdict, compare as compare_sides, comparison_html, comparison_json,
    comparison_markdown, comparison_text,
};
use ananke_store::Ending;
use clap::Args;

use super::find_bundle::{BundlePlace, PlaceArgs};
use super::write_file::{Existing, check_path, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// The largest report that is read.
const MAX_BYTES: u64 = 1 << 30;

/// What every compressed bundle begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Compare two runs: which tests broke, were fixed, are new or gone, or behave otherwise
#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// The run before: a bundle (its folder, the name of a run, `latest`, `previous`) or a JSON or JSONL report [default: previous; with --targets: latest]
    #[arg(value_name = "A")]
    a: Option<String>,
    /// The run after, named in the same ways [default: latest; with --targets: A]
    #[arg(value_name = "B")]
    b: Option<String>,
    /// Compare two targets, such as web,mobile: what A has of the first with what B has of the second
    #[arg(
        long,
        value_name = "NAMES",
        env = "ANANKE_COMPARE_TARGETS",
        value_delimiter = ','
    )]
    targets: Vec<String>,
    /// Tests that are in A and not in B are no regression
    #[arg(long, env = "ANANKE_ALLOW_MISSING", value_parser = parse_switch)]
    allow_missing: bool,
    #[command(flatten)]
    place: PlaceArgs,
    /// Write the comparison, format by extension: json, md, html; may be repeated
    #[arg(
        short,
        long = "output",
        value_name = "FILE",
        env = "ANANKE_COMPARE_OUTPUT",
        help_heading = "Output"
    )]
    outputs: Vec<PathBuf>,
    /// Print exactly one JSON document on stdout
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(super) json: bool,
}

/// Compares two runs. A regression ends with 1; without one, a run that is not all here ends with 5.
pub(crate) fn compare(
    args: &CompareArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let targets = two_targets(&args.targets)?;
    let (name_a, name_b) = names(args, targets.is_some());
    let inputs = [name_a, name_b].map(|name| environment.cwd.join(name));
    let mut outputs = Vec::new();
    for path in &args.outputs {
        check_path(path, environment)?;
        if inputs.contains(&environment.cwd.join(path)) {
            let message = format!("`-o {}` would replace what is compared", path.display());
            return Err(CommandError::new(Exit::Configuration, message));
        }
        outputs.push((path, format_of(path)?));
    }
    let place = args.place.place(environment);
    let (mut a, mut b) = (side(name_a, &place)?, side(name_b, &place)?);
    if let Some([target_a, target_b]) = targets {
        narrow(&mut a, name_a, target_a)?;
        narrow(&mut b, name_b, target_b)?;
    }
    let missing = if args.allow_missing {
        Missing::Allowed
    } else {
        Missing::Regression
    };
    let comparison = compare_sides(&a, &b, missing);
    let written = outputs.iter().try_for_each(|(path, render)| {
        let text = render(&comparison);
        write_file(path, &text, Existing::Replace, environment, ui)
    });
    if args.json {
        // An error is then the one document.
        written?;
        ui.out(&format!("{}\n", comparison_json(&comparison)));
    } else {
        let verbose = ui.verbose > 0;
        ui.out(&comparison_text(
            &comparison,
            &ui.stdout_style,
            verbose,
            ui.quiet,
        ));
        written?;
    }
    Ok(match comparison.verdict {
        Verdict::Regression => Exit::Failed,
        Verdict::NothingInCommon => Exit::NothingRan,
        Verdict::Inconclusive => Exit::Inconclusive,
        Verdict::NoRegression | Verdict::NoDifference => Exit::Passed,
    })
}

/// Returns the runs to compare: two targets are mostly those of one run.
fn names(args: &CompareArgs, are_targets: bool) -> (&str, &str) {
    let (a, b) = (args.a.as_deref(), args.b.as_deref());
    if are_targets {
        let a = a.unwrap_or("latest");
        (a, b.unwrap_or(a))
    } else {
        (a.unwrap_or("previous"), b.unwrap_or("latest"))
    }
}

/// Returns the targets to compare, if the user named any.
fn two_targets(targets: &[String]) -> Result<Option<[&str; 2]>, CommandError> {
    match targets {
        [] => Ok(None),
        [a, b] => Ok(Some([a, b])),
        _ => {
            let n_targets = targets.len();
            let message =
                format!("--targets: expected the names of two targets, found {n_targets}");
            let hint =
                "write `--targets web,mobile`; of more than two, compare each with the first";
            Err(CommandError::new(Exit::Configuration, message).hint(hint))
        }
    }
}

/// Leaves the results of one target.
fn narrow(side: &mut Side, name: &str, target: &str) -> Result<(), CommandError> {
    let known = side.targets();
    if known.contains(&target) {
        side.only_target(target);
        return Ok(());
    }
    let message = format!("--targets: `{name}` has no result of the target `{target}`");
    let error = CommandError::new(Exit::Configuration, message);
    Err(match did_you_mean(target, known.iter().copied()) {
        Some(word) => error.hint(format!("did you mean `{word}`?")),
        None if known.is_empty() => {
            error.hint("it has no target with a name; `targets` in the config names them")
        }
        None => error.hint(format!("it has `{}`", known.join("`, `"))),
    })
}

type Render = fn(&Comparison) -> String;

fn format_of(path: &Path) -> Result<Render, CommandError> {
    let extension = path.extension().and_then(|word| word.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => Ok(|comparison| format!("{}\n", comparison_json(comparison))),
        Some("md" | "markdown") => Ok(comparison_markdown),
        Some("html" | "htm") => Ok(comparison_html),
        _ => {
            let message = format!(
                "`-o {}`: the extension names no format; known are json, md, html",
                path.display()
            );
            Err(CommandError::new(Exit::Configuration, message))
        }
    }
}

/// Reads a side: a file that is not compressed is a report, everything else a bundle.
fn side(name: &str, place: &BundlePlace<'_>) -> Result<Side, CommandError> {
    let path = place.environment.cwd.join(name);
    if path.is_file() && !is_bundle(&path).map_err(|error| unreadable(name, &error))? {
        let text = read(&path).map_err(|error| unreadable(name, &error))?;
        return Side::from_report(name, &text).map_err(|error| {
            let message = format!("`{name}` cannot be compared: {error}");
            CommandError::new(Exit::Configuration, message).hint(
                "expected a bundle, or a report that `ananke run -o report.json` (or .jsonl) wrote",
            )
        });
    }
    let bundle = place.read(name)?;
    let run_id = &bundle.head.run.run_id;
    let label = if name.contains(run_id.as_str()) {
        name.to_owned()
    } else {
        format!("{name} ({run_id})")
    };
    let incomplete = match &bundle.ending {
        Ending::Cut { reason } => Some(format!("the bundle ends before the run did: {reason}")),
        Ending::Complete(summary) if summary.interrupted => {
            Some("the run was interrupted".to_owned())
        }
        Ending::Complete(_) => None,
    };
    let mut side = Side::from_results(&label, bundle.results);
    if let Some(why) = incomplete {
        side.set_incomplete(why);
    }
    Ok(side)
}

fn is_bundle(path: &Path) -> io::Result<bool> {
    if path.extension().is_some_and(|extension| extension == "zst") {
        return Ok(true);
    }
    let mut head = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut head)?;
    Ok(head == ZSTD)
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    // What is not UTF-8 is no JSON either, which is then told with its place.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unreadable(name: &str, error: &io::Error) -> CommandError {
    CommandError::new(Exit::Trouble, format!("`{name}` cannot be read: {error}"))
}
