//! Every YAML block of the specification loads. Fragments are completed and put where they belong.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use crate::testing::{Suite, demands, problems};

const SEEDS: [&str; 2] = ["000_25ceaeae3c6f73e9.txt", "002_4b3fe6d429f13718.txt"];

/// A top-level key with everything below it.
struct Section<'a> {
    key: &'a str,
    lines: Vec<&'a str>,
}

#[test]
fn every_yaml_block_of_the_seeds_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/seeds");
    if !folder.is_dir() {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line = b"skipped: seed documents: they are not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return;
    }
    let (mut n_loaded, mut n_skipped) = (0, 0);
    for seed in SEEDS {
        let text = std::fs::read_to_string(folder.join(seed)).unwrap();
        for block in yaml_blocks(&text) {
            let block = block.replace("endpoint: \"...\"", "endpoint: \"http://localhost\"");
            if is_notation(&block) {
                n_skipped += 1;
                continue;
            }
            for sections in documents(&block) {
                check(seed, &sections);
                n_loaded += 1;
            }
        }
    }
    println!("{n_loaded} loaded, {n_skipped} skipped as notation");
    assert!(n_loaded >= 25, "{n_loaded} loaded");
    assert!(n_skipped <= 6, "{n_skipped} skipped");
}

fn yaml_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while lines.by_ref().any(|line| line == "```yaml") {
        let block: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
        blocks.push(block.join("\n"));
    }
    blocks
}

/// Tells whether a block shows what may be written and is not itself YAML of ours.
fn is_notation(block: &str) -> bool {
    let placeholder = |line: &str| line.contains('<') && line.contains('>');
    block.contains("...") || block.contains("?:") || block.lines().any(placeholder)
}

/// Cuts a block into documents, each of which has a key once.
fn documents(block: &str) -> Vec<Vec<Section<'_>>> {
    let mut documents: Vec<Vec<Section<'_>>> = vec![Vec::new()];
    for line in block.lines() {
        let document = documents.last_mut().unwrap();
        let is_inner = line.starts_with([' ', '#']) || line.is_empty();
        if is_inner {
            if let Some(section) = document.last_mut() {
                section.lines.push(line);
            }
            continue;
        }
        let key = line.split(':').next().unwrap();
        let section = Section {
            key,
            lines: vec![line],
        };
        if document.iter().any(|known| known.key == key) {
            documents.push(vec![section]);
        } else {
            document.push(section);
        }
    }
    documents
}

fn check(seed: &str, sections: &[Section<'_>]) {
    let mut config = "version: \"1.0\"\n".to_owned();
    let mut test = "version: \"1.0\"\n".to_owned();
    let mut assert = String::new();
    let mut tools = String::new();
    let mut require = String::new();
    for section in sections {
        match section.key {
            "version" => {}
            "target" | "assertions" => push(&mut config, 0, section),
            "name" | "hooks" | "turns" | "assert" => push(&mut test, 0, section),
            "tools" | "timing" | "text" => push(&mut assert, 2, section),
            "forbid" | "require" | "forbid_calls" => push(&mut tools, 4, section),
            "count" | "args_match" | "result_match" => push(&mut require, 8, section),
            other => panic!("{seed}: nobody says where `{other}` belongs"),
        }
    }
    let keys: BTreeSet<_> = sections.iter().map(|section| section.key).collect();
    if !keys.contains("target") {
        config.push_str("target: {type: agui, endpoint: \"http://localhost\"}\n");
    }
    if !keys.contains("name") {
        test.push_str("name: a fragment\n");
    }
    if !keys.contains("turns") {
        test.push_str("turns: [{user: Hello}]\n");
    }
    if !assert.is_empty() || !tools.is_empty() || !require.is_empty() {
        write!(test, "assert:\n{assert}").unwrap();
    }
    if !tools.is_empty() || !require.is_empty() {
        write!(test, "  tools:\n{tools}").unwrap();
    }
    if !require.is_empty() {
        write!(test, "    require:\n      - name: a_tool\n{require}").unwrap();
    }
    let mut suite = Suite::new(&[("ananke.config.yaml", &config), ("a.test.yaml", &test)]);
    suite.allow_unchecked = true;
    let token = ("AGUI_TOKEN".to_owned(), "secret".to_owned());
    suite.variables.environment.extend([token]);
    suite.variables.variables = json!({"THREAD_ID": "th_1"}).as_object().unwrap().clone();
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "", "{seed}\n{config}\n{test}");
    let demands = demands(&loaded.plan);
    let demands_nothing = !keys.is_disjoint(&BTreeSet::from(["hooks", "version", "target"]))
        || test.contains(": false");
    assert!(
        demands_nothing || demands.contains("<-"),
        "{seed}: no demand\n{test}"
    );
    if test.contains("test_forbidden") {
        inheritance_example(&demands);
    }
}

fn push(out: &mut String, indent: usize, section: &Section<'_>) {
    for line in &section.lines {
        writeln!(out, "{}{line}", " ".repeat(indent)).unwrap();
    }
}

fn inheritance_example(demands: &str) {
    insta::assert_snapshot!(demands, @"
    turn 1:
      tools.forbid dangerous_tool <- target ananke.config.yaml:7
      tools.forbid test_forbidden <- test a.test.yaml:4
      text.must_not_match exception <- target ananke.config.yaml:11
      text.must_not_match error <- test a.test.yaml:8
      timing.max_duration_ms 300000 <- turn a.test.yaml:14
    test:
      tools.forbid dangerous_tool <- target ananke.config.yaml:7
      tools.forbid test_forbidden <- test a.test.yaml:4
      text.must_not_match exception <- target ananke.config.yaml:11
      text.must_not_match error <- test a.test.yaml:8
      timing.max_duration_ms 120000 <- test a.test.yaml:6
    ");
}
