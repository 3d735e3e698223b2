//! Tests that were run several times: the verdict decides, the rate is told.

use ananke_model::result::{TestResult, TestStatus};
use insta::assert_snapshot;

use super::super::{Missing, Side, Verdict, compare};
use super::{compared, shown};

#[test]
fn runs_are_compared_by_rates_and_classes() {
    let (a, b) = (
        crate::samples::stable("T001"),
        crate::samples::mostly_stable("T001"),
    );
    assert_snapshot!(shown(vec![a.clone()], vec![b.clone()]), @"
    A before: 3 results of 1 test, 3 passed, 3.7s
    B after: 5 results of 1 test, 4 passed, 5.5s

    Broken (1): passed in A, not in B
      ✗ [T001 in tests/shop.jsonl] 3 of 3 passed, Stable → 4 of 5 passed, Mostly Stable
        differs: tool calls, text
        first difference in turn 1, tool call 1: nothing → `refund` {}
        └─ output does not contain 'shoes'
        tool calls
          + turn 1, added: refund {}
        text of turn 1
          │ Here are [-shoes.-]{+hats.+}

    Slower or faster by more than 20 % and 50 ms
      [T001 in tests/shop.jsonl] test: 1.2s → 950ms (-23 %)

    1 broken
    regression: 1 test broken
    ");
    assert_eq!(
        compared(vec![b.clone()], vec![b]).verdict,
        Verdict::NoDifference
    );
    assert_eq!(
        compared(vec![a.clone()], vec![a]).verdict,
        Verdict::NoDifference
    );
}

/// Returns a test of ten runs of which `n_passed` passed, and what they come to.
fn of_ten(n_passed: usize, verdict: TestStatus) -> TestResult {
    let run = |number: usize| match number < n_passed {
        true => crate::samples::case("T001", TestStatus::Passed, "Here are shoes."),
        false => crate::samples::case("T001", TestStatus::Failed, "Here are hats."),
    };
    let mut runs: Vec<TestResult> = (0..10).map(run).collect();
    for (index, run) in runs.iter_mut().enumerate() {
        run.run = u32::try_from(index + 1).ok();
    }
    let speaker = runs.iter().position(|run| run.status == verdict).unwrap();
    let mut speaker = runs.remove(speaker);
    speaker.other_runs = runs;
    speaker
}

#[test]
fn a_verdict_decides_and_not_the_rate() {
    use TestStatus::{Failed, Passed};
    let pairs = [
        // Enough passed on both sides.
        (of_ten(10, Passed), of_ten(9, Passed)),
        (of_ten(9, Passed), of_ten(10, Passed)),
        // More was wanted than before.
        (of_ten(9, Passed), of_ten(9, Failed)),
        (of_ten(9, Failed), of_ten(9, Passed)),
        (of_ten(8, Passed), of_ten(9, Failed)),
        (of_ten(9, Failed), of_ten(2, Failed)),
        (of_ten(9, Passed), of_ten(9, Passed)),
    ];
    let line = |(a, b): &(TestResult, TestResult)| {
        let bundles = [a, b].map(|one| Side::from_results("bundle", vec![one.clone()]));
        let reports = [a, b].map(|one| {
            let events = crate::samples::run(vec![one.clone()]);
            let events = crate::samples::with_identity(events, 10);
            let text = crate::samples::rendered(crate::ReportFormat::Json, &events);
            Side::from_report("report", &text).unwrap()
        });
        let [of_bundles, of_reports] = [bundles, reports].map(|[a, b]| {
            let comparison = compare(&a, &b, Missing::Regression);
            let test = &comparison.tests[0];
            let outcome = super::super::words::outcome(test, "->");
            let difference = super::super::words::difference(test).unwrap_or_default();
            let failing = comparison.counts.still_failing;
            let (verdict, change) = (comparison.verdict, test.change);
            (
                change,
                format!("{verdict:?} {change:?}, {failing} in neither: {outcome}; {difference}"),
            )
        });
        assert_eq!(of_bundles.0, of_reports.0);
        of_bundles.1
    };
    let lines: Vec<String> = pairs.iter().map(line).collect();
    assert_snapshot!(lines.join("\n"), @"
    NoRegression Changed, 0 in neither: 10 of 10 passed, Stable -> 9 of 10 passed, Mostly Stable; differs: pass rate
    NoRegression Changed, 0 in neither: 9 of 10 passed, Mostly Stable -> 10 of 10 passed, Stable; differs: pass rate
    Regression Broken, 0 in neither: PASSED, 9 of 10 passed -> FAILED, 9 of 10 passed; 
    NoRegression Fixed, 0 in neither: FAILED, 9 of 10 passed -> PASSED, 9 of 10 passed; 
    Regression Broken, 0 in neither: PASSED, 8 of 10 passed -> FAILED, 9 of 10 passed; 
    NoRegression Changed, 1 in neither: 9 of 10 passed, Mostly Stable -> 2 of 10 passed, Highly Unstable; differs: pass rate
    NoDifference Same, 0 in neither: 9 of 10 passed -> 9 of 10 passed;
    ");
    assert_snapshot!(shown(vec![of_ten(10, Passed)], vec![of_ten(9, Passed)]), @r#"
    A before: 10 results of 1 test, 10 passed, 12.3s
    B after: 10 results of 1 test, 9 passed, 12.3s

    Changed (1): came out alike, behaves otherwise
      ~ [T001 in tests/shop.jsonl] 10 of 10 passed, Stable → 9 of 10 passed, Mostly Stable
        differs: pass rate
        first difference in turn 1, text: "Here are shoes." → "Here are hats."
        └─ in B: output does not contain 'shoes'
        text of turn 1
          │ Here are [-shoes.-]{+hats.+}

    1 changed
    no regression
    "#);
}
