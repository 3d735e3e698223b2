//! Files in, settings or diagnostics out.

use ananke_model::conformance::ConformSetup;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::sensitive::SecretHolder;
use insta::assert_snapshot;
use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

use super::{load_conform_baseline, load_conform_setup};
use crate::testing::{Suite, line};

const RULES: [&str; 4] = [
    "shape.null",
    "shape.required",
    "sequence.text-open",
    "http.status",
];

/// Returns the diagnostics, or the setup when there are none.
fn setup(text: &str) -> String {
    let mut suite = Suite::new(&[("conform.yaml", text)]);
    let environment = &mut suite.variables.environment;
    environment.insert("TOKEN".to_owned(), "s3cret".to_owned());
    environment.insert("BAD".to_owned(), "s3\ncret".to_owned());
    let path = suite.root().join("conform.yaml");
    let loaded = load_conform_setup(&path, "conform.yaml", &RULES, &suite.variables);
    let mut lines: Vec<String> = loaded.diagnostics.iter().map(line).collect();
    if let Some(setup) = loaded.setup {
        lines.extend(shown(&setup));
    }
    let folder = suite.root().to_string_lossy().into_owned();
    lines.join("\n").replace(&folder, "FOLDER")
}

/// Returns what a setup holds besides what is so by default.
fn shown(setup: &ConformSetup) -> Vec<String> {
    let mut lines = vec![
        format!("url {:?} headers {:?}", setup.url, setup.headers),
        format!("profile {:?} caps {:?}", setup.profile, setup.capabilities),
    ];
    let props = setup.forwarded_props.as_ref();
    lines.extend(props.map(|props| format!("props {props}")));
    for (name, one) in &setup.scenarios.given {
        let (prompts, before) = (&one.prompts, &one.before);
        lines.push(format!(
            "{name}: off {} {prompts:?} before {before:?}",
            one.is_off
        ));
        let values = [&one.state, &one.interrupt.resolve, &one.interrupt.wrong];
        let values = values.map(|value| value.as_ref().map(ToString::to_string));
        lines.push(format!(
            "  state, resolve, wrong {values:?} after {:?}",
            one.after_events
        ));
        for tool in &one.tools {
            let (name, about) = (&tool.name, &tool.description);
            lines.push(format!(
                "  {name} ({about}) {} -> {}",
                tool.parameters, tool.result
            ));
        }
    }
    lines.push(format!("rules {:?}", setup.rules));
    lines
}

fn scenarios(text: &str) -> String {
    setup(&format!("version: 1\nscenarios:\n{text}"))
}

fn baseline(text: &str) -> String {
    let suite = Suite::new(&[("known.yaml", text)]);
    let path = suite.root().join("known.yaml");
    let loaded = load_conform_baseline(&path, "known.yaml", &RULES);
    let mut lines: Vec<String> = loaded.diagnostics.iter().map(line).collect();
    let known = loaded.baseline.map(|baseline| baseline.known);
    lines.extend(known.iter().flatten().map(|known| format!("{known:?}")));
    lines.join("\n")
}

#[test]
fn a_setup_with_everything() {
    assert_snapshot!(setup(r#"
version: "1.0"
url: http://localhost:8000/agent
headers: {Authorization: "Bearer ${ENV.TOKEN}", X-Team: 7}
profile: ag-ui@0.x
capabilities: caps.json
forwardedProps: {tenant: a, key: "${ENV.TOKEN}"}
scenarios:
  hello: {prompt: Say hello}
  multi-turn: {prompts: [One, Two], before: Log me in}
  frontend-tool:
    prompt: Ask me
    tools: [{name: confirm, description: Asks, parameters: {type: object}, result: "yes"}, {name: bare}]
  interrupt: {prompt: Delete it, resolve: {approved: true}, wrong: 5}
  state: {state: {n: 1}}
  abort: {after_events: 3}
  error: off
  probes: false
rules: {shape.null: off, http.status: warn, shape.required: error}
"#), @r#"
    url Some("http://localhost:8000/agent") headers [("Authorization", "Bearer s3cret"), ("X-Team", "7")]
    profile Some("ag-ui@0.x") caps Some("FOLDER/caps.json")
    props {"tenant":"a","key":"s3cret"}
    abort: off false [] before []
      state, resolve, wrong [None, None, None] after Some(3)
    error: off true [] before []
      state, resolve, wrong [None, None, None] after None
    frontend-tool: off false ["Ask me"] before []
      state, resolve, wrong [None, None, None] after None
      confirm (Asks) {"type":"object"} -> "yes"
      bare () {"type":"object"} -> {"ok":true}
    hello: off false ["Say hello"] before []
      state, resolve, wrong [None, None, None] after None
    interrupt: off false ["Delete it"] before []
      state, resolve, wrong [None, Some("{\"approved\":true}"), Some("5")] after None
    multi-turn: off false ["One", "Two"] before ["Log me in"]
      state, resolve, wrong [None, None, None] after None
    probes: off true [] before []
      state, resolve, wrong [None, None, None] after None
    state: off false [] before []
      state, resolve, wrong [Some("{\"n\":1}"), None, None] after None
    rules {"http.status": Warn, "shape.null": Off, "shape.required": Error}
    "#);
}

#[test]
fn an_empty_setup_is_as_by_default() {
    assert_snapshot!(setup("version: 1\n"), @"
    url None headers []
    profile None caps None
    rules {}
    ");
}

#[test]
fn mistakes_are_told_all_at_once() {
    assert_snapshot!(setup("version: 2\nurls: x\nprofile: ag-ui@1.1\nheaders: {'a b': c, X: 1, x: 2}\nrules: {shape.nul: off, null: warn, zebra: error, http.status: of}\nendpoint: x\n"), @r#"
    conform.yaml:1:10 error unknown schema version `2` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
    conform.yaml:2:1 error unknown key `urls` in a conformance setup | expected `version`, `url`, `headers`, `profile`, `capabilities`, `forwardedProps`, `scenarios` or `rules` | did you mean `url`?
    conform.yaml:3:10 error unknown word `ag-ui@1.1` | expected `ag-ui@1.0`, `ag-ui@0.x`, `a2a`, `a2a@1.0`, `a2a@0.3` or `mcp` | did you mean `ag-ui@1.0`?
    conform.yaml:4:11 error `a b` is not a header name | expected letters, digits and `-`
    conform.yaml:4:27 error the header `x` is written twice | first written at conform.yaml:4
    conform.yaml:5:9 error unknown rule `shape.nul` |  | did you mean `shape.null`?
    conform.yaml:5:25 error unknown rule `null` |  | did you mean `shape.null`?
    conform.yaml:5:37 error unknown rule `zebra` | expected an id as reports show it, such as `shape.null`
    conform.yaml:5:64 error unknown word `of` | expected `off`, `warn` or `error`
    conform.yaml:6:1 error unknown key `endpoint` in a conformance setup | expected `version`, `url`, `headers`, `profile`, `capabilities`, `forwardedProps`, `scenarios` or `rules` | write `url`
    "#);
    assert_snapshot!(scenarios("  helo: {}\n  hello: {promt: x}\n  state: {prompt: a, prompts: [b]}\n  error: on\n  abort: {after_events: 0, resolve: 1}\n  interrupt: {after_events: 2, tools: [{name: a}, {name: a}, {nam: b, parameters: 5}]}\n  multi-turn: {prompts: []}\n  backend-tool: [a]\n"), @"
    conform.yaml:3:3 error unknown key `helo` in `scenarios` | expected `hello`, `multi-turn`, `backend-tool`, `parallel-tools`, `failing-tool`, `frontend-tool`, `interrupt`, `state`, `abort`, `error`, `probes`, `stream`, `continue`, `discover`, `initialize`, `list` or `call` | did you mean `hello`?
    conform.yaml:4:11 error unknown key `promt` in a scenario | expected `prompt`, `prompts`, `before`, `tools` or `state` | did you mean `prompt`?
    conform.yaml:5:22 error a scenario has `prompt` or `prompts`, not both |  | make `prompt` the first of `prompts`
    conform.yaml:6:10 error expected a map or `off`, found text
    conform.yaml:7:25 error `0` is out of range | expected a whole number from 1 to 9007199254740992
    conform.yaml:7:28 error unknown key `resolve` in the scenario `abort` | expected `prompt`, `prompts`, `before`, `tools`, `state` or `after_events` | only `interrupt` has it
    conform.yaml:8:15 error unknown key `after_events` in the scenario `interrupt` | expected `prompt`, `prompts`, `before`, `tools`, `state`, `resolve` or `wrong` | only `abort` has it
    conform.yaml:8:58 error the tool `a` is written twice | first written at conform.yaml:8
    conform.yaml:8:62 error `name` is missing in an offered tool |  | write `name: confirm`
    conform.yaml:8:63 error unknown key `nam` in an offered tool | expected `name`, `description`, `parameters` or `result` | did you mean `name`?
    conform.yaml:8:83 error expected a JSON Schema, which is a map, found the number `5`
    conform.yaml:9:25 error `prompts` is empty |  | leave it out for the default
    conform.yaml:10:17 error expected a map, found a list | expected `prompt`, `prompts`, `before`, `tools` or `state`
    ");
    assert_snapshot!(scenarios("  hello: {prompt: a}\n  hello: {prompt: b}\n"), @"conform.yaml:4:3 error the key `hello` is written twice | first written at conform.yaml:3:3");
    assert_snapshot!(setup(""), @"conform.yaml:1:1 error the file is empty");
    assert_snapshot!(setup("- a\n"), @"conform.yaml:1:1 error expected a map, found a list | expected `version`, `url`, `headers`, `profile`, `capabilities`, `forwardedProps`, `scenarios` or `rules`");
}

#[test]
fn values_that_fit_nowhere_are_told_but_not_shown() {
    let told = setup(
        "version: 1\nurl: \"ftp://${ENV.TOKEN}\"\nheaders: {A: \"${ENV.BAD}\", B: \"${ENV.NONE}\", C: \"${NONE}\", D: \"${ENV.NONE:-x}\", E: \"${a b}\"}\nforwardedProps: {a: [\"${ENV.OTHER}\"]}\n",
    );
    assert_snapshot!(told, @"
    conform.yaml:2:6 error `url` is not an http or https URL | it does not begin with `http://` or `https://`
    conform.yaml:3:14 error the header `A` cannot have this value | it holds a line break or another control character
    conform.yaml:3:31 error `${ENV.NONE}` has no value | the environment has no `NONE` | set `NONE`, or write a default: `${ENV.NONE:-…}`
    conform.yaml:3:49 error `${NONE}` has no value |  | give it with `--var NONE=…`, write `${ENV.NONE}` for what the environment has, or write a default: `${NONE:-…}`
    conform.yaml:3:84 error `${a b}` is not a reference | expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}` | write `$${` for a literal `${`
    conform.yaml:4:17 error `${ENV.OTHER}` has no value | the environment has no `OTHER` | set `OTHER`, or write a default: `${ENV.OTHER:-…}`
    ");
    assert!(!told.contains("cret"));
}

#[test]
fn secrets_are_known_by_their_place() {
    let suite = Suite::new(&[(
        "c.yaml",
        "version: 1\nurl: http://u:p@h\nheaders: {Authorization: x}\n",
    )]);
    let path = suite.root().join("c.yaml");
    let loaded = load_conform_setup(&path, "c.yaml", &RULES, &suite.variables);
    let holders: Vec<_> = loaded.sensitive.into_iter().map(|one| one.holder).collect();
    let header = SecretHolder::Header("Authorization".to_owned());
    assert_eq!(holders, [SecretHolder::Url, header]);
}

#[test]
fn a_baseline_knows_its_lines() {
    assert_snapshot!(baseline("known:\n  - rule: shape.null\n    scenario: hello\n    reason: fixed soon\n  - {rule: http.status}\n  - {rule: shape.null, scenario: file}\n  - {rule: shape.null, scenario: capabilities}\n  - {rule: shape.null, scenario: sse-stack}\n"), @r#"
    KnownFailure { rule: "shape.null", scenario: Some("hello"), reason: Some("fixed soon"), place: "known.yaml:2" }
    KnownFailure { rule: "http.status", scenario: None, reason: None, place: "known.yaml:5" }
    KnownFailure { rule: "shape.null", scenario: Some("file"), reason: None, place: "known.yaml:6" }
    KnownFailure { rule: "shape.null", scenario: Some("capabilities"), reason: None, place: "known.yaml:7" }
    KnownFailure { rule: "shape.null", scenario: Some("sse-stack"), reason: None, place: "known.yaml:8" }
    "#);
    assert_snapshot!(baseline("known: []\n"), @"");
}

#[test]
fn mistakes_in_a_baseline() {
    assert_snapshot!(baseline("known:\n  - {rule: shape.nul}\n  - {rule: shape.null, scenario: helo}\n  - {scenario: hello}\n  - {rule: shape.null}\n  - {rule: shape.null}\n  - {rule: shape.null, scenario: hello}\n  - {rule: http.status, scenario: state}\n  - {rule: http.status, scenario: state}\n  - shape.null\nversion: 3\n"), @r#"
    known.yaml:2:12 error unknown rule `shape.nul` |  | did you mean `shape.null`?
    known.yaml:3:34 error unknown scenario `helo` | expected `hello`, `multi-turn`, `backend-tool`, `parallel-tools`, `failing-tool`, `frontend-tool`, `interrupt`, `state`, `abort`, `error`, `probes`, `stream`, `continue`, `discover`, `initialize`, `list`, `call`, `file`, `capabilities`, `card` or `sse-stack` | did you mean `hello`?
    known.yaml:4:5 error `rule` is missing in a known failure |  | write `rule: shape.null`
    known.yaml:6:5 error `shape.null` is known twice | first written at known.yaml:5
    known.yaml:7:5 warning `shape.null` is known in all scenarios already | written at known.yaml:5 | remove one of the two entries
    known.yaml:9:5 error `http.status` in `state` is known twice | first written at known.yaml:8
    known.yaml:10:5 error expected a map, found text | expected `rule`, `scenario` or `reason`
    known.yaml:11:10 error unknown schema version `3` | this ananke supports versions 1.0, 1.1 and 1.2 | write `version: "1.0"`, or use an ananke that supports the file's version
    "#);
    assert_snapshot!(baseline("rules: {}\n"), @"
    known.yaml:1:1 error unknown key `rules` in a conformance baseline | expected `version` or `known` | rules are switched in the setup file; a baseline has `known`
    known.yaml:1:1 error `known` is missing in a conformance baseline |  | write `known: [{rule: shape.null, reason: fixed in the next release}]`
    ");
    assert_snapshot!(baseline("knwon: []\n"), @"
    known.yaml:1:1 error unknown key `knwon` in a conformance baseline | expected `version` or `known` | did you mean `known`?
    known.yaml:1:1 error `known` is missing in a conformance baseline |  | write `known: [{rule: shape.null, reason: fixed in the next release}]`
    ");
}

#[test]
fn a_file_that_is_not_there() {
    let suite = Suite::new(&[]);
    let path = suite.root().join("no.yaml");
    let setup = load_conform_setup(&path, "no.yaml", &RULES, &suite.variables);
    assert!(setup.setup.is_none() && setup.diagnostics.len() == 1);
    let baseline = load_conform_baseline(&path, "no.yaml", &RULES);
    assert!(baseline.baseline.is_none() && baseline.diagnostics.len() == 1);
}

proptest! {
    #[test]
    fn any_text(text in r#"(version: 1\n|scenarios:\n|known:|  hello: |  abort: |\{prompt: a\}|\[|\]|off\n|rules: |\$\{ENV.A\}|\{|\}|, |- |rule: |\PC){0,20}"#) {
        let suite = Suite::new(&[("a.yaml", &text)]);
        let path = suite.root().join("a.yaml");
        let setup = load_conform_setup(&path, "a.yaml", &RULES, &suite.variables);
        let baseline = load_conform_baseline(&path, "a.yaml", &RULES);
        let found = setup.diagnostics.iter().chain(&baseline.diagnostics);
        for place in found.filter_map(|found| found.place.as_ref()) {
            prop_assert!(text.get(place.start as usize..place.end as usize).is_some());
        }
        let has_errors = setup.diagnostics.iter().any(Diagnostic::is_error);
        prop_assert_eq!(setup.setup.is_none(), has_errors);
    }
}

#[test]
fn scenarios_of_other_protocols_have_their_own_keys() {
    let text = "  continue: {prompts: [Pay, With a card]}\n  call: {tool: add, args: {a: 1}}\n  list: off\n";
    let suite = Suite::new(&[(
        "conform.yaml",
        &format!("version: 1\nprofile: mcp\nscenarios:\n{text}"),
    )]);
    let path = suite.root().join("conform.yaml");
    let loaded = load_conform_setup(&path, "conform.yaml", &RULES, &suite.variables);
    let setup = loaded.setup.unwrap();
    let call = &setup.scenarios.given["call"];
    assert_eq!(setup.profile.as_deref(), Some("mcp"));
    assert_eq!(call.tool.as_deref(), Some("add"));
    assert_eq!(call.args, Some(serde_json::json!({"a": 1})));
    assert!(setup.scenarios.given["list"].is_off);
    assert_snapshot!(scenarios("  call: {name: add, args: [1], prompt: Add}\n  hello: {tool: add}\n"), @"
    conform.yaml:3:10 error unknown key `name` in the scenario `call` | expected `tool` or `args` | write `tool`
    conform.yaml:3:27 error expected a map, found a list
    conform.yaml:3:32 error unknown key `prompt` in the scenario `call` | expected `tool` or `args` | a server of MCP has no prompt: write `tool` and `args`
    conform.yaml:4:11 error unknown key `tool` in a scenario | expected `prompt`, `prompts`, `before`, `tools` or `state` | did you mean `tools`?
    ");
}
