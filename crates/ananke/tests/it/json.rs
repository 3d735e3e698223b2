//! `--json`: exactly one JSON document on stdout in every case. (Wrong flags are refused before that, by words on stderr.)

use ananke_testkit::{RunOutput, ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::{expects, friendly, one_turn};

/// Reads stdout as exactly one JSON document.
fn document(output: &RunOutput) -> Value {
    match serde_json::from_str(&output.stdout) {
        Ok(document) => document,
        Err(error) => panic!("{error}: {output}"),
    }
}

/// Returns the paths of all keys, lists by their first item.
fn keys(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let shown: Vec<String> = members
                .iter()
                .map(|(key, value)| match keys(value) {
                    inner if inner.is_empty() => key.clone(),
                    inner => format!("{key}{inner}"),
                })
                .collect();
            format!("{{{}}}", shown.join(", "))
        }
        Value::Array(items) => items
            .first()
            .map(|item| format!("[{}]", keys(item)))
            .unwrap_or_default(),
        _ => String::new(),
    }
}

#[test]
fn a_run_gives_the_seeds_report() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"tool": {"name": "search", "args": {"q": "mug"}, "result": {"hits": 3}, "delay_ms": 30}},
        {"text": "Found 3 mugs"},
    ]}]}));
    cx.config_for(&agent);
    cx.write("a.test.yaml", &one_turn("a", "find", "    assert: {tools: {require: [{name: search}]}}\n  - user: more\nassert: {text: {must_match: mugs}}\ntags: [smoke]\n"));
    let before = unix_ms();
    let output = cx.run(&["run", "--json"]);
    let after = unix_ms();
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (Some(0), ""),
        "{output}"
    );
    let report = document(&output);
    assert_snapshot!(keys(&report), @"{schema, summary{total, passed, failed, errors, timeouts, skipped, inconclusive, unchecked, flaky, interrupted, duration_ms, agent_id, connector, runs_per_case, overall_pass_rate}, environment{}, results[{id, name, file, status, input, output, response, expected, duration_ms, error, tags[], target, flaky, checks, assertions[{type, value, passed, check, subject, status, expected, actual, details, level, file, line, column, turn, event}], assertion_errors, turns[{turn, kind, user, text, tool_calls[{id, name, args{q}, result{hits}, timestamp, started_ms, args_done_ms, completed_ms}], turn_start_ts, turn_end_ts, status, timing{connect_ms, first_event_ms, first_text_ms, first_tool_ms, total_ms, clock}, findings, warnings, n_events}], test_start_ts, test_end_ts, warnings}], metadata{started_at, completed_at, version, config_file, run_id, input, facts{arch, os, parallel}}}");
    assert_snapshot!(json!({"summary": keys(&report["summary"]), "total": report["summary"]["total"], "passed": report["summary"]["passed"], "failed": report["summary"]["failed"]}), @r#"{"summary":"{total, passed, failed, errors, timeouts, skipped, inconclusive, unchecked, flaky, interrupted, duration_ms, agent_id, connector, runs_per_case, overall_pass_rate}","total":1,"passed":1,"failed":0}"#);
    let test = &report["results"][0];
    assert_eq!(
        (&test["id"], &test["status"], &test["checks"]),
        (&json!("a.test.yaml"), &json!("passed"), &json!(3))
    );
    assert_eq!(
        (&test["input"], &test["output"]),
        (&json!("find\nmore"), &json!("Found 3 mugs\nFound 3 mugs"))
    );
    // The times of the seed: Unix milliseconds, one inside the other.
    let (first, second) = (&test["turns"][0], &test["turns"][1]);
    let moments = [
        &json!(before),
        &test["test_start_ts"],
        &first["turn_start_ts"],
        &first["tool_calls"][0]["timestamp"],
        &first["turn_end_ts"],
        &second["turn_start_ts"],
        &second["tool_calls"][0]["timestamp"],
        &second["turn_end_ts"],
        &test["test_end_ts"],
        &json!(after),
    ]
    .map(|moment| moment.as_i64().expect("a time"));
    assert!(moments.is_sorted(), "{moments:?}");
    assert_eq!((moments[1], moments[7]), (moments[2], moments[8]));
    assert!(
        moments[3] - moments[2] >= 30,
        "the tool took 30 ms: {moments:?}"
    );
    assert!(
        report["metadata"]["started_at"]
            .as_str()
            .is_some_and(|time| time.ends_with('Z'))
    );
    assert_eq!(report["metadata"]["version"], env!("CARGO_PKG_VERSION"));
    let twin = cx.command(&["run"]).env("ANANKE_JSON", "1").run();
    assert_eq!(keys(&document(&twin)), keys(&report));
}

#[expect(
    clippy::disallowed_methods,
    reason = "the test's own clock, to compare the report with"
)]
fn unix_ms() -> i64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("it is later than 1970");
    i64::try_from(now.as_millis()).expect("it is not much later")
}

#[test]
fn a_failure_tells_what_was_demanded_where_and_what_was_seen() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Goodbye"));
    let output = cx.run(&["run", "--json", "-vv"]);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (Some(1), ""),
        "{output}"
    );
    let report = document(&output);
    assert_eq!(report["summary"]["failed"], 1);
    assert_eq!(report["results"][0]["status"], "failed");
    assert_snapshot!(format!("{:#}", report["results"][0]["assertions"][0]), @r#"
    {
      "type": "text.must_match",
      "value": "/Goodbye/",
      "passed": false,
      "check": "text.must_match",
      "subject": "/Goodbye/",
      "status": "failed",
      "expected": "text matching /Goodbye/",
      "actual": "\"Hello there\"",
      "details": [],
      "level": "test",
      "file": "a.test.yaml",
      "line": 5,
      "column": 29
    }
    "#);
}

#[test]
fn errors_and_timeouts_are_kept_apart_and_counted_as_failed() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "a"}, "reply": [{"text": "so"}, {"error": {"message": "boom", "code": "E7"}}]},
        {"reply": [{"text": "far"}, "stall"]},
    ]}));
    cx.config_for(&agent);
    cx.write("a.test.yaml", &expects("a", "so"));
    cx.write(
        "b.test.yaml",
        &format!("{}timeout_ms: 150\n", expects("b", "far")),
    );
    cx.write(
        "c.test.yaml",
        &format!("{}skip: later\n", expects("c", "x")),
    );
    let output = cx.run(&["run", "--json"]);
    assert_eq!(output.code, Some(1));
    let report = document(&output);
    let shown = |n: usize| {
        let test = &report["results"][n];
        json!([
            test["status"],
            test["error"],
            test["skip_reason"],
            test["output"],
            test["turns"][0]["status"],
            test["turns"][0]["error"]
        ])
    };
    assert_snapshot!(json!([shown(0), shown(1), shown(2)]), @r#"[["error","turn 1: the agent ended with an error: boom (E7)",null,"so","run_error",{"message":"boom","code":"E7"}],["timeout","turn 1: timeout after 150ms (timeout_ms): 4 events came before",null,"far","broken",{"kind":"timeout","message":"timeout after 150ms (timeout_ms): 4 events came before"}],["skipped",null,"later","",null,null]]"#);
    let summary = &report["summary"];
    assert_snapshot!(json!([summary["total"], summary["failed"], summary["errors"], summary["timeouts"], summary["skipped"]]), @"[3,2,1,1,1]");
}

/// Returns what an error document says, and the exit code twice.
fn told(output: &RunOutput) -> String {
    let report = document(output);
    let error = &report["error"];
    assert_eq!(
        error["exit_code"].as_i64().map(i32::try_from),
        output.code.map(Ok)
    );
    assert_eq!(
        (&report["summary"]["total"], &report["results"]),
        (&json!(0), &json!([]))
    );
    let diagnostics = report["diagnostics"].as_array().map(|all| {
        let hint = |one: &Value| one["hint"].as_str().map(str::to_owned);
        all.iter().filter_map(hint).collect::<Vec<_>>().join("; ")
    });
    format!(
        "{} | {} | {}",
        error["exit_code"],
        error["message"].as_str().unwrap_or_default(),
        diagnostics.unwrap_or_default()
    )
}

#[test]
fn what_keeps_a_run_from_starting_is_a_document_too() {
    let (cx, _agent) = friendly();
    assert_snapshot!(told(&cx.run(&["run", "--json"])), @"4 | no test found in the project | tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js");
    assert_snapshot!(told(&cx.run(&["list", "--json"])), @"4 | no test found in the project | tests are files named *.test.yaml or *.test.yml, *.jsonl in a folder named tests, and functions named Test… in *_test.ts or *_test.js");
    assert_snapshot!(told(&cx.run(&["run", "--json", "nowhere.test.yaml"])), @"2 | no such file or folder: `nowhere.test.yaml` |");
    cx.write("a.test.yaml", &expects("a", "Hello"));
    assert_snapshot!(told(&cx.run(&["run", "--json", "--run", "zebra"])), @"4 | no test matches --run zebra (of 1 found) | `ananke list` shows every test with its tags");
    let wrong = ["run", "list", "validate"]
        .map(|command| told(&cx.run(&[command, "--json", "--run", "("])));
    assert_snapshot!(wrong.join("\n"), @"
    2 | --run `(`: the group is not closed at character 1 | 
    2 | --run `(`: the group is not closed at character 1 | 
    2 | --run `(`: the group is not closed at character 1 |
    ");
    cx.write("b.test.yaml", &expects("a", "'('"));
    assert_snapshot!(told(&cx.run(&["run", "--json"])), @r"2 | 2 errors in 1 file | give each test a name of its own; write `\(` for a parenthesis");
    assert_snapshot!(told(&cx.run(&["list", "--json"])), @r"2 | 2 errors in 1 file | give each test a name of its own; write `\(` for a parenthesis");
}

#[test]
fn a_dry_run_is_a_list() {
    let (cx, _agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let dry = cx.run(&["run", "--json", "--dry-run"]);
    assert_eq!(dry.code, Some(0));
    assert_eq!(document(&dry), document(&cx.run(&["list", "--json"])));
}

#[test]
fn an_agent_that_cannot_be_reached_is_in_the_report() {
    let (cx, agent) = friendly();
    cx.write("a.test.yaml", &expects("a", "Hello"));
    drop(agent);
    let output = cx.run(&["run", "--json"]);
    assert_eq!(output.code, Some(3), "{output}");
    let report = document(&output);
    assert_eq!(
        (
            &report["summary"]["errors"],
            &report["results"][0]["status"]
        ),
        (&json!(1), &json!("error"))
    );
    assert_eq!(
        report["results"][0]["turns"][0]["error"]["kind"],
        "unreachable"
    );
}

#[test]
fn a_server_that_does_not_start_is_a_document() {
    let (cx, _agent) = friendly();
    let config = cx.read("ananke.config.yaml");
    cx.write("a.test.yaml", &expects("a", "Hello"));
    let server =
        "server: {cmd: [sh, -c, 'echo no port left >&2; exit 9'], url: 'http://127.0.0.1:1/'}\n";
    cx.write("ananke.config.yaml", &format!("{config}{server}"));
    let output = cx.run(&["run", "--json"]);
    assert_snapshot!(told(&output), @"3 | the server ended before it answered at http://127.0.0.1:1/: exit status: 9 | `server` is written at ananke.config.yaml:5");
    assert_eq!(document(&output)["diagnostics"][0]["label"], "no port left");
}

#[test]
fn an_interrupted_run_is_a_report() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "a"}, "reply": [{"text": "done"}]},
        {"reply": [{"text": "so far"}, "stall"]},
    ]}));
    cx.config_for(&agent);
    for name in ["a", "b", "c"] {
        cx.write(&format!("{name}.test.yaml"), &expects(name, "."));
    }
    let mut running = cx.command(&["run", "--json"]).start();
    running.wait_for(|_, _| agent.requests().len() == 2);
    running.interrupt();
    let output = running.wait();
    assert_eq!(output.code, Some(130), "{output}");
    let report = document(&output);
    assert_eq!(report["summary"]["interrupted"], true);
    let statuses: Vec<&Value> = (0..3).map(|n| &report["results"][n]["status"]).collect();
    assert_eq!(statuses, ["passed", "skipped", "skipped"]);
}

#[test]
fn demo_gives_the_same_report() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["demo", "--json"]);
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""));
    assert_eq!(document(&output)["summary"]["passed"], 14);
    let broken = cx.run(&["demo", "--json", "--broken"]);
    assert_eq!(
        (broken.code, &document(&broken)["summary"]["failed"]),
        (Some(1), &json!(1))
    );
}
