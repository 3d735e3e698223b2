//! Every script of the documents that the formats come from, if they are at hand, runs as it is written there.

use std::io::Write as _;
use std::path::Path;

use ananke_testkit::TestContext;
use serde_json::Value;

use crate::ANANKE;

/// A module with everything that the examples call.
const SETUP: &str = "\
const GlobalConfig = { value: 'production' };
export function SystemReady(ctx: agent.Context): boolean { return ctx.User !== null; }
function Setup(ctx: agent.Context, data?: { id: number }) {
  if (ctx.Metadata.config === null) return { error: new Error('no config') };
  return { id: data.id };
}
";

/// Agents for the examples that ask some.
const CONFIG: &str = "\
version: \"1.0\"
agents:
  expense:
    type: scripted
    script: {rules: [{reply: [{text: \"Travel, $500. Shall I confirm and create it?\"}]}]}
  workers.test.validator:
    type: scripted
    script: {rules: [{reply: [{text: '{\"passed\": true, \"reason\": \"it asks for confirmation\"}'}]}]}
";

/// Returns the TypeScript of the documents, unless they are not there, which is then said.
fn blocks() -> Vec<String> {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    let seeds = std::fs::read_dir(seeds).into_iter().flatten().flatten();
    let texts = seeds.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    let blocks: Vec<String> = texts.flat_map(|text| blocks_of(&text)).collect();
    if blocks.is_empty() {
        let line = b"skipped: documented scripts: the documents are not beside the project\n";
        std::io::stderr().write_all(line).ok();
    }
    blocks
}

fn blocks_of(text: &str) -> Vec<String> {
    let blocks = text.split("```typescript\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    blocks.map(str::to_owned).collect()
}

/// Runs a block as the tests of `setup.ts`; returns each function with its status.
fn run(block: &str) -> Vec<(String, String)> {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write("expense/src/setup.ts", SETUP);
    cx.write("expense/src/setup_test.ts", block);
    let output = cx.run(&["run", "--json", "-i", "scripts.expense.setup"]);
    let report = serde_json::from_str(&output.stdout);
    let report: Value = report.unwrap_or_else(|error| panic!("{error}\n{output}"));
    let results = report["results"]
        .as_array()
        .unwrap_or_else(|| panic!("{output}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    results
        .iter()
        .map(|result| (text(&result["name"]), text(&result["status"])))
        .collect()
}

#[test]
fn every_test_function_runs_as_written() {
    let blocks = blocks();
    let tests = blocks
        .iter()
        .filter(|block| block.contains("function Test"));
    // What is left out with dots is no TypeScript.
    let tests: Vec<&String> = tests.filter(|block| !block.contains("{ ... }")).collect();
    let mut seen: Vec<String> = Vec::new();
    for block in &tests {
        for (name, status) in run(block) {
            seen.push(format!("{name} {status}"));
        }
    }
    seen.sort();
    if !tests.is_empty() {
        insta::assert_snapshot!(seen.join("\n"), @"
        TestExpenseResponse passed
        TestFeatureA inconclusive
        TestFunctionName inconclusive
        TestSetupWithMissingConfig passed
        TestSetupWithMockData passed
        TestSystemReady passed
        TestSystemReadyWithInvalidContext passed
        TestWithGlobalState inconclusive
        ");
    }
}

#[test]
fn every_verdict_of_a_script_is_one() {
    let blocks = blocks();
    let returns = blocks
        .iter()
        .find(|block| block.trim_start().starts_with("// Simple boolean"));
    let Some(block) = returns else { return };
    // The two forms, one after the other.
    let (boolean, object) = block
        .split_once("// Or detailed result")
        .expect("two forms");
    let cx = TestContext::new(ANANKE);
    cx.write(
        "ananke.config.yaml",
        "version: \"1.0\"\ntarget:\n  type: scripted\n  script: {rules: [{reply: [{text: hi}]}]}\n",
    );
    let script = format!(
        "export function Assert(output, input, expected) {{\n{boolean}\n}}\nexport function Validate(output: any) {{\n{object}\n}}\n"
    );
    cx.write("scripts/test.ts", &script);
    cx.write(
        "tests/cases.jsonl",
        r#"{"id": "T1", "input": "Hello", "assert": [{"type": "script", "script": "scripts.test.Assert"}, {"type": "script", "script": "scripts.test.Validate"}]}"#,
    );
    let output = cx.run(&["run", "tests/cases.jsonl", "--no-output"]);
    assert_eq!(output.code, Some(0), "{output}");
}
