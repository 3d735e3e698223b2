//! Config and test files.

use insta::assert_snapshot;
use serde_json::json;

use super::{code, judged, turn};
use crate::project::Project;

#[test]
fn the_endpoint_must_be_a_url_before_its_references_are_resolved() {
    let project = Project::ok();
    project.cx.write(
        "ananke.config.yaml",
        "version: 1.0\ntarget: {type: agui, endpoint: '${ENV.AGENT_URL}'}\n",
    );
    project.test(&turn("{text: {must_match: ok}}"));
    let with = |url: &str| project.cx.command(&["run"]).env("AGENT_URL", url).run();
    assert_eq!(with(project.agent.url()).code, Some(0));
    let output = with("not a url");
    assert_eq!(output.code, Some(2), "{output}");
}

#[test]
fn the_version_must_be_quoted_and_is_never_looked_at() {
    let project = Project::ok();
    let test = |version: &str| {
        let text = format!(
            "version: {version}\nname: t\n{}",
            turn("{text: {must_match: ok}}")
        );
        project.cx.write("t.test.yaml", &text);
        project.output(&[])
    };
    for version in ["1.0", "\"1.0\"", "'1.0'"] {
        assert_eq!(test(version).code, Some(0), "{version}");
    }
    assert_snapshot!(project.verdicts(&test("2.0")), @r#"
    exit code: 2
    --- stderr
    error: unknown schema version `2.0`
     --> t.test.yaml:1:10
      |
    1 | version: 2.0
      |          ^^^ this ananke supports versions 1.0, 1.1 and 1.2
    hint: write `version: "1.0"`, or use an ananke that supports the file's version

    error: 1 error in 1 file
    "#);
    assert_snapshot!(project.verdicts(&test("\"1.9\"")), @r#"
    exit code: 2
    --- stderr
    error: the file needs schema version 1.9
     --> t.test.yaml:1:10
      |
    1 | version: "1.9"
      |          ^^^^^ this ananke supports versions 1.0, 1.1 and 1.2
    hint: write `version: "1.0"`, or use an ananke that supports the file's version

    error: 1 error in 1 file
    "#);
}

#[test]
fn an_empty_count_is_allowed_and_a_double_one_refused_without_a_word() {
    let project = Project::ok();
    assert_snapshot!(judged(&project, "{tools: {require: [{name: a, count: {}}]}}"), @"
    exit code: 2
    --- stderr
    error: `count` is empty
     --> t.test.yaml:5:49
      |
    5 |     assert: {tools: {require: [{name: a, count: {}}]}}
      |                                                 ^^
    hint: write `{exact: 1}` or `{min: 1, max: 3}`

    error: 1 error in 1 file
    ");
    assert_snapshot!(judged(&project, "{tools: {require: [{name: a, count: {exact: 1, min: 1}}]}}"), @"
    exit code: 2
    --- stderr
    error: `exact` stands alone, without `min` and `max`
     --> t.test.yaml:5:49
      |
    5 |     assert: {tools: {require: [{name: a, count: {exact: 1, min: 1}}]}}
      |                                                 ^^^^^^^^^^^^^^^^^^
    hint: write `{exact: 1}` or `{min: 1, max: 3}`

    error: 1 error in 1 file
    ");
    assert_snapshot!(judged(&project, "{tools: {require: [{name: a, count: {min: 3, max: 2}}]}}"), @"
    exit code: 2
    --- stderr
    error: `min` is larger than `max`: 3 > 2
     --> t.test.yaml:5:49
      |
    5 |     assert: {tools: {require: [{name: a, count: {min: 3, max: 2}}]}}
      |                                                 ^^^^^^^^^^^^^^^^
    hint: write `{exact: 1}` or `{min: 1, max: 3}`

    error: 1 error in 1 file
    ");
}

#[test]
fn patterns_must_be_yaml_strings() {
    let project = Project::replies(json!([
        {"tool": {"name": "set", "args": {"on": true, "n": 5, "x": 1.5, "none": null}, "result": "1"}},
        {"text": "5 true"},
    ]));
    let block = "{text: {must_match: [5, true]}, tools: {require: [{name: set, args_match: {on: true, n: 5, x: 1.5, none: null}, result_match: 1}]}}";
    assert_eq!(code(&project, block), Some(0));
    assert_eq!(
        code(
            &project,
            "{tools: {forbid_calls: [{name: set, args_match: {n: 5}}]}}"
        ),
        Some(1)
    );
}
