//! What other agents judge: one test for each form, and for each mistake.

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};

/// Agents that judge.
const AGENTS: &str = "agents:
  judge: {type: agui, endpoint: http://localhost:9000/judge}
  workers.test.validator: {type: agui, endpoint: http://localhost:9000/validator}
";

fn loaded(config: &str, test: &str) -> String {
    let suite = Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{config}{AGENTS}")),
        (
            "a.test.yaml",
            &format!("version: 1\nname: a\nturns: [{{user: hi}}]\n{test}"),
        ),
    ]);
    let loaded = suite.load();
    let found = problems(&loaded);
    if found.is_empty() {
        return demands(&loaded.plan);
    }
    found
}

/// Returns what comes of one check, written in flow style.
fn check(check: &str) -> String {
    loaded("", &format!("assert: {{checks: [{check}]}}\n"))
}

/// Returns what comes of a `judge`, written in flow style.
fn judge(judge: &str) -> String {
    loaded("", &format!("assert: {{judge: {judge}}}\n"))
}

/// Returns what comes of the assertions of a case.
fn case(assert: &str) -> String {
    let case = format!(r#"{{"id": "c1", "input": "hi", "assert": {assert}}}"#);
    let config = format!("{CONFIG}{AGENTS}");
    let suite = Suite::new(&[("ananke.config.yaml", &config), ("tests/a.jsonl", &case)]);
    let loaded = suite.load();
    format!("{}{}", problems(&loaded), demands(&loaded.plan))
}

#[test]
fn every_form_is_read() {
    for written in [
        r#"{type: agent, use: "agents:judge", value: polite}"#,
        r#"{type: agent, use: "agents:judge", value: [polite, short], samples: 15, negate: true, message: "no"}"#,
        r#"{type: agent, use: "agents:judge", options: {metadata: {criteria: polite, tone: friendly}, timeout: 30s}}"#,
    ] {
        assert_eq!(
            check(written),
            "turn 1: not judged\ntest:\n  agent judge <- test a.test.yaml:4",
            "{written}"
        );
    }
    for written in [
        r#"{use: "agents:judge", criteria: polite}"#,
        r#"{use: "agents:judge", criteria: {tone: polite}, metadata: {a: 1}, samples: 3, timeout: 1m, negate: false}"#,
        r#"[{use: "agents:judge", metadata: {criteria: polite}}]"#,
    ] {
        assert_eq!(
            judge(written),
            "turn 1: not judged\ntest:\n  agent judge <- test a.test.yaml:4",
            "{written}"
        );
    }
    assert_snapshot!(case(r#"[{"type": "agent", "use": "agents:workers.test.validator", "options": {"metadata": {"criteria": "Response should be helpful", "tone": "professional and friendly"}}}, {"judge": {"use": "agents:judge", "criteria": "polite"}}]"#), @"
    turn 1: not judged
    test:
      agent workers.test.validator <- test tests/a.jsonl:1
      agent judge <- test tests/a.jsonl:1
    ");
}

#[test]
fn judges_inherit_like_checks_and_are_dropped_by_themselves() {
    let target = "  assert:\n    checks: [{type: contains, value: x}, {type: agent, use: 'agents:judge', value: a}]\n    judge: {use: 'agents:judge', criteria: b}\n    text: {must_not_match: z}\n";
    assert_snapshot!(loaded(target, "assert: {judge: {use: 'agents:judge', criteria: c}}\n"), @r#"
    turn 1: not judged
    test:
      text.must_not_match z <- target ananke.config.yaml:8
      contains "x" <- target ananke.config.yaml:6
      agent judge <- target ananke.config.yaml:6
      agent judge <- target ananke.config.yaml:7
      agent judge <- test a.test.yaml:4
    "#);
    assert_snapshot!(loaded(target, "assert: {judge: false}\n"), @r#"
    turn 1: not judged
    test:
      text.must_not_match z <- target ananke.config.yaml:8
      contains "x" <- target ananke.config.yaml:6
      agent judge <- target ananke.config.yaml:6
    "#);
    assert_snapshot!(loaded(target, "assert: {checks: false}\n"), @"
    turn 1: not judged
    test:
      text.must_not_match z <- target ananke.config.yaml:8
      agent judge <- target ananke.config.yaml:7
    ");
    assert_snapshot!(loaded(target, "assert: {inherit: limits}\n"), @"
    turn 1: not judged
    test:
      text.must_not_match z <- target ananke.config.yaml:8
    ");
}

#[test]
fn named_blocks_may_have_judges() {
    let named = "assertions: {kind: {judge: {use: 'agents:judge', criteria: kind}}}\n";
    assert_snapshot!(loaded(named, "assert: {extends: kind}\n"), @"
    turn 1: not judged
    test:
      agent judge <- test (kind) ananke.config.yaml:5
    ");
}

#[test]
fn criteria_are_needed_once() {
    assert_snapshot!(check("{type: agent, use: 'agents:judge'}"), @"a.test.yaml:4:19 error `value` is missing in an `agent` check |  | say what to judge by: `value: the answer is polite`");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', options: {metadata: {tone: kind}}}"), @"a.test.yaml:4:19 error `value` is missing in an `agent` check |  | say what to judge by: `value: the answer is polite`");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', value: a, options: {metadata: {criteria: b}}}"), @"a.test.yaml:4:61 error `value` and `criteria` in `metadata` say the same |  | leave one of them out");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', value: ''}, {type: agent, use: 'agents:judge', value: []}, {type: agent, use: 'agents:judge', value: 5}, {type: agent, use: 'agents:judge', value: null}"), @r#"
    a.test.yaml:4:61 error the text is empty
    a.test.yaml:4:108 error the criteria are empty
    a.test.yaml:4:155 error expected text, found the number `5` |  | put it in quotes: "5"
    a.test.yaml:4:201 error expected text, found nothing
    "#);
    assert_snapshot!(judge("{use: 'agents:judge'}"), @"a.test.yaml:4:17 error `criteria` is missing in `judge` |  | say what to judge by: `criteria: the answer is polite`");
    assert_snapshot!(judge("{use: 'agents:judge', criteria: a, metadata: {criteria: b}}"), @"a.test.yaml:4:49 error `criteria` and `criteria` in `metadata` say the same |  | leave one of them out");
}

#[test]
fn the_judge_is_named_with_its_prefix() {
    assert_snapshot!(check("{type: agent, value: polite}"), @r#"a.test.yaml:4:19 error `use` is missing in an `agent` check |  | write `use: "agents:judge"`"#);
    assert_snapshot!(check("{type: agent, use: judge, value: polite}"), @"a.test.yaml:4:38 error `judge` has no prefix | expected `agents:` and the id of an agent | write `agents:judge`");
    assert_snapshot!(check("{type: agent, use: 'scripts:tests.judge', value: polite}"), @"a.test.yaml:4:38 error `scripts:tests.judge` names a script, not an agent | expected an agent | write `agents:` and the id of an agent; a script judges in a check of `type: script`");
    assert_snapshot!(judge("{use: judge, criteria: polite}"), @"a.test.yaml:4:23 error `judge` has no prefix | expected `agents:` and the id of an agent | write `agents:judge`");
    assert_snapshot!(judge("'agents:judge'"), @r#"a.test.yaml:4:17 error expected a map, found text |  | write `judge: {use: "agents:judge", criteria: …}`"#);
    assert_snapshot!(judge("[]"), @"a.test.yaml:4:17 error the list is empty and demands nothing");
}

#[test]
fn a_judge_that_is_not_there_is_an_error() {
    assert_snapshot!(check("{type: agent, use: 'agents:jugde', value: polite}"), @"a.test.yaml:4:38 error there is no agent `jugde` |  | did you mean `judge`?");
    assert_snapshot!(judge("{use: 'agents:nobody.at.all', criteria: polite}"), @"a.test.yaml:4:23 error there is no agent `nobody.at.all` |  | write it under `agents` in the config, or name one of `judge`, `workers.test.validator`");
}

#[test]
fn wrong_keys_and_values_are_named() {
    assert_snapshot!(check("agent"), @r#"a.test.yaml:4:19 error an `agent` check needs more than its type |  | write `{type: agent, use: "agents:…", value: …}`"#);
    assert_snapshot!(check("{type: judge, use: 'agents:judge'}"), @"a.test.yaml:4:26 error unknown check type `judge` | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | did you mean `agent`?");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', criteria: a, metadata: {}}"), @"
    a.test.yaml:4:19 error `value` is missing in an `agent` check |  | say what to judge by: `value: the answer is polite`
    a.test.yaml:4:54 error unknown key `criteria` in an `agent` check | expected `type`, `use`, `value`, `options`, `samples`, `negate` or `message` | the criteria are written under `value`
    a.test.yaml:4:67 error unknown key `metadata` in an `agent` check | expected `type`, `use`, `value`, `options`, `samples`, `negate` or `message` | write `metadata` under `options`
    ");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', value: a, samples: 0}, {type: agent, use: 'agents:judge', value: a, samples: 16}, {type: agent, use: 'agents:judge', value: a, samples: many}"), @"
    a.test.yaml:4:73 error `0` is out of range | expected a whole number from 1 to 15
    a.test.yaml:4:131 error `16` is out of range | expected a whole number from 1 to 15
    a.test.yaml:4:190 error expected a whole number, found text
    ");
    assert_snapshot!(check("{type: agent, use: 'agents:judge', value: a, options: {metadata: [], timeout: 5, connector: 3, samples: 2}}"), @r#"
    a.test.yaml:4:84 error expected a map, found a list
    a.test.yaml:4:97 error expected a time with a unit, such as `"30s"`, found the number `5` |  | write `"5s"` or `"5ms"`
    a.test.yaml:4:111 error expected text, found the number `3` |  | put it in quotes: "3"
    a.test.yaml:4:114 error unknown key `samples` in the `options` of an `agent` check | expected `metadata`, `connector` or `timeout` | write `samples` beside `options`
    "#);
    assert_snapshot!(check("{type: agent, use: 'agents:judge', value: a, options: {metadata: {output: x, test_mode: y, tone: z}}}"), @"
    a.test.yaml:4:85 error `output` is told to every judge and cannot be given |  | give it another name
    a.test.yaml:4:96 error `test_mode` is told to every judge and cannot be given |  | give it another name
    ");
    assert_snapshot!(judge("{use: 'agents:judge', value: a, options: {}}"), @"
    a.test.yaml:4:17 error `criteria` is missing in `judge` |  | say what to judge by: `criteria: the answer is polite`
    a.test.yaml:4:39 error unknown key `value` in `judge` | expected `use`, `criteria`, `metadata`, `connector`, `timeout`, `samples`, `negate` or `message` | what it judges by is written under `criteria`
    a.test.yaml:4:49 error unknown key `options` in `judge` | expected `use`, `criteria`, `metadata`, `connector`, `timeout`, `samples`, `negate` or `message` | write `metadata`, `connector` and `timeout` in `judge` itself
    ");
    assert_snapshot!(loaded("", "assert: {judge: {use: 'agents:judge', criteria: '${NO}'}}\n"), @"a.test.yaml:4:49 error `${NO}` has no value |  | give it with `--var NO=…`, print it from a hook, or write a default: `${NO:-…}`");
    assert_snapshot!(case(r#"{"use": "agents:judge", "value": "polite"}"#), @"
    tests/a.jsonl:1:39 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: agent`turn 1: not judged
    test:
    ");
}
