//! What several runs of a test amount to.

use ananke_model::result::{FAIL_FAST, Reach, TestResult, TestStatus};
use ananke_model::variables::Variables;
use insta::assert_snapshot;
use proptest::prelude::*;

use super::Tally;
use super::repeat::{Repeat, split};
use super::tests::test;
use crate::session::not_run;

/// Returns runs of a test, one for each letter: passed, failed, error, timeout, inconclusive, or not run (`-`).
fn runs(letters: &str) -> Vec<TestResult> {
    let run = |(number, letter): (u32, char)| {
        let status = match letter {
            'p' => TestStatus::Passed,
            'f' => TestStatus::Failed,
            'e' => TestStatus::Error,
            't' => TestStatus::Timeout,
            'i' => TestStatus::Inconclusive,
            _ => TestStatus::Skipped,
        };
        let is_skipped = status == TestStatus::Skipped;
        TestResult {
            status,
            reason: is_skipped.then(|| FAIL_FAST.to_owned()),
            warnings: vec![format!("own {number}")],
            run: Some(number),
            duration_us: u64::from(number),
            ..not_run(&test("a"), &Variables::default(), "")
        }
    };
    (1..).zip(letters.chars()).map(run).collect()
}

fn repeat(runs: usize, min_pass_rate: Option<f64>) -> Repeat {
    Repeat {
        runs: u32::try_from(runs).unwrap(),
        min_pass_rate,
    }
}

/// Merges runs and shows the status, who speaks, the others, and what is said about them.
fn merged(letters: &str, min_pass_rate: Option<f64>) -> String {
    let merged = repeat(letters.len(), min_pass_rate).merge(runs(letters));
    let others: Vec<String> = merged
        .other_runs
        .iter()
        .map(|other| other.run.unwrap().to_string())
        .collect();
    let run = merged.run.map_or("-".to_owned(), |run| run.to_string());
    format!(
        "{} {run} [{}] {}",
        merged.status.word(),
        others.join(" "),
        merged.warnings.join(" | ")
    )
}

#[test]
fn all_runs_have_to_pass_and_the_first_that_did_not_speaks() {
    assert_snapshot!(merged("ppppp", None), @"PASSED 1 [2 3 4 5] own 1");
    assert_snapshot!(merged("pfpfp", None), @"FAILED 2 [1 3 4 5] own 2 | run 2 of 5; passed 3 of 5 runs");
    assert_snapshot!(merged("ppet", None), @"ERROR 3 [1 2 4] own 3 | run 3 of 4; passed 2 of 4 runs");
    assert_snapshot!(merged("ffff", None), @"FAILED 1 [2 3 4] own 1 | run 1 of 4; passed 0 of 4 runs");
}

#[test]
fn what_is_undecided_never_passes_and_hides_no_failure() {
    assert_snapshot!(merged("ipp", None), @"INCONCLUSIVE 1 [2 3] own 1 | run 1 of 3; passed 2 of 3 runs");
    assert_snapshot!(merged("ipt", None), @"TIMEOUT 3 [1 2] own 3 | run 3 of 3; passed 1 of 3 runs");
    assert_snapshot!(merged("ipp", Some(60.0)), @"PASSED 2 [1 3] own 2 | passed 2 of 3 runs (66.7 %, at least 60 % wanted)");
}

#[test]
fn enough_runs_may_do() {
    assert_snapshot!(merged("fpppp", Some(80.0)), @"PASSED 2 [1 3 4 5] own 2 | passed 4 of 5 runs (80 %, at least 80 % wanted)");
    assert_snapshot!(merged("fpppf", Some(80.0)), @"FAILED 1 [2 3 4 5] own 1 | run 1 of 5; passed 3 of 5 runs (60 %, at least 80 % wanted)");
    assert_snapshot!(merged("ppf", Some(66.7)), @"PASSED 1 [2 3] own 1 | passed 2 of 3 runs (66.7 %, at least 66.7 % wanted)");
    assert_snapshot!(merged("ppf", Some(66.8)), @"FAILED 3 [1 2] own 3 | run 3 of 3; passed 2 of 3 runs (66.7 %, at least 66.8 % wanted)");
    assert_snapshot!(merged("ppp", Some(100.0)), @"PASSED 1 [2 3] own 1");
    assert_snapshot!(merged("f", Some(0.1)), @"FAILED 1 [] own 1 | run 1 of 1; passed 0 of 1 runs (0 %, at least 0.1 % wanted)");
}

#[test]
fn runs_that_never_began_are_left_out_and_told() {
    assert_snapshot!(merged("pf---", None), @"FAILED 2 [1] own 2 | run 2 of 5; passed 1 of 2 runs; stopped after 2 of 5 runs");
    // What was not made may have failed: only a verdict that nothing can change is one.
    assert_snapshot!(merged("pp-", Some(90.0)), @"INCONCLUSIVE 1 [2] own 1 | passed 2 of 2 runs (100 %, at least 90 % wanted); stopped after 2 of 3 runs");
    assert_snapshot!(merged("pp-", Some(60.0)), @"PASSED 1 [2] own 1 | passed 2 of 2 runs (100 %, at least 60 % wanted); stopped after 2 of 3 runs");
    assert_snapshot!(merged("p--", None), @"INCONCLUSIVE 1 [] own 1 | passed 1 of 1 runs; stopped after 1 of 3 runs");
    assert_snapshot!(merged("fp-", Some(60.0)), @"INCONCLUSIVE 2 [1] own 2 | passed 1 of 2 runs (50 %, at least 60 % wanted); stopped after 2 of 3 runs");
    assert_snapshot!(merged("---", None), @"SKIPPED - [] own 1");
}

#[test]
fn one_run_stays_as_it_is() {
    let mut only = runs("f");
    only[0].run = None;
    assert_eq!(Repeat::default().merge(only.clone()), only[0]);
}

#[test]
fn a_test_is_lost_once_too_few_runs_are_left() {
    let lost = |n: usize, rate: Option<f64>| -> String {
        let repeat = repeat(n, rate);
        (0..=u32::try_from(n).unwrap())
            .map(|n| if repeat.is_lost(n) { 'x' } else { '.' })
            .collect()
    };
    assert_eq!(lost(5, None), ".xxxxx");
    assert_eq!(lost(5, Some(80.0)), "..xxxx");
    assert_eq!(lost(5, Some(20.0)), ".....x");
    assert_eq!(lost(3, Some(66.6)), "..xx");
    assert_eq!(lost(1, None), ".x");
}

#[test]
fn an_agent_that_any_run_reached_is_reached() {
    let mut merged = repeat(2, None).merge(runs("ep"));
    (merged.reach, merged.other_runs[0].reach) = (Reach::Unreached, Reach::Reached);
    let unreached = |result: &TestResult| {
        let mut tally = Tally::default();
        tally.count(result);
        tally.outcome(0, false).unreached
    };
    assert!(!unreached(&merged));
    merged.other_runs[0].reach = Reach::Unreached;
    assert!(unreached(&merged));
}

proptest! {
    /// Whatever order runs end in, they amount to the same; and what was merged can be taken apart again.
    #[test]
    fn merging_does_not_depend_on_the_order(
        letters in "[pfeti-]{1,8}",
        order in proptest::collection::vec(any::<u32>(), 8),
        min_pass_rate in proptest::option::of(0.5..100.0_f64),
    ) {
        let repeat = repeat(letters.len(), min_pass_rate);
        let in_order = repeat.merge(runs(&letters));
        let mut shuffled: Vec<(u32, TestResult)> = order.into_iter().zip(runs(&letters)).collect();
        shuffled.sort_by_key(|(key, _)| *key);
        let shuffled = shuffled.into_iter().map(|(_, run)| run).collect();
        let merged = repeat.merge(shuffled);
        prop_assert_eq!(&merged, &in_order);
        if merged.run.is_some() {
            let made: Vec<TestResult> = runs(&letters)
                .into_iter()
                .filter(|run| run.status != TestStatus::Skipped)
                .collect();
            let again = split(merged.clone());
            prop_assert_eq!(&again, &made);
            prop_assert_eq!(repeat.merge(again), merged);
        }
    }
}
