//! `ananke report`: renders runs that are over, and joins the shards of one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use ananke_store::{Bundle, Ending};
use clap::Args;

use super::find_bundle::PlaceArgs;
use super::outputs::{Outputs, OutputsArgs};
use super::pipeline::finish;
use super::reporting::Reporting;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Render reports of runs that are over, and join shards
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Bundles: folders, names of runs, `latest` or `previous`; several need --merge
    #[arg(value_name = "BUNDLE", required = true)]
    bundles: Vec<String>,
    /// Join the bundles into one report, as the shards of one run
    #[arg(long, env = "ANANKE_MERGE", value_parser = parse_switch)]
    merge: bool,
    /// Join although a shard is missing
    #[arg(long, env = "ANANKE_ALLOW_MISSING", value_parser = parse_switch)]
    allow_missing: bool,
    /// End with the exit code of the run, not with 0 for a report that was written
    #[arg(long, env = "ANANKE_EXIT_CODE", value_parser = parse_switch)]
    exit_code: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    outputs: OutputsArgs,
    /// Print exactly one JSON document on stdout instead of the report
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Reports")]
    pub(super) json: bool,
}

/// Renders bundles.
pub(crate) fn report(
    args: &ReportArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    if args.bundles.len() > 1 && !args.merge {
        let error = CommandError::new(Exit::Configuration, "a report is of one bundle");
        return Err(error.hint("`--merge` joins several, as the shards of one run"));
    }
    let place = args.place.place(environment);
    let mut bundles: Vec<Bundle> = Vec::new();
    for name in &args.bundles {
        let bundle = place.read(name)?;
        let run_id = &bundle.head.run.run_id;
        let mut known = bundles.iter().zip(&args.bundles);
        if let Some((_, other)) = known.find(|(known, _)| known.head.run.run_id == *run_id) {
            // A result that counts twice would make a test look more stable than anybody knows.
            let message = format!("the run {run_id} is named twice: `{other}` and `{name}`");
            return Err(CommandError::new(Exit::Configuration, message)
                .hint("a run is evidence once; name each only once"));
        }
        if let Ending::Cut { reason } = &bundle.ending {
            let message = format!("{name}: the run did not come to its end: {reason}");
            ui.warning(&message, &[]);
        }
        bundles.push(bundle);
    }
    if args.merge && !args.allow_missing {
        check_shards(&bundles)?;
    }
    args.outputs.refuse_agents()?;
    let outputs = Outputs::open(&args.outputs, args.json, environment)?;
    let mut reporting = Reporting::new(outputs, None, Vec::new(), PathBuf::new(), ui);
    let joined = join(bundles, ui);
    let exit = if args.exit_code {
        Exit::of_summary(&joined.summary)
    } else {
        Exit::Passed
    };
    for event in joined.events() {
        reporting.take(&[event]);
    }
    Ok(finish(reporting, exit, ui))
}

/// Runs as one.
struct Joined {
    info: RunInfo,
    results: Vec<ananke_model::result::TestResult>,
    summary: Summary,
}

impl Joined {
    fn events(self) -> impl Iterator<Item = RunEvent> {
        let results = self.results.into_iter().enumerate();
        let finished = results.map(|(index, result)| RunEvent::TestFinished {
            index,
            result: Box::new(result),
        });
        [RunEvent::RunStarted(self.info)]
            .into_iter()
            .chain(finished)
            .chain([RunEvent::RunFinished(self.summary)])
    }
}

/// Puts the runs together; the tests of several are sorted by id.
fn join(bundles: Vec<Bundle>, ui: &Ui) -> Joined {
    let is_one = bundles.len() == 1;
    let mut info = RunInfo::default();
    let mut results = Vec::new();
    let mut ended_us = i64::MIN;
    let mut is_interrupted = false;
    let mut duration_us = 0;
    for (number, bundle) in bundles.into_iter().enumerate() {
        let summary = bundle.summary();
        is_interrupted |= summary.interrupted;
        duration_us = summary.duration_us;
        let run = bundle.head.run;
        let run_ended_us = run
            .started_at_ms
            .saturating_mul(1000)
            .saturating_add_unsigned(summary.duration_us);
        ended_us = ended_us.max(run_ended_us);
        results.extend(bundle.results);
        if number == 0 {
            info = run;
            continue;
        }
        info.started_at_ms = info.started_at_ms.min(run.started_at_ms);
        info.run_id = format!("{} + {}", info.run_id, run.run_id);
        info.bundle = None;
        for agent in run.agents {
            if !info.agents.contains(&agent) {
                info.agents.push(agent);
            }
        }
        if info.connector != run.connector {
            info.connector = None;
        }
        // There is no one number; how often each test was run is counted.
        if info.runs_per_case != run.runs_per_case {
            info.runs_per_case = 0;
        }
        info.facts
            .retain(|name, value| run.facts.get(name) == Some(value));
    }
    if !is_one {
        results.sort_by(|one, other| one.id.cmp(&other.id));
        let total = u64::try_from(ended_us - info.started_at_ms.saturating_mul(1000));
        duration_us = total.unwrap_or_default();
        tell_repeated(&results, ui);
    }
    let mut summary = Summary {
        interrupted: is_interrupted,
        duration_us,
        ..Summary::default()
    };
    for result in &results {
        summary.count_result(result);
    }
    info.total = results.len();
    info.tests = results.iter().map(|result| result.id.clone()).collect();
    Joined {
        info,
        results,
        summary,
    }
}

fn tell_repeated(results: &[ananke_model::result::TestResult], ui: &Ui) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for result in results {
        *counts.entry(&result.id.0).or_default() += 1;
    }
    let n_repeated = counts.values().filter(|count| **count > 1).count();
    if n_repeated > 0 {
        let message = format!(
            "{n_repeated} of the tests are in more than one bundle: each of their results is kept, as one of several runs"
        );
        ui.warning(&message, &[]);
    }
}

/// Says which shards are missing.
fn check_shards(bundles: &[Bundle]) -> Result<(), CommandError> {
    let mut seen: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for bundle in bundles {
        let shard = bundle.head.run.facts.get("shard");
        let parts = shard.and_then(|shard| shard.split_once('/'));
        if let Some((number, of)) = parts
            && let (Ok(number), Ok(of)) = (number.parse(), of.parse())
        {
            seen.entry(of).or_default().insert(number);
        }
    }
    for (of, numbers) in seen {
        let missing: Vec<String> = (1..=of)
            .filter(|number| !numbers.contains(number))
            .map(|number| format!("{number}/{of}"))
            .collect();
        if !missing.is_empty() {
            let message = format!("no bundle of shard {}", missing.join(", "));
            return Err(CommandError::new(Exit::Configuration, message)
                .hint("`--allow-missing` joins what is there"));
        }
    }
    Ok(())
}
