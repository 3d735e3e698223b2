//! What all renderers say in the same words.

use ananke_model::result::TestStatus;

use super::comparison::{
    Aspect, CallChangeKind, Change, Comparison, Counts, Missing, Seen, SideTotals, TestComparison,
    TimingChange, ValueChange, Verdict,
};
use crate::count::count;
use crate::script::function_in;

/// Tests that are shown together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) change: Change,
    /// Whether these are the new tests that do not pass.
    is_failing: bool,
    pub(super) title: &'static str,
    /// What the group is, for those who see it the first time.
    pub(super) meaning: &'static str,
}

/// The tests without a difference, which are shown where two targets are compared.
pub(super) const ALIKE: Group = Group::of(Change::Same, "Alike", "came out and behaves the same");

/// The groups in the order in which they are shown: what asks for a look comes first.
const GROUPS: [Group; 6] = [
    Group::of(Change::Broken, "Broken", "passed in A, not in B"),
    Group::of(Change::Gone, "Gone", "in A only, or not run in B"),
    Group {
        is_failing: true,
        ..Group::of(
            Change::New,
            "New, not passing",
            "in B only, or not run in A",
        )
    },
    Group::of(Change::Fixed, "Fixed", "passes in B, not in A"),
    Group::of(Change::New, "New", "in B only, or not run in A"),
    Group::of(
        Change::Changed,
        "Changed",
        "came out alike, behaves otherwise",
    ),
];

impl Group {
    const fn of(change: Change, title: &'static str, meaning: &'static str) -> Self {
        Self {
            change,
            is_failing: false,
            title,
            meaning,
        }
    }

    /// Tells whether the group is shown however little is to be shown.
    pub(super) fn is_grave(&self) -> bool {
        self.is_failing || matches!(self.change, Change::Broken | Change::Gone)
    }

    /// Returns the tests of the group.
    pub(super) fn tests(self, comparison: &Comparison) -> Vec<&TestComparison> {
        let tests = comparison.tests.iter();
        let is_here = |test: &&TestComparison| {
            test.change == self.change
                && (test.change != Change::New || is_failing_now(test) == self.is_failing)
        };
        tests.filter(is_here).collect()
    }
}

/// Returns the groups of a comparison that are shown.
pub(super) fn groups(comparison: &Comparison) -> impl Iterator<Item = Group> {
    let alike = comparison.targets.as_ref().map(|_| ALIKE);
    GROUPS.into_iter().chain(alike)
}

/// Returns what a person calls a test: the id of a case with its file, else the stable name.
pub(super) fn id(test: &TestComparison) -> String {
    match &test.case {
        Some(case) if !test.file.is_empty() => format!("{case} in {}", test.file),
        Some(case) => case.clone(),
        None => test.id.clone(),
    }
}

/// Returns the name of a test; nothing if its id says it already.
pub(super) fn name(test: &TestComparison) -> &str {
    let is_told = test.case.as_ref().is_some_and(|case| *case == test.name);
    let ends_with_it = function(test).is_some_and(|function| function == test.name);
    if is_told || ends_with_it {
        ""
    } else {
        &test.name
    }
}

/// Returns the function that a test is, if it is one of a script.
fn function(test: &TestComparison) -> Option<&str> {
    function_in(&test.id).map(|(_, function)| function)
}

/// Returns how a test came out on both sides: `PASSED → FAILED`, and of several runs `5 of 5 passed → 3 of 5 passed`, with
/// its class where that changed. The verdict is in front where the counts do not tell it.
pub(super) fn outcome(test: &TestComparison, arrow: &str) -> String {
    let class = |seen: &Option<Seen>| seen.as_ref().and_then(|seen| seen.class);
    let is_other_class = class(&test.a) != class(&test.b);
    let is_other_verdict = matches!(test.change, Change::Broken | Change::Fixed);
    let is_let_off = |seen: &Option<Seen>| {
        let seen = seen.as_ref();
        seen.is_some_and(|seen| seen.status == TestStatus::Passed && seen.passed < seen.runs)
    };
    let names_verdict = is_other_verdict && (is_let_off(&test.a) || is_let_off(&test.b));
    let side = |seen: &Option<Seen>| match seen {
        None => "not there".to_owned(),
        Some(seen) if seen.runs > 1 => {
            let class = seen.class.filter(|_| is_other_class);
            let class = class.map(|class| format!(", {class}")).unwrap_or_default();
            let verdict = match names_verdict {
                true => format!("{}, ", seen.status.word()),
                false => String::new(),
            };
            format!("{verdict}{} of {} passed{class}", seen.passed, seen.runs)
        }
        Some(seen) if seen.flaky => format!("{} (flaky)", seen.status.word()),
        Some(seen) => seen.status.word().to_owned(),
    };
    format!("{} {arrow} {}", side(&test.a), side(&test.b))
}

/// Returns why the test did not pass in the run that matters: B, or A for one that is fixed or gone.
pub(super) fn reasons(test: &TestComparison) -> Vec<String> {
    let reason = |seen: &Option<Seen>| {
        let seen = seen.as_ref()?;
        let more = match seen.n_reasons {
            0 | 1 => String::new(),
            n => format!(" (+{} more)", n - 1),
        };
        Some(format!("{}{more}", seen.reason.as_ref()?))
    };
    let (a, b) = (reason(&test.a), reason(&test.b));
    match test.change {
        Change::Fixed => a.map(|a| format!("in A: {a}")).into_iter().collect(),
        Change::Changed if a != b || test.aspects.contains(&Aspect::Reason) => {
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
    // A function of a script has its reason, and mostly no conversation.
    (is_other && function(test).is_none() && is_single(&test.a) && is_single(&test.b))
        .then(|| "no difference in tool calls, text, state and endings".to_owned())
}

/// Returns the first difference: `first difference in turn 2, text: "yes" → "no"`.
pub(super) fn first_difference(test: &TestComparison, arrow: &str) -> Option<String> {
    let first = test.first_difference.as_ref()?;
    let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let turn = first.turn.map(|turn| format!(" in turn {turn}"));
    let turn = turn.unwrap_or_default();
    let (a, b) = (side(&first.a), side(&first.b));
    Some(format!(
        "first difference{turn}, {}: {a} {arrow} {b}",
        first.what
    ))
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
    let (verdict, joint) = match comparison.verdict {
        Verdict::Regression => {
            let mut parts = Vec::new();
            if counts.broken > 0 {
                parts.push(format!("{} broken", count(counts.broken, "test")));
            }
            if counts.gone > 0 && comparison.missing == Missing::Regression {
                parts.push(format!("{} gone", count(counts.gone, "test")));
            }
            (format!("regression: {}", parts.join(", ")), ";")
        }
        Verdict::NothingInCommon => ("nothing was compared: no test is in both".to_owned(), ";"),
        Verdict::Inconclusive => {
            let words = "inconclusive: no regression in what was compared";
            (words.to_owned(), ", but")
        }
        Verdict::NoRegression => ("no regression".to_owned(), ", but"),
        Verdict::NoDifference => ("no difference".to_owned(), ", but"),
    };
    let failing = match counts.new_failing {
        0 => None,
        1 => Some("1 new test does not pass".to_owned()),
        n => Some(format!("{n} new tests do not pass")),
    };
    let cut = match (&comparison.a.incomplete, &comparison.b.incomplete) {
        (None, None) => None,
        (Some(_), None) => Some("A is incomplete".to_owned()),
        (None, Some(_)) => Some("B is incomplete".to_owned()),
        (Some(_), Some(_)) => Some("A and B are incomplete".to_owned()),
    };
    let more: Vec<String> = failing.into_iter().chain(cut).collect();
    if more.is_empty() {
        return verdict;
    }
    format!("{verdict}{joint} {}", more.join(", and "))
}

/// Tells whether nothing at all stands against the run after.
pub(super) fn is_clean(comparison: &Comparison) -> bool {
    let is_good = matches!(
        comparison.verdict,
        Verdict::NoRegression | Verdict::NoDifference
    );
    is_good && comparison.counts.new_failing == 0
}

/// Tells whether a test was run in the run after and did not pass.
pub(super) fn is_failing_now(test: &TestComparison) -> bool {
    let status = test.b.as_ref().map(|seen| seen.status);
    status.is_some_and(|status| !matches!(status, TestStatus::Passed | TestStatus::Skipped))
}

/// Returns how many tests a side has, and how many results if that is not the same.
pub(super) fn n_tests(side: &SideTotals) -> String {
    if side.tests == side.total {
        side.tests.to_string()
    } else {
        format!("{} ({})", side.tests, count(side.total, "result"))
    }
}

/// Returns everything that took notably more or less time, the largest difference first.
pub(super) fn times(comparison: &Comparison) -> Vec<(&TestComparison, &TimingChange)> {
    let tests = comparison.tests.iter();
    let mut times: Vec<_> = tests
        .flat_map(|test| test.timing.iter().map(move |change| (test, change)))
        .collect();
    times.sort_by_key(|(_, change)| std::cmp::Reverse(change.a_us.abs_diff(change.b_us)));
    times
}
