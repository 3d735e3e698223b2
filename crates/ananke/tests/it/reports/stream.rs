//! JSONL as the results come.

use ananke_testkit::{ScriptedAgent, TestContext};
use serde_json::{Value, json};

use crate::ANANKE;
use crate::run::expects;

#[test]
fn lines_come_while_the_run_goes_on() {
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_equals": "b"}, "reply": [{"delay_ms": 60_000}, {"text": "Hello"}]},
        {"reply": [{"text": "Hello"}]},
    ]}));
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    cx.write("a.test.yaml", &expects("a", "Hello"));
    cx.write("b.test.yaml", &expects("b", "Hello"));
    let mut running = cx.command(&["run", "-o", "-", "-o", "r.jsonl"]).start();
    running.wait_for(|stdout, _| stdout.contains("\"type\":\"result\""));
    assert!(cx.read("r.jsonl").lines().count() >= 1);
    running.interrupt();
    let output = running.wait();
    assert_eq!(output.code, Some(130), "{output}");
    let lines: Vec<Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["total_cases"], 2);
    assert_eq!(lines[1]["status"], "passed");
    let summary = lines.last().unwrap();
    assert_eq!(
        [&summary["type"], &summary["interrupted"]],
        [&json!("summary"), &json!(true)]
    );
    assert_eq!(cx.read("r.jsonl"), output.stdout);
}
