//! Prohibitions hold only if everything was looked at, as text.

use insta::assert_snapshot;

use super::tests::{judged, outcomes};
use crate::testing::{block, output, turns, variables};

/// Judges a check, written as in a case, on a text that may have several lines. Returns how it came out, and why.
fn on_text(check: &str, text: &str) -> String {
    let mut turn = turns("say x").remove(0);
    text.clone_into(&mut turn.text);
    let block = crate::compile(&block([output(check)]), &variables()).unwrap();
    let result = block.judge_turn(&turn).remove(0);
    format!("{:?} {}", result.outcome, result.details.join("; "))
}

const NO_ERROR: &str = r#"{"type":"json_path","path":"error","negate":true}"#;
const NOT_ERROR: &str = r#"{"type":"not_contains","value":{"error":true}}"#;

#[test]
fn json_that_was_not_reached_decides_nothing() {
    let many = format!("{}{{\"error\": true}}", "[1] ".repeat(1001));
    assert_snapshot!(on_text(NO_ERROR, &many), @"Failed path 'error': not all of the output could be read: the text has more than 1000 JSON values; what cannot be decided fails, negated or not");
    assert_snapshot!(on_text(NOT_ERROR, &many), @r#"Failed output may contain '{"error":true}': the text has more than 1000 JSON values"#);
    let some = format!("{}{{\"error\": true}}", "[1] ".repeat(100));
    assert_snapshot!(on_text(NO_ERROR, &some), @"Failed path 'error': nothing should be there");
    assert_snapshot!(on_text(NOT_ERROR, &some), @r#"Failed output should not contain '{"error":true}'"#);
    let open = format!("{{\"x\":1}} {} {{\"error\": true}}", "[".repeat(200_000));
    assert_snapshot!(on_text(NO_ERROR, &open), @"Failed path 'error': not all of the output could be read: the text has too many brackets to search them all; what cannot be decided fails, negated or not");
    assert_snapshot!(on_text(NOT_ERROR, &open), @r#"Failed output may contain '{"error":true}': the text has too many brackets to search them all"#);
}

#[test]
fn a_block_that_is_not_json_decides_nothing() {
    let broken = "```json\n{\"x\":1}\n```\nand\n```json\n{\"error\": true,}\n```\n";
    assert_snapshot!(on_text(NO_ERROR, broken), @"Failed path 'error': not all of the output could be read: a block marked `json` is not JSON: trailing comma at line 1 column 16; what cannot be decided fails, negated or not");
    assert_snapshot!(on_text(NOT_ERROR, broken), @r#"Failed output may contain '{"error":true}': a block marked `json` is not JSON: trailing comma at line 1 column 16"#);
    let only = "```json\n{\"error\": true,}\n```\n";
    assert_snapshot!(on_text(NOT_ERROR, only), @r#"Failed output may contain '{"error":true}': a block marked `json` is not JSON: trailing comma at line 1 column 16"#);
    for check in [
        r#"{"type":"equals","value":{"error":true},"negate":true}"#,
        r#"{"type":"json_path","path":"x","value":2,"negate":true}"#,
        r#"{"type":"type","path":"x","value":"string","negate":true}"#,
        r#"{"type":"regex","path":"x","value":"2","negate":true}"#,
        r#"{"type":"contains","path":"x","value":"2","negate":true}"#,
    ] {
        assert!(on_text(check, broken).starts_with("Failed"), "{check}");
    }
    // Text is searched as a whole, and demands are content with what they find.
    for check in [
        r#"{"type":"not_contains","value":"sorry"}"#,
        r#"{"type":"json_path","path":"x","value":1}"#,
        r#"{"type":"contains","value":{"x":1}}"#,
        r#"{"type":"not_contains","value":[{"x":1},{"y":1}],"negate":true}"#,
    ] {
        assert!(on_text(check, broken).starts_with("Passed"), "{check}");
    }
}

#[test]
fn prohibitions_look_beside_fenced_blocks_and_into_every_value() {
    let beside = "```json\n{\"x\":1}\n```\nbut {\"error\": true}";
    assert_snapshot!(on_text(NO_ERROR, beside), @"Failed path 'error': nothing should be there");
    assert_snapshot!(on_text(NOT_ERROR, beside), @r#"Failed output should not contain '{"error":true}'"#);
    let two = r#"{"status":"paid"} then {"status":"open"}"#;
    for check in [
        r#"{"type":"json_path","path":"status","value":"open","negate":true}"#,
        r#"{"type":"equals","value":{"status":"open"},"negate":true}"#,
        r#"{"type":"regex","path":"status","value":"^o","negate":true}"#,
        r#"{"type":"not_contains","path":"status","value":"open"}"#,
        r#"{"type":"type","path":"status","value":"string","negate":true}"#,
    ] {
        assert!(on_text(check, two).starts_with("Failed"), "{check}");
    }
    let open = r#"{"type":"json_path","path":"status","value":"open"}"#;
    assert!(on_text(open, two).starts_with("Failed"));
}

#[test]
fn negated_means_none_of_the_values() {
    let answer = r#"say {"a":["foo","bar"],"b":[1,"x"],"c":[[1,2],3]}"#;
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.a[*]","value":"bar","negate":true}"#, answer), @r#"
    Failed json_path $.a[*] (negated)
    expected anything but "bar" at $.a[*]
    actual "bar"
    - path '$.a[*]': should not be "bar"
    "#);
    let checks = [
        r#"{"type":"equals","path":"$.a[*]","value":"bar","negate":true}"#,
        r#"{"type":"type","path":"$.b[*]","value":"string","negate":true}"#,
        r#"{"type":"json_path","path":"$.a[*]","value":["foo","bar"],"negate":true}"#,
        r#"{"type":"json_path","path":"$.c[*]","value":[1,2],"negate":true}"#,
        r#"{"type":"json_path","path":"$.a[0]","value":["x","foo"],"negate":true}"#,
        r#"{"type":"json_path","path":"$.a[*]","value":"baz","negate":true}"#,
        r#"{"type":"type","path":"$.b[*]","value":"object","negate":true}"#,
        r#"{"type":"json_path","path":"$.a[*]","value":["bar","foo"],"negate":true}"#,
    ];
    assert_eq!(
        outcomes(answer, &checks),
        "Failed Failed Failed Failed Failed Passed Passed Passed"
    );
}

#[test]
fn a_path_to_any_number_of_values_compares_the_list() {
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.a[*]","value":[1,2]}"#, r#"say {"a":[1]}"#), @"
    Failed json_path $.a[*]
    expected [1,2] at $.a[*]
    actual [1]
    - path '$.a[*]': expected [1,2], got [1]
    - the path may lead to any number of values: the list of all 1 is compared
    ");
    let outcome = |answer: &str, path: &str, value: &str| {
        let check = format!(r#"{{"type":"json_path","path":"{path}","value":{value}}}"#);
        outcomes(&format!("say {answer}"), &[&check])
    };
    for (answer, path, value, expected) in [
        (r#"{"a":[[1,2]]}"#, "$.a[*]", "[[1,2]]", "Passed"),
        (r#"{"a":[[1,2]]}"#, "$.a[*]", "[1,2]", "Failed"),
        (r#"{"a":[1]}"#, "$.a[*]", "[1]", "Passed"),
        (r#"{"a":[1]}"#, "$..a", "[[1]]", "Passed"),
        (r#"{"a":[1]}"#, "$.a[0:1]", "[1,2]", "Failed"),
        (r#"{"a":[1]}"#, "$.a[?@ > 0]", "[1,2]", "Failed"),
        (r#"{"a":[1]}"#, "$.a[0]", "[1,2]", "Passed"),
        (r#"{"a":1}"#, "a", "[1,2]", "Passed"),
    ] {
        assert_eq!(
            outcome(answer, path, value),
            expected,
            "{path} {value} {answer}"
        );
    }
}

#[test]
fn a_misspelt_beginning_of_a_path_decides_nothing() {
    let answer = r#"say {"items":[{"status":"ok"}],"empty":[]}"#;
    assert_snapshot!(judged(r#"{"type":"json_path","path":"$.itemz[?@.status == \"error\"]","negate":true}"#, answer), @r#"
    Failed json_path $.itemz[?@.status == "error"] (negated)
    expected nothing at $.itemz[?@.status == "error"]
    actual nothing
    - path '$.itemz[?@.status == "error"]': there is no '$.itemz' to look into
    - did you mean `items`?
    - the members are: items, empty
    - what cannot be decided fails, negated or not
    "#);
    let checks = [
        r#"{"type":"json_path","path":"$.items[?@.status == 'error']","negate":true}"#,
        r#"{"type":"json_path","path":"empty[*].error","negate":true}"#,
        r#"{"type":"json_path","path":"$..error","negate":true}"#,
        r#"{"type":"json_path","path":"$.error","negate":true}"#,
    ];
    assert_eq!(outcomes(answer, &checks), "Passed Passed Passed Passed");
}

#[test]
fn numbers_and_words_are_found_as_a_whole() {
    let checks = [
        r#"{"type":"contains","value":4}"#,
        r#"{"type":"contains","value":true}"#,
        r#"{"type":"not_contains","value":[4,true,null]}"#,
        r#"{"type":"contains","value":14}"#,
        r#"{"type":"contains","value":"4"}"#,
    ];
    assert_eq!(
        outcomes("say 14 of them are nullable and untrue", &checks),
        "Failed Failed Passed Passed Passed"
    );
    assert_eq!(
        outcomes("say 4 are true. {\"a\":14}", &checks),
        "Passed Passed Failed Passed Passed"
    );
    let at = r#"{"type":"contains","path":"a","value":4}"#;
    assert_eq!(outcomes("say {\"a\":14}", &[at]), "Failed");
    assert_eq!(outcomes("say {\"a\":[{\"b\":4.0}]}", &[at]), "Passed");
}

#[test]
fn patterns_that_match_anything_are_mistakes() {
    for pattern in [
        ".*",
        "a*",
        "a|",
        "/x?/i",
        "/(?:)/s",
        "^",
        "$",
        "^a*",
        "a*$",
        "(?:ab)*",
        "${NO:-}|b",
        "(${ORDER})?",
    ] {
        let check = serde_json::json!({"type": "regex", "value": pattern, "negate": true});
        let said = judged(&check.to_string(), "say x");
        assert!(said.contains("matches anything"), "{pattern}: {said}");
    }
    for pattern in [
        "^$",
        r"^\s*$",
        "^[^e]*$",
        "a+",
        "^(?!.*error)",
        r"\b",
        r"\B",
        "${ORDER}*",
        "/^$/m",
        "a|^$",
    ] {
        let check = serde_json::json!({"type": "regex", "value": pattern});
        let said = judged(&check.to_string(), "say x");
        assert!(!said.contains("anything"), "{pattern}: {said}");
    }
}
