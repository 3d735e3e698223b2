//! One side of a comparison: what is known about each test of a run.

use std::collections::{BTreeSet, HashMap};

use ananke_model::recording::{EventLog, ToolCall, Turn, TurnStatus};
use ananke_model::result::{TestResult, TestStatus};
use serde_json::Value;

use super::cause::{UnmetCheck, causes};
use super::measure::is_name;
use crate::json::json_or_text;
use crate::reasons::{Unmet, first_reason, unmet};

/// A run, from a bundle or from a JSON report.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// What a person calls it.
    pub(super) label: String,
    pub(super) tests: Vec<SideTest>,
    /// Why the run did not come to its end, or is not all here.
    pub(super) incomplete: Option<String>,
}

/// A test of a run.
#[derive(Clone, Debug)]
pub(super) struct SideTest {
    pub(super) id: String,
    /// What people call it, if it is a case.
    pub(super) case: Option<String>,
    pub(super) file: String,
    /// The agent that was asked, as shown to a person.
    pub(super) target: String,
    /// How many runs this stands for, and how many of them passed; more than one only where they are not known by themselves.
    pub(super) n_runs: usize,
    pub(super) n_passed: usize,
    /// Whether it speaks for all runs of its result: how it came out is how the test came out.
    pub(super) speaks: bool,
    pub(super) name: String,
    pub(super) status: TestStatus,
    /// Why it did not pass, or was skipped.
    pub(super) reason: Option<String>,
    /// Everything that kept it from passing, without what was measured.
    pub(super) causes: Vec<String>,
    pub(super) flaky: bool,
    pub(super) duration_us: u64,
    pub(super) turns: Vec<SideTurn>,
    /// Each checkpoint with the turn in which it was reached.
    pub(super) checkpoints: Vec<(String, Option<usize>)>,
}

/// A turn of a test.
#[derive(Clone, Debug)]
pub(super) struct SideTurn {
    pub(super) kind: String,
    pub(super) user: Option<String>,
    pub(super) text: String,
    pub(super) calls: Vec<SideCall>,
    pub(super) state: Value,
    pub(super) interrupts: Vec<Value>,
    /// The state of the task that the agent worked on, where it works on tasks.
    pub(super) task: Option<String>,
    /// Why it says nothing about tools that no call was seen.
    pub(super) no_calls_because: Option<String>,
    /// How it ended, in words.
    pub(super) ending: String,
    pub(super) total_us: u64,
    pub(super) first_text_us: Option<u64>,
    /// `None` where events were not kept.
    pub(super) events: Option<EventLog>,
}

/// A tool call of a turn.
#[derive(Clone, Debug)]
pub(super) struct SideCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Value,
    pub(super) result: Option<Value>,
    pub(super) error: Option<String>,
}

impl Side {
    /// Returns the side of a run whose results are all known, as bundles keep them.
    pub fn from_results(label: &str, results: Vec<TestResult>) -> Self {
        Self {
            label: label.to_owned(),
            tests: results
                .into_iter()
                .flat_map(runs_of)
                .map(|(result, speaks)| SideTest::from_result(result, speaks))
                .collect(),
            incomplete: None,
        }
    }

    /// Returns the names of the targets that were asked, each once, in the order of the results.
    pub fn targets(&self) -> Vec<&str> {
        let mut targets: Vec<&str> = Vec::new();
        for test in self.tests.iter().filter(|test| is_name(&test.target)) {
            if !targets.contains(&test.target.as_str()) {
                targets.push(&test.target);
            }
        }
        targets
    }

    /// Leaves the results of one target, with the ids that its tests have where they have no other target.
    pub fn only_target(&mut self, target: &str) {
        let mark = format!("@{target}");
        // Of a test that was never reached nothing but the id is known.
        let is_of = |test: &SideTest| {
            test.target == target || (test.target.is_empty() && test.id.ends_with(&mark))
        };
        self.tests.retain(is_of);
        for test in &mut self.tests {
            // A case without a name is called by its id.
            let name = (test.case.as_ref() == Some(&test.name)).then_some(&mut test.name);
            for id in [Some(&mut test.id), name, test.case.as_mut()]
                .into_iter()
                .flatten()
            {
                if let Some(bare) = id.strip_suffix(&mark) {
                    *id = bare.to_owned();
                }
            }
        }
        self.label = format!("{}, target {target}", self.label);
    }

    /// Says that this side is not the whole run, and why.
    pub fn set_incomplete(&mut self, why: impl Into<String>) {
        self.incomplete = Some(why.into());
    }
}

/// Returns each run of a test by itself, by number, and whether it speaks for all.
fn runs_of(mut result: TestResult) -> Vec<(TestResult, bool)> {
    let others = std::mem::take(&mut result.other_runs);
    let mut runs: Vec<_> = others.into_iter().map(|run| (run, false)).collect();
    runs.push((result, true));
    runs.sort_by_key(|(run, _)| run.run);
    runs
}

impl SideTest {
    fn from_result(result: TestResult, speaks: bool) -> Self {
        let reason = match result.status {
            TestStatus::Passed => None,
            TestStatus::Skipped => result.reason.clone(),
            TestStatus::Failed
            | TestStatus::Error
            | TestStatus::Timeout
            | TestStatus::Inconclusive => Some(first_reason(&result).0),
        };
        let short = result.short_id();
        let is_case = result.case.is_some() || short != result.id.0;
        let case = is_case.then(|| short.to_owned());
        let unmet: Vec<UnmetCheck> = unmet(&result).map(unmet_check).collect();
        let mut late = Vec::new();
        let turns = result.turns.into_iter().map(|judged| {
            let turn = judged.turn;
            let results = turn.late_results.iter();
            late.extend(results.map(|late| (late.id.clone(), json_or_text(&late.result))));
            SideTurn::from_turn(turn)
        });
        let mut test = Self {
            id: result.id.0,
            name: result.name,
            case,
            file: result.file,
            target: result.target,
            n_runs: 1,
            n_passed: usize::from(result.status == TestStatus::Passed),
            speaks,
            status: result.status,
            causes: causes(reason.as_deref(), &unmet),
            reason,
            flaky: result.flaky,
            duration_us: result.duration_us,
            turns: turns.collect(),
            checkpoints: result
                .checkpoints
                .into_iter()
                .map(|checkpoint| (checkpoint.id, checkpoint.reached_at_turn))
                .collect(),
        };
        test.settle(late);
        test
    }

    /// Gives results that came in a later turn to the calls that they answer.
    pub(super) fn settle(&mut self, late: Vec<(String, Value)>) {
        let mut late: HashMap<String, Value> = late.into_iter().collect();
        if late.is_empty() {
            return;
        }
        let calls = self.turns.iter_mut().flat_map(|turn| &mut turn.calls);
        for call in calls.filter(|call| call.result.is_none()) {
            call.result = late.remove(&call.id);
        }
    }

    /// Returns the ids that the protocol itself made up for this test's calls.
    pub(super) fn call_ids(&self) -> BTreeSet<String> {
        let calls = self.turns.iter().flat_map(|turn| &turn.calls);
        calls.map(|call| call.id.clone()).collect()
    }
}

fn unmet_check(unmet: Unmet<'_>) -> UnmetCheck {
    let Unmet { turn, check } = unmet;
    UnmetCheck {
        check: check.check.clone(),
        subject: check.subject.clone(),
        outcome: check.outcome,
        level: check.origin.level,
        named: check.origin.named.clone(),
        turn,
        sentence: Some(unmet.sentence()),
    }
}

impl SideTurn {
    fn from_turn(turn: Turn) -> Self {
        let task = turn.task.map(|task| *task).unwrap_or_default();
        Self {
            calls: turn.tool_calls.iter().map(SideCall::from_call).collect(),
            ending: match &turn.status {
                TurnStatus::Finished => "finished".to_owned(),
                TurnStatus::RunError { message, .. } => format!("run error: {message}"),
                TurnStatus::Broken(trouble) => format!("broken: {}", trouble.message),
            },
            kind: turn.kind,
            user: turn.user,
            text: turn.text,
            state: turn.state,
            interrupts: turn.interrupts,
            task: task.state,
            no_calls_because: turn.no_calls_because.or(task.no_calls_because),
            total_us: turn.timing.total_us,
            first_text_us: turn.timing.first_text_us,
            events: Some(turn.events),
        }
    }
}

impl SideCall {
    fn from_call(call: &ToolCall) -> Self {
        Self {
            id: call.id.clone(),
            name: call.name.clone(),
            args: json_or_text(&call.args_text),
            result: call.result.as_deref().map(json_or_text),
            error: call.error.clone(),
        }
    }
}
