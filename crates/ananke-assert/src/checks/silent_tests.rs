//! Checks on calls where calls cannot be seen.

use insta::assert_snapshot;

use crate::testing::{forbid, forbid_calls, judge_test, judge_turn, must_match, output, require};

const SILENT: &str = "silent this agent exposes no tool calls";

#[test]
fn without_sight_of_calls_nothing_can_be_said_about_them() {
    assert_snapshot!(judge_turn(require("search"), SILENT), @"
    Inconclusive tools.require search
    expected at least 1 call of `search`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_turn(require("search").count(0, Some(0)), SILENT), @"
    Inconclusive tools.require search
    expected exactly 0 calls of `search`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_turn(forbid("delete"), SILENT), @"
    Inconclusive tools.forbid delete
    expected no call of `delete`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_turn(forbid_calls("delete"), SILENT), @"
    Inconclusive tools.forbid_calls delete
    expected no call of `delete`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_turn(output(r#"{"type":"tool_called","name":"search"}"#), SILENT), @"
    Inconclusive tool_called search
    expected a call of `search`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_turn(output(r#"{"type":"tool_result","tool":"search","negate":true}"#), SILENT), @"
    Inconclusive tool_result search (negated)
    expected no result of `search`
    actual no call: this agent exposes no tool calls
    ");
}

#[test]
fn other_checks_are_judged_as_ever() {
    assert_snapshot!(judge_turn(must_match("hello"), &format!("{SILENT}\nsay hello")), @"
    Passed text.must_match /hello/
    expected text matching /hello/
    actual found
    ");
}

#[test]
fn a_call_that_was_seen_tells() {
    assert_snapshot!(judge_turn(forbid("delete"), &format!("{SILENT}\nsearch({{}})")), @"
    Passed tools.forbid delete
    expected no call of `delete`
    actual no call
    ");
}

#[test]
fn over_a_test_all_turns_must_be_silent() {
    assert_snapshot!(judge_test(forbid("delete"), &format!("turn\n{SILENT}\nturn\n{SILENT}")), @"
    Inconclusive tools.forbid delete
    expected no call of `delete`
    actual no call: this agent exposes no tool calls
    ");
    assert_snapshot!(judge_test(forbid("delete"), &format!("turn\n{SILENT}\nturn\nsay hello")), @"
    Passed tools.forbid delete
    expected no call of `delete`
    actual no call
    ");
}
