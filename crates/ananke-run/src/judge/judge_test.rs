//! Judges one recorded test by the test as it is now.

use std::borrow::Cow;
use std::path::Path;

use ananke_model::plan::PlannedTest;
use ananke_model::recording::Turn;
use ananke_model::result::{CUT_SHORT, INTERRUPTED, Reach, TestResult, TestStatus};
use ananke_model::script::Scripts;
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;
use serde_json::Value;

use super::difference::{Said, n_turns};
use super::led::{judge_led, led_otherwise};
use super::planned::Planned;
use super::script::{after_failed, judge_script, with_after};
use crate::dispatch::{Repeat, split};
use crate::dynamic::{Ending, cut_short};
use crate::opinions::Again;
use crate::session::{FlakyResult, Judging, Next, Stopped, Verdict, not_run, settle};

/// The next step when a recording does not fit.
pub(super) const RECORD: &str = "run the test against the agent to record it";

/// Judges a recorded test by `test`, as [`super::judge`] does for all tests of a plan.
pub fn judge_test(
    test: &PlannedTest,
    recorded: TestResult,
    variables: &Variables,
    flaky_result: FlakyResult,
    repeat: Repeat,
) -> TestResult {
    let judge = JudgeRecorded {
        again: &Again::new(&Scripts::default(), Path::new("")),
        variables,
        flaky_result,
    };
    judge.test(test, recorded, repeat)
}

/// Judges recorded tests. Times, hook output, warnings and the agent are the recording's; everything else is the test's. The
/// same test and the same recording give the same result.
#[derive(Clone, Copy)]
pub(super) struct JudgeRecorded<'a> {
    pub(super) again: &'a Again,
    pub(super) variables: &'a Variables,
    pub(super) flaky_result: FlakyResult,
}

impl JudgeRecorded<'_> {
    /// Judges a test. Each run of `--runs` is judged by itself, and then they are put together as if they were made now.
    pub(super) fn test(
        self,
        test: &PlannedTest,
        recorded: TestResult,
        repeat: Repeat,
    ) -> TestResult {
        if let Some(skip) = &test.skip {
            let stopped = Stopped::skipped(skip, self.variables);
            let mut runs = split(recorded);
            return without_turns(test, runs.swap_remove(0), stopped);
        }
        if recorded.run.is_none() && recorded.other_runs.is_empty() {
            return self.run(test, recorded);
        }
        let runs = split(recorded).into_iter().map(|recorded| {
            let run = recorded.run;
            let judged = self.run(test, recorded);
            TestResult { run, ..judged }
        });
        repeat.merge(runs.collect())
    }

    /// Judges one run. Attempts are gone through as if they were made now: the first that does not fail is the result.
    fn run(self, test: &PlannedTest, mut recorded: TestResult) -> TestResult {
        let mut earlier = Vec::new();
        for attempt in std::mem::take(&mut recorded.earlier) {
            let judged = self.attempt(test, attempt);
            if !judged.status.is_failure() {
                return settle(earlier, judged, self.flaky_result);
            }
            earlier.push(judged);
        }
        let judged = self.attempt(test, recorded);
        settle(earlier, judged, self.flaky_result)
    }

    fn attempt(self, test: &PlannedTest, mut recorded: TestResult) -> TestResult {
        if test.script.is_some() {
            return judge_script(test, recorded, self.again);
        }
        let is_led = test.dynamic.is_some();
        // A simulator may end a conversation before it begins.
        if recorded.turns.is_empty() && !(is_led && Ending::of(&recorded).is_some()) {
            return if recorded.reason.as_deref() == Some(CUT_SHORT) {
                not_run(test, self.variables, CUT_SHORT)
            } else if was_skipped(&recorded) {
                let reason = "no recording: the test was skipped when it was recorded";
                let stopped = Stopped::error(reason).details([RECORD.to_owned()]);
                without_turns(test, recorded, stopped)
            } else {
                recorded
            };
        }
        let variables = with_given(self.variables, &recorded);
        let planned = Planned::new(test, &variables);
        let judging = Judging::compile(test, &variables);
        let (planned, mut judging) = match (planned, judging) {
            (Ok(planned), Ok(judging)) => (planned, judging),
            (planned, judging) => {
                let reasons = [planned.err(), judging.err()];
                let stopped = Stopped::all(reasons).expect("one of them is there");
                let verdict = Verdict::stopped(stopped);
                return result(test, test.name.text.clone(), verdict, recorded);
            }
        };
        judging.cut_by(cut_short(&recorded));
        let after = after_failed(test, &recorded);
        if let Some(now) = &planned.by {
            recorded.warnings.extend(led_otherwise(now, &recorded));
        }
        let turns = std::mem::take(&mut recorded.turns);
        let n_recorded = turns.len();
        let turns = turns
            .into_iter()
            .map(|judged| self.again.without_changed(judged.turn));
        let judged = if is_led {
            judge_led(&planned, turns, &mut judging, (&recorded, self.again))
        } else {
            judge_turns(&planned, turns, &mut judging, (&recorded, self.again))
        };
        let stopped = match judged {
            Ok(n_left) => {
                if n_left > 0 {
                    recorded.warnings.push(format!(
                        "the recording has {}, the test has {} now: what was said later is not judged",
                        n_turns(n_recorded),
                        n_turns(n_recorded - n_left),
                    ));
                }
                None
            }
            Err(stopped) => Some(stopped),
        };
        let judged = TestResult {
            case: planned.case,
            ..result(test, planned.name, judging.verdict(stopped), recorded)
        };
        with_after(judged, after)
    }
}

/// Judges turn by turn; returns how many recorded turns the test has no use for.
fn judge_turns(
    planned: &Planned,
    mut turns: impl ExactSizeIterator<Item = Turn>,
    judging: &mut Judging,
    (recorded, again): (&TestResult, &Again),
) -> Result<usize, Stopped> {
    let input = planned.case.as_ref().map(|case| &case.input);
    for (number, action) in (1..).zip(&planned.actions) {
        let Some(mut turn) = turns.next() else {
            let cut = judging.cut();
            return Err(cut.unwrap_or_else(|| not_recorded(number, action, recorded)));
        };
        if let Some(lines) = planned.difference(number, &turn) {
            let lines = lines.into_iter().chain([RECORD.to_owned()]);
            let reason = format!("turn {number} is not the recorded one");
            return Err(Stopped::error(reason).details(lines));
        }
        let questions = judging.questions(&turn);
        let said = again.ask(questions, std::slice::from_ref(&turn), input);
        turn.opinions.extend(said);
        let next = judging.turn(turn);
        if next.map_err(|stopped| with_details(stopped, recorded))? == Next::Verdict {
            judge_all(judging, again, input);
            return Ok(0);
        }
    }
    judge_all(judging, again, input);
    Ok(turns.len())
}

/// Judges all turns together.
pub(super) fn judge_all(judging: &mut Judging, again: &Again, input: Option<&Value>) {
    let said = again.ask(judging.test_questions(), judging.turns(), input);
    judging.keep(said);
    judging.test();
}

/// Keeps what was said about the same reason: not all of it can be told from the turns.
pub(super) fn with_details(stopped: Stopped, recorded: &TestResult) -> Stopped {
    if recorded.reason.as_ref() == Some(&stopped.reason) {
        let details = recorded.reason_details.clone();
        return Stopped { details, ..stopped };
    }
    stopped
}

fn not_recorded(number: usize, action: &Action, recorded: &TestResult) -> Stopped {
    let after = if recorded.n_turns >= number {
        format!(
            "the recorded test ended before it: {}",
            recorded.status.word()
        )
    } else {
        format!("the recorded test had {}", n_turns(recorded.n_turns))
    };
    Stopped::error(format!("turn {number} was not recorded")).details([
        format!("turn {number} now: {}", Said::planned(action)),
        after,
        RECORD.to_owned(),
    ])
}

/// Returns the variables of a recorded attempt: the run's, and what its hooks gave.
pub(super) fn with_given<'a>(
    variables: &'a Variables,
    recorded: &TestResult,
) -> Cow<'a, Variables> {
    if recorded.variables.is_empty() {
        return Cow::Borrowed(variables);
    }
    let mut variables = variables.clone();
    let given = recorded.variables.iter();
    let given = given.map(|(name, value)| (name.clone(), value.clone()));
    variables.variables.extend(given);
    Cow::Owned(variables)
}

/// Tells whether a test without turns was skipped on purpose, not because the run ended before it.
fn was_skipped(recorded: &TestResult) -> bool {
    let reason = recorded.reason.as_deref().unwrap_or_default();
    let is_cut_short = recorded.stopped_before().is_some()
        || (reason.starts_with("hook ") && reason.ends_with(INTERRUPTED));
    recorded.status == TestStatus::Skipped && !is_cut_short
}

/// Returns the result of a test of which nothing is judged.
pub(super) fn without_turns(
    test: &PlannedTest,
    recorded: TestResult,
    stopped: Stopped,
) -> TestResult {
    let is_recorded = !recorded.turns.is_empty();
    TestResult {
        reach: Reach::NotTried,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: if is_recorded { 0 } else { recorded.duration_us },
        ..result(
            test,
            test.name.text.clone(),
            Verdict::stopped(stopped),
            recorded,
        )
    }
}

fn result(test: &PlannedTest, name: String, verdict: Verdict, recorded: TestResult) -> TestResult {
    TestResult {
        id: test.id.clone(),
        name,
        file: test.file.to_string(),
        status: verdict.status,
        reason: verdict.reason,
        reason_details: verdict.details,
        n_turns: match test.dynamic {
            Some(_) => verdict.turns.len(),
            None => test.turns.len(),
        },
        turns: verdict.turns,
        checks: verdict.checks,
        tags: test.tags.clone(),
        flaky: false,
        earlier: Vec::new(),
        case: test.case.clone(),
        connector: test.target.connector.clone(),
        run: None,
        checkpoints: verdict.checkpoints,
        other_runs: Vec::new(),
        script: None,
        ..recorded
    }
}
