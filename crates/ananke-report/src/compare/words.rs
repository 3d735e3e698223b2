//! What all renderers say in the same words.

use ananke_model::result::TestStatus;

use super::comparison::{
    CallChangeKind, Change, Comparison, Counts, Missing, Seen, TestComparison, ValueChange, Verdict,
};
use crate::count::count;

/// The groups in the order in which they are shown, with their titles.
pub(super) const GROUPS: [(Change, &str); 5] = [
    (Change::Broken, "Broken"),
    (Change::Gone, "Gone"),
    (Change::Fixed, "Fixed"),
    (Change::New, "New"),
    (Change::Changed, "Changed"),
];

/// Returns the tests of a group.
pub(super) fn group(comparison: &Comparison, change: Change) -> Vec<&TestComparison> {
    let tests = comparison.tests.iter();
    tests.filter(|test| test.change == change).collect()
}

/// Returns what a group is, for those who see it the first time.
pub(super) fn meaning(change: Change) -> &'static str {
    match change {
        Change::Broken => "passed in A, not in B",
        Change::Gone => "in A only, or not run in B",
        Change::Fixed => "passes in B, not in A",
        Change::New => "in B only, or not run in A",
        Change::Changed => "came out alike, behaves otherwise",
        Change::Same => "as before",
    }
}

/// Returns how a test came out on both sides: `PASSED → FAILED`.
pub(super) fn outcome(test: &TestComparison, arrow: &str) -> String {
    let side = |seen: &Option<Seen>| match seen {
        None => "not there".to_owned(),
        Some(seen) if seen.runs > 1 => format!("{} of {} passed", seen.passed, seen.runs),
        Some(seen) if seen.flaky => format!("{} (flaky)", seen.status.word()),
        Some(seen) => seen.status.word().to_owned(),
    };
    format!("{} {arrow} {}", side(&test.a), side(&test.b))
}

/// Returns why the test did not pass in the run that matters: B, or A for one that is fixed or gone.
pub(super) fn reasons(test: &TestComparison) -> Vec<String> {
    let reason = |seen: &Option<Seen>| seen.as_ref().and_then(|seen| seen.reason.clone());
    let (a, b) = (reason(&test.a), reason(&test.b));
    match test.change {
        Change::Fixed => a.map(|a| format!("in A: {a}")).into_iter().collect(),
        Change::Changed if a != b => {
            let lines = [
                a.map(|a| format!("in A: {a}")),
                b.map(|b| format!("in B: {b}")),
            ];
            lines.into_iter().flatten().collect()
        }
        Change::Changed | Change::Same => Vec::new(),
        Change::Broken | Change::Gone | Change::New => b.into_iter().collect(),
    }
}

/// Returns what is different, in a few words.
pub(super) fn difference(test: &TestComparison) -> Option<String> {
    if !test.aspects.is_empty() {
        let words: Vec<&str> = test.aspects.iter().map(|aspect| aspect.words()).collect();
        return Some(format!("differs: {}", words.join(", ")));
    }
    let is_single = |seen: &Option<Seen>| seen.as_ref().is_some_and(|seen| seen.runs == 1);
    let is_other = matches!(test.change, Change::Broken | Change::Fixed);
    (is_other && is_single(&test.a) && is_single(&test.b))
        .then(|| "no difference in tool calls, text, state and endings".to_owned())
}

/// Returns the mark and the word of a difference between calls.
pub(super) fn call_kind(kind: CallChangeKind) -> (&'static str, &'static str) {
    match kind {
        CallChangeKind::Added => ("+", "added"),
        CallChangeKind::Removed => ("-", "removed"),
        CallChangeKind::Moved => ("~", "moved"),
        CallChangeKind::Args => ("~", "arguments"),
        CallChangeKind::Result => ("~", "result"),
    }
}

/// Returns a difference between values: `limit: 10 → 5`.
pub(super) fn value_change(change: &ValueChange, arrow: &str) -> String {
    let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let values = format!("{} {arrow} {}", side(&change.a), side(&change.b));
    if change.path.is_empty() {
        values
    } else {
        format!("{}: {values}", change.path)
    }
}

/// Returns the difference between two times in percent, with a sign.
pub(super) fn percent(a_us: u64, b_us: u64) -> String {
    if a_us == 0 {
        return "new".to_owned();
    }
    let (sign, difference) = if b_us >= a_us {
        ("+", b_us - a_us)
    } else {
        ("-", a_us - b_us)
    };
    let percent = u128::from(difference) * 100 / u128::from(a_us);
    format!("{sign}{percent} %")
}

/// Returns the counts in one line.
pub(super) fn counts(counts: &Counts) -> String {
    let parts = [
        (counts.broken, "broken"),
        (counts.gone, "gone"),
        (counts.fixed, "fixed"),
        (counts.new, "new"),
        (counts.changed, "changed"),
        (counts.same, "same"),
    ];
    let some = parts.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = some.map(|(n, word)| format!("{n} {word}")).collect();
    let failing = match counts.still_failing {
        0 => String::new(),
        n => format!(" ({n} passed in neither)"),
    };
    format!("{}{failing}", words.join(", "))
}

/// Returns the verdict as a sentence without a full stop.
pub(super) fn verdict(comparison: &Comparison) -> String {
    let counts = &comparison.counts;
    match comparison.verdict {
        Verdict::Regression => {
            let mut parts = Vec::new();
            if counts.broken > 0 {
                parts.push(format!("{} broken", count(counts.broken, "test")));
            }
            if counts.gone > 0 && comparison.missing == Missing::Regression {
                parts.push(format!("{} gone", count(counts.gone, "test")));
            }
            format!("regression: {}", parts.join(", "))
        }
        Verdict::NothingInCommon => "nothing was compared: no test is in both".to_owned(),
        Verdict::NoRegression => "no regression".to_owned(),
        Verdict::NoDifference => "no difference".to_owned(),
    }
}

/// Tells whether a test came out well in the run after.
pub(super) fn is_good(seen: Option<&Seen>) -> bool {
    seen.is_some_and(|seen| seen.status == TestStatus::Passed)
}
