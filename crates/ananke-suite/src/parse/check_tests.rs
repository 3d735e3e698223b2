//! Checks on the output: one test for each form, and for each mistake.

use insta::assert_snapshot;

use crate::testing::{assert_problems, key_problems};

/// Returns what is wrong with one check, written in flow style.
fn problems(check: &str) -> String {
    assert_problems(&format!("  checks: [{check}]\n"))
}

#[test]
fn every_form_of_both_dialects_is_read() {
    for check in [
        "{type: equals, value: {a: [1, null]}, path: $.x, negate: true, message: no}",
        "{type: equals, value: null}",
        "{type: equals, value: ''}",
        "{type: contains, value: [a, {b: 1}]}",
        "{type: not_contains, value: a}",
        "{type: regex, value: 5}",
        "{type: regex, pattern: '/a/i', path: a.b}",
        "{type: json_path, path: $.a}",
        "{type: json_path, path: $.a, value: null}",
        "{type: type, value: null}",
        "{type: type, value: 'null', path: a}",
        "{type: type, value: object}",
        "{type: tool_called, name: a}",
        "{type: tool_called, name: [a, b], arguments: {c: 1}}",
        "{type: tool_called, value: a, arguments: {}}",
        "{type: tool_called, value: [a, b]}",
        "{type: tool_called, value: {name: a, arguments: {b: 1}}}",
        "{type: tool_result, tool: a, result: 'regex:x'}",
        "{type: tool_result, value: {tool: a, result: null}}",
        "{type: tool_result, value: {tool: a}}",
    ] {
        assert_eq!(problems(check), "", "{check}");
    }
    assert_eq!(
        key_problems("assert: {checks: [{type: contains, value: x}]}\n"),
        ""
    );
}

#[test]
fn types_that_are_not_known_are_named_with_what_was_meant() {
    assert_snapshot!(problems("{type: conatins, value: a}"), @"a.test.yaml:6:19 error unknown check type `conatins` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | did you mean `contains`?");
    assert_snapshot!(problems("{type: matches, value: a}"), @"a.test.yaml:6:19 error unknown check type `matches` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | did you mean `regex`?");
    assert_snapshot!(problems("{type: zebra}"), @"a.test.yaml:6:19 error unknown check type `zebra` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`");
    assert_snapshot!(problems("{type: 5}"), @"a.test.yaml:6:19 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found the number `5`");
    assert_snapshot!(problems("{value: a}"), @"a.test.yaml:6:12 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: contains`");
    assert_snapshot!(problems("{contains: a}"), @"a.test.yaml:6:12 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: contains` and `value: …`");
    assert_snapshot!(assert_problems("  contains: a\n"), @"a.test.yaml:6:3 error unknown key `contains` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | write `checks: [{type: contains, value: …}]`");
}

#[test]
fn scripts_are_named_where_they_belong() {
    assert_snapshot!(problems("{type: script, script: scripts.test.Check}"), @"a.test.yaml:6:35 error there is no script `scripts.test.Check` |  | looked for `scripts/test.ts`, `scripts/test/Check.ts`");
    assert_snapshot!(problems("{type: equals, value: 1, script: x}"), @"a.test.yaml:6:37 error unknown key `script` in an `equals` check | expected `type`, `value`, `path`, `negate` or `message` | `script` belongs to `type: script`");
}

#[test]
fn what_is_missing_or_empty_is_named() {
    assert_snapshot!(problems("{type: equals}, {type: contains}, {type: not_contains, negate: true}, {type: regex}, {type: json_path}, {type: type}, {type: tool_called}, {type: tool_result}"), @"
    a.test.yaml:6:12 error `value` is missing in an `equals` check |  | write `value: {status: paid}`
    a.test.yaml:6:28 error `value` is missing in a `contains` check |  | write `value: refund`
    a.test.yaml:6:46 error `value` is missing in a `not_contains` check |  | write `value: error`
    a.test.yaml:6:82 error `value` is missing in a `regex` check |  | write `value: …`
    a.test.yaml:6:97 error `path` is missing in a `json_path` check |  | write `path: $.status`
    a.test.yaml:6:116 error `value` is missing in a `type` check |  | write `value: object`
    a.test.yaml:6:130 error `name` is missing in a `tool_called` check |  | write `name: …`
    a.test.yaml:6:151 error `tool` is missing in a `tool_result` check |  | write `tool: …`
    ");
    assert_snapshot!(problems("equals, json_path, 5"), @"
    a.test.yaml:6:12 error an `equals` check needs more than its type |  | write `{type: equals, value: …}`
    a.test.yaml:6:20 error a `json_path` check needs more than its type |  | write `{type: json_path, path: $.status, value: paid}`
    a.test.yaml:6:31 error expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script`, found the number `5`
    ");
    assert_snapshot!(problems("{type: contains, value: ''}, {type: contains, value: []}, {type: not_contains, value: [a, '']}, {type: regex, value: ''}, {type: tool_called, name: []}, {type: tool_called, name: ''}"), @"
    a.test.yaml:6:36 error the text is empty and is found in anything
    a.test.yaml:6:65 error the list is empty and demands nothing
    a.test.yaml:6:98 error one of the texts is empty and is found in anything
    a.test.yaml:6:129 error the pattern is empty and would match anything
    a.test.yaml:6:160 error the list is empty and demands nothing
    a.test.yaml:6:191 error the text is empty
    ");
    assert_snapshot!(assert_problems("  checks:\n    - type: equals\n      value:\n    - type: type\n      value:\n"), @"
    a.test.yaml:8:7 error expected a value, found nothing |  | write `null` if that is meant
    a.test.yaml:10:7 error expected `null`, `string`, `number`, `boolean`, `array` or `object`, found nothing
    ");
    assert_snapshot!(assert_problems("  checks: {type: contains, value: a}\n"), @"a.test.yaml:6:11 error expected a list, found a map |  | begin each item with `- type: …`");
}

#[test]
fn keys_that_a_type_does_not_use_are_refused() {
    assert_snapshot!(problems("{type: tool_called, name: a, path: $.a}"), @"a.test.yaml:6:41 error unknown key `path` in a `tool_called` check | expected `type`, `name`, `arguments`, `value`, `negate` or `message` | `path` looks into the output; demand arguments under `arguments`");
    assert_snapshot!(problems("{type: contains, value: a, pattern: b}"), @"a.test.yaml:6:39 error unknown key `pattern` in a `contains` check | expected `type`, `value`, `path`, `negate` or `message` | a pattern is written in `type: regex`; here the demand is under `value`");
    assert_snapshot!(problems("{type: equals, vaule: a}"), @"
    a.test.yaml:6:12 error `value` is missing in an `equals` check |  | write `value: {status: paid}`
    a.test.yaml:6:27 error unknown key `vaule` in an `equals` check | expected `type`, `value`, `path`, `negate` or `message` | did you mean `value`?
    ");
    assert_snapshot!(problems("{type: tool_result, name: a}"), @"
    a.test.yaml:6:12 error `tool` is missing in a `tool_result` check |  | write `tool: …`
    a.test.yaml:6:32 error unknown key `name` in a `tool_result` check | expected `type`, `tool`, `result`, `value`, `negate` or `message` | the tool is written under `tool`
    ");
}

#[test]
fn wrong_values_are_named() {
    assert_snapshot!(problems("{type: type, value: integer}, {type: type, value: bool}, {type: type, value: strng}, {type: type, value: 5}"), @"
    a.test.yaml:6:32 error unknown word `integer` | expected `null`, `string`, `number`, `boolean`, `array` or `object` | did you mean `number`?
    a.test.yaml:6:62 error unknown word `bool` | expected `null`, `string`, `number`, `boolean`, `array` or `object` | did you mean `boolean`?
    a.test.yaml:6:89 error unknown word `strng` | expected `null`, `string`, `number`, `boolean`, `array` or `object` | did you mean `string`?
    a.test.yaml:6:117 error expected `null`, `string`, `number`, `boolean`, `array` or `object`, found the number `5`
    ");
    assert_snapshot!(problems("{type: regex, value: a, pattern: b}, {type: tool_called, name: a, value: b}"), @"
    a.test.yaml:6:45 error `value` and `pattern` say the same twice |  | leave one of them out
    a.test.yaml:6:85 error `name` and `value` say the same twice |  | leave one of them out
    ");
    assert_snapshot!(problems("{type: tool_called, value: {name: a, arguments: {}}, arguments: {}}, {type: tool_called, name: a, arguments: [1]}, {type: tool_called, value: {tool: a}}"), @"
    a.test.yaml:6:76 error `arguments` stands in `value` already |  | leave one of them out
    a.test.yaml:6:121 error expected a map of arguments, found a list
    a.test.yaml:6:154 error `name` is missing in the `value` of a `tool_called` check |  | write `name: search`
    a.test.yaml:6:155 error unknown key `tool` in the `value` of a `tool_called` check | expected `name` or `arguments` | the tool is written under `name`
    ");
    assert_snapshot!(problems("{type: tool_result, value: a}, {type: tool_result, tool: [a]}"), @"
    a.test.yaml:6:39 error expected a map, found text | expected `tool` and `result` | write `tool: search`, with `result: …` beside it if that matters
    a.test.yaml:6:69 error expected text, found a list
    ");
    assert_snapshot!(problems("{type: equals, value: 1, negate: yes, message: 5, path: [a]}"), @r#"
    a.test.yaml:6:45 error expected `true` or `false`, found text
    a.test.yaml:6:59 error expected text, found the number `5` |  | put it in quotes: "5"
    a.test.yaml:6:68 error expected text, found a list
    "#);
    assert_snapshot!(problems("{type: equals, value: {a: '${b c}'}}"), @"a.test.yaml:6:38 error `${b c}` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`");
}
