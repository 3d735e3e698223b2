//! Inheritance from target to test to turn, and named blocks.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};

const TARGET_BLOCK: &str = "  assert:
    tools:
      forbid: [wipe]
      require:
        - name: login
    timing:
      max_duration_ms: 60000
      max_idle_ms: 10000
    text:
      must_match: welcome
      must_not_match: [exception, fatal]
    protocol: strict
";

/// Returns the demands of a test with these keys under a config with these keys.
pub(super) fn inherited(config: &str, test: &str) -> String {
    let suite = Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{config}")),
        ("t.test.yaml", &format!("version: 1\nname: t\n{test}")),
        ("x.pem", ""),
    ]);
    let loaded = suite.load();
    format!("{}{}", problems(&loaded), demands(&loaded.plan))
}

#[test]
fn lists_add_up_and_numbers_override() {
    let test = "turns:
  - user: hello
  - user: slow
    assert:
      timing:
        max_duration_ms: 300000
        max_idle_ms: false
assert:
  tools:
    forbid: shred
  timing:
    max_duration_ms: 120000
  text:
    must_not_match: error
";
    assert_snapshot!(inherited(TARGET_BLOCK, test), @"
    turn 1: not judged
    turn 2:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.forbid shred <- test t.test.yaml:12
      tools.require login at least 1 <- target ananke.config.yaml:9
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      text.must_not_match error <- test t.test.yaml:16
      timing.max_duration_ms 300000 <- turn t.test.yaml:8
      protocol strict <- target ananke.config.yaml:16
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.forbid shred <- test t.test.yaml:12
      tools.require login at least 1 <- target ananke.config.yaml:9
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      text.must_not_match error <- test t.test.yaml:16
      timing.max_duration_ms 120000 <- test t.test.yaml:14
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      protocol strict <- target ananke.config.yaml:16
    ");
}

#[test]
fn false_drops_what_was_inherited() {
    let drop = |block: &str| {
        inherited(
            TARGET_BLOCK,
            &format!("turns: [{{user: a}}]\nassert: {block}\n"),
        )
    };
    assert_snapshot!(drop("{tools: false}"), @"
    turn 1: not judged
    test:
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      protocol strict <- target ananke.config.yaml:16
    ");
    assert_snapshot!(drop("{text: false, timing: false}"), @"
    turn 1: not judged
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      protocol strict <- target ananke.config.yaml:16
    ");
    assert_snapshot!(drop("{tools: {forbid: false, require: false}, text: {must_match: false}, protocol: false}"), @"
    turn 1: not judged
    test:
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
    ");
    assert_snapshot!(drop("{protocol: lenient, tools: {require: []}}"), @"
    turn 1: not judged
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
    ");
}

#[test]
fn inherit_narrows_what_comes_from_above() {
    let turn = |block: &str| {
        inherited(
            TARGET_BLOCK,
            &format!(
                "turns: [{{user: a, assert: {block}}}]\nassert: {{error: boom, tools: {{forbid_calls: [{{name: pay}}]}}}}\n"
            ),
        )
    };
    assert_snapshot!(turn("{inherit: limits, tools: {require: [{name: pay}]}}"), @"
    turn 1:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require pay at least 1 <- turn t.test.yaml:3
      tools.forbid_calls pay <- test t.test.yaml:4
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      protocol strict <- target ananke.config.yaml:16
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      tools.forbid_calls pay <- test t.test.yaml:4
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      error boom <- test t.test.yaml:4
      protocol strict <- target ananke.config.yaml:16
    ");
    assert_snapshot!(turn("{inherit: none, error: declined}"), @"
    turn 1:
      error declined <- turn t.test.yaml:3
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      tools.forbid_calls pay <- test t.test.yaml:4
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      error boom <- test t.test.yaml:4
      protocol strict <- target ananke.config.yaml:16
    ");
    assert_snapshot!(turn("{}"), @"
    turn 1:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      tools.forbid_calls pay <- test t.test.yaml:4
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      protocol strict <- target ananke.config.yaml:16
    test:
      tools.forbid wipe <- target ananke.config.yaml:7
      tools.require login at least 1 <- target ananke.config.yaml:9
      tools.forbid_calls pay <- test t.test.yaml:4
      text.must_match welcome <- target ananke.config.yaml:14
      text.must_not_match exception <- target ananke.config.yaml:15
      text.must_not_match fatal <- target ananke.config.yaml:15
      timing.max_duration_ms 60000 <- target ananke.config.yaml:11
      timing.max_idle_ms 10000 <- target ananke.config.yaml:12
      error boom <- test t.test.yaml:4
      protocol strict <- target ananke.config.yaml:16
    ");
}

#[test]
fn extends_takes_over_named_blocks_at_every_level() {
    let config = "  assert: {extends: base}
assertions:
  base: {text: {must_not_match: [error]}}
  fast: {extends: base, timing: {max_duration_ms: 5000}, tools: {forbid: [slow]}}
  calm: {extends: [base, fast], tools: {forbid: false}, timing: {max_duration_ms: 9000}}
";
    let test = "turns:
  - user: a
    assert: {extends: [fast, fast], timing: {max_duration_ms: 7000}}
  - user: b
    assert: {inherit: none, extends: calm}
";
    assert_snapshot!(inherited(config, test), @"
    turn 1:
      tools.forbid slow <- turn (fast) ananke.config.yaml:8
      text.must_not_match error <- target (base) ananke.config.yaml:7
      timing.max_duration_ms 7000 <- turn t.test.yaml:5
    turn 2:
      text.must_not_match error <- turn (base) ananke.config.yaml:7
      timing.max_duration_ms 9000 <- turn (calm) ananke.config.yaml:9
    test:
      text.must_not_match error <- target (base) ananke.config.yaml:7
    ");
}

#[test]
fn extends_of_unknown_blocks_and_circles_is_refused() {
    let config = "  assert: {extends: [bass]}
assertions:
  base: {extends: nothing, error: boom}
  a: {extends: b}
  b: {extends: c}
  c: {extends: [a, c]}
";
    let test =
        "turns: [{user: a, assert: {extends: x}}]\nassert: {extends: a, text: {must_match: x}}\n";
    assert_snapshot!(inherited(config, test), @"
    ananke.config.yaml:5:22 error unknown assertion block `bass` |  | did you mean `base`?
    ananke.config.yaml:7:19 error unknown assertion block `nothing` |  | named blocks are written under `assertions` in the config
    ananke.config.yaml:10:17 error assertion blocks extend one another in a circle | a -> b -> c -> a
    ananke.config.yaml:10:20 error assertion blocks extend one another in a circle | c -> c
    t.test.yaml:3:37 error unknown assertion block `x` |  | named blocks are written under `assertions` in the configturn 1:
      text.must_match x <- test t.test.yaml:4
    test:
      text.must_match x <- test t.test.yaml:4
    ");
    let error = "  assert: {extends: [base]}\nassertions:\n  base: {error: boom}\n";
    assert_snapshot!(inherited(error, "turns: [{user: a}]\nassert: {text: {must_match: x}}\n"), @"
    ananke.config.yaml:5:22 error the block `base` demands an error, which a target cannot |  | extend it in a test or a turn insteadturn 1: not judged
    test:
      text.must_match x <- test t.test.yaml:4
      error boom <- target (base) ananke.config.yaml:7
    ");
}

#[test]
fn blocks_that_multiply_are_taken_once() {
    use std::fmt::Write as _;
    let mut config =
        "assertions:\n  n0: {text: {must_match: x}}\n  m0: {text: {must_match: y}}\n".to_owned();
    for level in 1..60 {
        let below = level - 1;
        writeln!(config, "  n{level}: {{extends: [n{below}, m{below}]}}\n  m{level}: {{extends: [n{below}, m{below}]}}").unwrap();
    }
    assert_snapshot!(inherited(&config, "turns: [{user: a}]\nassert: {extends: n59}\n"), @"
    turn 1: not judged
    test:
      text.must_match x <- test (n0) ananke.config.yaml:6
      text.must_match y <- test (m0) ananke.config.yaml:7
    ");
    let chain: String = (0..200)
        .map(|level| format!("  c{level}: {{extends: c{}}}\n", level + 1))
        .collect();
    assert_snapshot!(inherited(&format!("assertions:\n{chain}  c200: {{}}\n"), "turns: [{user: a}]\nassert: {text: {must_match: x}}\n"), @"
    ananke.config.yaml:69:18 error more than 64 blocks extend one another
    ananke.config.yaml:133:19 error more than 64 blocks extend one another
    ananke.config.yaml:197:19 error more than 64 blocks extend one anotherturn 1: not judged
    test:
      text.must_match x <- test t.test.yaml:4
    ");
}

#[test]
fn checks_add_up_and_only_prohibitions_are_limits() {
    let config = "  assert:
    checks:
      - {type: not_contains, value: secret}
      - {type: contains, value: curse, negate: true}
      - {type: tool_called, name: wipe, negate: true}
      - {type: contains, value: welcome}
      - {type: not_contains, value: x, negate: true}
      - {type: regex, value: x, path: a, negate: true}
      - {type: type, value: null, negate: true}
";
    let test = |turn: &str, block: &str| {
        inherited(
            config,
            &format!("turns: [{{user: a, assert: {turn}}}]\nassert: {block}\n"),
        )
    };
    assert_snapshot!(test("{inherit: limits, checks: [{type: contains, value: a}]}", "{checks: [{type: equals, value: b}]}"), @r#"
    turn 1:
      not_contains "secret" <- target ananke.config.yaml:7
      contains "curse" <- target ananke.config.yaml:8
      tool_called "wipe" <- target ananke.config.yaml:9
      contains "a" <- turn t.test.yaml:3
    test:
      not_contains "secret" <- target ananke.config.yaml:7
      contains "curse" <- target ananke.config.yaml:8
      tool_called "wipe" <- target ananke.config.yaml:9
      contains "welcome" <- target ananke.config.yaml:10
      not_contains "x" <- target ananke.config.yaml:11
      regex "x" <- target ananke.config.yaml:12
      type "null" <- target ananke.config.yaml:13
      equals "b" <- test t.test.yaml:4
    "#);
    assert_snapshot!(test("{inherit: none, checks: [{type: contains, value: a}]}", "{checks: false, text: {must_match: x}}"), @r#"
    turn 1:
      contains "a" <- turn t.test.yaml:3
    test:
      text.must_match x <- test t.test.yaml:4
    "#);
}

#[test]
fn references_in_checks_are_found() {
    let block = "{checks: [{type: equals, value: {a: ['${A}']}, path: '$.${B}', message: '${C}'}, {type: regex, value: '${D}'}, {type: tool_called, name: '${E}', arguments: {x: '${F}'}}, {type: tool_result, tool: '${G}', result: '${H}'}, {type: json_path, path: a, value: '${I}'}]}";
    let found = inherited("", &format!("turns: [{{user: a}}]\nassert: {block}\n"));
    for name in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
        assert!(
            found.contains(&format!("`${{{name}}}` has no value")),
            "{name}: {found}"
        );
    }
}
