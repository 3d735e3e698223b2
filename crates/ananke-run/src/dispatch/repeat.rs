//! `--runs`: one result of all runs of a test, live or recorded. Pure, and the same whatever order runs ended in.

use ananke_model::result::{TestResult, TestStatus};

/// Rates that differ by less are the same: thirds and the like have no exact form.
const TOLERANCE: f64 = 1e-9;

/// How the reason of a test begins that may yet have come out either way.
const OPEN: &str = "not decided: ";

/// How often each test is run, and how many of its runs have to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// Runs of each test.
    pub runs: u32,
    /// How many of them have to pass, in percent; all of them if absent.
    pub min_pass_rate: Option<f64>,
}

impl Default for Repeat {
    fn default() -> Self {
        Self {
            runs: 1,
            min_pass_rate: None,
        }
    }
}

impl Repeat {
    /// Tells whether a test can no longer pass once so many of its runs did not.
    pub(crate) fn is_lost(&self, n_not_passed: u32) -> bool {
        let runs = self.runs.max(1);
        !self.is_enough(runs.saturating_sub(n_not_passed), runs)
    }

    fn is_enough(&self, n_passed: u32, n_runs: u32) -> bool {
        match self.min_pass_rate {
            Some(wanted) => {
                let rate = f64::from(n_passed) * 100.0 / f64::from(n_runs.max(1));
                rate.max(shown(rate)) + TOLERANCE >= wanted
            }
            None => n_passed == n_runs,
        }
    }

    /// Makes one result of all runs of a test. Runs that never began are left out.
    ///
    /// It passes if enough runs did; then the first that passed speaks for all. Otherwise it is the first that failed, or
    /// the first that could not be decided if none failed: what is undecided must not hide a failure. If runs were left out
    /// on which the verdict hangs, there is none.
    pub(crate) fn merge(&self, mut runs: Vec<TestResult>) -> TestResult {
        runs.sort_by_key(|result| result.run);
        let is_made = |result: &TestResult| result.status != TestStatus::Skipped;
        if !runs.iter().any(is_made) {
            return nothing(runs);
        }
        if let [only] = runs.as_slice()
            && only.run.is_none()
        {
            return runs.swap_remove(0);
        }
        runs.retain(is_made);
        let n_runs = count(runs.iter());
        let n_passed = count(runs.iter().filter(|run| run.status == TestStatus::Passed));
        let planned = self.runs.max(n_runs);
        let is_passed = self.is_enough(n_passed, planned);
        let is_open = !is_passed && n_passed > 0 && !self.is_lost(n_runs - n_passed);
        let speaks = |result: &TestResult| {
            if is_passed || is_open {
                result.status == TestStatus::Passed
            } else {
                result.status.is_failure()
            }
        };
        let at = runs.iter().position(speaks);
        let undecided = || runs.iter().position(|run| run.status != TestStatus::Passed);
        let at = at.or_else(undecided).unwrap_or(0);
        let mut speaker = runs.remove(at);
        if n_passed < n_runs || n_runs < self.runs {
            let speaks_as = speaker.run.filter(|_| !is_passed && !is_open);
            let note = self.note(speaks_as, n_passed, n_runs);
            speaker.warnings.push(note);
        }
        if is_open {
            speaker.status = TestStatus::Inconclusive;
            let reason = format!("{OPEN}{n_runs} of {planned} runs were made");
            speaker.reason = Some(reason);
        }
        speaker.other_runs = runs;
        speaker
    }

    /// Says in one line what came of all runs. [`is_note`] knows it again.
    fn note(&self, speaks_as: Option<u32>, n_passed: u32, n_runs: u32) -> String {
        let planned = self.runs.max(n_runs);
        let speaks_as = speaks_as.map(|run| format!("run {run} of {planned}; "));
        let rate = self.min_pass_rate.map(|wanted| {
            let rate = percent(f64::from(n_passed) * 100.0 / f64::from(n_runs.max(1)));
            format!(" ({rate}, at least {} wanted)", percent(wanted))
        });
        let is_stopped = n_runs < planned;
        let stopped = is_stopped.then(|| format!("; stopped after {n_runs} of {planned} runs"));
        format!(
            "{}passed {n_passed} of {n_runs} runs{}{}",
            speaks_as.unwrap_or_default(),
            rate.unwrap_or_default(),
            stopped.unwrap_or_default()
        )
    }
}

/// Takes a merged result apart: each run by itself, by number, as it was before they were merged.
pub(crate) fn split(mut merged: TestResult) -> Vec<TestResult> {
    let mut runs = std::mem::take(&mut merged.other_runs);
    merged.warnings.retain(|line| !is_note(line));
    if merged
        .reason
        .as_deref()
        .is_some_and(|reason| reason.starts_with(OPEN))
    {
        // Only a run that passed speaks for a test that is not decided.
        merged.status = TestStatus::Passed;
        merged.reason = None;
    }
    runs.push(merged);
    runs.sort_by_key(|result| result.run);
    runs
}

/// Returns the result of a test of which no run came to its end: one that began says most.
fn nothing(mut runs: Vec<TestResult>) -> TestResult {
    let begun = runs.iter().position(|result| !result.turns.is_empty());
    let mut result = runs.swap_remove(begun.unwrap_or(0));
    result.run = None;
    result
}

/// Tells whether a line was written by [`Repeat::note`].
fn is_note(line: &str) -> bool {
    let rest = match line.strip_prefix("run ").and_then(after_two_numbers) {
        Some(rest) => rest.strip_prefix("; "),
        None => Some(line),
    };
    let rest = rest.and_then(|rest| rest.strip_prefix("passed "));
    let rest = rest.and_then(after_two_numbers);
    let rest = rest.and_then(|rest| rest.strip_prefix(" runs"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" (") || rest.starts_with("; "))
}

/// Returns what stands behind `3 of 5`.
fn after_two_numbers(text: &str) -> Option<&str> {
    let after_number = |text| -> Option<&str> {
        let rest = str::trim_start_matches(text, |c: char| c.is_ascii_digit());
        (rest.len() < text.len()).then_some(rest)
    };
    after_number(after_number(text)?.strip_prefix(" of ")?)
}

fn count<'a>(runs: impl Iterator<Item = &'a TestResult>) -> u32 {
    u32::try_from(runs.count()).unwrap_or(u32::MAX)
}

/// Returns a rate as reports show it, with one decimal and never rounded up to a whole number: two of three are 66.7.
fn shown(rate: f64) -> f64 {
    let rounded = (rate * 10.0).round() / 10.0;
    if rounded > rate && rounded.fract() == 0.0 {
        return rate;
    }
    rounded
}

fn percent(rate: f64) -> String {
    let shown = format!("{rate:.1}");
    let shown = shown.strip_suffix(".0").unwrap_or(&shown);
    format!("{shown} %")
}
