//! Finds each test on both sides and tells how it changed.

use std::collections::HashMap;

use ananke_model::result::TestStatus;

use super::behavior::Behavior;
use super::comparison::{
    Aspect, Change, Comparison, Counts, Details, Missing, Seen, SideTotals, TestComparison, Verdict,
};
use super::first::first_difference;
use super::measure::{Measure, hides_calls};
use super::side::{Side, SideTest};
use super::words::is_failing_now;
use super::{events, timing};
use crate::stability::StabilityClass;

/// Compares the run `a`, which came before, with the run `b`.
pub fn compare(a: &Side, b: &Side, missing: Missing) -> Comparison {
    let (groups_a, groups_b) = (Groups::of(a), Groups::of(b));
    let mut tests = Vec::new();
    for id in &groups_a.order {
        let before = groups_a.results(id);
        tests.push(test_comparison(before, groups_b.results(id)));
    }
    let new = groups_b.order.iter();
    for id in new.filter(|id| groups_a.results(id).is_empty()) {
        tests.push(test_comparison(&[], groups_b.results(id)));
    }
    let n_common = groups_a
        .order
        .iter()
        .filter(|id| !groups_b.results(id).is_empty())
        .count();
    let counts = counts(&tests);
    let is_incomplete = a.incomplete.is_some() || b.incomplete.is_some();
    let targets = other_targets(a, b);
    Comparison {
        verdict: verdict(&counts, n_common, missing, is_incomplete),
        missing,
        counts,
        a: totals(a, groups_a.order.len()),
        b: totals(b, groups_b.order.len()),
        notes: notes(a, b, &tests, targets.is_some()),
        targets,
        tests,
    }
}

/// Returns the targets of both sides, if each has one and they are not the same.
fn other_targets(a: &Side, b: &Side) -> Option<[String; 2]> {
    let only = |side: &Side| match side.targets().as_slice() {
        [target] => Some((*target).to_owned()),
        _ => None,
    };
    let targets = [only(a)?, only(b)?];
    (targets[0] != targets[1]).then_some(targets)
}

/// The results of a side by test.
struct Groups<'a> {
    order: Vec<&'a str>,
    by_id: HashMap<&'a str, Vec<&'a SideTest>>,
}

impl<'a> Groups<'a> {
    fn of(side: &'a Side) -> Self {
        let mut groups = Self {
            order: Vec::new(),
            by_id: HashMap::new(),
        };
        for test in &side.tests {
            let results = groups.by_id.entry(&test.id).or_default();
            if results.is_empty() {
                groups.order.push(&test.id);
            }
            results.push(test);
        }
        groups
    }

    fn results(&self, id: &str) -> &[&'a SideTest] {
        self.by_id.get(id).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Compares the results of one test; one of the sides may have none.
fn test_comparison(a: &[&SideTest], b: &[&SideTest]) -> TestComparison {
    let (run_a, run_b) = (run_only(a), run_only(b));
    // Of a test that was never reached nothing but the id may be known.
    let shown = [&run_b, &run_a, b, a]
        .into_iter()
        .find_map(|tests| tests.first());
    let mut comparison = TestComparison {
        id: shown.map(|test| test.id.clone()).unwrap_or_default(),
        name: shown.map(|test| test.name.clone()).unwrap_or_default(),
        case: shown.and_then(|test| test.case.clone()),
        file: shown.map(|test| test.file.clone()).unwrap_or_default(),
        change: Change::Same,
        aspects: Vec::new(),
        a: seen(a),
        b: seen(b),
        first_difference: None,
        details: Details::default(),
        timing: Vec::new(),
    };
    let (Some(shown_a), Some(shown_b)) = (telling(&run_a), telling(&run_b)) else {
        // A test that was skipped gave no evidence: it is on that side by name only.
        comparison.change = match (run_a.is_empty(), run_b.is_empty()) {
            (false, true) => Change::Gone,
            (true, false) => Change::New,
            _ if b.is_empty() => Change::Gone,
            _ if a.is_empty() => Change::New,
            _ => Change::Same,
        };
        return comparison;
    };
    let measure = Measure::between(&run_a, &run_b);
    let behaviors = |tests: &[&SideTest]| -> Vec<Behavior> {
        let tests = tests.iter();
        tests.map(|test| Behavior::of(test, measure)).collect()
    };
    let (all_a, all_b) = (behaviors(&run_a), behaviors(&run_b));
    let (behavior_a, behavior_b) = (
        Behavior::of(shown_a, measure),
        Behavior::of(shown_b, measure),
    );
    // Two protocols have no event in common.
    let first_event = match measure.is_same_target {
        true => events::first_change(shown_a, shown_b),
        false => None,
    };
    // Of several runs, one that behaved as before is enough to say that nothing new was seen.
    let is_known = all_b.iter().any(|behavior| all_a.contains(behavior));
    let mut aspects = Vec::new();
    if !is_known {
        aspects = behavior_a.aspects(&behavior_b);
    } else if n_runs(&run_a) == 1 && n_runs(&run_b) == 1 && first_event.is_some() {
        aspects.push(Aspect::Events);
    }
    let (verdicts_a, verdicts_b) = (Rate::of_verdicts(&run_a), Rate::of_verdicts(&run_b));
    comparison.change = if verdicts_b.is_less(verdicts_a) {
        Change::Broken
    } else if verdicts_a.is_less(verdicts_b) {
        Change::Fixed
    } else {
        let status = |seen: &Option<Seen>| seen.as_ref().map(|seen| seen.status);
        // A run that did not pass has a reason; that the other side has no such run is told by the rates.
        let have_reasons = ![shown_a.status, shown_b.status].contains(&TestStatus::Passed);
        if status(&comparison.a) != status(&comparison.b) {
            aspects.insert(0, Aspect::Status);
        } else if have_reasons && causes(shown_a) != causes(shown_b) {
            aspects.insert(0, Aspect::Reason);
        }
        let (runs_a, runs_b) = (Rate::of_runs(&run_a), Rate::of_runs(&run_b));
        if runs_a.is_less(runs_b) || runs_b.is_less(runs_a) {
            aspects.insert(0, Aspect::PassRate);
        }
        if run_a.iter().any(|test| test.flaky) != run_b.iter().any(|test| test.flaky) {
            aspects.push(Aspect::Flaky);
        }
        if aspects.is_empty() {
            Change::Same
        } else {
            Change::Changed
        }
    };
    if !aspects.is_empty() || comparison.change != Change::Same {
        comparison.first_difference = first_difference(&behavior_a, &behavior_b);
        comparison.details = Details {
            first_event,
            ..behavior_a.details(&behavior_b)
        };
    }
    comparison.aspects = aspects;
    comparison.timing = if n_runs(&run_a) == 1 && n_runs(&run_b) == 1 {
        timing::changes(shown_a, shown_b)
    } else {
        let change = timing::change("test", median_us(&run_a), median_us(&run_b));
        change.into_iter().collect()
    };
    comparison
}

fn run_only<'a>(tests: &[&'a SideTest]) -> Vec<&'a SideTest> {
    let run = tests.iter().copied();
    run.filter(|test| test.status != TestStatus::Skipped)
        .collect()
}

/// Returns the run that tells most: the first that did not pass, above all one that speaks for its test, else the first.
fn telling<'a>(tests: &[&'a SideTest]) -> Option<&'a SideTest> {
    let unhappy = |test: &&&SideTest| test.status != TestStatus::Passed;
    let speaker = tests.iter().find(|test| test.speaks && unhappy(test));
    let any = || tests.iter().find(unhappy);
    speaker.or_else(any).or(tests.first()).copied()
}

/// Returns the causes with generated ids renamed: another id is not another reason.
fn causes(test: &SideTest) -> Vec<String> {
    let known = test.call_ids();
    let mut renamer = super::renamer::Renamer::new(&known);
    let causes = test.causes.iter();
    causes.map(|cause| renamer.text(cause)).collect()
}

/// How many of how many passed.
#[derive(Clone, Copy, Debug)]
struct Rate {
    passed: usize,
    runs: usize,
}

impl Rate {
    /// Returns how many results came out as passed: each counts once, however often its test was run.
    fn of_verdicts(tests: &[&SideTest]) -> Self {
        let results = || tests.iter().filter(|test| test.speaks);
        let passed = results().filter(|test| test.status == TestStatus::Passed);
        Self {
            passed: passed.count(),
            runs: results().count(),
        }
    }

    /// Returns how many runs passed.
    fn of_runs(tests: &[&SideTest]) -> Self {
        Self {
            passed: n_passed(tests),
            runs: n_runs(tests),
        }
    }

    /// Compares exact fractions.
    fn is_less(self, other: Self) -> bool {
        self.passed * other.runs < other.passed * self.runs
    }
}

fn n_passed(tests: &[&SideTest]) -> usize {
    tests.iter().map(|test| test.n_passed).sum()
}

fn n_runs(tests: &[&SideTest]) -> usize {
    tests.iter().map(|test| test.n_runs).sum()
}

fn median_us(tests: &[&SideTest]) -> u64 {
    let mut times: Vec<u64> = tests.iter().map(|test| test.duration_us).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn seen(tests: &[&SideTest]) -> Option<Seen> {
    let run = run_only(tests);
    let told = telling(&run).or(tests.first().copied())?;
    let (passed, n_carried_out) = (n_passed(&run), n_runs(&run));
    let is_repeated = n_runs(tests) > 1 && n_carried_out > 0;
    // Where no result speaks, the run that tells most does.
    let speakers: Vec<&SideTest> = run.iter().copied().filter(|test| test.speaks).collect();
    let status = telling(&speakers).unwrap_or(told).status;
    Some(Seen {
        status,
        has_passed: Rate::of_verdicts(&run).passed > 0,
        runs: n_runs(tests),
        passed: n_passed(tests),
        class: is_repeated.then(|| StabilityClass::of(passed, n_carried_out).words()),
        flaky: tests.iter().any(|test| test.flaky),
        reason: told.reason.clone(),
        n_reasons: told.causes.len(),
        duration_us: median_us(tests),
    })
}

fn counts(tests: &[TestComparison]) -> Counts {
    let mut counts = Counts::default();
    for test in tests {
        match test.change {
            Change::Broken => counts.broken += 1,
            Change::Gone => counts.gone += 1,
            Change::Fixed => counts.fixed += 1,
            Change::New => {
                counts.new += 1;
                counts.new_failing += usize::from(is_failing_now(test));
            }
            Change::Changed => counts.changed += 1,
            Change::Same => counts.same += 1,
        }
        let is_failing = |seen: &Seen| !seen.has_passed && seen.status != TestStatus::Skipped;
        if let (Some(a), Some(b)) = (&test.a, &test.b)
            && is_failing(a)
            && is_failing(b)
        {
            counts.still_failing += 1;
        }
    }
    counts
}

fn verdict(counts: &Counts, n_common: usize, missing: Missing, is_incomplete: bool) -> Verdict {
    let is_lost = counts.gone > 0 && missing == Missing::Regression;
    if counts.broken > 0 || is_lost {
        Verdict::Regression
    } else if n_common == 0 {
        Verdict::NothingInCommon
    } else if is_incomplete {
        Verdict::Inconclusive
    } else if counts.gone + counts.fixed + counts.new + counts.changed > 0 {
        Verdict::NoRegression
    } else {
        Verdict::NoDifference
    }
}

fn totals(side: &Side, n_tests: usize) -> SideTotals {
    let count = |is_meant: &dyn Fn(&SideTest) -> bool| {
        side.tests.iter().filter(|test| is_meant(test)).count()
    };
    let times = side.tests.iter().map(|test| test.duration_us);
    SideTotals {
        label: side.label.clone(),
        total: side.tests.iter().map(|test| test.n_runs).sum(),
        tests: n_tests,
        passed: side.tests.iter().map(|test| test.n_passed).sum(),
        skipped: count(&|test| test.status == TestStatus::Skipped),
        flaky: count(&|test| test.flaky),
        duration_us: times.fold(0, u64::saturating_add),
        incomplete: side.incomplete.clone(),
    }
}

fn notes(a: &Side, b: &Side, tests: &[TestComparison], are_targets: bool) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, side) in [("A", a), ("B", b)] {
        let why = side.incomplete.iter();
        notes.extend(why.map(|why| format!("{name} is incomplete: {why}")));
    }
    if are_targets {
        for (name, side) in [("A", a), ("B", b)] {
            let tests: Vec<&SideTest> = side.tests.iter().collect();
            notes.extend(
                hides_calls(&tests).map(|why| {
                    format!("{name} shows no tool calls, so they are not compared: {why}")
                }),
            );
        }
    }
    let differs = tests.iter().any(|test| !test.aspects.is_empty());
    let without_events = |side: &Side| side.tests.iter().any(|test| !events::are_known(test));
    if differs && !are_targets && (without_events(a) || without_events(b)) {
        notes.push(
            "JSON reports hold no raw events: which event differs first is only known where both sides are bundles"
                .to_owned(),
        );
    }
    notes
}
