//! Tests judged on recordings: what `run --replay` and `judge` have in common.

use std::collections::BTreeMap;

use ananke_model::check::SnapshotUpdate;
use ananke_model::run_event::RunEvent;
use ananke_run::{JudgeOptions, Lookup, Recordings};
use ananke_store::{Bundle, Ending};

use super::facts::{MIN_PASS_RATE, TARGET};
use super::find_bundle::BundlePlace;
use super::load::{LoadArgs, LoadedPlan, Loading, load};
use super::outputs::{Outputs, OutputsArgs};
use super::pipeline::finish;
use super::reporting::Reporting;
use super::run::{FlakyChoice, RunArgs, refuse, rerun};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// How many events are handed over at once.
const BATCH: usize = 256;

/// `run --replay`: the tests that were asked for, with answers from the recordings of a bundle.
pub(crate) fn replay(
    args: &RunArgs,
    name: &str,
    update: SnapshotUpdate,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let place = BundlePlace {
        dir: args.bundle.bundle_dir.as_deref(),
        config: args.load.config.as_deref(),
        environment,
    };
    let bundle = place.read(name)?;
    let loading = Loading {
        recorded: Some(&bundle),
        update_snapshots: update,
        ..Loading::default()
    };
    let mut loaded = load(&args.load, loading, environment)?;
    ui.hide(loaded.redactor.clone());
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        tell_recorded_target(&bundle, &args.load, ui);
        return Ok(refuse(args.how.json, &loaded, ui));
    }
    if let Some(error) = loaded.nothing_to_run(&args.load) {
        return Err(error);
    }
    loaded.arrange(&args.order, &args.bundle, environment, ui)?;
    let judging = Judging {
        lookup: Lookup::ByConversation,
        flaky_result: args.how.flaky_result,
        min_pass_rate: args.how.min_pass_rate,
        input: Some(loaded.input.clone()),
        outputs: &args.outputs,
        json: args.how.json,
        rerun: rerun(args),
    };
    judge(bundle, &loaded, judging, environment, ui)
}

/// How to judge recordings.
#[derive(Debug)]
pub(crate) struct Judging<'a> {
    pub(crate) lookup: Lookup,
    /// What the user said; otherwise it is as it was recorded.
    pub(crate) flaky_result: Option<FlakyChoice>,
    /// What the user said; otherwise it is as it was recorded.
    pub(crate) min_pass_rate: Option<f64>,
    /// What was asked for, unless it is what was recorded.
    pub(crate) input: Option<String>,
    pub(crate) outputs: &'a OutputsArgs,
    pub(crate) json: bool,
    pub(crate) rerun: Vec<String>,
}

/// Judges the tests of `loaded` on the recordings of `bundle` and reports as a run does.
pub(crate) fn judge(
    bundle: Bundle,
    loaded: &LoadedPlan,
    judging: Judging<'_>,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if let Ending::Cut { reason } = &bundle.ending {
        ui.warning(
            &format!("the recorded run did not come to its end: {reason}"),
            &[],
        );
    }
    if !ui.quiet {
        let from = bundle.head.run.bundle.as_deref().unwrap_or_default();
        ui.talk(&format!("judging {from}; no agent is called\n"));
    }
    judging.outputs.refuse_agents()?;
    let outputs = Outputs::open(judging.outputs, judging.json, environment)?;
    let mut reporting = Reporting::new(outputs, None, judging.rerun, loaded.plan.root.clone(), ui);
    let summary = bundle.summary();
    let mut info = bundle.head.run;
    if let Some(input) = judging.input {
        info.input = input;
    }
    let options = JudgeOptions {
        // A bundle holds no secret, and neither does what is said about it.
        variables: ananke_run::placeholders(&loaded.redactor, loaded.variables.clone()),
        lookup: judging.lookup,
        flaky_result: FlakyChoice::settled(judging.flaky_result, &mut info.facts),
        min_pass_rate: settled_pass_rate(judging.min_pass_rate, &mut info.facts),
        info,
        duration_us: summary.duration_us,
        is_interrupted: summary.interrupted,
    };
    let mut batch: Vec<RunEvent> = Vec::with_capacity(BATCH);
    let outcome = ananke_run::judge(
        &loaded.plan,
        Recordings::new(bundle.results),
        options,
        &mut |mut event| {
            // The recorded run did not know what `--secret` names now.
            loaded.redactor.event(&mut event);
            batch.push(event);
            if batch.len() == BATCH {
                reporting.take(&batch);
                batch.clear();
            }
        },
    );
    reporting.take(&batch);
    let exit = Exit::of(&outcome, None);
    Ok(finish(reporting, exit, ui))
}

/// Returns the pass rate that the user wants, or else the one that `facts` remember; they then say the same.
fn settled_pass_rate(chosen: Option<f64>, facts: &mut BTreeMap<String, String>) -> Option<f64> {
    if let Some(percent) = chosen {
        facts.insert(MIN_PASS_RATE.to_owned(), percent.to_string());
    }
    facts.get(MIN_PASS_RATE)?.parse().ok()
}

/// Says whose target was used, if the user named none: mistakes may come from that.
pub(crate) fn tell_recorded_target(bundle: &Bundle, args: &LoadArgs, ui: &Ui) {
    let target = bundle.head.run.facts.get(TARGET);
    if let (Some(target), true) = (target, args.targets.is_empty()) {
        let message = format!(
            "the recorded run had `--target {target}`, which is used unless `--target` names another"
        );
        ui.warning(&message, &[]);
    }
}
