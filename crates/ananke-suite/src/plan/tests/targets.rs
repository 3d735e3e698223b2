//! Targets, turns, hooks and the server as they come through, and what is checked about them.

use ananke_model::place::Text;
use ananke_model::plan::{Plan, Protocol, TurnAction};
use insta::assert_snapshot;

use super::blocks::inherited;
use crate::testing::{CONFIG, Suite, key_problems, problems};

#[test]
fn a_test_may_override_its_target() {
    let config = "  headers: {A: 1, B: 2}\n  state: {k: 1}\n  tls: {ca: x.pem}\n  assert: {tools: {forbid: [a]}}\n  concurrency: 4\n  group: quota\n";
    let test = "turns: [{user: a, timeout_ms: 7}]\ntimeout_ms: 9\ntarget: {concurrency: 2, backoff_ms: 500, headers: {b: 3, C: 4}, state: 5, agentId: x, envelope: copilotkit-rest, tls: {insecure: true}, history: last, era: 0.x, encoding: protobuf, clock: event, limits: {event_bytes: 10}, assert: {tools: {forbid: [b]}}}\n";
    assert_snapshot!(inherited(config, test), @"
    turn 1: not judged
    test:
      tools.forbid a <- target ananke.config.yaml:8
      tools.forbid b <- target t.test.yaml:5
    ");
    let suite = Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{config}")),
        ("t.test.yaml", &format!("version: 1\nname: t\n{test}")),
        ("x.pem", ""),
    ]);
    assert_snapshot!(target(&suite.load().plan), @r#"None http://localhost:8000/agent [A=1 b=3 C=4] Some("5") 9/10000/Some(7) CopilotKitRest Last Before1 Protobuf Event Limits { event_bytes: 10, turn_bytes: 268435456 } (true, Some("x.pem")) (Some(2), Some("quota"), Some(500))"#);
}

/// Returns what became of the first test's target.
fn target(plan: &Plan) -> String {
    let test = &plan.tests[0];
    let Protocol::Agui(agui) = &test.target.protocol else {
        panic!("an AG-UI target")
    };
    let headers: Vec<_> = agui
        .headers
        .iter()
        .map(|(name, value)| format!("{name}={}", value.text))
        .collect();
    format!(
        "{:?} {} [{}] {:?} {}/{}/{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        test.target.name,
        agui.endpoint.text,
        headers.join(" "),
        agui.state.as_ref().map(|json| json.value.to_string()),
        agui.timeout_ms,
        agui.connect_timeout_ms,
        test.turns[0].timeout_ms,
        agui.envelope,
        agui.history,
        agui.era,
        agui.encoding,
        agui.clock,
        agui.limits,
        (agui.tls.insecure, agui.tls.ca.as_ref().map(|ca| &ca.text)),
        (
            test.target.concurrency,
            test.target.group.as_deref(),
            test.target.backoff_ms
        )
    )
}

#[test]
fn counts_default_to_at_least_one_call() {
    let counts = "{}, {count: {exact: 2}}, {count: {min: 2}}, {count: {max: 3}}, {count: {max: 0}}, {count: {min: 0, max: 2}}"
        .replace("{}", "{name: a}")
        .replace("{count", "{name: a, count");
    let test = format!("turns: [{{user: a}}]\nassert: {{tools: {{require: [{counts}]}}}}\n");
    assert_snapshot!(inherited("", &test), @"
    turn 1: not judged
    test:
      tools.require a at least 1 <- test t.test.yaml:4
      tools.require a exactly 2 <- test t.test.yaml:4
      tools.require a at least 2 <- test t.test.yaml:4
      tools.require a 1 to 3 <- test t.test.yaml:4
      tools.require a exactly 0 <- test t.test.yaml:4
      tools.require a at most 2 <- test t.test.yaml:4
    ");
}

#[test]
fn turns_hooks_and_the_server_come_through() {
    let config =
        format!("{CONFIG}server: {{cmd: [node, s.js, 5], url: 'http://h', env: {{PORT: 80}}}}\n");
    let test = "version: 1\nname: t\ntags: [a, b]\nhooks: [{cmd: [sh, x], timeout_ms: 5, env: {A: yes}}, {cmd: [y]}]\nturns:\n  - user: hi\n  - type: agui:connect\n    allow_empty: true\n  - type: agui:resume\n    payload: {ok: true, n: [1, ~]}\n    timeout_ms: 9\n  - type: agui:resume\n    status: cancelled\nassert: {error: boom}\n";
    let suite = Suite::new(&[("ananke.config.yaml", &config), ("t.test.yaml", test)]);
    let plan = suite.load().plan;
    let mut lines = vec![format!("{:?}", plan.tests[0].tags)];
    let server = plan.server.unwrap();
    lines.push(command(&server.cmd, server.timeout_ms, &server.env));
    for hook in &plan.tests[0].hooks {
        lines.push(command(&hook.cmd, hook.timeout_ms, &hook.env));
    }
    for turn in &plan.tests[0].turns {
        let action = match &turn.action {
            TurnAction::User { text } => format!("user {}", text.text),
            TurnAction::Messages(messages) => format!("messages {}", messages.list.value),
            TurnAction::Connect { allow_empty } => format!("connect {allow_empty}"),
            TurnAction::Send(_) => "send".to_owned(),
            TurnAction::Ask(asked) => asked.kind().to_owned(),
            TurnAction::Resume(resume) => {
                let payload = resume.payload.as_ref().map(|json| json.value.to_string());
                format!("resume {:?} {payload:?}", resume.status)
            }
        };
        lines.push(format!("{} {action} {:?}", turn.place, turn.timeout_ms));
    }
    assert_snapshot!(lines.join("\n"), @r#"
    ["a", "b"]
    ["node", "s.js", "5"] 30000 ["PORT=80"]
    ["sh", "x"] 5 ["A=yes"]
    ["y"] 30000 []
    t.test.yaml:6 user hi None
    t.test.yaml:7 connect true None
    t.test.yaml:9 resume Resolved Some("{\"ok\":true,\"n\":[1,null]}") Some(9)
    t.test.yaml:12 resume Cancelled None None
    "#);
}

fn command(cmd: &[Text], timeout_ms: u64, env: &[(String, Text)]) -> String {
    let words: Vec<_> = cmd.iter().map(|word| word.text.as_str()).collect();
    let env: Vec<_> = env
        .iter()
        .map(|(name, value)| format!("{name}={}", value.text))
        .collect();
    format!("{words:?} {timeout_ms} {env:?}")
}

const TARGETS: &str = "version: 1\ntargets:\n  local: {type: agui, endpoint: 'http://l'}\n  stage: {type: agui, endpoint: 'http://s'}\n";
pub(super) const CHECKED: &str =
    "version: 1\nname: t\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";

fn picked(config: &str, flag: Option<&'static str>, test: &str) -> String {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", config),
        ("t.test.yaml", &format!("{CHECKED}{test}")),
    ]);
    suite.target = flag;
    let loaded = suite.load();
    let targets: Vec<_> = loaded
        .plan
        .tests
        .iter()
        .map(|test| format!("{:?}", test.target.name))
        .collect();
    format!("{}{}", problems(&loaded), targets.join(" "))
}

#[test]
fn one_of_several_targets_is_picked() {
    assert_snapshot!(picked(TARGETS, Some("stage"), ""), @r#"Some("stage")"#);
    assert_snapshot!(picked(TARGETS, Some("stage"), "target: local\n"), @r#"Some("local")"#);
    assert_snapshot!(picked(TARGETS, None, ""), @"- error the config has several targets and none was picked |  | pick one with `--target`, or with `target: <name>` in the test: `local`, `stage`");
    assert_snapshot!(picked(TARGETS, None, "target: locl\n"), @"t.test.yaml:5:9 error unknown target `locl` |  | did you mean `local`?");
    assert_snapshot!(picked(TARGETS, Some("prod"), ""), @"- error --target: unknown target `prod` |  | the config has `local`, `stage`");
    assert_snapshot!(picked(CONFIG, Some("prod"), ""), @"- error --target: unknown target `prod` |  | the config has one `target` without a name; write it under `targets` to name it");
    assert_snapshot!(picked(CONFIG, None, "target: prod\n"), @"t.test.yaml:5:9 error unknown target `prod` |  | the config has one `target` without a name; write it under `targets` to name it");
    assert_snapshot!(picked("version: 1\ntargets: {only: {type: agui, endpoint: 'http://l'}}\n", None, ""), @r#"Some("only")"#);
    assert_snapshot!(picked(TARGETS, None, "target: [a]\n"), @"t.test.yaml:5:9 error expected the name of a target or a map, found a list");
    assert_snapshot!(picked("version: 1\ntargets: {only: 5}\n", None, ""), @"ananke.config.yaml:2:17 error expected a map, found the number `5` | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`");
}

#[test]
fn a_test_may_stand_without_config() {
    let alone = |test: &str| {
        let suite = Suite::new(&[("t.test.yaml", &format!("{CHECKED}{test}"))]);
        let loaded = suite.load();
        format!("{}{} tests", problems(&loaded), loaded.plan.tests.len())
    };
    assert_snapshot!(alone("target: {type: agui, endpoint: 'http://h'}\n"), @"1 tests");
    assert_snapshot!(alone("target: {type: agui}\n"), @r#"t.test.yaml:5:9 error `target` is incomplete and there is no config file to complete it | without a config, `type` and `endpoint` are needed | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`0 tests"#);
    assert_snapshot!(alone(""), @r#"- error no `ananke.config.yaml` found here or in a folder above |  | write `ananke.config.yaml` with two lines: `version: "1.0"` and `target: {type: agui, endpoint: "http://localhost:8000/agent"}`0 tests"#);
}

#[test]
fn nothing_to_check_is_refused() {
    assert_snapshot!(key_problems(""), @"a.test.yaml:2:7 error the test has nothing to check | no `assert` at any level demands anything | write an `assert`, or pass `--allow-unchecked`");
    assert_snapshot!(key_problems("assert: {tools: {forbid: []}, protocol: lenient}\n"), @"a.test.yaml:2:7 error the test has nothing to check | no `assert` at any level demands anything | write an `assert`, or pass `--allow-unchecked`");
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("t.test.yaml", "version: 1\nname: t\nturns: [{user: a}]\n"),
    ]);
    suite.allow_unchecked = true;
    assert_snapshot!(problems(&suite.load()), @"");
}

#[test]
fn a_block_that_demands_nothing_is_worth_a_warning() {
    let warned = |target: &str, test: &str| {
        let suite = Suite::new(&[
            ("ananke.config.yaml", &format!("{CONFIG}{target}")),
            ("t.test.yaml", &format!("version: 1\nname: t\n{test}")),
        ]);
        problems(&suite.load())
    };
    let strict = "  assert: {protocol: strict}\n";
    let turn = "turns: [{user: a, assert: {inherit: none}}]\nassert: {text: {must_match: x}}\n";
    assert_snapshot!(warned("", turn), @"t.test.yaml:3:27 warning this `assert` demands nothing |  | write what it demands, or leave it out");
    let test = "turns: [{user: a, assert: {text: {must_match: x}}}]\nassert: {inherit: none}\n";
    assert_snapshot!(warned("", test), @"t.test.yaml:4:9 warning this `assert` demands nothing |  | write what it demands, or leave it out");
    // Here it drops what the target demands, which nothing else can.
    assert_snapshot!(warned(strict, test), @"");
    let empty = "turns: [{user: a, assert: {}}]\n";
    assert_snapshot!(warned(strict, empty), @"");
    assert_snapshot!(warned(strict, "turns: [{user: a, assert: {protocol: lenient}}]\n"), @"t.test.yaml:3:27 warning this `assert` demands nothing |  | write what it demands, or leave it out");
}

#[test]
fn targets_that_no_test_uses_are_checked() {
    let unused = "targets:\n  local: {type: agui, endpoint: 'http://l'}\n  stage: {type: agui, endpoint: 'ftp://s', headers: {A: \"a\\nb\", B: '${ENV.UNSET}'}, assert: {text: {must_match: x}}}\n  prod: {type: agui, endpoint: '${ENV.UNSET}'}\n";
    assert_snapshot!(picked(&format!("version: 1\n{unused}"), Some("local"), ""), @r#"
    ananke.config.yaml:4:33 error the endpoint is not an http or https URL | it does not begin with `http://` or `https://`
    ananke.config.yaml:4:57 error the header `A` cannot have this value | it holds a line break or another control characterSome("local")
    "#);
}

#[test]
fn the_plan_holds_the_blocks_of_the_config_for_checking() {
    let config = "version: 1
targets:
  local: {type: agui, endpoint: 'http://l'}
  stage: {type: agui, endpoint: 'http://s', assert: {text: {must_match: x}}}
assertions:
  a: {error: boom}
  b: {extends: a, tools: {forbid: wipe}}
";
    let mut suite = Suite::new(&[("ananke.config.yaml", config), ("t.test.yaml", CHECKED)]);
    suite.target = Some("local");
    let loaded = suite.load();
    let keys = loaded.plan.config_blocks.iter().map(|block| {
        let keys: Vec<_> = block
            .demands
            .iter()
            .map(|demand| demand.check.key())
            .collect();
        keys.join(" ")
    });
    let keys: Vec<_> = keys.collect();
    assert_snapshot!(format!("{}{keys:?}", problems(&loaded)), @r#"["", "text.must_match", "error", "tools.forbid"]"#);
}
