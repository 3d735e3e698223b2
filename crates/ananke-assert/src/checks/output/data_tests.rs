//! Checks on answers that are data beside their words.

use insta::assert_snapshot;

use crate::testing::{judge_test, judge_turn, output};

const LISTED: &str = r#"
    say add
    gives {"tools":[{"name":"add"},{"name":"echo"}]}
"#;

#[test]
fn paths_lead_into_the_data_of_an_answer() {
    assert_snapshot!(judge_turn(output(r#"{"type":"json_path","path":"$.tools[*].name","value":["add","echo"]}"#), LISTED), @r#"
    Passed json_path $.tools[*].name
    expected ["add","echo"] at $.tools[*].name
    actual ["add","echo"]
    "#);
    assert_snapshot!(judge_turn(output(r#"{"type":"json_path","path":"tools[5]"}"#), LISTED), @"
    Failed json_path tools[5]
    expected something at tools[5]
    actual nothing
    - path 'tools[5]': nothing is there
    - the members are: tools
    ");
    assert_snapshot!(judge_turn(output(r#"{"type":"equals","value":{"tools":[{"name":"add"}]}}"#), LISTED), @r#"
    Failed equals {"tools":[{"name":"add"}]}
    expected {"tools":[{"name":"add"}]}
    actual {"tools":[{"name":"add"},{"name":"echo"}]}
    - output does not match expected
    - at $.tools: expected 1 item, got 2
    "#);
    assert_snapshot!(judge_turn(output(r#"{"type":"type","value":"object"}"#), LISTED), @"
    Passed type object
    expected type object
    actual object
    ");
    assert_snapshot!(judge_turn(output(r#"{"type":"equals","value":"add"}"#), LISTED), @r#"
    Passed equals add
    expected the text "add"
    actual the same text
    "#);
}

#[test]
fn data_of_artifacts_is_looked_into_before_the_text() {
    let turn = r#"
        say {"total": 1}
        task completed
        artifact invoice
        holds {"total": 42}
    "#;
    assert_snapshot!(judge_turn(output(r#"{"type":"json_path","path":"total","value":42}"#), turn), @"
    Passed json_path total
    expected 42 at total
    actual 42
    ");
    assert_snapshot!(judge_turn(output(r#"{"type":"json_path","path":"total","value":1,"negate":true}"#), turn), @"
    Failed json_path total (negated)
    expected anything but 1 at total
    actual 1
    - path 'total': should not be 1
    ");
}

#[test]
fn over_a_test_any_turn_may_give_it() {
    assert_snapshot!(judge_test(output(r#"{"type":"json_path","path":"sum","value":3}"#), r#"
        turn
        gives {"tools":[]}
        turn
        gives {"sum":3}
    "#), @"
    Passed json_path sum
    expected 3 at sum
    actual 3
    ");
}
