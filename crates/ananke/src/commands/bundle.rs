//! The bundle of a run: where it goes, what it holds beside the results, and how many are kept.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ananke_model::check::Check;
use ananke_model::plan::Plan;
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::variables::Variables;
use ananke_store::{BundleWriter, Head, RecordedVariables, StoreError};
use clap::Args;
use serde_json::value::{RawValue, to_raw_value};

use super::load::LoadedPlan;
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// Where bundles are, from the folder of the config file.
pub(crate) const DEFAULT_DIR: &str = ".ananke/runs";
const DEFAULT_KEEP: usize = 20;

/// Bundles.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Bundle")]
pub(crate) struct BundleArgs {
    /// Leave no bundle of this run
    #[arg(long, env = "ANANKE_NO_BUNDLE", value_parser = parse_switch)]
    pub(crate) no_bundle: bool,
    /// The folder of the bundles; by default `bundle.dir` of the config, else .ananke/runs beside it
    #[arg(long, value_name = "FOLDER", env = "ANANKE_BUNDLE_DIR")]
    pub(crate) bundle_dir: Option<PathBuf>,
    /// How many bundles are kept, 0 for all; by default `bundle.keep` of the config, else 20
    #[arg(long, value_name = "N", env = "ANANKE_KEEP_BUNDLES")]
    pub(crate) keep_bundles: Option<usize>,
}

impl BundleArgs {
    /// Returns the folder that holds the bundles of the project.
    pub(crate) fn folder(
        &self,
        plan: &Plan,
        variables: &Variables,
        environment: &Environment,
    ) -> Result<PathBuf, CommandError> {
        if let Some(folder) = &self.bundle_dir {
            return Ok(environment.cwd.join(folder));
        }
        let Some(dir) = &plan.bundle.dir else {
            return Ok(plan.root.join(DEFAULT_DIR));
        };
        let dir = variables.text(&dir.text).map_err(|names| {
            let message = format!("{}: no value for {}", dir.place, names.join(", "));
            CommandError::new(Exit::Configuration, message)
        })?;
        Ok(plan.root.join(dir))
    }
}

/// A bundle that is being written.
#[derive(Debug)]
pub(crate) struct BundleSink {
    /// Gone when the run is over.
    writer: Option<BundleWriter>,
    folder: PathBuf,
    keep: usize,
    /// Why it ends before the run does.
    lost: Option<StoreError>,
}

impl BundleSink {
    /// Opens the bundle of a run; puts its name and place into `info`.
    pub(crate) fn create(
        args: &BundleArgs,
        loaded: &LoadedPlan,
        info: &mut RunInfo,
        environment: &Environment,
    ) -> Result<Self, CommandError> {
        let folder = args.folder(&loaded.plan, &loaded.variables, environment)?;
        let head = Head {
            run: redacted(info, loaded),
            variables: recorded_variables(loaded),
        };
        // Nothing else is going on yet, and with thousands of tests both take their time.
        let (writer, plan) = std::thread::scope(|scope| {
            let plan = scope.spawn(|| plan_text(loaded));
            let writer = BundleWriter::create(&folder, &head, &sources(loaded, environment));
            (
                writer,
                plan.join().expect("writing down a plan does not panic"),
            )
        });
        let mut writer = writer.map_err(|error| unwritable(&error))?;
        writer.plan(&plan).map_err(|error| unwritable(&error))?;
        writer.run_id().clone_into(&mut info.run_id);
        info.bundle = Some(shown(writer.path(), environment));
        let kept = loaded.plan.bundle.keep.unwrap_or(DEFAULT_KEEP);
        Ok(Self {
            keep: args.keep_bundles.unwrap_or(kept),
            writer: Some(writer),
            folder,
            lost: None,
        })
    }

    /// Takes the bundle away again, of a run that never began: `latest` is for runs that left something.
    pub(crate) fn discard(self) {
        if let Some(writer) = self.writer {
            writer.discard();
        }
    }

    /// Takes in a batch of events; what they say is on disk afterwards.
    pub(crate) fn take(&mut self, events: &[RunEvent]) {
        if self.lost.is_none() {
            self.lost = self.write(events).err();
        }
    }

    fn write(&mut self, events: &[RunEvent]) -> Result<(), StoreError> {
        let mut has_news = false;
        for event in events {
            let Some(writer) = &mut self.writer else {
                return Ok(());
            };
            match event {
                RunEvent::TestFinished { result, .. } => {
                    writer.test(result)?;
                    has_news = true;
                }
                RunEvent::RunFinished(summary) => {
                    let writer = self.writer.take();
                    return writer.map_or(Ok(()), |writer| writer.finish(summary));
                }
                RunEvent::RunStarted(_)
                | RunEvent::TestStarted { .. }
                | RunEvent::TestSlow { .. }
                | RunEvent::Notice(_) => {}
            }
        }
        match &mut self.writer {
            Some(writer) if has_news => writer.flush(),
            _ => Ok(()),
        }
    }

    /// Ends the bundle and removes the oldest ones; returns what went wrong.
    pub(crate) fn finish(self, ui: &Ui) -> Option<CommandError> {
        if let Err(error) = ananke_store::prune(&self.folder, self.keep) {
            ui.warning(&format!("old bundles could not be removed: {error}"), &[]);
        }
        self.lost.as_ref().map(unwritable)
    }
}

/// Returns what is known of a run, without secrets.
fn redacted(info: &RunInfo, loaded: &LoadedPlan) -> RunInfo {
    let mut event = RunEvent::RunStarted(info.clone());
    loaded.redactor.event(&mut event);
    match event {
        RunEvent::RunStarted(info) => info,
        _ => info.clone(),
    }
}

/// Returns the plan as JSON, without secrets.
fn plan_text(loaded: &LoadedPlan) -> Box<RawValue> {
    let redactor = &loaded.redactor;
    let plan = ananke_report::resolved_plan(&loaded.plan, &loaded.variables);
    let text = if redactor.is_idle() {
        to_raw_value(&plan)
    } else {
        serde_json::to_value(plan).and_then(|mut plan| {
            redactor.value(&mut plan);
            to_raw_value(&plan)
        })
    };
    text.expect("all keys are strings")
}

fn recorded_variables(loaded: &LoadedPlan) -> RecordedVariables {
    let mut hidden = ananke_run::placeholders(&loaded.redactor, loaded.variables.clone());
    let names = ananke_suite::environment_names(&loaded.plan);
    hidden.environment.retain(|name, _| names.contains(name));
    RecordedVariables {
        variables: hidden.variables.into_iter().collect(),
        environment: hidden.environment,
    }
}

/// Returns the files that the tests came from, below the root.
fn sources(loaded: &LoadedPlan, environment: &Environment) -> Vec<(String, String)> {
    let plan = &loaded.plan;
    let config = plan.config_file.as_deref().and_then(|file| {
        let name = Path::new(file).file_name()?.to_str()?;
        Some((name.to_owned(), loaded.sources.text(file)?))
    });
    // A file of cases holds many tests.
    let mut known = HashSet::new();
    let tests = plan.tests.iter().filter_map(|test| {
        let path = test.source_id();
        let text = loaded.sources.text(&test.file)?;
        known.insert(path).then(|| (path.to_owned(), text))
    });
    let blocks = plan.tests.iter().flat_map(|test| {
        let turns = test.turns.iter().filter_map(|turn| turn.block.as_ref());
        turns.chain([&test.block])
    });
    let snapshots = blocks
        .flat_map(|block| &block.demands)
        .filter_map(|demand| match &demand.check {
            Check::Snapshot(snapshot) => Some((snapshot.path.clone(), snapshot.stored.as_deref()?)),
            _ => None,
        });
    // Scripts, the files of assistants, who asks: all that was read and lies in the project.
    let test_files: HashSet<&str> = plan.tests.iter().map(|test| &*test.file).collect();
    let others = loaded.sources.iter().filter_map(|(file, text)| {
        if test_files.contains(file) {
            return None;
        }
        let path = environment.cwd.join(file);
        let path = path.strip_prefix(&plan.root).ok()?.display().to_string();
        let is_own = config.as_ref().is_some_and(|(name, _)| *name == path);
        (!is_own).then_some((path, text))
    });
    let others: Vec<(String, &str)> = others.collect();
    config
        .into_iter()
        .chain(tests)
        .chain(snapshots)
        .chain(others)
        .map(|(path, text)| (path, loaded.redactor.text(text).into_owned()))
        .collect()
}

/// Returns a path as the user would type it here.
pub(crate) fn shown(path: &Path, environment: &Environment) -> String {
    let short = path.strip_prefix(&environment.cwd).unwrap_or(path);
    short.display().to_string()
}

fn unwritable(error: &StoreError) -> CommandError {
    CommandError::new(Exit::Trouble, with_cause(error))
        .hint("`--bundle-dir FOLDER` puts it elsewhere, `--no-bundle` leaves none")
}

/// Returns what went wrong, and what the system said about it.
pub(crate) fn with_cause(error: &StoreError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Returns why a bundle could not be read. What somebody else can mend by naming another bundle is a mistake of the
/// command line; damage is not.
pub(crate) fn unreadable(error: &StoreError) -> CommandError {
    let exit = match error {
        StoreError::Damaged { .. } | StoreError::Read { .. } => Exit::Trouble,
        _ => Exit::Configuration,
    };
    let unreadable = CommandError::new(exit, with_cause(error));
    match error.hint() {
        Some(hint) => unreadable.hint(hint),
        None => unreadable,
    }
}
