//! `${…}`: where values come from, where they go, and what is never interpolated.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use crate::ANANKE;
use crate::run::{expects, friendly, one_turn, rows, said};

#[test]
fn values_come_from_flags_the_environment_and_defaults() {
    let (cx, agent) = friendly();
    let user = "\"${A} ${VAR.A} ${ENV.B} ${C:-see} ${ENV.D:-} ${TWIN} $${A} $5 100%\"";
    cx.write(
        "a.test.yaml",
        &one_turn("a", user, "assert: {text: {must_match: Hello}}\n"),
    );
    let output = cx
        .command(&["run", "--var", "A=flag=1", "--var", "TWIN=flag"])
        .env("B", "environment")
        .env("ANANKE_VAR_TWIN", "twin")
        .env("ANANKE_VAR_A", "twin")
        .run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(
        said(&agent),
        ["flag=1 flag=1 environment see  flag ${A} $5 100%"]
    );
    let twins = cx
        .command(&["run"])
        .env("B", "")
        .env("ANANKE_VAR_TWIN", "twin")
        .env("ANANKE_VAR_A", "a");
    assert_eq!(twins.run().code, Some(0));
    assert_eq!(said(&agent)[1], "a a  see  twin ${A} $5 100%");
}

#[test]
fn references_work_wherever_a_text_is_allowed() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"tool": {"name": "get_order", "args": {"id": "42"}, "result": "order 42 (a+b)"}},
        {"text": "Order 42 costs 3.50 (a+b)"},
    ]}]}));
    let host = agent
        .url()
        .trim_start_matches("http://")
        .trim_end_matches('/')
        .to_owned();
    cx.write(
        "ananke.config.yaml",
        "version: 1
target:
  type: agui
  endpoint: 'http://${HOST}/${PATH_TO}'
  headers: {X-Token: 'Bearer ${ENV.TOKEN}', '${NOT_A_HEADER}': x}
  agentId: '${AGENT}'
  threadId: 'thread-${ORDER}'
  state: {order: '${ORDER}', note: 'no. ${ORDER}'}
  forwardedProps: {order: '${ORDER}'}
  context: [{description: 'order', value: '${ORDER}'}]
"
        .replace(", '${NOT_A_HEADER}': x", "")
        .as_str(),
    );
    cx.write("a.test.yaml", "version: 1
name: order ${ORDER}
tags: [orders]
turns:
  - user: Where is ${ORDER}?
    assert:
      tools:
        forbid: ['delete_${KIND}']
        require:
          - name: 'get_${KIND}'
            args_match: {id: '^${ORDER}$'}
            result_match: '${FORMULA}'
      text: {must_match: ['${FORMULA}', '/ORDER ${ORDER} costs 3\\.50/i'], must_not_match: '${KIND}s'}
");
    let vars = [
        format!("HOST={host}"),
        "PATH_TO=agent".into(),
        "ORDER=42".into(),
        "KIND=order".into(),
        "AGENT=shop".into(),
        "FORMULA=(a+b)".into(),
    ];
    let mut args = vec!["run"];
    for var in &vars {
        args.extend(["--var", var]);
    }
    let output = cx.command(&args).env("TOKEN", "t0ken").run();
    assert_eq!(output.code, Some(0), "{output}");
    assert_snapshot!(rows(&cx.show(&output)), @"✓ [a.test.yaml] order 42 ([TIME])");
    assert!(output.stdout.contains("Agent: shop"), "{output}");
    let request = &agent.received()[0];
    assert_eq!(request.path, "/agent");
    assert!(
        request
            .headers
            .contains(&("x-token".to_owned(), "Bearer t0ken".to_owned()))
    );
    let body = &request.body;
    assert_snapshot!(json!([body["threadId"], body["state"], body["forwardedProps"], body["context"]]), @r#"["thread-42",{"order":"42","note":"no. 42"},{"order":"42"},[{"description":"order","value":"42"}]]"#);
}

#[test]
fn values_in_patterns_are_escaped() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "'${ANY}'"));
    let output = cx.run(&["run", "--var", "ANY=H.*o"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert_snapshot!(output.stdout.lines().find(|line| line.contains("└─")).unwrap(), @r#"  └─ test · text.must_match /H\.\*o/: expected text matching /H\.\*o/, got "Hello there""#);
    assert_eq!(cx.run(&["run", "--var", "ANY=Hello"]).code, Some(0));
}

#[test]
fn hook_output_keeps_its_json_types() {
    let (cx, agent) = friendly();
    let config = cx.read("ananke.config.yaml");
    let state = "  state: {count: '${COUNT}', list: '${LIST}', none: '${NONE}', text: 'n=${COUNT} ${LIST}', flag: '${FLAG}'}\n";
    cx.write("ananke.config.yaml", &format!("{config}{state}"));
    let hook = "hooks: [{cmd: [echo, '{\"COUNT\": 3, \"LIST\": [1, {\"a\": null}], \"NONE\": null, \"FLAG\": true, \"WHO\": \"Ada\"}']}]\n";
    cx.write(
        "a.test.yaml",
        &one_turn(
            "of ${WHO}",
            "I am ${WHO}",
            &format!("{hook}assert: {{text: {{must_match: Hello}}}}\n"),
        ),
    );
    let output = cx.run(&["run", "--var", "WHO=overridden"]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_snapshot!(rows(&cx.show(&output)), @"✓ [a.test.yaml] of Ada ([TIME])");
    assert_eq!(said(&agent), ["I am Ada"]);
    assert_snapshot!(agent.requests()[0]["state"], @r#"{"count":3,"list":[1,{"a":null}],"none":null,"text":"n=3 [1,{\"a\":null}]","flag":true}"#);
}

#[test]
fn what_no_hook_gave_fails_the_test_and_is_all_listed() {
    let (cx, agent) = friendly();
    let hook = "hooks: [{cmd: [echo, '{\"GIVEN\": 1}']}]\n";
    cx.write(
        "a.test.yaml",
        &one_turn(
            "a",
            "\"${GIVEN} ${ONE} ${TWO} ${ONE}\"",
            &format!("{hook}assert: {{text: {{must_match: '${{THREE}}'}}}}\n"),
        ),
    );
    let output = cx.run(&["run"]);
    let shown = cx.show(&output);
    let (_, shown) = shown.split_once("✗ ").unwrap();
    let (shown, _) = shown.split_once("\n\n").unwrap();
    assert_snapshot!(shown, @"
    [a.test.yaml] a ERROR ([TIME])
      └─ no value for ${ONE} (a.test.yaml:4), ${TWO} (a.test.yaml:4): known are GIVEN
         │ a.test.yaml:6: undefined variable `THREE`
    ");
    assert_eq!(output.code, Some(1));
    assert!(agent.requests().is_empty());
}

#[test]
fn a_url_is_checked_after_interpolation() {
    let (cx, _agent) = friendly();
    cx.write(
        "ananke.config.yaml",
        "version: 1\ntarget: {type: agui, endpoint: '${URL}'}\n",
    );
    cx.write("a.test.yaml", &expects("a", "Hello"));
    assert_snapshot!(cx.ananke(&["run", "--var", "URL=ftp://secret.example/"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the endpoint is not an http or https URL
     --> ananke.config.yaml:2:32
      |
    2 | target: {type: agui, endpoint: '${URL}'}
      |                                ^^^^^^^^ it does not begin with `http://` or `https://`

    error: 1 error in 1 file
    ");
    let hook = "hooks: [{cmd: [echo, '{\"URL\": \"nonsense\"}']}]\n";
    cx.write("a.test.yaml", &format!("{}{hook}", expects("a", "Hello")));
    let output = cx.run(&["run"]);
    assert_snapshot!(output.stdout.lines().find(|line| line.contains("└─")).unwrap(), @"  └─ endpoint: `nonsense` is not a URL: relative URL without a base");
    assert_eq!(output.code, Some(1), "{output}");
}

#[test]
fn what_an_agent_says_is_never_interpolated() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("${ENV.SECRET} ${WHO}");
    cx.config_for(&agent);
    let test = one_turn(
        "a",
        "hi ${WHO}",
        "  - user: again\nassert: {text: {must_match: bye}}\n",
    );
    cx.write("a.test.yaml", &test);
    for args in [
        ["run", "-vv", "--var", "WHO=$${ENV.SECRET}"],
        ["run", "--json", "--var", "WHO=${ENV.SECRET}"],
    ] {
        let output = cx.command(&args).env("SECRET", "hunter2").run();
        assert_eq!(output.code, Some(1), "{output}");
        assert!(!output.to_string().contains("hunter2"), "{output}");
    }
    let sent = serde_json::to_string(&agent.requests()).unwrap();
    assert!(
        !sent.contains("hunter2") && sent.contains("hi ${ENV.SECRET}"),
        "{sent}"
    );
}
