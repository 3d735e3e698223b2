//! Many tests at once, against servers and limits that do not bear them.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use ananke_testkit::{Invocation, RawServer, hello_run, hold, ok_sse_headers, sse};
use serde_json::{Value, json};

use super::{Fault, call, finished, sends, started};
use crate::ANANKE;

/// A project with `n_tests` tests; each says its number.
fn crowd(url: &str, n_tests: usize) -> Fault {
    let fault = Fault::at(url).timeout_ms(2_000);
    fault.write();
    for n in 0..n_tests {
        fault.cx.write(
            &format!("many/{n:03}.test.yaml"),
            &format!("version: \"1.0\"\nname: number {n}\nturns:\n  - user: \"{n}\"\nassert:\n  text: {{must_match: Hello}}\n"),
        );
    }
    fault
}

#[test]
fn one_test_that_hangs_does_not_hold_up_the_others() {
    let server = RawServer::start(|_, request, stream| {
        if request.json()["messages"][0]["content"] == "7" {
            hold(stream, Duration::from_secs(30));
            return;
        }
        let answer = format!("{}{}", ok_sse_headers(), hello_run());
        stream.write_all(answer.as_bytes()).ok();
    });
    let fault = crowd(&server.url(), 50).timeout_ms(500);
    fault.write();
    let output = fault.run(&["run", "--json", "--parallel", "50", "many"], &[]);
    assert_eq!(output.code, Some(1));
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["summary"]["passed"], 49);
    assert_eq!(report["summary"]["timeouts"], 1);
    assert_eq!(report["results"][7]["status"], "timeout");
    let names: Vec<&str> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|test| test["name"].as_str())
        .collect();
    let expected: Vec<String> = (0..50).map(|n| format!("number {n}")).collect();
    assert_eq!(names, expected);
}

#[test]
fn five_hundred_at_once_with_64_open_files_end_with_a_verdict() {
    // Nobody answers before all have come, or the time is over: as many connections as possible are open at once.
    let server = RawServer::start(|_, _, stream| {
        hold(stream, Duration::from_millis(200));
        let answer = format!("{}{}", ok_sse_headers(), hello_run());
        stream.write_all(answer.as_bytes()).ok();
    });
    let fault = crowd(&server.url(), 500);
    let script = format!("ulimit -n 64; exec {ANANKE} run --json --parallel 500 many");
    let home = fault.cx.root().join("home");
    let output = Invocation::new(Path::new("/bin/bash"), &fault.cx.dir(), &home)
        .args(&["-c", &script])
        .run();
    let report: Value = serde_json::from_str(&output.stdout).expect("the report parses");
    let summary = &report["summary"];
    assert_eq!(summary["total"], 500, "{}", output.stderr);
    let (passed, errors) = (
        summary["passed"].as_u64().unwrap(),
        summary["errors"].as_u64().unwrap(),
    );
    assert!(passed > 0, "{summary}");
    assert_eq!(passed + errors, 500, "{summary}");
    assert_eq!(
        output.code,
        Some(if errors == 0 { 0 } else { 1 }),
        "{}",
        output.stderr
    );
    for test in report["results"].as_array().unwrap() {
        let error = test["error"].as_str().unwrap_or("Too many open files");
        assert!(error.contains("Too many open files"), "{error}");
    }
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
}

#[test]
fn a_thousand_calls_with_their_results_after_all_of_them_are_kept_in_order() {
    let ids: Vec<String> = (0..1000).map(|n| format!("c{n}")).collect();
    let mut events = vec![started()];
    events.extend(ids.iter().map(|id| call(id, "f", "{}")));
    events.extend(ids.iter().map(|id| {
        json!({"type": "TOOL_CALL_RESULT", "messageId": format!("r-{id}"), "toolCallId": id, "content": id})
    }));
    events.push(finished());
    let server = sends(sse(&events));
    let report = Fault::at(&server.url())
        .demands("tools: {require: [{name: f, count: {exact: 1000}}]}")
        .report();
    assert_eq!(report["summary"]["passed"], 1);
    let calls = report["results"][0]["turns"][0]["tool_calls"]
        .as_array()
        .unwrap();
    assert!(calls.iter().all(|call| call["id"] == call["result"]));
}
