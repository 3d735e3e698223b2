//! `-o report.html`: the page that a real run writes. What the page does is tested by `ananke-report`'s `tests/browser.rs`.

use std::process::Command;

use ananke_testkit::{ScriptedAgent, TestContext};
use serde_json::{Value, json};

use crate::ANANKE;
use crate::interop::{browser, installed};
use crate::run::one_turn;

/// What the agent says and calls its tool with.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u{2028}";

/// Returns what the page holds under this id.
fn island(page: &str, id: &str) -> Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, rest) = page.split_once(&start).expect("the page has it");
    let (json, _) = rest.split_once("</script>").expect("it ends");
    serde_json::from_str(json).expect("it is JSON")
}

/// Runs a test that passes and one that fails, both with hostile text, and returns the project.
fn project(agent: &ScriptedAgent) -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.config_for(agent);
    let passes = "    assert: {tools: {require: [{name: search}]}}\ntags: [smoke]\n";
    cx.write("a.test.yaml", &one_turn("it searches", "find", passes));
    let fails = "    assert: {tools: {forbid: [search]}, text: {must_match: refund}}\n";
    cx.write("b.test.yaml", &one_turn("it does not", "find", fails));
    let output = cx.run(&["run", "-o", "report.html", "-o", "report.json"]);
    assert_eq!(output.code, Some(1), "{output}");
    cx
}

fn hostile_agent() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [{"reply": [
        {"tool": {"name": "search", "args": {"q": HOSTILE}, "result": {"hits": HOSTILE}}},
        {"text": HOSTILE},
    ]}]}))
}

#[test]
fn a_run_writes_one_page_with_everything_in_it() {
    let agent = hostile_agent();
    let cx = project(&agent);
    let page = cx.read("report.html");
    let (head, index) = (island(&page, "head"), island(&page, "index"));
    assert_eq!(index["status"], "pf");
    assert_eq!(index["id"], json!(["a.test.yaml", "b.test.yaml"]));
    assert_eq!(index["name"], json!(["it searches", "it does not"]));
    assert_eq!(
        (&head["summary"]["passed"], &head["summary"]["failed"]),
        (&json!(1), &json!(1))
    );
    let details = island(&page, "chunk-0");
    let turn = &details[1]["turns"][0];
    assert_eq!(turn["x"], HOSTILE);
    assert_eq!(turn["checks"].as_array().map(Vec::len), Some(2));
    let started = turn["calls"][0]["v"].as_u64();
    let points_at_the_call = |check: &Value| started.is_some() && check["v"].as_u64() == started;
    assert!(
        turn["checks"]
            .as_array()
            .is_some_and(|checks| checks.iter().any(points_at_the_call))
    );
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
    assert_eq!(page.matches("<script>").count(), 1);
    assert!(cx.exists("report.json"));
}

#[test]
fn runs_of_the_same_tests_are_one_row_each() {
    let agent = hostile_agent();
    let cx = project(&agent);
    for _ in 0..2 {
        let output = cx.bundled(&["run"]).run();
        assert_eq!(output.code, Some(1), "{output}");
    }
    let merge = ["report", "--merge", "previous", "latest", "-o", "both.html"];
    let joined = cx.bundled(&merge).run();
    assert_eq!(joined.code, Some(0), "{joined}");
    let page = cx.read("both.html");
    let (head, index) = (island(&page, "head"), island(&page, "index"));
    assert_eq!(head["results"], 4);
    let summary = &head["summary"];
    let counts = ["total", "passed", "failed"].map(|key| summary[key].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1)]);
    assert_eq!(index["again"], json!({"1": 0, "3": 2}));
    assert!(page.contains("<title>1 of 2 failed · "));
}

#[test]
fn the_page_of_a_run_opens_in_a_browser() {
    let Some(browser) = browser("the page of a run in a browser") else {
        return;
    };
    let agent = hostile_agent();
    let cx = project(&agent);
    let done = Command::new("node")
        .arg(installed().join("node/browser/check.mjs"))
        .args(["--browser", browser.trim(), "--any"])
        .arg(cx.dir().join("report.html"))
        .output()
        .expect("node can be started: `cargo xtask test` looked for it");
    let said = String::from_utf8_lossy(&done.stdout);
    let complained = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}\n{complained}");
    assert!(said.contains("2 of 2"), "{said}");
}
