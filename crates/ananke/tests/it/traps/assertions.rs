//! What assertions mean.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{code, judged};
use crate::project::Project;

/// An agent that makes these calls, with arguments and results, and says `ok`.
fn calling(calls: &[(&str, Value, &str)]) -> Project {
    let mut steps: Vec<Value> = calls
        .iter()
        .map(|(name, args, result)| json!({"tool": {"name": name, "args": args, "result": result}}))
        .collect();
    steps.push(json!({"text": "ok"}));
    Project::replies(steps.into())
}

#[test]
fn a_demand_of_the_test_must_hold_in_every_turn() {
    let project = Project::new(json!({"rules": [
        {"when": {"user_contains": "weather"}, "reply": [{"tool": {"name": "search", "result": "sun"}}, {"text": "Sun."}]},
        {"reply": [{"text": "Hello."}]},
    ]}));
    let turns = "turns:\n  - user: Hello\n  - user: Search for weather\n";
    project.test(&format!(
        "{turns}assert: {{tools: {{require: [{{name: search}}]}}}}\n"
    ));
    assert_eq!(project.output(&[]).code, Some(0));
    project.test(&format!(
        "{turns}assert: {{tools: {{require: [{{name: pay}}]}}}}\n"
    ));
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ test · tools.require pay: expected at least 1 call of `pay`, got no call
         called instead: search
         demanded at t.test.yaml:6:28 (test level)
    ");
}

#[test]
fn what_is_inherited_cannot_be_told_from_the_rest_nor_dropped() {
    let project = calling(&[("wipe", json!({}), "")]).target("assert: {tools: {forbid: [wipe]}}");
    assert_snapshot!(judged(&project, "{tools: {forbid: [pay]}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid wipe: expected no call of `wipe`, got 1 call
         event 1: wipe({})
         demanded at ananke.config.yaml:5:29 (target level)
    ");
    project.test("assert: {tools: {forbid: false}}\nturns:\n  - user: go\n    assert: {tools: {forbid: false}, text: {must_match: ok}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
}

#[test]
fn a_count_of_zero_can_never_be_met() {
    let project = Project::ok();
    assert_eq!(
        code(
            &project,
            "{tools: {require: [{name: pay, count: {exact: 0}}]}}"
        ),
        Some(0)
    );
    assert_eq!(
        code(
            &project,
            "{tools: {require: [{name: pay, count: {max: 0}}]}}"
        ),
        Some(0)
    );
    let project = calling(&[("pay", json!({}), "")]);
    assert_eq!(
        code(
            &project,
            "{tools: {require: [{name: pay, count: {exact: 0}}]}}"
        ),
        Some(1)
    );
    assert_eq!(
        code(
            &project,
            "{tools: {require: [{name: pay, args_match: {n: 1}, count: {max: 0}}]}}"
        ),
        Some(0)
    );
}

#[test]
fn result_not_match_is_taken_for_a_prohibition() {
    let project = calling(&[("pay", json!({}), "declined"), ("pay", json!({}), "paid")]);
    let filter = "{tools: {require: [{name: pay, result_not_match: declined}]}}";
    assert_eq!(code(&project, filter), Some(0), "one call is enough");
    assert_eq!(
        code(
            &project,
            "{tools: {forbid_calls: [{name: pay, result_match: declined}]}}"
        ),
        Some(1)
    );
    let project = calling(&[("pay", json!({}), "declined")]);
    assert_snapshot!(judged(&project, filter), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.require pay: expected at least 1 call of `pay` with result not matching /declined/, got 0 of 1 call
         closest call: event 1: pay({})
         result: "declined" matches /declined/
         result_not_match leaves calls out of the count; to fail on any such call use tools.forbid_calls with result_match
         demanded at t.test.yaml:5:32 (turn level)
    "#);
}

#[test]
fn after_is_met_by_an_unrelated_call() {
    let block = "{tools: {require: [{name: pay, args_match: {sku: mug}, after: confirm}]}}";
    let before = calling(&[
        ("pay", json!({"sku": "mug"}), ""),
        ("confirm", json!({}), ""),
        ("pay", json!({"sku": "cup"}), ""),
    ]);
    assert_snapshot!(judged(&before, block), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.require pay: expected at least 1 call of `pay` with sku matching /mug/, after a call of `confirm`, got no call of `confirm` before event 1: pay({"sku":"mug"})
         the first call of `confirm` is event 5: confirm({})
         demanded at t.test.yaml:5:32 (turn level)
    "#);
    let after = calling(&[
        ("pay", json!({"sku": "cup"}), ""),
        ("confirm", json!({}), ""),
        ("pay", json!({"sku": "mug"}), ""),
    ]);
    assert_eq!(code(&after, block), Some(0));
    let alone = calling(&[("pay", json!({"sku": "mug"}), "")]);
    assert_eq!(
        code(&alone, "{tools: {require: [{name: pay, after: pay}]}}"),
        Some(1),
        "no call comes after itself"
    );
}

#[test]
fn forbidden_names_match_in_part_and_forbidden_calls_are_counted_once() {
    let project = calling(&[
        ("payment", json!({"n": 1}), ""),
        ("payment", json!({"n": 1}), ""),
        ("payment", json!({"n": 2}), ""),
    ]);
    assert_eq!(code(&project, "{tools: {forbid: [pay]}}"), Some(0));
    assert_eq!(
        code(&project, "{tools: {forbid_calls: [{name: payment}]}}"),
        Some(1)
    );
    assert_snapshot!(judged(&project, "{tools: {forbid_calls: [{name: payment, args_match: {n: 1}}]}}"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid_calls payment: expected no call of `payment` with n matching /1/, got 2 of 3 calls
         event 1: payment({"n":1})
         event 5: payment({"n":1})
         demanded at t.test.yaml:5:37 (turn level)
    "#);
}

#[test]
fn argument_paths_walk_into_the_language() {
    let project = calling(&[("a", json!({"list": [1, 2], "a.b": "dotted"}), "")]);
    let require =
        |path: &str| format!("{{tools: {{require: [{{name: a, args_match: {{{path}}}}}]}}}}");
    for (path, expected) in [
        ("list.length: 2", 1),
        ("list.constructor: '.'", 1),
        ("list.1: 2", 0),
        ("'list[1]': 2", 0),
        ("a.b: dotted", 1),
        ("'[\"a.b\"]': dotted", 0),
    ] {
        assert_eq!(code(&project, &require(path)), Some(expected), "{path}");
    }
}

#[test]
fn missing_null_and_numbers_are_compared_as_anything() {
    let project = calling(&[(
        "a",
        json!({"none": null, "n": 12, "o": {"b": [1, true]}}),
        "",
    )]);
    let require =
        |path: &str| format!("{{tools: {{require: [{{name: a, args_match: {{{path}}}}}]}}}}");
    for (path, expected) in [
        ("none: '^null$'", 0),
        ("gone: '.*'", 1),
        ("n: '^12$'", 0),
        ("n: 2", 0),
        ("o: '^{\"b\":\\[1,true\\]}$'", 0),
    ] {
        assert_eq!(code(&project, &require(path)), Some(expected), "{path}");
    }
}

#[test]
fn bad_empty_and_ambiguous_patterns_are_found_late_or_never() {
    let project = Project::ok();
    assert_snapshot!(judged(&project, "{text: {must_match: '(', must_not_match: ''}}"), @r"
    exit code: 2
    --- stderr
    error: `(` is not a pattern
     --> t.test.yaml:5:33
      |
    5 |     assert: {text: {must_match: '(', must_not_match: ''}}
      |                                 ^^^ the group is not closed at character 1
    hint: write `\(` for a parenthesis

    error: the pattern is empty and would match anything
     --> t.test.yaml:5:54
      |
    5 |     assert: {text: {must_match: '(', must_not_match: ''}}
      |                                                      ^^

    error: 2 errors in 1 file
    ");
    assert_snapshot!(judged(&project, "{text: {must_not_match: /api/x/}}"), @r"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    --- stderr
    warning: `/api/x/` is read as the pattern `api/x`
     --> t.test.yaml:5:37
      |
    5 |     assert: {text: {must_not_match: /api/x/}}
      |                                     ^^^^^^^ slashes at both ends enclose a pattern
    hint: to search for the slashes too write `\/api/x/`

    warning: 1 warning in 1 file
    ");
    assert_eq!(
        code(&project, "{text: {must_match: ['/^OK$/i', '^(?!no)']}}"),
        Some(0)
    );
}

#[test]
fn the_texts_of_turns_run_into_one_another() {
    let project = Project::ok();
    project
        .test("turns:\n  - user: one\n  - user: two\nassert: {text: {must_match: '^ok\\nok$'}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
}

#[test]
fn only_the_first_failure_of_a_turn_is_shown() {
    let project = calling(&[("wipe", json!({}), "")]);
    project.test("turns:\n  - user: go\n    assert: {tools: {forbid: [wipe], require: [{name: pay}]}, text: {must_match: [yes, sure]}}\n  - user: never sent\n");
    assert_snapshot!(project.run(&[]), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid wipe: expected no call of `wipe`, got 1 call
         event 1: wipe({})
         demanded at t.test.yaml:5:31 (turn level)
      └─ turn 1 · tools.require pay: expected at least 1 call of `pay`, got no call
         called instead: wipe
         demanded at t.test.yaml:5:48 (turn level)
      └─ turn 1 · text.must_match /yes/: expected text matching /yes/, got "ok"
         demanded at t.test.yaml:5:83 (turn level)
      └─ turn 1 · text.must_match /sure/: expected text matching /sure/, got "ok"
         demanded at t.test.yaml:5:88 (turn level)
    "#);
    assert_eq!(project.asked(), ["go"]);
}
