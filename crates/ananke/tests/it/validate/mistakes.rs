//! What the files say: keys, types, patterns, variables, names, counts, versions, blocks, addresses.

use ananke_testkit::TestContext;
use insta::assert_snapshot;

use super::{CONFIG, TEST, config, mistakes, test};
use crate::ANANKE;

#[test]
fn unknown_keys() {
    assert_snapshot!(test(&TEST.replace("assert", "asserts")), @"
    error: unknown key `asserts` in a test file
     --> a.test.yaml:4:1
      |
    4 | asserts: {text: {must_match: x}}
      | ^^^^^^^ expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets`
    hint: did you mean `assert`?

    error: 1 error in 1 file
    ");
    assert_snapshot!(config(&CONFIG.replace("endpoint", "endpont")), @r#"
    error: `endpoint` is missing in a target
     --> ananke.config.yaml:3:3
      |
    3 |   type: agui
      |   ^^^^^^^^^^
    hint: write `endpoint: "http://localhost:8000/agent"`

    error: unknown key `endpont` in a target
     --> ananke.config.yaml:4:3
      |
    4 |   endpont: http://localhost:8000/agent
      |   ^^^^^^^ expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`
    hint: did you mean `endpoint`?

    error: 2 errors in 1 file
    "#);
}

#[test]
fn wrong_types() {
    assert_snapshot!(test(&TEST.replace("turns: [{user: hi}]", "turns: {user: hi}\ntimeout_ms: soon\ntags: smoke\nhooks: [{cmd: echo}]")), @"
    error: expected a list, found a map
     --> a.test.yaml:3:8
      |
    3 | turns: {user: hi}
      |        ^^^^^^^^^^

    error: expected a whole number, found text
     --> a.test.yaml:4:13
      |
    4 | timeout_ms: soon
      |             ^^^^

    error: expected a list, found text
     --> a.test.yaml:5:7
      |
    5 | tags: smoke
      |       ^^^^^

    error: expected a list, found text
     --> a.test.yaml:6:15
      |
    6 | hooks: [{cmd: echo}]
      |               ^^^^ there is no shell: program and arguments are written one by one
    hint: write `cmd: [echo]`

    error: 4 errors in 1 file
    ");
}

#[test]
fn patterns_that_are_none() {
    assert_snapshot!(test(&TEST.replace("must_match: x", "must_match: ['(', '/a/x', '[z-a]', '(a{1000}){1000}']")), @r"
    error: `(` is not a pattern
     --> a.test.yaml:4:30
      |
    4 | assert: {text: {must_match: ['(', '/a/x', '[z-a]', '(a{1000}){1000}']}}
      |                              ^^^ the group is not closed at character 1
    hint: write `\(` for a parenthesis

    error: `/a/x` is not a pattern
     --> a.test.yaml:4:35
      |
    4 | assert: {text: {must_match: ['(', '/a/x', '[z-a]', '(a{1000}){1000}']}}
      |                                   ^^^^^^ unknown flag `x` at character 4
    hint: the flags are `g`, `i`, `m`, `s`, `u` and `y`; to search for the text itself write `\/a/x`

    error: `[z-a]` is not a pattern
     --> a.test.yaml:4:43
      |
    4 | assert: {text: {must_match: ['(', '/a/x', '[z-a]', '(a{1000}){1000}']}}
      |                                           ^^^^^^^ the range `z-a` runs backwards at character 2

    error: `(a{1000}){1000}` is not a pattern
     --> a.test.yaml:4:52
      |
    4 | assert: {text: {must_match: ['(', '/a/x', '[z-a]', '(a{1000}){1000}']}}
      |                                                    ^^^^^^^^^^^^^^^^^ the pattern takes more than 10 MiB when compiled
    hint: use smaller repetitions

    error: 4 errors in 1 file
    ");
}

#[test]
fn undefined_variables_are_all_listed() {
    assert_snapshot!(test(&TEST.replace("hi", "'${WHO} ${ENV.ANANKE_NOT_SET} ${VAR.WHEN}'").replace("name: a", "name: a ${X}")), @"
    error: `${X}` has no value
     --> a.test.yaml:2:7
      |
    2 | name: a ${X}
      |       ^^^^^^
    hint: give it with `--var X=…`, print it from a hook, or write a default: `${X:-…}`

    error: `${WHO}` has no value
     --> a.test.yaml:3:16
      |
    3 | turns: [{user: '${WHO} ${ENV.ANANKE_NOT_SET} ${VAR.WHEN}'}]
      |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: give it with `--var WHO=…`, print it from a hook, or write a default: `${WHO:-…}`

    error: `${ENV.ANANKE_NOT_SET}` has no value
     --> a.test.yaml:3:16
      |
    3 | turns: [{user: '${WHO} ${ENV.ANANKE_NOT_SET} ${VAR.WHEN}'}]
      |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the environment has no `ANANKE_NOT_SET`
    hint: set `ANANKE_NOT_SET`, or write a default: `${ENV.ANANKE_NOT_SET:-…}`

    error: `${WHEN}` has no value
     --> a.test.yaml:3:16
      |
    3 | turns: [{user: '${WHO} ${ENV.ANANKE_NOT_SET} ${VAR.WHEN}'}]
      |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: give it with `--var WHEN=…`, print it from a hook, or write a default: `${WHEN:-…}`

    error: 4 errors in 1 file
    ");
}

#[test]
fn files_that_are_missing() {
    assert_snapshot!(mistakes(&[("a.test.yaml", TEST)]), @r#"
    error: no `ananke.config.yaml` found here or in a folder above
    hint: write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`

    error: 1 error
    "#);
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write("a.test.yaml", TEST);
    assert_snapshot!(cx.ananke(&["validate", "b.test.yaml", "sub"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: no such file or folder: `b.test.yaml`
    hint: did you mean `a.test.yaml`?

    error: no such file or folder: `sub`
    hint: to send it as a message, write `-i sub`

    error: 2 errors
    ");
}

#[test]
fn two_tests_with_one_name() {
    assert_snapshot!(mistakes(&[("ananke.config.yaml", CONFIG), ("a.test.yaml", TEST), ("b.test.yaml", TEST)]), @"
    error: two tests are called `a`
     --> b.test.yaml:2:7
      |
    2 | name: a
      |       ^ the first is at a.test.yaml:2
    hint: give each test a name of its own

    error: 1 error in 1 file
    ");
}

#[test]
fn parts_of_the_config_that_no_test_uses() {
    let unused = "assertions:
  spare:
    text: {must_match: '('}
    tools: {require: [{name: pay, args_match: {a..b: x}}]}
";
    assert_snapshot!(config(&format!("{CONFIG}{unused}")), @r#"
    error: `(` is not a pattern
     --> ananke.config.yaml:7:24
      |
    7 |     text: {must_match: '('}
      |                        ^^^ the group is not closed at character 1
    hint: write `\(` for a parenthesis

    error: `a..b` is not an argument path
     --> ananke.config.yaml:8:48
      |
    8 |     tools: {require: [{name: pay, args_match: {a..b: x}}]}
      |                                                ^^^^ a name is missing at character 3
    hint: paths look like `user.name`, `items[0].id` or `["odd.key"]`, and start at the arguments

    error: 2 errors in 1 file
    "#);
    let targets = "version: 1
targets:
  local: {type: agui, endpoint: 'http://localhost'}
  stage: {type: agui, endpoint: 'ftp://x', assert: {text: {must_not_match: '['}}}
";
    assert_snapshot!(mistakes(&[("ananke.config.yaml", targets), ("a.test.yaml", &format!("{TEST}target: local\n"))]), @r"
    error: the endpoint is not an http or https URL
     --> ananke.config.yaml:4:33
      |
    4 |   stage: {type: agui, endpoint: 'ftp://x', assert: {text: {must_not_match: '['}}}
      |                                 ^^^^^^^^^ it does not begin with `http://` or `https://`

    error: `[` is not a pattern
     --> ananke.config.yaml:4:76
      |
    4 |   stage: {type: agui, endpoint: 'ftp://x', assert: {text: {must_not_match: '['}}}
      |                                                                            ^^^ the bracket is not closed at character 1
    hint: write `\[` for a bracket

    error: 2 errors in 1 file
    ");
}

#[test]
fn blocks_that_demand_nothing() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write(
        "a.test.yaml",
        &TEST.replace("user: hi", "user: hi, assert: {inherit: none}"),
    );
    assert_snapshot!(cx.ananke(&["validate"]), @"
    exit code: 0
    --- stdout
    1 test is valid
    --- stderr
    warning: this `assert` demands nothing
     --> a.test.yaml:3:28
      |
    3 | turns: [{user: hi, assert: {inherit: none}}]
      |                            ^^^^^^^^^^^^^^^
    hint: write what it demands, or leave it out

    warning: 1 warning in 1 file
    ");
}

#[test]
fn counts_that_no_number_satisfies() {
    let require = "assert: {tools: {require: [{name: pay, count: {min: 3, max: 1}}, {name: pay, count: {exact: 1, min: 2}}]}}";
    assert_snapshot!(test(&TEST.replace("assert: {text: {must_match: x}}", require)), @"
    error: `min` is larger than `max`: 3 > 1
     --> a.test.yaml:4:47
      |
    4 | assert: {tools: {require: [{name: pay, count: {min: 3, max: 1}}, {name: pay, count: {exact:…
      |                                               ^^^^^^^^^^^^^^^^
    hint: write `{exact: 1}` or `{min: 1, max: 3}`

    error: `exact` stands alone, without `min` and `max`
     --> a.test.yaml:4:85
      |
    4 | …: {require: [{name: pay, count: {min: 3, max: 1}}, {name: pay, count: {exact: 1, min: 2}}]…
      |                                                                        ^^^^^^^^^^^^^^^^^^
    hint: write `{exact: 1}` or `{min: 1, max: 3}`

    error: 2 errors in 1 file
    ");
}

#[test]
fn types_that_need_a_newer_version() {
    assert_snapshot!(config("version: \"1.0\"\ntarget: {type: a2a, agentCardUrl: \"http://localhost:9\"}\n"), @r#"
    error: `type: a2a` needs version "1.1"
     --> ananke.config.yaml:2:16
      |
    2 | target: {type: a2a, agentCardUrl: "http://localhost:9"}
      |                ^^^ the file has version 1.0
    hint: write `version: "1.1"` at the top of the file

    error: 1 error in 1 file
    "#);
    assert_snapshot!(config("version: \"1.2\"\ntarget: {type: mcp, command: [server]}\n"), @"
    error: a `user` turn needs the `userTool` of an `mcp` target
     --> a.test.yaml:3:9
      |
    3 | turns: [{user: hi}]
      |         ^^^^^^^^^^ the target at ananke.config.yaml:2 has none
    hint: write `userTool: {name: ask, argument: question}` in the target, or an `mcp:call` turn here

    error: 1 error in 1 file
    ");
}

#[test]
fn versions_of_another_time() {
    for (version, shown) in [("2.0", "2.0"), ("\"1.9\"", "1.9"), ("one", "one")] {
        let shown_text = test(&TEST.replace("\"1.0\"", version));
        assert!(shown_text.contains(shown), "{shown_text}");
    }
    assert_snapshot!(test(&TEST.replace("\"1.0\"", "\"2.0\"")), @r#"
    error: unknown schema version `2.0`
     --> a.test.yaml:1:10
      |
    1 | version: "2.0"
      |          ^^^^^ this ananke supports versions 1.0, 1.1 and 1.2
    hint: write `version: "1.0"`, or use an ananke that supports the file's version

    error: 1 error in 1 file
    "#);
    assert_snapshot!(config(&CONFIG.replace("\"1.0\"", "\"1.9\"")), @r#"
    error: the file needs schema version 1.9
     --> ananke.config.yaml:1:10
      |
    1 | version: "1.9"
      |          ^^^^^ this ananke supports versions 1.0, 1.1 and 1.2
    hint: write `version: "1.0"`, or use an ananke that supports the file's version

    error: 1 error in 1 file
    "#);
    assert_snapshot!(test(&TEST.replace("version: \"1.0\"\n", "")), @r#"
    error: `version` is missing in a test file
     --> a.test.yaml:1:1
      |
    1 | name: a
      | ^^^^^^^
    hint: write `version: "1.0"`

    error: 1 error in 1 file
    "#);
}

#[test]
fn extends_of_the_unknown_and_in_a_circle() {
    let blocks = "assertions:\n  safe: {extends: calm}\n  calm: {extends: safe}\n";
    assert_snapshot!(mistakes(&[("ananke.config.yaml", &format!("{CONFIG}{blocks}")), ("a.test.yaml", &TEST.replace("{text", "{extends: save, text"))]), @"
    error: unknown assertion block `save`
     --> a.test.yaml:4:19
      |
    4 | assert: {extends: save, text: {must_match: x}}
      |                   ^^^^
    hint: did you mean `safe`?

    error: assertion blocks extend one another in a circle
     --> ananke.config.yaml:7:19
      |
    7 |   calm: {extends: safe}
      |                   ^^^^ safe -> calm -> safe

    error: 2 errors in 2 files
    ");
}

#[test]
fn the_mistakes_of_all_files_are_told_at_once() {
    assert_snapshot!(mistakes(&[
        ("ananke.config.yaml", &CONFIG.replace("type: agui", "type: agiu")),
        ("a.test.yaml", &TEST.replace("user", "usr")),
        ("sub/b.test.yaml", "version: 1\nname: b\nturns: []\nasert: 1\n"),
    ]), @r#"
    error: `user` is missing in a `user` turn
     --> a.test.yaml:3:9
      |
    3 | turns: [{usr: hi}]
      |         ^^^^^^^^^
    hint: write `user: Hello`

    error: unknown key `usr` in a `user` turn
     --> a.test.yaml:3:10
      |
    3 | turns: [{usr: hi}]
      |          ^^^ expected `type`, `user`, `assert` or `timeout_ms`
    hint: did you mean `user`?

    error: unknown target type `agiu`
     --> ananke.config.yaml:3:9
      |
    3 |   type: agiu
      |         ^^^^ expected `agui`, `openai`, `command`, `scripted`, `assistant`, `script`, `a2a` or `mcp`
    hint: did you mean `agui`?

    error: a test needs at least one turn
     --> sub/b.test.yaml:3:8
      |
    3 | turns: []
      |        ^^
    hint: write `- user: "Hello"`

    error: unknown key `asert` in a test file
     --> sub/b.test.yaml:4:1
      |
    4 | asert: 1
      | ^^^^^ expected `version`, `name`, `hooks`, `turns`, `assert`, `tags`, `skip`, `timeout_ms`, `target` or `targets`
    hint: did you mean `assert`?

    error: 5 errors in 3 files
    "#);
}

#[test]
fn endpoints_that_are_none() {
    assert_snapshot!(config(&CONFIG.replace("http://localhost:8000/agent", "localhost:8000")), @"
    error: the endpoint is not an http or https URL
     --> ananke.config.yaml:4:13
      |
    4 |   endpoint: localhost:8000
      |             ^^^^^^^^^^^^^^ it does not begin with `http://` or `https://`

    error: 1 error in 1 file
    ");
    assert_snapshot!(config(&CONFIG.replace("http://localhost:8000/agent", "file:///etc/passwd\n  headers: {X: \"a\\nb\"}")), @r#"
    error: the endpoint is not an http or https URL
     --> ananke.config.yaml:4:13
      |
    4 |   endpoint: file:///etc/passwd
      |             ^^^^^^^^^^^^^^^^^^ it does not begin with `http://` or `https://`

    error: the header `X` cannot have this value
     --> ananke.config.yaml:5:16
      |
    5 |   headers: {X: "a\nb"}
      |                ^^^^^^ it holds a line break or another control character

    error: 2 errors in 1 file
    "#);
}
