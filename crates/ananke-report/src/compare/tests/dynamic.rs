//! Cases that a simulator led: a checkpoint that was reached before and is not now.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::{Side, compared, shown};
use crate::compare::{Missing, compare, comparison_html, comparison_json, comparison_text};
use crate::report::ReportFormat;
use crate::samples::{HOSTILE, dynamic, dynamic_failed, plain, rendered, run};

#[test]
fn a_checkpoint_that_is_no_longer_reached() {
    let before = vec![dynamic("T001", TestStatus::Passed)];
    assert_snapshot!(shown(before, vec![dynamic_failed("T001")]), @r#"
    A before: 1 test, 1 passed, 8.5s
    B after: 1 test, 0 passed, 8.5s

    Broken (1): passed in A, not in B
      ✗ [T001 in tests/shop.jsonl] Expense Coverage PASSED → FAILED
        differs: checkpoints, text
        first difference in turn 3, text: "Submitted!" → "Really?"
        └─ missing checkpoints: confirm
        checkpoints
          ~ confirm: reached in turn 3 → not reached
        text of turn 3
          │ [-Submitted!-]{+Really?+}

    1 broken
    regression: 1 test broken
    "#);
}

#[test]
fn an_optional_checkpoint_is_a_change_only() {
    let mut before = dynamic("T001", TestStatus::Passed);
    before.checkpoints[3].reached_at_turn = Some(2);
    let mut after = dynamic("T001", TestStatus::Passed);
    after.checkpoints[0].id = "asks".to_owned();
    assert_snapshot!(shown(vec![before], vec![after]), @"
    A before: 1 test, 1 passed, 8.5s
    B after: 1 test, 1 passed, 8.5s

    Changed (1): came out alike, behaves otherwise
      ~ [T001 in tests/shop.jsonl] Expense Coverage PASSED → PASSED
        differs: checkpoints
        first difference, checkpoint `ask_type`: reached in turn 1 → nothing
        checkpoints
          ~ ask_type: reached in turn 1 → nothing
          ~ thanks: reached in turn 2 → not reached
          ~ asks: nothing → reached in turn 1

    1 changed
    no regression
    ");
    let same = dynamic("T001", TestStatus::Passed);
    assert_snapshot!(shown(vec![same.clone()], vec![same]), @"
    A before: 1 test, 1 passed, 8.5s
    B after: 1 test, 1 passed, 8.5s

    1 same
    no difference
    ");
}

#[test]
fn reports_tell_the_same_as_bundles() {
    let (before, after) = (dynamic("T001", TestStatus::Passed), dynamic_failed("T001"));
    let side = |label: &str, result| {
        let text = rendered(ReportFormat::Jsonl, &run(vec![result]));
        Side::from_report(label, &text).unwrap()
    };
    let from_reports = compare(
        &side("before", before.clone()),
        &side("after", after.clone()),
        Missing::Regression,
    );
    let from_bundles = compared(vec![before], vec![after]);
    let checkpoints = &from_bundles.tests[0].details.checkpoints;
    assert_eq!(&from_reports.tests[0].details.checkpoints, checkpoints);
    assert_eq!(checkpoints.len(), 1);
}

#[test]
fn hostile_checkpoints_are_only_text() {
    let mut before = dynamic("T001", TestStatus::Passed);
    before.checkpoints[0].id = HOSTILE.to_owned();
    let comparison = compared(vec![before], vec![dynamic_failed("T001")]);
    let page = comparison_html(&comparison);
    assert!(page.contains("Checkpoints") && !page.contains("<img") && !page.contains("<b>"));
    assert!(!comparison_json(&comparison).contains("##["));
    for line in comparison_text(&comparison, &plain(), true, false).lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}
