//! Checks on the output, as text: what holds, what fails and why, and what `negate` does.

use insta::assert_snapshot;

use crate::testing::{judge_test, judge_turn, output};

/// Judges a check, written as in a case, on one turn.
pub(super) fn judged(check: &str, turn: &str) -> String {
    judge_turn(output(check), turn)
}

/// Tells how checks come out, one word each.
pub(super) fn outcomes(turn: &str, checks: &[&str]) -> String {
    let outcome = |check: &&str| {
        let judged = judged(check, turn);
        judged.split(' ').next().unwrap_or("").to_owned()
    };
    checks.iter().map(outcome).collect::<Vec<_>>().join(" ")
}

const ANSWER: &str = r#"say {"status":"paid","items":[{"id":7,"tags":["a","b"]},{"id":8.0}],"note":null,"need-search":false,"total":24}"#;

#[test]
fn text_that_is_equal_holds() {
    assert_snapshot!(judged(r#"{"type":"equals","value":" OK\n"}"#, "say OK"), @r#"
    Passed equals OK
    expected the text "OK"
    actual the same text
    "#);
}

#[test]
fn text_that_differs_is_shown_from_where_it_does() {
    assert_snapshot!(judged(r#"{"type":"equals","value":"Order 17 is paid"}"#, "say Order 18 is paid"), @r#"
    Failed equals Order 17 is paid
    expected the text "Order 17 is paid"
    actual "Order 18 is paid"
    - output does not match expected
    - the texts part at character 8: expected "7 is paid", got "8 is paid"
    "#);
    assert_snapshot!(judged(r#"{"type":"equals","value":"OK"}"#, ""), @r#"
    Failed equals OK
    expected the text "OK"
    actual no text at all
    - output does not match expected
    "#);
    assert_snapshot!(judged(r#"{"type":"equals","value":"OK","negate":true}"#, "say OK"), @r#"
    Failed equals OK (negated)
    expected anything but the text "OK"
    actual the same text
    - output should not be "OK"
    "#);
}

#[test]
fn json_is_equal_whatever_its_key_order_and_number_spelling() {
    let answers = [
        r#"say {"b":1.0,"a":[1e0,2]}"#,
        r#"say ```json { "a": [1, 2.0], "b": 1 } ```"#,
        r#"say As [1] says: {"a":[1,2],"b":1} is it."#,
    ];
    for answer in answers {
        assert_eq!(
            outcomes(answer, &[r#"{"type":"equals","value":{"a":[1,2],"b":1}}"#]),
            "Passed",
            "{answer}"
        );
    }
}

#[test]
fn json_that_differs_names_the_first_place() {
    assert_snapshot!(judged(r#"{"type":"equals","value":{"a":{"b":[1,{"c":2}]}}}"#, r#"say {"a":{"b":[1,{"c":3}]}}"#), @r#"
    Failed equals {"a":{"b":[1,{"c":2}]}}
    expected {"a":{"b":[1,{"c":2}]}}
    actual {"a":{"b":[1,{"c":3}]}}
    - output does not match expected
    - at $.a.b[1].c: expected 2, got 3
    "#);
    assert_snapshot!(judged(r#"{"type":"equals","value":{"a":1,"b c":2}}"#, r#"say {"a":1}"#), @r#"
    Failed equals {"a":1,"b c":2}
    expected {"a":1,"b c":2}
    actual {"a":1}
    - output does not match expected
    - $["b c"] is missing
    "#);
    assert_snapshot!(judged(r#"{"type":"equals","value":{"a":1}}"#, r#"say {"a":1,"z":0}"#), @r#"
    Failed equals {"a":1}
    expected {"a":1}
    actual {"a":1,"z":0}
    - output does not match expected
    - $.z is not expected
    "#);
    assert_snapshot!(judged(r#"{"type":"equals","value":[1,2]}"#, r"say [1,2,3]"), @"
    Failed equals [1,2]
    expected [1,2]
    actual [1,2,3]
    - output does not match expected
    - at $: expected 2 items, got 3
    ");
    assert_snapshot!(judged(r#"{"type":"equals","value":{"a":1}}"#, r"say no JSON here"), @r#"
    Failed equals {"a":1}
    expected {"a":1}
    actual "no JSON here"
    - output does not match expected: there is no JSON in the text
    "#);
}

#[test]
fn contains_finds_text_with_case() {
    assert_snapshot!(judged(r#"{"type":"contains","value":"refund"}"#, "say Your refund is on its way"), @r#"
    Passed contains refund
    expected text containing "refund"
    actual found
    "#);
    assert_snapshot!(judged(r#"{"type":"contains","value":"your refund"}"#, "say Your  Refund is on its way"), @r#"
    Failed contains your refund
    expected text containing "your refund"
    actual "Your  Refund is on its way"
    - output does not contain 'your refund'
    - "Your  Refund" is there: case and white space count
    "#);
    assert_snapshot!(judged(r#"{"type":"contains","value":"refund"}"#, ""), @r#"
    Failed contains refund
    expected text containing "refund"
    actual no text at all
    - output does not contain 'refund'
    "#);
}

#[test]
fn of_a_list_each_item_is_found() {
    assert_snapshot!(judged(r#"{"type":"contains","value":["refund","way","Monday"]}"#, "say Your refund is on its way"), @r#"
    Failed contains refund, way, Monday
    expected text containing "refund" and "way" and "Monday"
    actual "Your refund is on its way"
    - output does not contain 'Monday'
    "#);
    assert_snapshot!(judged(r#"{"type":"not_contains","value":["sorry","refund","way"]}"#, "say Your refund is on its way"), @r#"
    Failed not_contains sorry, refund, way
    expected no text containing "sorry" or "refund" or "way"
    actual "Your refund is on its way"
    - output should not contain 'refund', 'way'
    "#);
}

#[test]
fn other_values_are_found_in_the_json() {
    let checks = [
        r#"{"type":"contains","value":{"id":8}}"#,
        r#"{"type":"contains","value":[["a","b"]]}"#,
        r#"{"type":"contains","value":[false,null,24.0]}"#,
        r#"{"type":"contains","value":{"id":9}}"#,
        r#"{"type":"not_contains","value":{"id":9}}"#,
        r#"{"type":"contains","value":"b","path":"items[0].tags"}"#,
        r#"{"type":"contains","value":"paid","path":"$.items"}"#,
        r#"{"type":"not_contains","value":"b","path":"$.items[*].tags"}"#,
    ];
    assert_eq!(
        outcomes(ANSWER, &checks),
        "Passed Passed Passed Failed Passed Passed Failed Failed"
    );
}

#[test]
fn a_prohibition_at_a_path_that_leads_nowhere_fails() {
    assert_snapshot!(judged(r#"{"type":"not_contains","value":"x","path":"$.stauts"}"#, ANSWER), @r#"
    Failed not_contains x at $.stauts
    expected no text containing "x" at $.stauts
    actual nothing
    - path '$.stauts': nothing is there
    - did you mean `status`?
    - the members are: status, items, note, need-search, total
    "#);
    assert_snapshot!(judged(r#"{"type":"contains","value":"x","path":"$.status","negate":true}"#, "say fine"), @r#"
    Failed contains x at $.status (negated)
    expected no text containing "x" at $.status
    actual "fine"
    - output is not valid JSON: there is no JSON in the text
    - what cannot be decided fails, negated or not
    "#);
}

#[test]
fn patterns_are_searched_for() {
    assert_snapshot!(judged(r#"{"type":"regex","value":"/ORDER-\\d+/i"}"#, "say your order-17 is here"), @r#"
    Passed regex /ORDER-\d+/i
    expected text matching /ORDER-\d+/i
    actual "order-17"
    "#);
    assert_snapshot!(judged(r#"{"type":"regex","value":"order-\\d+"}"#, "say nothing"), @r#"
    Failed regex /order-\d+/
    expected text matching /order-\d+/
    actual "nothing"
    - output does not match pattern '/order-\d+/'
    "#);
    assert_snapshot!(judged(r#"{"type":"regex","value":"^p","path":"status","negate":true}"#, ANSWER), @r#"
    Failed regex /^p/ at status (negated)
    expected no text matching /^p/ at status
    actual "p"
    - path 'status' should not match pattern '/^p/'
    "#);
}

#[test]
fn a_search_that_is_given_up_fails_negated_or_not() {
    let text = format!("say {}!", "a".repeat(40));
    assert_snapshot!(judged(r#"{"type":"regex","value":"^(?:a+|(?!x)a)+(?=b)","negate":true}"#, &text), @"
    Failed regex /^(?:a+|(?!x)a)+(?=b)/ (negated)
    expected no text matching /^(?:a+|(?!x)a)+(?=b)/
    actual the pattern took too many steps
    - the pattern took too many steps
    - /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
    - what cannot be decided fails, negated or not
    ");
}

#[test]
fn what_stands_at_a_path_is_compared() {
    let checks = [
        r#"{"type":"json_path","path":"$.status","value":"paid"}"#,
        r#"{"type":"json_path","path":"items[1].id","value":8}"#,
        r#"{"type":"json_path","path":"items.1.id","value":8}"#,
        r#"{"type":"json_path","path":"need-search","value":false}"#,
        r#"{"type":"json_path","path":"$.need-search","value":false}"#,
        r#"{"type":"json_path","path":"$.note","value":null}"#,
        r#"{"type":"json_path","path":"$.note"}"#,
        r#"{"type":"json_path","path":"$.status","value":["open","paid"]}"#,
        r#"{"type":"json_path","path":"$.items[*].id","value":[7,8]}"#,
        r#"{"type":"json_path","path":"$.items[?@.id == 7].tags[0]","value":"a"}"#,
        r#"{"type":"json_path","path":"$.items[*].id","value":[8,7]}"#,
        r#"{"type":"json_path","path":"$.items[*].id","value":7}"#,
        r#"{"type":"json_path","path":"$.missing","value":null}"#,
        r#"{"type":"json_path","path":"$.missing"}"#,
        r#"{"type":"json_path","path":"$.missing","negate":true}"#,
        r#"{"type":"json_path","path":"$.missing","value":"x","negate":true}"#,
        r#"{"type":"json_path","path":"$.status","value":"open","negate":true}"#,
    ];
    assert_eq!(
        outcomes(ANSWER, &checks),
        "Passed Passed Passed Passed Passed Passed Passed Passed Passed Passed \
         Failed Failed Failed Failed Passed Failed Passed"
    );
}

#[test]
fn paths_that_fail_say_why() {
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.status","value":"open"}"#, ANSWER), @r#"
    Failed json_path $.status
    expected "open" at $.status
    actual "paid"
    - path '$.status': expected "open", got "paid"
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.items[*].id","value":7}"#, ANSWER), @"
    Failed json_path $.items[*].id
    expected 7 at $.items[*].id
    actual [7,8.0]
    - path '$.items[*].id': expected 7, got [7,8.0]
    - number 2 is 8.0
    - the path leads to 2 values
    ");
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.items[0]","value":{"id":7,"tags":["a","c"]}}"#, ANSWER), @r#"
    Failed json_path $.items[0]
    expected {"id":7,"tags":["a","c"]} at $.items[0]
    actual {"id":7,"tags":["a","b"]}
    - path '$.items[0]': expected {"id":7,"tags":["a","c"]}, got {"id":7,"tags":["a","b"]}
    - at $.items[0].tags[1]: expected "c", got "b"
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.stauts","value":"paid"}"#, ANSWER), @r#"
    Failed json_path $.stauts
    expected "paid" at $.stauts
    actual nothing
    - path '$.stauts': expected "paid", got nothing
    - did you mean `status`?
    - the members are: status, items, note, need-search, total
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.status","value":"paid"}"#, "say It is paid"), @r#"
    Failed json_path $.status
    expected "paid" at $.status
    actual "It is paid"
    - output is not valid JSON: there is no JSON in the text
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.status","value":"paid","negate":true}"#, "say It is paid"), @r#"
    Failed json_path $.status (negated)
    expected anything but "paid" at $.status
    actual "It is paid"
    - output is not valid JSON: there is no JSON in the text
    - what cannot be decided fails, negated or not
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.status","negate":true}"#, ANSWER), @r#"
    Failed json_path $.status (negated)
    expected nothing at $.status
    actual "paid"
    - path '$.status': nothing should be there
    "#);
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.status","value":"paid"}"#, ""), @r#"
    Failed json_path $.status
    expected "paid" at $.status
    actual no text at all
    - output is not valid JSON: there is no text
    "#);
}

#[test]
fn the_first_json_in_which_the_path_leads_anywhere_counts() {
    let answer = r#"say As [1] says, {"a":1} became {"b":2} and {"b":3}"#;
    assert_eq!(
        outcomes(
            answer,
            &[
                r#"{"type":"json_path","path":"b","value":2}"#,
                r#"{"type":"json_path","path":"b","value":3}"#,
                r#"{"type":"json_path","path":"$","value":[1]}"#,
            ]
        ),
        "Passed Failed Passed"
    );
}

#[test]
fn at_test_level_the_json_of_all_turns_counts() {
    let turns = "
        turn
        say {\"a\":1}
        turn
        say {\"b\":2}
    ";
    let check = r#"{"type":"json_path","path":"b","value":2}"#;
    assert!(judge_test(output(check), turns).starts_with("Passed"));
}

#[test]
fn types_are_those_of_json() {
    let of = |answer: &str, word: &str| {
        outcomes(answer, &[&format!(r#"{{"type":"type","value":"{word}"}}"#)])
    };
    for (answer, word) in [
        ("say hello", "string"),
        ("say \"hello\"", "string"),
        ("say {\"a\":1}", "object"),
        ("say [1]", "array"),
        ("say -1.5", "number"),
        ("say true", "boolean"),
        ("say null", "null"),
        ("say the answer is {\"a\":1}", "string"),
    ] {
        assert_eq!(of(answer, word), "Passed", "{answer}");
        let other = if word == "array" { "object" } else { "array" };
        assert_eq!(of(answer, other), "Failed", "{answer}");
    }
    let at = [
        r#"{"type":"type","path":"$.total","value":"number"}"#,
        r#"{"type":"type","path":"$.items[*].id","value":"number"}"#,
        r#"{"type":"type","path":"note","value":"null"}"#,
        r#"{"type":"type","path":"note","value":"null","negate":true}"#,
        r#"{"type":"type","path":"missing","value":"null"}"#,
        r#"{"type":"type","path":"missing","value":"null","negate":true}"#,
    ];
    assert_eq!(
        outcomes(ANSWER, &at),
        "Passed Passed Passed Failed Failed Failed"
    );
}

#[test]
fn types_that_differ_are_named() {
    assert_snapshot!(judged(r#"{"type":"type","value":"object"}"#, "say Here: {\"a\":1}"), @r#"
    Failed type object
    expected type object
    actual string
    - expected type 'object', got 'string'
    - "Here: {"a":1}"
    - there is JSON of type object in the text: `path: $` looks at it
    "#);
    assert_snapshot!(judged(r#"{"type":"type","path":"$.status","value":"number"}"#, ANSWER), @r#"
    Failed type number at $.status
    expected type number at $.status
    actual string
    - path '$.status': expected type 'number', got 'string'
    - "paid"
    "#);
    assert_snapshot!(judged(r#"{"type":"type","value":"string","negate":true}"#, ""), @"
    Failed type string (negated)
    expected anything but type string
    actual no text at all
    - there is no output
    - what cannot be decided fails, negated or not
    ");
}

#[test]
fn references_are_resolved_everywhere() {
    let checks = [
        r#"{"type":"contains","value":"no. ${ORDER}"}"#,
        r#"{"type":"regex","value":"${DOTS}"}"#,
        r#"{"type":"contains","value":["${ORDER}"]}"#,
        r#"{"type":"json_path","path":"${KEY}","value":"${ORDER}"}"#,
        r#"{"type":"json_path","path":"$.${KEY}","value":{"a":"${ORDER}"}}"#,
    ];
    assert_eq!(
        outcomes(r#"say no. 42 abc {"query":42}"#, &checks),
        "Passed Failed Passed Passed Failed"
    );
    let called = r#"{"type":"tool_called","name":"${KEY}","arguments":{"order":"${ORDER}"}}"#;
    assert_eq!(outcomes(r#"query({"order":42})"#, &[called]), "Passed");
}

#[test]
fn value_and_message_come_through() {
    let check =
        output(r#"{"type":"contains","value":"no. ${ORDER}","message":"order ${ORDER} is named"}"#);
    let block = crate::compile(
        &crate::testing::block([check]),
        &crate::testing::variables(),
    );
    let results = block
        .unwrap()
        .judge_turn(&crate::testing::turns("say hi")[0]);
    assert_eq!(results[0].value, Some("no. 42".into()));
    assert_eq!(results[0].message.as_deref(), Some("order 42 is named"));
    assert_eq!(results[0].details, ["output does not contain 'no. 42'"]);
}

#[test]
fn a_value_that_turns_out_empty_is_a_mistake() {
    for check in [
        r#"{"type":"contains","value":"${NO:-}"}"#,
        r#"{"type":"not_contains","value":["a","${NO:-}"],"negate":true}"#,
        r#"{"type":"tool_called","name":"${NO:-}","negate":true}"#,
    ] {
        assert!(judged(check, "").contains("is empty"), "{check}");
    }
}

#[test]
fn json_that_cannot_be_read_decides_nothing() {
    let deep = format!("say {}1{}", "[".repeat(500), "]".repeat(500));
    let checks = [
        r#"{"type":"equals","value":{"a":1},"negate":true}"#,
        r#"{"type":"not_contains","value":{"a":1}}"#,
        r#"{"type":"json_path","path":"$[0]","negate":true}"#,
        r#"{"type":"type","value":"array"}"#,
    ];
    assert_eq!(outcomes(&deep, &checks), "Failed Failed Failed Passed");
}
