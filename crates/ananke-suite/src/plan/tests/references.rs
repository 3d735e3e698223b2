//! Names, and references that have no value.

use insta::assert_snapshot;
use serde_json::json;

use super::blocks::inherited;
use super::targets::CHECKED;
use crate::testing::{CONFIG, Suite, problems};

#[test]
fn two_tests_cannot_have_the_same_name() {
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("a.test.yaml", CHECKED),
        ("b/b.test.yaml", CHECKED),
    ]);
    assert_snapshot!(problems(&suite.load()), @"b/b.test.yaml:2:7 error two tests are called `t` | the first is at a.test.yaml:2 | give each test a name of its own");
}

#[test]
fn references_without_a_value_are_reported_where_they_stand() {
    let config = format!(
        "{CONFIG}  threadId: ${{THREAD}}\n  headers: {{Authorization: 'Bearer ${{ENV.TOKEN}}'}}\n  state: {{deep: ['${{ENV.TOKEN}} ${{ENV.OTHER}}']}}\nserver: {{cmd: [run, '${{PORT}}'], url: 'http://h:${{ENV.PORT:-80}}'}}\n"
    );
    let test = "version: 1\nname: 'n ${A}'\nturns: [{user: '${B} ${C:-x} $${D}', assert: {tools: {require: [{name: '${E}', args_match: {'a.${G}': '${F}'}}]}}}]\n";
    let suite = Suite::new(&[
        ("ananke.config.yaml", &config),
        ("a.test.yaml", test),
        ("b.test.yaml", &CHECKED.replace("name: t", "name: b")),
    ]);
    assert_snapshot!(problems(&suite.load()), @"
    ananke.config.yaml:5:13 error `${THREAD}` has no value | used by `a.test.yaml`, which has no hooks | give it with `--var THREAD=…`, print it from a hook, or write a default: `${THREAD:-…}`
    ananke.config.yaml:6:28 error `${ENV.TOKEN}` has no value | the environment has no `TOKEN` | set `TOKEN`, or write a default: `${ENV.TOKEN:-…}`
    ananke.config.yaml:7:10 error `${ENV.TOKEN}` has no value | the environment has no `TOKEN` | set `TOKEN`, or write a default: `${ENV.TOKEN:-…}`
    ananke.config.yaml:7:10 error `${ENV.OTHER}` has no value | the environment has no `OTHER` | set `OTHER`, or write a default: `${ENV.OTHER:-…}`
    ananke.config.yaml:8:21 error `${PORT}` has no value | the server starts before any hook | give it with `--var PORT=…`, or write a default: `${PORT:-…}`
    a.test.yaml:2:7 error `${A}` has no value |  | give it with `--var A=…`, print it from a hook, or write a default: `${A:-…}`
    a.test.yaml:3:16 error `${B}` has no value |  | give it with `--var B=…`, print it from a hook, or write a default: `${B:-…}`
    a.test.yaml:3:72 error `${E}` has no value |  | give it with `--var E=…`, print it from a hook, or write a default: `${E:-…}`
    a.test.yaml:3:93 error `${G}` has no value |  | give it with `--var G=…`, print it from a hook, or write a default: `${G:-…}`
    a.test.yaml:3:103 error `${F}` has no value |  | give it with `--var F=…`, print it from a hook, or write a default: `${F:-…}`
    ");
}

#[test]
fn values_hooks_and_skipping_settle_references() {
    let config = format!("{CONFIG}  threadId: ${{THREAD}}\n  headers: {{A: '${{ENV.TOKEN}}'}}\n");
    let hooked = format!("{CHECKED}hooks: [{{cmd: ['./${{SCRIPT}}.sh']}}]\n");
    let mut suite = Suite::new(&[("ananke.config.yaml", &config), ("a.test.yaml", &hooked)]);
    assert_snapshot!(problems(&suite.load()), @"ananke.config.yaml:6:16 error `${ENV.TOKEN}` has no value | the environment has no `TOKEN` | set `TOKEN`, or write a default: `${ENV.TOKEN:-…}`");
    suite
        .variables
        .environment
        .insert("TOKEN".to_owned(), "t".to_owned());
    assert_snapshot!(problems(&suite.load()), @"");
    suite.write("a.test.yaml", CHECKED.as_bytes());
    assert_snapshot!(problems(&suite.load()), @"ananke.config.yaml:5:13 error `${THREAD}` has no value | used by `a.test.yaml`, which has no hooks | give it with `--var THREAD=…`, print it from a hook, or write a default: `${THREAD:-…}`");
    suite.variables.variables = json!({"THREAD": "th"}).as_object().unwrap().clone();
    assert_snapshot!(problems(&suite.load()), @"");
    let skipped = Suite::new(&[
        ("ananke.config.yaml", &config),
        (
            "a.test.yaml",
            &format!("{CHECKED}skip: 'later ${{WHEN}}'\n"),
        ),
    ]);
    assert_snapshot!(problems(&skipped.load()), @"a.test.yaml:5:7 error `${WHEN}` has no value |  | give it with `--var WHEN=…`, print it from a hook, or write a default: `${WHEN:-…}`");
}

#[test]
fn values_that_fit_nowhere_are_refused() {
    let config =
        "version: 1\ntarget: {type: agui, endpoint: '${ENV.URL}', headers: {A: '${ENV.EVIL}'}}\n";
    let mut suite = Suite::new(&[("ananke.config.yaml", config), ("a.test.yaml", CHECKED)]);
    suite
        .variables
        .environment
        .insert("URL".to_owned(), "file:///etc/passwd".to_owned());
    suite
        .variables
        .environment
        .insert("EVIL".to_owned(), "a\r\nX: y".to_owned());
    assert_snapshot!(problems(&suite.load()), @"
    ananke.config.yaml:2:32 error the endpoint is not an http or https URL | it does not begin with `http://` or `https://`
    ananke.config.yaml:2:59 error the header `A` cannot have this value | it holds a line break or another control character
    ");
    suite
        .variables
        .environment
        .insert("URL".to_owned(), "https://h".to_owned());
    suite
        .variables
        .environment
        .insert("EVIL".to_owned(), "fine".to_owned());
    assert_snapshot!(problems(&suite.load()), @"");
}

#[test]
fn a_broken_config_does_not_blame_the_tests() {
    let suite = Suite::new(&[
        ("ananke.config.yaml", "version: [\n"),
        (
            "a.test.yaml",
            &CHECKED.replace("assert: {", "assert: {extends: x, "),
        ),
    ]);
    assert_snapshot!(problems(&suite.load()), @"ananke.config.yaml:1:10 error invalid YAML: unclosed bracket '['");
}

#[test]
fn a_file_of_authorities_that_is_not_there_is_a_mistake() {
    let test = "turns: [{user: a, assert: {tools: {forbid: a}}}]\n";
    assert_snapshot!(inherited("  tls: {ca: certs/absent.pem}\n", test), @"
    ananke.config.yaml:5:13 error there is no file `certs/absent.pem` | expected a PEM file of certificate authorities | the path is relative to the folder of the configturn 1:
      tools.forbid a <- turn t.test.yaml:3
    test:
    ");
    assert_snapshot!(inherited("  tls: {ca: x.pem}\n", test), @"
    turn 1:
      tools.forbid a <- turn t.test.yaml:3
    test:
    ");
}
