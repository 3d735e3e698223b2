//! Arranging a loaded plan: shards and orders that look at the last run.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};

use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};

use super::bundle::{BundleArgs, unreadable};
use super::load::LoadedPlan;
use super::order::{OrderArgs, arrange};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// What came of arranging a plan.
#[derive(Debug, Default)]
pub(crate) struct Arranged {
    /// What is worth remembering about it: the seed, the shard.
    pub(crate) facts: BTreeMap<String, String>,
    /// Whether nothing is left, and the user said that this is fine.
    pub(crate) is_empty_on_purpose: bool,
}

impl LoadedPlan {
    /// Leaves what is to be run, in the order in which it is to be run.
    pub(crate) fn arrange(
        &mut self,
        args: &OrderArgs,
        bundle: &BundleArgs,
        environment: &Environment,
        ui: &Ui,
    ) -> Result<Arranged, CommandError> {
        let n_before = self.plan.tests.len();
        let failed = self.failed_last(args, bundle, environment, ui)?;
        let seed = match args.seed {
            _ if !args.shuffle => None,
            Some(seed) => Some(seed),
            // Short enough to be typed again.
            None => Some(random() % 1_000_000),
        };
        arrange(&mut self.plan, args, &failed, seed);
        let mut facts = BTreeMap::new();
        facts.extend(seed.map(|seed| ("seed".to_owned(), seed.to_string())));
        facts.extend(
            args.shard
                .map(|shard| ("shard".to_owned(), shard.to_string())),
        );
        if !self.plan.tests.is_empty() {
            return Ok(Arranged {
                facts,
                is_empty_on_purpose: false,
            });
        }
        match args.shard {
            Some(shard) if !args.last_failed => {
                let message = format!("shard {shard} holds none of the {n_before} tests");
                if !args.allow_empty_shard {
                    let error = CommandError::new(Exit::NothingRan, message);
                    return Err(error.hint(
                        "fewer shards would do; `--allow-empty-shard` says that this is fine",
                    ));
                }
                ui.warning(&message, &[]);
                Ok(Arranged {
                    facts,
                    is_empty_on_purpose: true,
                })
            }
            _ => {
                let message = format!(
                    "--last-failed: none of the {n_before} tests is among those that did not pass in the last run"
                );
                Err(CommandError::new(Exit::NothingRan, message)
                    .hint("run without `--last-failed` to run them all"))
            }
        }
    }

    /// Returns the tests that did not pass in the last run, if somebody asks.
    fn failed_last(
        &self,
        args: &OrderArgs,
        bundle: &BundleArgs,
        environment: &Environment,
        ui: &Ui,
    ) -> Result<BTreeSet<TestId>, CommandError> {
        if !args.last_failed && !args.failed_first {
            return Ok(BTreeSet::new());
        }
        let folder = bundle.folder(&self.plan, &self.variables, environment)?;
        let Some(path) = ananke_store::latest(&folder) else {
            let message = format!("there is no earlier run in `{}`", folder.display());
            if args.last_failed {
                return Err(CommandError::new(Exit::NothingRan, message)
                    .hint("run once without `--last-failed`"));
            }
            ui.warning(&format!("--failed-first: {message}"), &[]);
            return Ok(BTreeSet::new());
        };
        let read = ananke_store::Bundle::read(&path);
        let read = read.map_err(|error| unreadable(&error))?;
        let failed = read.results.into_iter().filter(did_not_pass);
        Ok(failed.map(|result| result.id).collect())
    }
}

/// Tells whether a test is to be run again: it did not pass, or it never came to run. One that its file skips is neither.
fn did_not_pass(result: &TestResult) -> bool {
    match result.status {
        TestStatus::Passed => false,
        TestStatus::Skipped => !result.turns.is_empty() || result.stopped_before().is_some(),
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout | TestStatus::Inconclusive => {
            true
        }
    }
}

/// Returns a number that nobody can foresee, from what seeds the hash tables of the standard library.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(0)
}
