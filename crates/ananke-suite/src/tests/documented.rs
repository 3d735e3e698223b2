//! The documented forms, as files: every key of every shape, every kind of turn, every form of a demand. They load without
//! a word, and the plan demands what they say.

use std::path::Path;

use ananke_model::check::{ArgPattern, Check};
use ananke_model::place::Text;
use ananke_model::variables::Variables;
use insta::assert_snapshot;
use serde_json::json;

use crate::schema::{
    A2A_TARGET, ARTIFACT, ARTIFACTS, ASSERT, ASSISTANT_TARGET, AUTH_API_KEY, AUTH_BASIC,
    AUTH_BEARER, AUTH_MTLS, AUTH_OAUTH2, CALL_RULE, CARD, CHECK_CONTAINS, CHECK_EQUALS,
    CHECK_JSON_PATH, CHECK_NOT_CONTAINS, CHECK_REGEX, CHECK_SCRIPT, CHECK_TOOL_CALLED,
    CHECK_TOOL_RESULT, CHECK_TYPE, CLIENT_TOOL, COMMAND_TARGET, CONFIG, CONNECTOR, CONTEXT, COUNT,
    ELICITATION, FORBID_CALL, HOOK, LIMITS, MCP_TARGET, OPENAI_TARGET, PROMPT, REQUIRE, ROOT,
    SAMPLING, SCRIPT_DEMAND, SCRIPT_OPTIONS, SCRIPT_TARGET, SCRIPTED_TARGET, SCRIPTS, SEND_PART,
    SERVER, SNAPSHOT, Shape, TARGET, TASK, TEST, TEXT, TIMING, TLS, TOOLS, TURN_CALL, TURN_CONNECT,
    TURN_LIST, TURN_PROMPT, TURN_READ, TURN_RESUME, TURN_SEND, TURN_USER, USER_TOOL,
};
use crate::testing::{demands, problems};
use crate::{Asking, Input, LoadRequest, Loaded, load};

const SHAPES: [&Shape; 61] = [
    &A2A_TARGET,
    &AUTH_API_KEY,
    &AUTH_BASIC,
    &AUTH_BEARER,
    &AUTH_MTLS,
    &AUTH_OAUTH2,
    &CALL_RULE,
    &ELICITATION,
    &MCP_TARGET,
    &ROOT,
    &SAMPLING,
    &SEND_PART,
    &TURN_CALL,
    &TURN_LIST,
    &TURN_PROMPT,
    &TURN_READ,
    &TURN_SEND,
    &USER_TOOL,
    &ARTIFACT,
    &ARTIFACTS,
    &ASSERT,
    &CARD,
    &TASK,
    &ASSISTANT_TARGET,
    &COMMAND_TARGET,
    &CONNECTOR,
    &OPENAI_TARGET,
    &PROMPT,
    &SCRIPTED_TARGET,
    &CHECK_CONTAINS,
    &CHECK_EQUALS,
    &CHECK_JSON_PATH,
    &CHECK_NOT_CONTAINS,
    &CHECK_REGEX,
    &CHECK_SCRIPT,
    &CHECK_TOOL_CALLED,
    &CHECK_TOOL_RESULT,
    &CHECK_TYPE,
    &CLIENT_TOOL,
    &CONFIG,
    &CONTEXT,
    &COUNT,
    &FORBID_CALL,
    &HOOK,
    &LIMITS,
    &REQUIRE,
    &SCRIPT_DEMAND,
    &SCRIPT_OPTIONS,
    &SCRIPT_TARGET,
    &SCRIPTS,
    &SERVER,
    &SNAPSHOT,
    &TARGET,
    &TEST,
    &TEXT,
    &TIMING,
    &TLS,
    &TOOLS,
    &TURN_CONNECT,
    &TURN_RESUME,
    &TURN_USER,
];

/// Loads `inputs` of a project under `testdata/documented`.
fn documented(project: &str, inputs: &[&str], target: Option<&str>) -> Loaded {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documented");
    let inputs: Vec<_> = inputs
        .iter()
        .map(|input| Input::Argument((*input).to_owned()))
        .collect();
    let mut variables = Variables::default();
    let key = ("SHOP_KEY".to_owned(), "k".to_owned());
    variables.environment.extend([key]);
    variables.variables = json!({"VISIT": "v1"}).as_object().unwrap().clone();
    let loaded = load(&LoadRequest {
        cwd: &root.join(project),
        inputs: &inputs,
        config: None,
        targets: &target
            .map(ToOwned::to_owned)
            .into_iter()
            .collect::<Vec<_>>(),
        variables: &variables,
        allow_unchecked: false,
        update_snapshots: ananke_model::check::SnapshotUpdate::None,
        asking: Asking::default(),
        find_tests: crate::testing::find_tests,
        find_functions: crate::testing::find_functions,
        timeout_given: false,
        goes_on: false,
    });
    assert_eq!(problems(&loaded), "");
    loaded
}

#[test]
fn every_key_stands_in_a_file() {
    let loaded = [
        documented("shop", &[], None),
        documented("library", &[], Some("desk")),
        documented("peers", &[], None),
    ];
    let mut text = String::new();
    for loaded in &loaded {
        let files = loaded.files.iter().chain(&loaded.plan.config_file);
        for file in files {
            text.push_str(loaded.sources.text(file).unwrap());
        }
    }
    let is_written = |key: &str| {
        text.lines()
            .any(|line| line.contains(&format!("{key}: ")) || line.ends_with(&format!("{key}:")))
    };
    for shape in SHAPES {
        for field in shape.fields {
            assert!(is_written(field.name), "{} of {}", field.name, shape.title);
        }
    }
}

#[test]
fn blocks_are_inherited_from_target_to_test_to_turn() {
    let loaded = documented("shop", &["tests/checkout.test.yaml"], None);
    assert_snapshot!(demands(&loaded.plan), @r"
    turn 1:
      tools.forbid empty_warehouse <- target (harmless) ananke.config.yaml:54
      tools.forbid refund_all <- target (harmless) ananke.config.yaml:54
      tools.forbid gift_wrap <- target tests/checkout.test.yaml:16
      tools.require reserve exactly 2 <- turn tests/checkout.test.yaml:24
      tools.forbid_calls charge <- test (careful) ananke.config.yaml:62
      text.must_not_match /\bidiot\b/i <- test (courteous) ananke.config.yaml:57
      text.must_not_match /go away/gims <- test (courteous) ananke.config.yaml:57
      timing.max_duration_ms 60000 <- test tests/checkout.test.yaml:56
      timing.max_idle_ms 8000 <- target ananke.config.yaml:49
      protocol strict <- target ananke.config.yaml:46
    turn 2: not judged
    turn 3:
      text.must_match /thank you/i <- turn tests/checkout.test.yaml:36
    turn 4: not judged
    turn 5:
      tools.forbid empty_warehouse <- target (harmless) ananke.config.yaml:54
      tools.forbid refund_all <- target (harmless) ananke.config.yaml:54
      tools.forbid gift_wrap <- target tests/checkout.test.yaml:16
      tools.require charge at least 1 <- test tests/checkout.test.yaml:51
      tools.forbid_calls charge <- test (careful) ananke.config.yaml:62
      text.must_match order <- test tests/checkout.test.yaml:54
      text.must_match /\d+ EUR/ <- test tests/checkout.test.yaml:54
      text.must_not_match /\bidiot\b/i <- test (courteous) ananke.config.yaml:57
      text.must_not_match /go away/gims <- test (courteous) ananke.config.yaml:57
      timing.max_duration_ms 60000 <- test tests/checkout.test.yaml:56
    test:
      tools.forbid empty_warehouse <- target (harmless) ananke.config.yaml:54
      tools.forbid refund_all <- target (harmless) ananke.config.yaml:54
      tools.forbid gift_wrap <- target tests/checkout.test.yaml:16
      tools.require charge at least 1 <- test tests/checkout.test.yaml:51
      tools.forbid_calls charge <- test (careful) ananke.config.yaml:62
      text.must_match order <- test tests/checkout.test.yaml:54
      text.must_match /\d+ EUR/ <- test tests/checkout.test.yaml:54
      text.must_not_match /\bidiot\b/i <- test (courteous) ananke.config.yaml:57
      text.must_not_match /go away/gims <- test (courteous) ananke.config.yaml:57
      timing.max_duration_ms 60000 <- test tests/checkout.test.yaml:56
      timing.max_idle_ms 8000 <- target ananke.config.yaml:49
      protocol strict <- target ananke.config.yaml:46
    ");
}

#[test]
fn calls_are_demanded_in_every_form() {
    let loaded = documented("shop", &["tests/calls.test.yaml"], None);
    assert_snapshot!(demands(&loaded.plan), @"
    turn 1: not judged
    test:
      tools.forbid cancel_order <- test tests/calls.test.yaml:9
      tools.forbid change_address <- test tests/calls.test.yaml:9
      tools.require track at least 1 <- test tests/calls.test.yaml:11
      tools.require look_up at least 2 <- test tests/calls.test.yaml:12
      tools.require notify 1 to 3 <- test tests/calls.test.yaml:14
      tools.require log at most 9 <- test tests/calls.test.yaml:16
      tools.require escalate exactly 0 <- test tests/calls.test.yaml:18
      tools.require locate at least 1 <- test tests/calls.test.yaml:20
      tools.forbid_calls track <- test tests/calls.test.yaml:34
    ");
    let filters = loaded.plan.tests[0].block.demands.iter();
    let filters = filters.filter_map(|demand| match &demand.check {
        Check::Require(require) => Some(&require.filter),
        Check::ForbidCall(filter) => Some(filter),
        _ => None,
    });
    let mut lines = Vec::new();
    for filter in filters {
        let arg = |arg: &ArgPattern| format!("{} = {}", arg.path.text, arg.pattern.text);
        let result = |text: &Text| format!("result = {}", text.text);
        let not = |line: String| format!("not {line}");
        lines.extend(filter.args_match.iter().map(arg));
        lines.extend(filter.args_not_match.iter().map(arg).map(not));
        lines.extend(filter.result_match.iter().map(result));
        lines.extend(filter.result_not_match.iter().map(result).map(not));
    }
    assert_snapshot!(lines.join("\n"), @r#"
    parcel.id = ^PX-\d{6}$
    parcel.stops[0].city = /dublin/i
    parcel.stops.1.city = Cork
    ["odd.key"] = true
    weight = 1.50
    gift = null
    not parcel.owner = nobody
    result = "status":\s*"moving"
    not result = /lost|stolen/i
    carrier = snail
    not speed = fast
    result = 404
    not result = cached
    "#);
}

#[test]
fn outputs_are_checked_in_every_form() {
    let loaded = documented("shop", &["tests/checks.test.yaml"], None);
    assert_snapshot!(demands(&loaded.plan), @r#"
    turn 1:
      not_contains "internal error" <- test tests/checks.test.yaml:17
      contains "gift card" <- test tests/checks.test.yaml:18
      tool_called "empty_basket" <- test tests/checks.test.yaml:30
      contains ["basket",{"sku":"mug-blue"}] <- turn tests/checks.test.yaml:9
    test:
      equals {"items":[{"sku":"mug-blue","amount":2}],"currency":"EUR"} <- test tests/checks.test.yaml:14
      not_contains "internal error" <- test tests/checks.test.yaml:17
      contains "gift card" <- test tests/checks.test.yaml:18
      regex "/\"currency\":\\s*\"(EUR|USD)\"/i" <- test tests/checks.test.yaml:19
      regex "^mug-" <- test tests/checks.test.yaml:21
      json_path 2 <- test tests/checks.test.yaml:24
      json_path  <- test tests/checks.test.yaml:25
      type "array" <- test tests/checks.test.yaml:26
      tool_called {"name":["show_basket","list_items"],"arguments":{"visit":"${VISIT}"}} <- test tests/checks.test.yaml:27
      tool_called "empty_basket" <- test tests/checks.test.yaml:30
      tool_result {"tool":"show_basket","result":{"state":"regex:^open"}} <- test tests/checks.test.yaml:31
      tool_result {"tool":"show_basket"} <- test tests/checks.test.yaml:34
      agent shop.judge <- test tests/checks.test.yaml:35
      script scripts/basket.ts#HasMugs <- test tests/checks.test.yaml:40
      script scripts/basket.ts#IsCheap <- test tests/checks.test.yaml:44
      agent shop.judge <- test tests/checks.test.yaml:52
      script scripts/basket.ts#IsCheap <- test tests/checks.test.yaml:46
      script scripts/basket.ts#IsCheap <- test tests/checks.test.yaml:47
    "#);
}

#[test]
fn errors_are_demanded_and_demands_are_dropped() {
    let loaded = documented("shop", &["tests/errors.test.yaml"], None);
    assert_snapshot!(demands(&loaded.plan), @"
    turn 1:
      timing.max_duration_ms 30000 <- target ananke.config.yaml:48
      timing.max_idle_ms 8000 <- target ananke.config.yaml:49
      error /till .* closed/i <- turn tests/errors.test.yaml:7
      protocol strict <- target ananke.config.yaml:46
    turn 2:
      text.must_match yes <- turn tests/errors.test.yaml:13
    test:
      timing.max_duration_ms 30000 <- target ananke.config.yaml:48
      timing.max_idle_ms 8000 <- target ananke.config.yaml:49
      error closed <- test tests/errors.test.yaml:15
      protocol strict <- target ananke.config.yaml:46
    ");
}

#[test]
fn tests_and_flags_pick_targets() {
    let loaded = documented("library", &[], Some("desk"));
    let targets = loaded.plan.tests.iter().map(|test| &test.target.name);
    assert_snapshot!(format!("{:?}", targets.collect::<Vec<_>>()), @r#"[Some("desk"), Some("night")]"#);
    assert_snapshot!(demands(&loaded.plan), @"
    turn 1: not judged
    test:
      tools.require lend at least 1 <- test lend.test.yaml:7
      task.state completed or input-required <- test lend.test.yaml:10
      task.states working, completed <- test lend.test.yaml:11
      artifacts.count at least 1 <- test lend.test.yaml:13
      artifacts.require receipt /novel/i due.days ^14$ (exactly 1) <- test lend.test.yaml:15
      card.skills lend <- test lend.test.yaml:20
      card.capabilities streaming: true <- test lend.test.yaml:21
      card.security bearer <- test lend.test.yaml:22
      card.match provider.organization ^Library <- test lend.test.yaml:23
      snapshot lent <- test lend.test.yaml:8
    turn 1: not judged
    test:
      text.must_not_match loud <- target ananke.config.yml:11
    ");
}
