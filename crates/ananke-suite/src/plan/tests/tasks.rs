//! `task`, `artifacts` and `card`: what may be written, and how it is inherited.

use insta::assert_snapshot;

use super::blocks::inherited as loaded;
use crate::testing::key_problems;

/// Returns the blocks of a test whose only turn has an `assert` of its own.
fn inherited(target: &str, test: &str, turn: &str) -> String {
    loaded(
        &format!("  assert: {target}\n"),
        &format!("assert: {test}\nturns:\n  - {{user: Hello, assert: {turn}}}\n"),
    )
}

fn mistakes(block: &str) -> String {
    key_problems(&format!("assert: {block}\n"))
}

#[test]
fn every_key_becomes_a_demand() {
    assert_snapshot!(inherited("{protocol: strict}", "{protocol: false}", "{task: {state: [completed, failed], states: [working, completed]}, artifacts: {count: {max: 2}, require: [{name: inv, text_match: Total, data_match: {total: 42}, count: {exact: 1}}]}, card: {skills: refund, capabilities: {streaming: true, extensions: false}, security: [bearer], match: {provider.organization: Acme}}}"), @"
    turn 1:
      task.state completed or failed <- turn t.test.yaml:5
      task.states working, completed <- turn t.test.yaml:5
      artifacts.count 1 to 2 <- turn t.test.yaml:5
      artifacts.require inv Total total 42 (exactly 1) <- turn t.test.yaml:5
      card.skills refund <- turn t.test.yaml:5
      card.capabilities streaming: true <- turn t.test.yaml:5
      card.capabilities extensions: false <- turn t.test.yaml:5
      card.security bearer <- turn t.test.yaml:5
      card.match provider.organization Acme <- turn t.test.yaml:5
    test:
    ");
}

#[test]
fn lists_add_up_single_values_override_and_false_drops() {
    let target = "{task: {state: completed, states: [working]}, artifacts: {count: {min: 1}, require: [{name: a}]}, card: {skills: [a], capabilities: {streaming: true, x: true}, match: {version: 1}}}";
    let test = "{task: {state: input-required, states: [submitted, working]}, artifacts: {count: {max: 3}}, card: {skills: [b], capabilities: {streaming: false}}}";
    assert_snapshot!(inherited(target, test, "{artifacts: {require: [{name: b}]}, card: {match: {name: x}}}"), @"
    turn 1:
      task.states working <- target ananke.config.yaml:5
      artifacts.count 1 to 3 <- test t.test.yaml:3
      artifacts.require a (at least 1) <- target ananke.config.yaml:5
      artifacts.require b (at least 1) <- turn t.test.yaml:5
      card.skills a <- target ananke.config.yaml:5
      card.skills b <- test t.test.yaml:3
      card.capabilities x: true <- target ananke.config.yaml:5
      card.capabilities streaming: false <- test t.test.yaml:3
      card.match version 1 <- target ananke.config.yaml:5
      card.match name x <- turn t.test.yaml:5
    test:
      task.state input-required <- test t.test.yaml:3
      task.states working <- target ananke.config.yaml:5
      task.states submitted, working <- test t.test.yaml:3
      artifacts.count 1 to 3 <- test t.test.yaml:3
      artifacts.require a (at least 1) <- target ananke.config.yaml:5
      card.skills a <- target ananke.config.yaml:5
      card.skills b <- test t.test.yaml:3
      card.capabilities x: true <- target ananke.config.yaml:5
      card.capabilities streaming: false <- test t.test.yaml:3
      card.match version 1 <- target ananke.config.yaml:5
    ");
    assert_snapshot!(inherited(target, "{}", "{task: false, artifacts: {require: false}, card: {skills: false, match: false}}"), @"
    turn 1:
      artifacts.count at least 1 <- target ananke.config.yaml:5
      card.capabilities streaming: true <- target ananke.config.yaml:5
      card.capabilities x: true <- target ananke.config.yaml:5
    test:
      task.state completed <- target ananke.config.yaml:5
      task.states working <- target ananke.config.yaml:5
      artifacts.count at least 1 <- target ananke.config.yaml:5
      artifacts.require a (at least 1) <- target ananke.config.yaml:5
      card.skills a <- target ananke.config.yaml:5
      card.capabilities streaming: true <- target ananke.config.yaml:5
      card.capabilities x: true <- target ananke.config.yaml:5
      card.match version 1 <- target ananke.config.yaml:5
    ");
    assert_snapshot!(inherited(target, "{artifacts: {count: {min: 0, max: 3}}}", "{inherit: limits, text: {must_match: x}}"), @"
    turn 1:
      text.must_match x <- turn t.test.yaml:5
      artifacts.count at most 3 <- test t.test.yaml:3
    test:
      task.state completed <- target ananke.config.yaml:5
      task.states working <- target ananke.config.yaml:5
      artifacts.count at most 3 <- test t.test.yaml:3
      artifacts.require a (at least 1) <- target ananke.config.yaml:5
      card.skills a <- target ananke.config.yaml:5
      card.capabilities streaming: true <- target ananke.config.yaml:5
      card.capabilities x: true <- target ananke.config.yaml:5
      card.match version 1 <- target ananke.config.yaml:5
    ");
}

#[test]
fn states_that_a_test_demands_are_demanded_of_no_turn() {
    assert_snapshot!(inherited("{}", "{task: {state: [failed, rejected], states: [working]}}", "{text: {must_match: x}}"), @"
    turn 1:
      text.must_match x <- turn t.test.yaml:5
    test:
      task.state failed or rejected <- test t.test.yaml:3
      task.states working <- test t.test.yaml:3
    ");
}

#[test]
fn mistakes_are_told_with_what_is_right() {
    assert_snapshot!(mistakes("{task: {state: TASK_STATE_INPUT_REQUIRED, states: [cancelled, done, []]}}"), @"
    a.test.yaml:4:24 error unknown state `TASK_STATE_INPUT_REQUIRED` |  | write `input-required`: states are in lower case, with hyphens
    a.test.yaml:4:60 error unknown state `cancelled` |  | write `canceled`: states are in lower case, with hyphens
    a.test.yaml:4:71 error unknown word `done` | expected `submitted`, `working`, `input-required`, `auth-required`, `completed`, `failed`, `canceled`, `rejected` or `unknown`
    a.test.yaml:4:77 error expected `submitted`, `working`, `input-required`, `auth-required`, `completed`, `failed`, `canceled`, `rejected` or `unknown`, found a list
    ");
    assert_snapshot!(mistakes("{task: {state: [], states: {a: b}, artifacts: {}}}"), @"
    a.test.yaml:4:24 error the list is empty | no state would be demanded | `false` drops what was inherited
    a.test.yaml:4:36 error expected a state or a list of states, found a map
    a.test.yaml:4:44 error unknown key `artifacts` in `task` | expected `state` or `states` | write `artifacts` beside `task`, not in it
    ");
    assert_snapshot!(mistakes("{artifacts: {count: 2, require: {name: a}}}"), @"
    a.test.yaml:4:29 error expected a map, found the number `2` |  | write `count: {exact: 2}`
    a.test.yaml:4:41 error expected a list, found a map
    ");
    assert_snapshot!(mistakes("{artifacts: {count: {min: 0}, require: [{text: a, name: [b]}, invoice]}}"), @"
    a.test.yaml:4:29 error `min: 0` alone demands nothing |  | write `{exact: 1}` or `{min: 1, max: 3}`
    a.test.yaml:4:50 error unknown key `text` in an artifact in `require` | expected `name`, `text_match`, `data_match` or `count` | texts are matched with `text_match`
    a.test.yaml:4:65 error expected text or a number, found a list
    a.test.yaml:4:71 error expected a map, found text | expected `name`, `text_match`, `data_match` or `count`
    ");
    assert_snapshot!(mistakes("{card: {skills: 3, capabilities: {streaming: yes please}, security: {a: b}, match: [version], version: 1}}"), @r#"
    a.test.yaml:4:25 error expected text, found the number `3` |  | put it in quotes: "3"
    a.test.yaml:4:54 error expected `true` or `false`, found text
    a.test.yaml:4:77 error expected text or a list of texts, found a map
    a.test.yaml:4:92 error expected a map, found a list
    a.test.yaml:4:103 error unknown key `version` in `card` | expected `skills`, `capabilities`, `security` or `match` | write `match: {version: …}`
    "#);
    assert_snapshot!(mistakes("{state: completed, skills: [a], card: {match: {version: '${NO.}'}}}"), @"
    a.test.yaml:4:10 error unknown key `state` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | write `state` under `task`
    a.test.yaml:4:28 error unknown key `skills` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | write `skills` under `card`
    a.test.yaml:4:65 error `${NO.}` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`
    ");
    assert_snapshot!(mistakes("{snapshot: {name: a, of: [artifacts, artefacts]}}"), @"a.test.yaml:4:46 error unknown word `artefacts` | expected `text`, `tools`, `state` or `artifacts` | did you mean `artifacts`?");
}
