//! What a hook prints: variables, of any JSON type, or nothing.

use insta::assert_snapshot;

use super::{TURN, verdict};
use crate::project::{Project, shown};

#[test]
fn variables_are_merged_in_the_order_of_the_hooks() {
    let project = Project::ok();
    project.test(
        r#"hooks:
  - cmd: [echo, '{"A": "first", "B": "first"}']
  - cmd: [echo, '{"B": "second", "C": "second"}']
turns:
  - user: '${A} ${B} ${VAR.C}'
    assert: {text: {must_match: ok}}
"#,
    );
    assert_eq!(project.output(&[]).code, Some(0));
    assert_eq!(project.asked(), ["first second second"]);
}

#[test]
fn json_types_are_kept_where_the_whole_value_is_one_reference() {
    let project = Project::ok().target(
        r#"forwardedProps:
  number: ${N}
  float: ${F}
  list: ${LIST}
  object: ${OBJECT}
  nothing: ${NOTHING}
  yes: ${YES}
  digits: ${DIGITS}
  text: "${N} ${F} ${LIST} ${OBJECT} ${NOTHING} ${YES} ${DIGITS}"
state: ${OBJECT}"#,
    );
    project.test(&format!(
        r#"hooks:
  - cmd: [echo, '{{"N": 12345678901234567890, "F": 1.50, "LIST": [1, "2"], "OBJECT": {{"z": null, "a": {{}}}}, "NOTHING": null, "YES": true, "DIGITS": "007"}}']
{TURN}"#,
    ));
    assert_eq!(project.output(&[]).code, Some(0));
    let request = &project.agent.requests()[0];
    assert_snapshot!(shown(&project.cx, &request["forwardedProps"]), @r#"
    {
      "number": 12345678901234567890,
      "float": 1.5,
      "list": [
        1,
        "2"
      ],
      "object": {
        "z": null,
        "a": {}
      },
      "nothing": null,
      "yes": true,
      "digits": "007",
      "text": "12345678901234567890 1.5 [1,\"2\"] {\"z\":null,\"a\":{}} null true 007"
    }
    "#);
    assert_snapshot!(request["state"].to_string(), @r#"{"z":null,"a":{}}"#);
}

#[test]
fn variables_stand_in_assertions_and_names_and_never_are_patterns_themselves() {
    let project = Project::replies(serde_json::json!([{"text": "order a+b (42)"}]));
    project.cx.write(
        "t.test.yaml",
        r#"version: 1.0
name: order ${ORDER}
hooks:
  - cmd: [echo, '{"ORDER": "a+b (42)"}']
turns:
  - user: hello
    assert: {text: {must_match: '^order ${ORDER}$', must_not_match: 'x${ORDER}'}}
"#,
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] order a+b (42) ([TIME])
    ");
}

#[test]
fn what_a_hook_prints_is_not_searched_for_references() {
    let project = Project::ok();
    project.test(
        r#"hooks:
  - cmd: [echo, '{"A": "$${HOME} $${ENV.HOME}", "B": 1}']
turns:
  - user: '${A}'
    assert: {text: {must_match: ok}}
"#,
    );
    assert_eq!(project.output(&[]).code, Some(0));
    assert_eq!(project.asked(), ["${HOME} ${ENV.HOME}"]);
}

#[test]
fn printing_nothing_is_fine() {
    assert_snapshot!(verdict("true"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    assert_snapshot!(verdict("printf ' \\n\\n'"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    assert_snapshot!(verdict("echo working >&2"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
}

#[test]
fn anything_but_one_object_is_refused_and_quoted() {
    assert_snapshot!(verdict("echo ready"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (expected value at line 1 column 1), got: ready
    ");
    assert_snapshot!(verdict("echo '[1, 2]'"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (an array), got: [1, 2]
    ");
    assert_snapshot!(verdict("echo 42"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (a single value), got: 42
    ");
    assert_snapshot!(verdict("echo '{\"A\": 1}'; echo '{\"B\": 2}'"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (trailing characters at line 2 column 1), got: {"A": 1}\n{"B": 2}
    "#);
    assert_snapshot!(verdict("echo '{\"A\": 1} done'"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (trailing characters at line 1 column 10), got: {"A": 1} done
    "#);
    assert_snapshot!(verdict("echo '{\"A\": 1'"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (EOF while parsing an object at line 1 column 7), got: {"A": 1
    "#);
    assert_snapshot!(verdict("printf '\\357\\273\\277{\"A\": 1}'"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (it begins with a byte order mark), got: \u{feff}{"A": 1}
    "#);
    assert_snapshot!(verdict("printf '\\033[2J\\000\\377'"), @r"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh hook.sh): stdout must be one JSON object or empty (expected value at line 1 column 1), got: \u{1b}[2J\u{0}�
    ");
}

#[test]
fn only_the_beginning_of_long_output_is_quoted() {
    let shown = verdict("printf 'x%.0s' $(seq 1 5000)");
    assert!(
        shown.contains(&format!("got: {}…\n", "x".repeat(200)))
            || shown.ends_with(&format!("got: {}…", "x".repeat(200))),
        "{shown}"
    );
}

#[test]
fn names_that_cannot_be_referred_to_do_no_harm() {
    assert_snapshot!(verdict(r#"echo '{"a-b": 1, "": 2, "A=B": "x", "NUL": "a\u0000b"}'"#), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
}
