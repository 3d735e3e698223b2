//! Variables and hooks.

use insta::assert_snapshot;
use serde_json::json;

use crate::project::Project;

#[test]
fn an_undefined_variable_is_an_empty_text() {
    let project = Project::ok();
    project.test("turns:\n  - user: 'about ${ORDER} in ${ENV.SHOP_NAME} ${KNOWN:-by default}'\n    assert: {text: {must_match: '${ANSWER}'}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 2
    --- stderr
    error: `${ORDER}` has no value
     --> t.test.yaml:4:11
      |
    4 |   - user: 'about ${ORDER} in ${ENV.SHOP_NAME} ${KNOWN:-by default}'
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: give it with `--var ORDER=…`, print it from a hook, or write a default: `${ORDER:-…}`

    error: `${ENV.SHOP_NAME}` has no value
     --> t.test.yaml:4:11
      |
    4 |   - user: 'about ${ORDER} in ${ENV.SHOP_NAME} ${KNOWN:-by default}'
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the environment has no `SHOP_NAME`
    hint: set `SHOP_NAME`, or write a default: `${ENV.SHOP_NAME:-…}`

    error: `${ANSWER}` has no value
     --> t.test.yaml:5:33
      |
    5 |     assert: {text: {must_match: '${ANSWER}'}}
      |                                 ^^^^^^^^^^^
    hint: give it with `--var ANSWER=…`, print it from a hook, or write a default: `${ANSWER:-…}`

    error: 3 errors in 1 file
    ");
    let args = ["--var", "ORDER=1", "--var", "ANSWER=ok"];
    let run = project.cx.command(&[["run"].as_slice(), &args].concat());
    let output = run.env("SHOP_NAME", "here").run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(project.asked(), ["about 1 in here by default"]);
}

#[test]
fn references_are_not_resolved_in_commands_assertions_and_names() {
    let project = Project::replies(json!([{"text": "order 42"}]));
    project.cx.write(
        "t.test.yaml",
        r#"version: 1.0
name: order ${ORDER}
hooks:
  - cmd: [echo, '{"ORDER": 42}']
  - cmd: [echo, '{"TWICE": "${ORDER}${ORDER}"}']
turns:
  - user: '${TWICE}'
    assert: {text: {must_match: 'order ${ORDER}$'}}
assert: {text: {must_not_match: '${TWICE}'}}
"#,
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] order 42 ([TIME])
    ");
    assert_eq!(project.asked(), ["4242"]);
}

#[test]
fn objects_become_object_object() {
    let project = Project::ok().target("forwardedProps: {o: '${O}', text: '${O} ${L} ${N}'}");
    project.test("hooks:\n  - cmd: [echo, '{\"O\": {\"a\": [1]}, \"L\": [1, 2], \"N\": null}']\nturns:\n  - user: go\n    assert: {text: {must_match: ok}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
    let props = &project.agent.requests()[0]["forwardedProps"];
    assert_eq!(
        *props,
        json!({"o": {"a": [1]}, "text": "{\"a\":[1]} [1,2] null"})
    );
}

#[test]
fn what_a_hook_says_on_stderr_is_hidden() {
    let project = Project::ok();
    project.test("hooks:\n  - cmd: [sh, -c, 'echo the database is down >&2; exit 1']\nturns:\n  - user: go\n    assert: {text: {must_match: ok}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ hook 1 failed (sh -c echo the database is down >&2; exit 1): exit status: 1
         │ stderr: the database is down
    ");
}
