//! One test for each mistake: text in, diagnostics out.

use insta::assert_snapshot;

use crate::testing::{
    CONFIG, Suite, assert_problems, config_problems, key_problems, problems, target_problems,
    test_problems,
};

const OK: &str = "assert: {text: {must_match: x}}\n";

#[test]
fn a_suite_without_mistakes_has_no_diagnostics() {
    assert_snapshot!(key_problems(OK), @"");
    assert_snapshot!(config_problems(CONFIG), @"");
}

#[test]
fn unknown_keys_are_named_with_what_was_meant() {
    assert_snapshot!(key_problems(&format!("{OK}tag: [a]\n")), @"a.test.yaml:5:1 error unknown key `tag` in a test file | expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets` | did you mean `tags`?");
    assert_snapshot!(key_problems("asert: {text: {must_match: x}}\n"), @"a.test.yaml:4:1 error unknown key `asert` in a test file | expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets` | did you mean `assert`?");
    assert_snapshot!(key_problems(&format!("{OK}steps: []\n")), @"a.test.yaml:5:1 error unknown key `steps` in a test file | expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets` | the conversation is written under `turns`");
    assert_snapshot!(assert_problems("  tools:\n    requires: []\n"), @"a.test.yaml:7:5 error unknown key `requires` in `tools` | expected `forbid`, `require` or `forbid_calls` | did you mean `require`?");
    assert_snapshot!(assert_problems("  tools:\n    require:\n      - name: a\n        cuont: {min: 1}\n"), @"a.test.yaml:9:9 error unknown key `cuont` in a `require` item | expected `name`, `count`, `args_match`, `args_not_match`, `result_match`, `result_not_match` or `after` | did you mean `count`?");
    assert_snapshot!(assert_problems("  tools:\n    forbid_calls:\n      - name: a\n        count: {max: 1}\n"), @"a.test.yaml:9:9 error unknown key `count` in a `forbid_calls` item | expected `name`, `args_match`, `args_not_match`, `result_match` or `result_not_match` | counts belong in `require`: `count: {min: 0, max: 2}` allows two calls at most");
    assert_snapshot!(assert_problems("  must_match: y\n"), @"a.test.yaml:6:3 error unknown key `must_match` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | write `must_match` under `text`");
    assert_snapshot!(target_problems("  agentid: a\n"), @"ananke.config.yaml:5:3 error unknown key `agentid` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector` | did you mean `agentId`?");
    assert_snapshot!(target_problems("  zebra: a\n"), @"ananke.config.yaml:5:3 error unknown key `zebra` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`");
    assert_snapshot!(target_problems("hooks: []\n"), @"ananke.config.yaml:5:1 error unknown key `hooks` in a config file | expected `version`, `target`, `targets`, `agents`, `connectors`, `assertions`, `server`, `bundle` or `scripts` | hooks belong in the test files that need them");
}

#[test]
fn missing_keys_are_named() {
    assert_snapshot!(test_problems("turns: [{user: hi}]\nassert: {text: {must_match: x}}\n"), @r#"
    a.test.yaml:1:1 error `version` is missing in a test file |  | write `version: "1.0"`
    a.test.yaml:1:1 error `name` is missing in a test file |  | write `name: checkout flow`
    "#);
    assert_snapshot!(test_problems("version: 1\nname: a\nassert: {text: {must_match: x}}\n"), @"a.test.yaml:1:1 error `turns` is missing in a test file |  | write `turns: [{user: Hello}]`");
    assert_snapshot!(config_problems("version: 1\n"), @r#"ananke.config.yaml:1:1 error `target` is missing in a config file |  | write `target: {type: agui, endpoint: "http://localhost:8000/agent"}`"#);
    assert_snapshot!(config_problems("version: 1\ntarget: {}\n"), @r#"
    ananke.config.yaml:2:9 error `type` is missing in a target |  | write `type: agui`
    ananke.config.yaml:2:9 error `endpoint` is missing in a target |  | write `endpoint: "http://localhost:8000/agent"`
    "#);
    assert_snapshot!(assert_problems("  tools: {require: [{count: {min: 1}}]}\n"), @"a.test.yaml:6:21 error `name` is missing in a `require` item |  | write `name: search`");
    assert_snapshot!(target_problems("server: {url: 'http://h'}\n"), @"ananke.config.yaml:5:9 error `cmd` is missing in a server |  | write `cmd: [node, server.js]`");
    assert_snapshot!(target_problems("  envelope: copilotkit\n"), @"ananke.config.yaml:5:13 error this envelope sends `agentId`, which the target has not |  | write `agentId: my-agent` in the target");
    assert_snapshot!(test_problems(""), @"a.test.yaml:1:1 error the file is empty");
    assert_snapshot!(test_problems("- a\n"), @"a.test.yaml:1:1 error expected a map, found a list | expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets`");
}

#[test]
fn versions_that_cannot_be_read_are_refused() {
    let version = |version: &str| {
        test_problems(&format!(
            "version: {version}\nname: a\nturns: [{{user: hi}}]\n{OK}"
        ))
    };
    for fine in [
        "1", "1.0", "\"1.0\"", "\"1\"", "1.1", "\"1.1\"", "1.2", "\"1.2\"",
    ] {
        assert_eq!(version(fine), "", "{fine}");
    }
    assert_snapshot!(version("1.3"), @r#"a.test.yaml:1:10 error the file needs schema version 1.3 | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version"#);
    assert_snapshot!(version("\"1.10\""), @r#"a.test.yaml:1:10 error the file needs schema version 1.10 | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version"#);
    assert_snapshot!(version("2"), @r#"a.test.yaml:1:10 error unknown schema version `2` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version"#);
    assert_snapshot!(version("one"), @r#"a.test.yaml:1:10 error `one` is not a version | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version"#);
    assert_snapshot!(version("[1]"), @r#"a.test.yaml:1:10 error expected a version such as `"1.0"`, found a list"#);
}

#[test]
fn wrong_types_are_named() {
    assert_snapshot!(test_problems(&format!("version: 1\nname: 5\nturns: [{{user: true}}, {{user: [a]}}, {{user: }}]\n{OK}")), @r#"
    a.test.yaml:2:7 error expected text, found the number `5` |  | put it in quotes: "5"
    a.test.yaml:3:16 error expected text, found `true` |  | put it in quotes: "true"
    a.test.yaml:3:30 error expected text, found a list
    a.test.yaml:3:37 error expected text, found nothing
    "#);
    assert_snapshot!(key_problems("assert: 5\n"), @"a.test.yaml:4:9 error expected a map, found the number `5` | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot`");
    assert_snapshot!(key_problems("assert:\n"), @"a.test.yaml:4:1 error expected a map, found nothing | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot`");
    assert_snapshot!(key_problems(&format!("{OK}tags: smoke\nhooks: {{cmd: [a]}}\ntimeout_ms: soon\n")), @"
    a.test.yaml:5:7 error expected a list, found text
    a.test.yaml:6:8 error expected a list, found a map
    a.test.yaml:7:13 error expected a whole number, found text
    ");
    assert_snapshot!(assert_problems("  timing: {max_duration_ms: \"5\", max_idle_ms: 1.5}\n"), @"
    a.test.yaml:6:29 error expected a whole number, found text
    a.test.yaml:6:47 error expected a whole number, found the number `1.5`
    ");
    assert_snapshot!(assert_problems("  tools: [a]\n  protocol: 5\n"), @"
    a.test.yaml:6:10 error expected a map, found a list | expected `forbid`, `require` or `forbid_calls`
    a.test.yaml:7:13 error unknown word `5` | expected `strict` or `lenient`
    ");
    assert_snapshot!(target_problems("  headers: [a]\n  tls: {insecure: yes}\n  context: {a: b}\n"), @"
    ananke.config.yaml:5:12 error expected a map, found a list
    ananke.config.yaml:6:19 error expected `true` or `false`, found text
    ananke.config.yaml:7:12 error expected a list, found a map
    ");
    assert_snapshot!(target_problems("  tools: [{name: a, parameters: 5}]\n"), @"ananke.config.yaml:5:33 error expected a JSON Schema, which is a map, found the number `5`");
}

#[test]
fn numbers_out_of_range_are_refused() {
    assert_snapshot!(assert_problems("  timing: {max_duration_ms: 0, max_idle_ms: -1}\n"), @"
    a.test.yaml:6:29 error `0` is out of range | expected a whole number from 1 to 2147483647
    a.test.yaml:6:45 error `-1` is out of range | expected a whole number from 1 to 2147483647
    ");
    assert_snapshot!(target_problems("  timeout_ms: 99999999999999999999999\n  connect_timeout_ms: 0\n  limits: {event_bytes: 0, turn_bytes: -5}\n"), @"
    ananke.config.yaml:5:15 error `99999999999999999999999` is out of range | expected a whole number from 1 to 2147483647
    ananke.config.yaml:6:23 error `0` is out of range | expected a whole number from 1 to 2147483647
    ananke.config.yaml:7:25 error `0` is out of range | expected a whole number from 1 to 9007199254740992
    ananke.config.yaml:7:40 error `-5` is out of range | expected a whole number from 1 to 9007199254740992
    ");
    assert_snapshot!(target_problems("  concurrency: 0\n  backoff_ms: 30s\n  group: \"${ENV.G}\"\n"), @"
    ananke.config.yaml:5:16 error `0` is out of range | expected a whole number from 1 to 9007199254740992
    ananke.config.yaml:6:15 error expected a whole number, found text
    ananke.config.yaml:7:10 error a group is named without references | expected a plain name
    ");
    assert_snapshot!(target_problems("  parallel: 2\n"), @"ananke.config.yaml:5:3 error unknown key `parallel` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector` | write `concurrency`, or use `--parallel`");
    assert_snapshot!(assert_problems("  tools: {require: [{name: a, count: {min: -1}}]}\n"), @"a.test.yaml:6:44 error `-1` is out of range | expected a whole number from 0 to 9007199254740992");
}

#[test]
fn empty_texts_are_refused() {
    assert_snapshot!(test_problems(&format!("version: 1\nname: ''\nturns: [{{user: ' '}}]\n{OK}")), @"
    a.test.yaml:2:7 error the text is empty
    a.test.yaml:3:16 error the text is empty
    ");
    assert_snapshot!(assert_problems("  tools: {forbid: ['']}\n"), @"a.test.yaml:6:20 error the text is empty");
    assert_snapshot!(assert_problems("  error: ''\n"), @"a.test.yaml:6:10 error the pattern is empty and would match anything");
}

#[test]
fn turns_are_checked_by_their_type() {
    let turns = |turns: &str| test_problems(&format!("version: 1\nname: a\n{OK}turns:\n{turns}"));
    assert_snapshot!(turns("  - type: user\n    user: hi\n  - type: agui:connect\n    allow_empty: true\n  - type: agui:resume\n    status: cancelled\n    payload: {a: 1}\n"), @"");
    assert_snapshot!(turns("  []\n"), @r#"a.test.yaml:5:3 error a test needs at least one turn |  | write `- user: "Hello"`"#);
    assert_snapshot!(turns("  - hello\n"), @"a.test.yaml:5:5 error expected a map, found text |  | write `- user: hello`");
    assert_snapshot!(turns("  - assert: {}\n"), @"a.test.yaml:5:5 error `user` is missing in a `user` turn |  | write `user: Hello`");
    assert_snapshot!(turns("  - type: agui:conect\n"), @"a.test.yaml:5:11 error unknown turn type `agui:conect` | expected `user`, `agui:connect`, `agui:resume`, `a2a:send`, `mcp:call`, `mcp:list`, `mcp:read` or `mcp:prompt` | did you mean `agui:connect`?");
    assert_snapshot!(turns("  - type: connect\n"), @"a.test.yaml:5:11 error unknown turn type `connect` | expected `user`, `agui:connect`, `agui:resume`, `a2a:send`, `mcp:call`, `mcp:list`, `mcp:read` or `mcp:prompt` | did you mean `agui:connect`?");
    for bare in ["send", "call", "list", "read", "prompt", "resume"] {
        let hint = format!(":{bare}`?");
        assert!(
            turns(&format!("  - type: {bare}\n")).ends_with(&hint),
            "{bare}"
        );
    }
    assert_snapshot!(turns("  - type: agui:connect\n    user: hi\n"), @"a.test.yaml:6:5 error unknown key `user` in an `agui:connect` turn | expected `type`, `allow_empty`, `assert` or `timeout_ms` | an `agui:connect` turn sends no message");
    assert_snapshot!(turns("  - type: agui:resume\n    status: resolve\n"), @r#"
    a.test.yaml:5:11 error there is nothing to resume in the first turn | it answers an interrupt of the turn before | begin with the turn that makes the agent ask, such as `- user: "Hello"`
    a.test.yaml:6:13 error unknown word `resolve` | expected `resolved` or `cancelled` | did you mean `resolved`?
    "#);
    assert_snapshot!(turns("  - user: hi\n    allow_empty: true\n"), @"a.test.yaml:6:5 error unknown key `allow_empty` in a `user` turn | expected `type`, `user`, `assert` or `timeout_ms`");
}

#[test]
fn there_is_nothing_to_resume_in_the_first_turn() {
    let turns = |turns: &str| test_problems(&format!("version: 1\nname: a\n{OK}turns:\n{turns}"));
    assert_snapshot!(turns("  - type: agui:resume\n    payload: yes\n  - user: hi\n"), @r#"a.test.yaml:5:11 error there is nothing to resume in the first turn | it answers an interrupt of the turn before | begin with the turn that makes the agent ask, such as `- user: "Hello"`"#);
    assert_snapshot!(turns("  - type: agui:connect\n  - type: agui:resume\n"), @"");
}

#[test]
fn types_say_which_version_they_need() {
    let config = |version: &str, kind: &str| {
        let target = format!("{{type: {kind}, endpoint: 'http://h', headers: {{A: b}}}}");
        config_problems(&format!(
            "version: {version}\ntarget: {target}\nagents: {{b: {target}}}\n"
        ))
    };
    assert_snapshot!(config("1", "a2a"), @r#"
    ananke.config.yaml:2:16 error `type: a2a` needs version "1.1" | the file has version 1 | write `version: "1.1"` at the top of the file
    ananke.config.yaml:3:20 error `type: a2a` needs version "1.1" | the file has version 1 | write `version: "1.1"` at the top of the file
    "#);
    assert_snapshot!(config("1.0", "mcp"), @r#"
    ananke.config.yaml:2:16 error `type: mcp` needs version "1.2" | the file has version 1.0 | write `version: "1.2"` at the top of the file
    ananke.config.yaml:3:20 error `type: mcp` needs version "1.2" | the file has version 1.0 | write `version: "1.2"` at the top of the file
    a.test.yaml:3:9 error a `user` turn needs the `userTool` of an `mcp` target | the target at ananke.config.yaml:2 has none | write `userTool: {name: ask, argument: question}` in the target, or an `mcp:call` turn here
    "#);
    assert_snapshot!(config("1.1", "a2a"), @"");
    assert_snapshot!(config("'1.1'", "mcp"), @r#"
    ananke.config.yaml:2:16 error `type: mcp` needs version "1.2" | the file has version 1.1 | write `version: "1.2"` at the top of the file
    ananke.config.yaml:3:20 error `type: mcp` needs version "1.2" | the file has version 1.1 | write `version: "1.2"` at the top of the file
    a.test.yaml:3:9 error a `user` turn needs the `userTool` of an `mcp` target | the target at ananke.config.yaml:2 has none | write `userTool: {name: ask, argument: question}` in the target, or an `mcp:call` turn here
    "#);
    assert_snapshot!(config("'1.2'", "a2a"), @"");
    assert_snapshot!(config_problems("version: 1.1\ntargets: {a: {type: mcp, command: [a]}, b: {type: agui, endpoint: 'http://h'}}\n"), @r#"
    - error the config has several targets and none was picked |  | pick one with `--target`, or with `target: <name>` in the test: `a`, `b`
    ananke.config.yaml:2:21 error `type: mcp` needs version "1.2" | the file has version 1.1 | write `version: "1.2"` at the top of the file
    "#);
    let test = |version: &str, keys: &str| {
        test_problems(&format!("version: {version}\nname: a\n{OK}{keys}\n"))
    };
    assert_snapshot!(test("1", "turns: [{type: 'a2a:send', text: a}, {type: 'mcp:call', tool: a}, {type: 'mcp:list'}]"), @r#"
    a.test.yaml:4:9 error `a2a:send` turns need an `a2a` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:16 error `type: a2a:send` needs version "1.1" | the file has version 1 | write `version: "1.1"` at the top of the file
    a.test.yaml:4:38 error `mcp:call` turns need an `mcp` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:45 error `type: mcp:call` needs version "1.2" | the file has version 1 | write `version: "1.2"` at the top of the file
    a.test.yaml:4:67 error `mcp:list` turns need an `mcp` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:74 error `type: mcp:list` needs version "1.2" | the file has version 1 | write `version: "1.2"` at the top of the file
    "#);
    assert_snapshot!(test("1.1", "turns: [{type: 'a2a:send', text: a}, {type: 'mcp:read', uri: a}, {type: 'mcp:prompt', name: a}]"), @r#"
    a.test.yaml:4:9 error `a2a:send` turns need an `a2a` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:38 error `mcp:read` turns need an `mcp` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:45 error `type: mcp:read` needs version "1.2" | the file has version 1.1 | write `version: "1.2"` at the top of the file
    a.test.yaml:4:66 error `mcp:prompt` turns need an `mcp` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    a.test.yaml:4:73 error `type: mcp:prompt` needs version "1.2" | the file has version 1.1 | write `version: "1.2"` at the top of the file
    "#);
    assert_snapshot!(test("1.0", "turns: [{user: a}]\ntarget: {type: a2a, endpoint: 'http://h'}"), @r#"
    a.test.yaml:5:10 error a test cannot change the type of its target from `agui` to `a2a` |  | write it under `targets` in the config, and name it here
    a.test.yaml:5:16 error `type: a2a` needs version "1.1" | the file has version 1.0 | write `version: "1.1"` at the top of the file
    "#);
    assert_snapshot!(test("1.3", "turns: [{type: 'mcp:call', tool: a}]"), @r#"
    a.test.yaml:1:10 error the file needs schema version 1.3 | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
    a.test.yaml:4:9 error `mcp:call` turns need an `mcp` target | the target at ananke.config.yaml:3 is of type `agui` | name another target, with `target` in the test or with `--target`, or leave the turn out
    "#);
}

#[test]
fn text_is_not_searched_for_null() {
    assert_snapshot!(key_problems("assert: {text: {must_match: null, must_not_match: [null, ~]}, error: null}\n"), @r#"
    a.test.yaml:4:29 error expected a pattern, found nothing |  | put the word in quotes to search for it: `"null"`
    a.test.yaml:4:52 error expected a pattern, found nothing |  | put the word in quotes to search for it: `"null"`
    a.test.yaml:4:58 error expected a pattern, found nothing
    a.test.yaml:4:70 error expected a pattern, found nothing |  | put the word in quotes to search for it: `"null"`
    "#);
    let values = "{name: a, args_match: {x: null}, args_not_match: {y: null}, result_match: null, result_not_match: null}";
    assert_snapshot!(assert_problems(&format!("  tools: {{require: [{values}]}}\n")), @"");
}

#[test]
fn names_of_tools_have_no_white_space_around_them() {
    assert_snapshot!(assert_problems("  tools: {forbid: [' x ', 'a b'], require: [{name: 'y ', after: \"z\\n\"}], forbid_calls: [{name: ' w'}]}\n"), @r#"
    a.test.yaml:6:20 error the tool name " x " begins or ends with white space | names are compared as a whole | write `x`
    a.test.yaml:6:52 error the tool name "y " begins or ends with white space | names are compared as a whole | write `y`
    a.test.yaml:6:65 error the tool name "z\n" begins or ends with white space | names are compared as a whole | write `z`
    a.test.yaml:6:96 error the tool name " w" begins or ends with white space | names are compared as a whole | write `w`
    "#);
    assert_snapshot!(assert_problems("  tools: {forbid: 'x '}\n"), @r#"a.test.yaml:6:19 error the tool name "x " begins or ends with white space | names are compared as a whole | write `x`"#);
    assert_snapshot!(target_problems("  tools: [{name: ' pick'}]\n"), @r#"ananke.config.yaml:5:18 error the tool name " pick" begins or ends with white space | names are compared as a whole | write `pick`"#);
}

#[test]
fn counts_make_sense() {
    let count = |count: &str| {
        assert_problems(&format!(
            "  tools: {{require: [{{name: a, count: {count}}}]}}\n"
        ))
    };
    for fine in ["{exact: 0}", "{min: 1}", "{max: 0}", "{min: 1, max: 1}"] {
        assert_eq!(count(fine), "", "{fine}");
    }
    assert_snapshot!(count("{exact: 1, min: 1}"), @"a.test.yaml:6:38 error `exact` stands alone, without `min` and `max` |  | write `{exact: 1}` or `{min: 1, max: 3}`");
    assert_snapshot!(count("{min: 3, max: 1}"), @"a.test.yaml:6:38 error `min` is larger than `max`: 3 > 1 |  | write `{exact: 1}` or `{min: 1, max: 3}`");
    assert_snapshot!(count("{}"), @"a.test.yaml:6:38 error `count` is empty |  | write `{exact: 1}` or `{min: 1, max: 3}`");
    assert_snapshot!(count("{min: 0}"), @"a.test.yaml:6:38 error `min: 0` alone demands nothing |  | write `{exact: 1}` or `{min: 1, max: 3}`");
    assert_snapshot!(count("2"), @"a.test.yaml:6:38 error expected a map, found the number `2` |  | write `count: {exact: 2}`");
}

#[test]
fn call_lists_hold_maps() {
    assert_snapshot!(assert_problems("  tools:\n    require:\n      - search\n"), @"a.test.yaml:8:9 error expected a map, found text |  | write `- name: search`");
    assert_snapshot!(assert_problems("  tools:\n    require: {name: search}\n"), @"a.test.yaml:7:14 error expected a list, found a map |  | begin each item with `- name: …`");
    assert_snapshot!(assert_problems("  tools:\n    forbid_calls: search\n"), @"a.test.yaml:7:19 error expected a list, found text");
}

#[test]
fn patterns_may_be_any_scalar_but_not_empty() {
    assert_snapshot!(assert_problems("  tools: {require: [{name: a, args_match: {n: 5, ok: true, v: 1.0, no: false, none: null}, result_match: 7}]}\n"), @"");
    assert_snapshot!(assert_problems("  tools: {require: [{name: a, args_match: {n: '', m: [a], o: ~}}]}\n"), @"
    a.test.yaml:6:47 error the pattern is empty and would match anything
    a.test.yaml:6:54 error expected text or a number, found a list
    a.test.yaml:6:62 error expected text or a number, found nothing
    ");
    assert_snapshot!(key_problems("assert: {text: {must_match: true}}\n"), @"a.test.yaml:4:29 error expected patterns, found `true` |  | put a pattern in quotes; `false` drops what was inherited");
    assert_snapshot!(key_problems("assert: {text: {must_match: {a: b}}}\n"), @"a.test.yaml:4:29 error expected a pattern or a list of patterns, found a map");
}

#[test]
fn blocks_hold_only_what_their_level_can() {
    assert_snapshot!(key_problems("assert: false\n"), @"a.test.yaml:4:9 error expected an assertion block, found `false` |  | write `assert: {inherit: none}` to drop what is inherited");
    assert_snapshot!(target_problems("  assert: {error: boom}\n"), @"ananke.config.yaml:5:19 error a target cannot demand an error |  | write `error` in the `assert` of a test or a turn");
    assert_snapshot!(target_problems("assertions: {a: {inherit: none}}\n"), @"ananke.config.yaml:5:27 error a named block inherits from no level |  | write `inherit` in the block that extends this one");
    assert_snapshot!(assert_problems("  inherit: limit\n"), @"a.test.yaml:6:12 error unknown word `limit` | expected `all`, `limits` or `none` | did you mean `limits`?");
    assert_snapshot!(assert_problems("  protocol: strickt\n"), @"a.test.yaml:6:13 error unknown word `strickt` | expected `strict` or `lenient` | did you mean `strict`?");
}

#[test]
fn commands_are_lists() {
    assert_snapshot!(key_problems(&format!("{OK}hooks: [{{cmd: bash setup.sh}}]\n")), @"a.test.yaml:5:15 error expected a list, found text | there is no shell: program and arguments are written one by one | write `cmd: [bash, setup.sh]`");
    assert_snapshot!(key_problems(&format!("{OK}hooks: [{{cmd: []}}, {{cmd: ['']}}, {{timeout_ms: 5}}]\n")), @"
    a.test.yaml:5:15 error the command is empty
    a.test.yaml:5:27 error the program is empty
    a.test.yaml:5:33 error `cmd` is missing in a hook |  | write `cmd: [bash, scripts/setup.sh]`
    ");
    assert_snapshot!(key_problems(&format!("{OK}hooks: [{{cmd: [sleep, 5], env: {{PORT: 80, A=B: x}}}}]\n")), @"a.test.yaml:5:43 error `A=B` cannot name an environment variable");
}

#[test]
fn skipping_needs_a_reason() {
    assert_snapshot!(key_problems(&format!("{OK}skip: true\n")), @"a.test.yaml:5:7 error `skip` needs a reason, found `true` |  | write `skip: waits for the new cart`, or leave it out");
    assert_snapshot!(key_problems(&format!("{OK}skip: ''\n")), @"a.test.yaml:5:7 error the text is empty");
    assert_snapshot!(key_problems(&format!("{OK}skip: later\n")), @"");
}

#[test]
fn targets_are_checked() {
    assert_snapshot!(config_problems("version: 1\ntarget: {type: ag-ui, endpoint: 'http://h'}\n"), @"ananke.config.yaml:2:16 error unknown target type `ag-ui` | expected `agui`, `openai`, `command`, `scripted`, `assistant`, `script`, `a2a` or `mcp` | did you mean `agui`?");
    assert_snapshot!(config_problems("version: 1\ntarget: {type: agui, endpoint: 'ftp://h'}\n"), @"ananke.config.yaml:2:32 error the endpoint is not an http or https URL | it does not begin with `http://` or `https://`");
    assert_snapshot!(target_problems("  headers: {'X Y': a, 'X-A': \"a\\r\\nb\", x-a: b}\n"), @"
    ananke.config.yaml:5:13 error `X Y` is not a header name | expected letters, digits and `-`
    ananke.config.yaml:5:30 error the header `X-A` cannot have this value | it holds a line break or another control character
    ananke.config.yaml:5:40 error the header `x-a` is written twice | first written at ananke.config.yaml:5
    ");
    assert_snapshot!(target_problems("  envelope: copilot\n  history: lst\n  era: 2\n  encoding: proto\n  clock: wall\n"), @"
    ananke.config.yaml:5:13 error unknown word `copilot` | expected `plain`, `copilotkit` or `copilotkit-rest` | did you mean `copilotkit`?
    ananke.config.yaml:6:12 error unknown word `lst` | expected `full` or `last` | did you mean `last`?
    ananke.config.yaml:7:8 error unknown word `2` | expected `1.0` or `0.x`
    ananke.config.yaml:8:13 error unknown word `proto` | expected `sse` or `protobuf` | did you mean `protobuf`?
    ananke.config.yaml:9:10 error unknown word `wall` | expected `arrival` or `event`
    ");
    assert_snapshot!(target_problems("  era: 1.0\n  tools: [{name: a}, {name: a}]\n"), @"ananke.config.yaml:6:29 error the tool `a` is written twice | first written at ananke.config.yaml:6");
    assert_snapshot!(target_problems("targets: {a: {type: agui, endpoint: 'http://h'}}\n"), @"ananke.config.yaml:5:10 error a config has `target` or `targets`, not both |  | move the one `target` under `targets` and give it a name");
    assert_snapshot!(config_problems("version: 1\ntargets: {}\n"), @"ananke.config.yaml:2:10 error `targets` is empty");
    assert_snapshot!(target_problems("server: {cmd: [a], url: localhost}\n"), @"ananke.config.yaml:5:25 error the server's URL is not an http or https URL | it does not begin with `http://` or `https://`");
}

#[test]
fn references_that_are_none_are_refused() {
    assert_snapshot!(key_problems("assert: {text: {must_match: '${A B}'}}\n"), @"a.test.yaml:4:29 error `${A B}` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`");
    assert_snapshot!(assert_problems("  tools: {require: [{name: a, args_match: {'${a b}': x}}]}\n"), @"a.test.yaml:6:44 error `${a b}` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`");
    assert_snapshot!(target_problems("  state: {a: ['${open']}\n"), @"ananke.config.yaml:5:15 error `${open` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`");
}

#[test]
fn all_mistakes_of_all_files_are_reported_at_once() {
    let suite = Suite::new(&[
        (
            "ananke.config.yaml",
            "version: 1.0\ntarget:\n  typ: agui\n  endpoint: http://h\n  timeout_ms: -5\n",
        ),
        (
            "b.test.yaml",
            "version: 1\nname: b\nturns:\n  - usr: hi\n    assert:\n      tools:\n        forbid: 5\n",
        ),
        (
            "a.test.yaml",
            "version: 3\nnam: a\nturns: [{user: hi, assert: {txt: {}}}]\n",
        ),
        ("c.test.yaml", "version: 1\nname: [\n"),
    ]);
    assert_snapshot!(problems(&suite.load()), @r#"
    ananke.config.yaml:3:3 error unknown key `typ` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector` | did you mean `type`?
    ananke.config.yaml:3:3 error `type` is missing in a target |  | write `type: agui`
    ananke.config.yaml:5:15 error `-5` is out of range | expected a whole number from 1 to 2147483647
    a.test.yaml:1:1 error `name` is missing in a test file |  | write `name: checkout flow`
    a.test.yaml:1:10 error unknown schema version `3` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
    a.test.yaml:2:1 error unknown key `nam` in a test file | expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets` | did you mean `name`?
    a.test.yaml:3:29 error unknown key `txt` in an assertion block | expected `extends`, `inherit`, `tools`, `text`, `timing`, `task`, `artifacts`, `card`, `checks`, `judge`, `script`, `error`, `protocol` or `snapshot` | did you mean `text`?
    b.test.yaml:4:5 error unknown key `usr` in a `user` turn | expected `type`, `user`, `assert` or `timeout_ms` | did you mean `user`?
    b.test.yaml:4:5 error `user` is missing in a `user` turn |  | write `user: Hello`
    b.test.yaml:7:17 error expected text, found the number `5` |  | put it in quotes: "5"
    c.test.yaml:2:7 error invalid YAML: unclosed bracket '['
    "#);
}

#[test]
fn a_flood_of_mistakes_is_cut() {
    let keys: String = (0..5000).map(|index| format!("q{index}: 1\n")).collect();
    let problems = key_problems(&format!("{OK}{keys}"));
    assert_eq!(problems.lines().count(), 1001);
    assert_snapshot!(problems.lines().last().unwrap(), @"- error 4000 more problems are not shown");
}
