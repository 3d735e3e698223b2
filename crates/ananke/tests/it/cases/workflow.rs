//! Workflows of a CI: their `run:` steps are executed as GitHub does, by bash, with `jq` beside the real binary.

use std::io::Write as _;
use std::path::Path;

use ananke_testkit::{ScriptedAgent, TestContext};
use serde_json::{Value, json};

use crate::ANANKE;
use crate::interop::has_jq;
use crate::shell::execute;

/// An agent that answers with keywords, but for these of its first six requests.
fn agent(failures: &[usize]) -> ScriptedAgent {
    let reply = |text: &str| json!({"reply": [{"text": text}]});
    let good = "{\"keywords\": [\"cloud\", \"cost\"]}";
    let rules: Vec<Value> = (0..6)
        .map(|nth| {
            let mut rule = reply(if failures.contains(&nth) {
                "sorry"
            } else {
                good
            });
            rule["times"] = json!(1);
            rule
        })
        .chain([reply(good)])
        .collect();
    ScriptedAgent::start(json!({"rules": rules}))
}

/// A project as the workflows expect it: an assistant's folder with its cases, and the same cases under `tests`.
fn project(agent: &ScriptedAgent) -> TestContext {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        &format!(
            "version: \"1.0\"\ntargets:\n  keyword:\n    type: agui\n    endpoint: \"{}\"\n",
            agent.url()
        ),
    );
    let cases = concat!(
        "{\"id\": \"T001\", \"input\": \"Which words matter?\", \"assert\": {\"type\": \"json_path\", \"path\": \"$.keywords[0]\", \"value\": \"cloud\"}}\n",
        "{\"id\": \"T002\", \"input\": \"And here?\", \"assert\": {\"type\": \"contains\", \"value\": \"cost\"}}\n",
    );
    cx.write("tests/inputs.jsonl", cases);
    cx.write(
        "assistants/keyword/package.yao",
        "{\"name\": \"Keywords\"}\n",
    );
    cx.write("assistants/keyword/tests/inputs.jsonl", cases);
    cx
}

/// Returns the `run:` steps of a workflow.
fn steps(workflow: &str) -> Vec<String> {
    let mut steps: Vec<(usize, String)> = Vec::new();
    let mut is_inside = false;
    for line in workflow.lines() {
        let depth = line.len() - line.trim_start().len();
        let key = line.trim_start().trim_start_matches("- ");
        if key == "run: |" {
            steps.push((depth, String::new()));
            is_inside = true;
        } else if let Some((outer, step)) = steps.last_mut().filter(|_| is_inside) {
            is_inside = line.trim().is_empty() || depth > *outer;
            if is_inside {
                step.push_str(line.trim_start());
                step.push('\n');
            }
        }
    }
    steps.into_iter().map(|(_, step)| step).collect()
}

/// Executes steps one after another until one fails; returns the exit codes.
fn codes(cx: &TestContext, steps: &[String]) -> Vec<i32> {
    let mut codes = Vec::new();
    for step in steps {
        let (code, said) = execute(cx, step);
        writeln!(std::io::stderr(), "{step}\n{said}").ok();
        codes.push(code.unwrap_or(-1));
        if code != Some(0) {
            break;
        }
    }
    codes
}

fn guide() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/ci.md");
    let page = std::fs::read_to_string(path).expect("the guide is there");
    let (_, rest) = page
        .split_once("# .github/workflows/agent-stability.yaml")
        .expect("the guide shows it");
    rest.split_once("```").expect("the block ends").0.to_owned()
}

#[test]
fn the_workflow_of_the_guide_passes_with_a_stable_agent_and_stops_with_an_unstable_one() {
    if !has_jq("workflows of a CI") {
        return;
    }
    let steps = steps(&guide());
    assert_eq!(steps.len(), 3);
    let stable = agent(&[]);
    assert_eq!(codes(&project(&stable), &steps), [0, 0, 0]);
    // One of three: fine for both gates, and seen by neither.
    let shaky = agent(&[1]);
    assert_eq!(codes(&project(&shaky), &steps), [0, 0, 0]);
    let broken = agent(&[0, 1]);
    assert_eq!(codes(&project(&broken), &steps), [1]);
}

/// The same example as the documents have it that the formats come from, if they are at hand.
#[test]
fn the_documented_workflow_passes_with_a_stable_agent_and_stops_with_an_unstable_one() {
    if !has_jq("workflows of a CI") {
        return;
    }
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    let seeds = std::fs::read_dir(seeds).into_iter().flatten().flatten();
    let mut texts = seeds.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let Some(text) = texts.find(|text| text.contains("- name: Check Stability")) else {
        writeln!(
            std::io::stderr(),
            "SKIPPED: the documented workflow is not there"
        )
        .ok();
        return;
    };
    let (_, example) = text
        .split_once("### GitHub Actions Example")
        .expect("a heading");
    let example = example.split("```").nth(1).expect("a block");
    let steps = steps(&example.replace("yao agent test", "ananke run"));
    assert_eq!(steps.len(), 2);
    let stable = agent(&[]);
    assert_eq!(codes(&project(&stable), &steps), [0, 0]);
    let report = project(&stable);
    codes(&report, &steps);
    let report: Value = serde_json::from_str(&report.read("report.json")).expect("a report");
    assert_eq!(report["environment"]["user_id"], "ci-user");
    assert_eq!(report["environment"]["team_id"], "ci-team");
    assert_eq!(report["summary"]["runs_per_case"], 3);
    let broken = agent(&[0, 1]);
    let cx = project(&broken);
    assert_eq!(codes(&cx, &steps), [1]);
    // The step that looks at the report sees the same.
    let (code, _) = execute(&cx, &steps[1]);
    assert_eq!(code, Some(1));
}
