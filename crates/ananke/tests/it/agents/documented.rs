//! The examples of the document that the formats come from, if it is at hand: every case that needs an agent does what its
//! text says, and every command line works.

use std::io::Write as _;
use std::path::Path;

use ananke_testkit::TestContext;
use serde_json::Value;

use super::desk::desk;
use crate::shell::execute;

/// Returns the document, unless it is not there, which is then said.
fn document() -> Option<String> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    let seeds = std::fs::read_dir(seeds).into_iter().flatten().flatten();
    let mut texts = seeds.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let text = texts.find(|text| text.contains("agents:workers.test.generator?count=10"));
    if text.is_none() {
        let line = b"skipped: documented examples of agents: they are not beside the project\n";
        std::io::stderr().write_all(line).ok();
    }
    text
}

/// Returns the fenced blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let blocks = text.split(fence.as_str()).skip(1);
    blocks
        .filter_map(|block| block.split("```").next())
        .collect()
}

/// Returns the only block that has all of these words.
fn block_with<'a>(blocks: &[&'a str], words: &[&str]) -> &'a str {
    let has_all = |block: &&&str| words.iter().all(|word| block.contains(word));
    let mut found = blocks.iter().filter(has_all);
    let block = found
        .next()
        .unwrap_or_else(|| panic!("no block has {words:?}"));
    assert!(found.next().is_none(), "several blocks have {words:?}");
    block
}

fn report(cx: &TestContext, args: &[&str]) -> Value {
    let args = [&["run", "--json", "--no-output"], args].concat();
    let output = cx.run(&args);
    let report = serde_json::from_str(&output.stdout);
    let report: Value = report.unwrap_or_else(|error| panic!("{error}\n{output}"));
    assert_eq!(output.code, Some(0), "{output}");
    report
}

#[test]
fn a_dynamic_case_reaches_its_checkpoints() {
    let Some(text) = document() else { return };
    let cx = desk();
    let case = block_with(&blocks(&text, "jsonl"), &["\"T004\"", "\"simulator\""]);
    cx.write("tests/dynamic.jsonl", case);
    let report = report(&cx, &["tests/dynamic.jsonl", "-n", "assistants.expense"]);
    let result = &report["results"][0];
    assert_eq!(result["id"], "T004");
    assert_eq!(result["status"], "passed");
    assert_eq!(result["total_turns"], 3);
    let checkpoints = result["checkpoints"].as_array().expect("checkpoints");
    let reached: Vec<String> = checkpoints
        .iter()
        .map(|checkpoint| {
            format!(
                "{} {} {}",
                checkpoint["id"], checkpoint["reached_at_turn"], checkpoint["passed"]
            )
        })
        .collect();
    assert_eq!(
        reached,
        [
            "\"ask_type\" 1 true",
            "\"call_create\" 2 true",
            "\"confirm\" 3 true"
        ]
    );
    let turns = result["turns"].as_array().expect("turns");
    for key in ["turn", "input", "output"] {
        assert!(turns.iter().all(|turn| !turn[key].is_null()), "{key}");
    }
}

#[test]
fn an_assertion_that_an_agent_judges_holds() {
    let Some(text) = document() else { return };
    let cx = desk();
    let check = block_with(&blocks(&text, "jsonl"), &["\"type\": \"agent\""]);
    let case = format!("{{\"id\": \"J1\", \"input\": \"hello\", \"assertions\": [{check}]}}\n");
    cx.write("tests/judged.jsonl", &case);
    let report = report(&cx, &["tests/judged.jsonl", "-n", "assistants.expense"]);
    let assertion = &report["results"][0]["assertions"][0];
    assert_eq!(assertion["type"], "agent");
    assert_eq!(assertion["passed"], true);
}

#[test]
fn every_command_line_works() {
    let Some(text) = document() else { return };
    let cx = desk();
    let cases = blocks(&text, "jsonl");
    // Three points of one conversation, as one file.
    cx.write(
        "tests/expense.jsonl",
        block_with(&cases, &["expense-turn1", "\"assertions\": [{"]),
    );
    cx.write(
        "tests/dynamic.jsonl",
        block_with(&cases, &["\"T004\"", "\"simulator\""]),
    );
    let (_, examples) = text.split_once("### Examples").expect("a heading");
    let commands: Vec<String> = blocks(examples, "bash")[0]
        .lines()
        .filter(|line| line.starts_with("yao agent test"))
        .map(|line| line.replace("yao agent test", "ananke run"))
        .collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        // What the folder of the test would say there, the flag says here.
        let named = if command.contains(" -n ") {
            command
        } else {
            format!("{command} -n assistants.expense")
        };
        let (code, said) = execute(&cx, &named);
        assert_eq!(code, Some(0), "{named}\n{said}");
    }
}
