//! `ananke judge`: judges the recordings of a bundle again, with the tests as they are now.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use ananke_model::case::CaseKind;
use ananke_model::plan::TestId;
use ananke_run::Lookup;
use ananke_store::Bundle;
use ananke_suite::Input;
use clap::Args;

use super::bundle::shown;
use super::find_bundle::BundlePlace;
use super::load::{LoadArgs, LoadedPlan, Loading, load};
use super::outputs::OutputsArgs;
use super::replay::{self, Judging};
use super::run::{FlakyChoice, parse_percent, refuse};
use super::snapshots::SnapshotArgs;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// The next step where the tests are not at hand.
const AS_RECORDED: &str = "`--as-recorded` takes the tests out of the bundle";
/// What the file of cases is called that came from standard input.
const STDIN: &str = "stdin";
/// Tests beyond this many are counted only.
const MOST_NAMED: usize = 20;

/// Judge the recordings of a bundle again, with the tests as they are now
#[derive(Args, Debug)]
pub(crate) struct JudgeArgs {
    /// The bundle: its folder, the name of a run, `latest` or `previous`
    #[arg(value_name = "BUNDLE")]
    bundle: String,
    #[command(flatten)]
    load: LoadArgs,
    /// Use the tests as they were recorded, instead of the files here
    #[arg(long, env = "ANANKE_AS_RECORDED", value_parser = parse_switch, conflicts_with_all = ["inputs", "more_inputs"])]
    as_recorded: bool,
    /// What a test counts as that passed only on a retry; by default as recorded
    #[arg(long, value_enum, value_name = "RESULT", env = "ANANKE_FLAKY_RESULT")]
    flaky_result: Option<FlakyChoice>,
    /// How many percent of its runs a test must pass; by default as recorded
    #[arg(long, value_name = "PERCENT", env = "ANANKE_MIN_PASS_RATE", value_parser = parse_percent)]
    min_pass_rate: Option<f64>,
    #[command(flatten)]
    snapshots: SnapshotArgs,
    /// The folder of the bundles; by default `bundle.dir` of the config, else .ananke/runs beside it
    #[arg(long, value_name = "FOLDER", env = "ANANKE_BUNDLE_DIR")]
    bundle_dir: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputsArgs,
    /// Print exactly one JSON document on stdout instead of the report
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Reports")]
    pub(super) json: bool,
}

/// Judges recordings.
pub(crate) fn judge(
    args: &JudgeArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let update = args.snapshots.update_snapshots.checked(environment)?;
    let place = BundlePlace {
        dir: args.bundle_dir.as_deref(),
        config: args.load.config.as_deref(),
        environment,
    };
    let bundle = place.read(&args.bundle)?;
    let folder;
    let project = if args.as_recorded {
        folder = super::as_recorded::write(&bundle)?;
        &Environment {
            cwd: folder.path().to_owned(),
            variables: environment.variables.clone(),
            ..*environment
        }
    } else {
        environment
    };
    let loading = Loading {
        recorded: Some(&bundle),
        is_as_recorded: args.as_recorded,
        update_snapshots: update,
        ..Loading::default()
    };
    let mut loaded = load(&args.load, loading, project)?;
    let also = not_found_by_itself(&bundle, &loaded, project);
    if loaded.is_everything && !also.is_empty() {
        // A mistake in a test that was not recorded is nobody's business here.
        let is_only = loaded.has_errors();
        let loading = Loading {
            also: &also,
            is_only,
            ..loading
        };
        loaded = load(&args.load, loading, project)?;
    }
    ui.hide(loaded.redactor.clone());
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        replay::tell_recorded_target(&bundle, &args.load, ui);
        return Ok(refuse(args.json, &loaded, ui));
    }
    if let Some(error) = loaded.nothing_to_run(&args.load) {
        let is_elsewhere = loaded.n_found == 0 && loaded.is_everything && !args.as_recorded;
        return Err(if is_elsewhere {
            error.hint(AS_RECORDED)
        } else {
            error
        });
    }
    if loaded.is_everything {
        let recorded: BTreeSet<TestId> = bundle
            .results
            .iter()
            .map(|result| result.id.clone())
            .collect();
        narrow(&mut loaded, &recorded, &args.load, ui)?;
    }
    let judging = Judging {
        lookup: Lookup::ById,
        flaky_result: args.flaky_result,
        min_pass_rate: args.min_pass_rate,
        input: (!loaded.is_everything).then(|| loaded.input.clone()),
        outputs: &args.outputs,
        json: args.json,
        rerun: vec!["ananke".to_owned(), "run".to_owned()],
    };
    replay::judge(bundle, &loaded, judging, environment, ui)
}

/// Returns what was recorded and is not among the tests of the project: files that had to be named, messages, and what came
/// from standard input.
fn not_found_by_itself(
    bundle: &Bundle,
    loaded: &LoadedPlan,
    environment: &Environment,
) -> Vec<Input> {
    let tests = loaded.plan.tests.iter().filter(|_| !loaded.has_errors());
    let known: HashSet<&TestId> = tests.map(|test| &test.id).collect();
    let mut seen = HashSet::new();
    let mut inputs = Vec::new();
    for result in bundle
        .results
        .iter()
        .filter(|result| !known.contains(&result.id))
    {
        let source = result.source_id();
        let message = result
            .case
            .as_ref()
            .filter(|case| case.kind == CaseKind::Message);
        if let Some(case) = message {
            let said = case.input.as_str().unwrap_or_default().to_owned();
            inputs.push(match result.file.as_str() {
                STDIN => Input::Stdin(said),
                _ => Input::Message(said),
            });
        } else if seen.insert(source) {
            let mut texts = bundle.sources.iter();
            let text = texts.find(|(path, _)| path == source);
            let path = loaded.plan.root.join(source);
            match text {
                Some((_, text)) if source == STDIN => inputs.push(Input::Stdin(text.clone())),
                Some((_, text)) if source.starts_with("agents:") => inputs.push(Input::Cases {
                    shown: source.to_owned(),
                    text: text.clone(),
                }),
                _ if path.is_file() => {
                    inputs.push(Input::Argument(shown(&path, environment)));
                }
                _ => {}
            }
        }
    }
    inputs
}

/// Leaves the tests that were recorded; names those that are recorded and no longer there, and those that are not recorded.
fn narrow(
    loaded: &mut LoadedPlan,
    recorded: &BTreeSet<TestId>,
    args: &LoadArgs,
    ui: &Ui,
) -> Result<(), CommandError> {
    let tests = &mut loaded.plan.tests;
    let known: BTreeSet<TestId> = tests.iter().map(|test| test.id.clone()).collect();
    tests.retain(|test| recorded.contains(&test.id));
    let is_filtered = args.run.is_some() || !args.tags.is_empty();
    let gone = recorded.difference(&known).map(ToString::to_string);
    let gone: Vec<String> = gone.collect();
    if !gone.is_empty() && !is_filtered {
        ui.warning("recorded, but no longer there:", &some(gone));
    }
    let new = known.difference(recorded).map(ToString::to_string);
    let new: Vec<String> = new.collect();
    if !new.is_empty() {
        ui.warning("not recorded, and so not judged:", &some(new));
    }
    if loaded.plan.tests.is_empty() {
        let error = CommandError::new(
            Exit::NothingRan,
            "none of the recorded tests is among the tests of this project",
        );
        return Err(error.hint(AS_RECORDED));
    }
    Ok(())
}

/// Returns the first lines, and how many there are more.
fn some(mut lines: Vec<String>) -> Vec<String> {
    let n_more = lines.len().saturating_sub(MOST_NAMED);
    lines.truncate(MOST_NAMED);
    if n_more > 0 {
        lines.push(format!("and {n_more} more"));
    }
    lines
}
