//! Every JSONL block of the specification that is a test case loads. The others are counted by what they are.

use std::collections::BTreeMap;
use std::path::Path;

use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};

const SEEDS: [&str; 2] = ["001_93113f194e8893ce.txt", "004_4cbeb602588a8fab.txt"];

/// The agents that the examples name.
const AGENTS: &str = "agents:
  workers.test.user-simulator: {type: agui, endpoint: 'http://localhost:9000'}
  workers.test.validator: {type: agui, endpoint: 'http://localhost:9000'}
";

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    /// Cases that load.
    Cases,
    /// A case that a simulator drives.
    Dynamic,
    /// A case with a check that is a script.
    ScriptCheck,
    /// A check without a case around it: another agent's, or a script's.
    CheckOnly,
    /// A report, or a record of one.
    Report,
    /// Holds `...` where something is left out.
    Notation,
}

fn block_kind(block: &str) -> Block {
    let has = |text: &str| block.contains(text);
    if has("...") {
        Block::Notation
    } else if has("\"status\"") {
        Block::Report
    } else if has("\"simulator\"") {
        Block::Dynamic
    } else if !has("\"id\"") {
        Block::CheckOnly
    } else if has("\"script\"") {
        Block::ScriptCheck
    } else {
        Block::Cases
    }
}

fn jsonl_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == "```jsonl") {
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push(block.join("\n"));
    }
    blocks
}

/// Loads a block and returns its problems, and what each case demands.
fn load(block: &str) -> (String, usize, String) {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", &format!("{CONFIG}{AGENTS}")),
        ("tests/inputs.jsonl", block),
        ("tests/fixtures/receipt.jpg", "an image"),
        (
            "scripts/test.ts",
            "export function Assert() {}\nexport function ValidateOutput() {}\n",
        ),
        (
            "scripts/tests/validate-expense.ts",
            "export default function () {}\n",
        ),
    ]);
    suite.allow_unchecked = true;
    let loaded = suite.load_in("", &["tests/inputs.jsonl"]);
    let n_cases = loaded.plan.tests.len();
    (problems(&loaded), n_cases, demands(&loaded.plan))
}

#[test]
fn every_jsonl_block_of_the_seeds_does_what_its_text_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    if !folder.is_dir() {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line = b"skipped: JSONL of the seed documents: they are not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return;
    }
    let mut n_blocks: BTreeMap<Block, usize> = BTreeMap::new();
    let (mut n_cases, mut demanded) = (0, Vec::new());
    for seed in SEEDS {
        let text = std::fs::read_to_string(folder.join(seed)).unwrap();
        for block in jsonl_blocks(&text) {
            let kind = block_kind(&block);
            *n_blocks.entry(kind).or_default() += 1;
            let (problems, n, demands) = load(&block);
            match kind {
                Block::Cases | Block::Dynamic | Block::ScriptCheck => {
                    assert_eq!(problems, "", "{block}");
                    n_cases += n;
                    demanded.extend(
                        demands
                            .lines()
                            .filter(|line| line.contains("<-"))
                            .map(str::to_owned),
                    );
                }
                Block::CheckOnly => {
                    let case = format!("{{\"id\": \"a\", \"input\": \"b\", \"assert\": {block}}}");
                    let (problems, _, demands) = load(&case);
                    let expected = match block.contains("\"agent\"") {
                        true => "agent workers.test.validator",
                        false => "script scripts/tests/validate-expense.ts#default",
                    };
                    assert_eq!(problems, "", "{block}");
                    assert!(demands.contains(expected), "{demands}");
                }
                Block::Report | Block::Notation => assert!(!problems.is_empty(), "{block}"),
            }
        }
    }
    assert_snapshot!(format!("{n_blocks:?}, {n_cases} cases"), @"{Cases: 10, Dynamic: 1, ScriptCheck: 1, CheckOnly: 2, Report: 3, Notation: 1}, 21 cases");
    assert_snapshot!(demanded.join("\n"), @r#"
    contains "Hi" <- test tests/inputs.jsonl:5
    contains "submitted" <- test tests/inputs.jsonl:27
    tool_called "create_expense" <- test tests/inputs.jsonl:31
    contains "type" <- test tests/inputs.jsonl:7
    tool_called "create_expense" <- test tests/inputs.jsonl:18
    contains "submitted" <- test tests/inputs.jsonl:31
    contains "amount" <- test tests/inputs.jsonl:19
    contains "type" <- turn tests/inputs.jsonl:17
    tool_called "create_expense" <- turn tests/inputs.jsonl:28
    contains "submitted" <- turn tests/inputs.jsonl:39
    equals {"keywords":["keyword1","keyword2"]} <- test tests/inputs.jsonl:5
    contains "need_search" <- test tests/inputs.jsonl:4
    json_path true <- test tests/inputs.jsonl:4
    json_path false <- test tests/inputs.jsonl:5
    json_path 0.99 <- test tests/inputs.jsonl:10
    not_contains "error" <- test tests/inputs.jsonl:15
    script scripts/test.ts#ValidateOutput <- test tests/inputs.jsonl:4
    contains "error" <- test tests/inputs.jsonl:4
    "#);
}
