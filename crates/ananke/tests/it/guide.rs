//! README and guide tell the truth: every file that they show is valid, and every link leads somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ananke_testkit::TestContext;

use crate::ANANKE;

/// For tests on a page that shows no config before them.
const CONFIG: &str = "version: \"1.0\"\ntarget: {type: agui, endpoint: \"http://127.0.0.1:1/\"}\n";
/// For configs that no test on the page follows.
const TEST: &str =
    "version: \"1.0\"\nname: any\nturns: [{user: hi, assert: {text: {must_match: hi}}}]\n";

/// A fenced block of a page.
struct Block {
    line: usize,
    language: String,
    text: String,
}

/// A config and the tests that stand below it on the same page.
#[derive(Default)]
struct Project {
    config: Option<String>,
    tests: Vec<(String, String)>,
    /// Where it begins, for messages.
    place: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The documents that a user reads, as paths below the root.
fn pages() -> Vec<String> {
    let guide = fs::read_dir(root().join("docs/guide")).expect("the guide is there");
    let names = guide.map(|entry| entry.expect("the folder can be read").file_name());
    let mut pages: Vec<String> = names
        .map(|name| format!("docs/guide/{}", name.to_string_lossy()))
        .collect();
    pages.sort();
    assert!(pages.len() >= 9, "only {} pages were found", pages.len());
    pages.extend(["README.md".to_owned(), "docs/README.md".to_owned()]);
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => blocks.push(Block {
                line: index + 1,
                language: language.to_owned(),
                text: String::new(),
            }),
            (None, true) => {
                let block = blocks.last_mut().expect("a block is open");
                block.text.push_str(line);
                block.text.push('\n');
                continue;
            }
            (None, false) => continue,
            (Some(_), true) => {}
        }
        is_open = !is_open;
    }
    assert!(!is_open, "a block is not closed");
    blocks
}

fn projects(page: &str) -> Vec<Project> {
    let mut projects = vec![Project::default()];
    for block in blocks(&read(&root().join(page))) {
        let place = format!("{page}:{}", block.line);
        let first = block.text.lines().next().unwrap_or_default();
        // Cases, and scripts that they name.
        if matches!(block.language.as_str(), "jsonl" | "typescript")
            && let Some(name) = first.strip_prefix("// ")
        {
            let project = projects.last_mut().expect("there is one from the start");
            let is_new = project.tests.iter().all(|(known, _)| known != name);
            assert!(is_new, "{place}: {name} is shown twice");
            if project.place.is_empty() {
                project.place = place;
            }
            project.tests.push((name.to_owned(), block.text));
            continue;
        }
        if block.language != "yaml" {
            continue;
        }
        let Some(name) = first.strip_prefix("# ") else {
            panic!("{place}: a YAML block begins with a comment that names its file");
        };
        if name == "ananke.config.yaml" {
            projects.push(Project {
                config: Some(block.text),
                tests: Vec::new(),
                place,
            });
        } else if name.ends_with(".test.yaml") {
            let project = projects.last_mut().expect("there is one from the start");
            let is_new = project.tests.iter().all(|(known, _)| known != name);
            assert!(is_new, "{place}: {name} is shown twice");
            if project.place.is_empty() {
                project.place = place;
            }
            project.tests.push((name.to_owned(), block.text));
        } else if name == "conform.yaml" {
            check_setup(&place, &block.text);
        } else if !name.ends_with(".script.yaml") {
            assert!(
                name.starts_with(".github/workflows/"),
                "{place}: {name} is neither a config nor a test nor a script"
            );
        }
    }
    projects.retain(|project| !project.place.is_empty());
    projects
}

/// A setup without mistakes gets as far as a server that is not there.
fn check_setup(place: &str, text: &str) {
    let cx = TestContext::new(ANANKE);
    cx.write("conform.yaml", text);
    let words = ["conform", "http://127.0.0.1:1/", "--setup", "conform.yaml"];
    let output = cx.command(&words).env("AGENT_TOKEN", "token").run();
    assert_eq!(output.code, Some(3), "{place}: {output}");
}

#[test]
fn every_file_in_the_guide_is_valid() {
    let mut n_projects = 0;
    for project in pages().iter().flat_map(|page| projects(page)) {
        let context = TestContext::new(ANANKE);
        let config = project.config.as_deref().unwrap_or(CONFIG);
        context.write("ananke.config.yaml", config);
        // Files that a config names are the reader's own.
        for path in config
            .lines()
            .filter_map(|line| line.trim().strip_prefix("ca: "))
        {
            context.write(path, "a certificate");
        }
        for (name, text) in &project.tests {
            context.write(name, text);
            // Files that a case sends are the reader's own.
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let files = text.split("\"file://").skip(1);
            for file in files.filter_map(|rest| rest.split('"').next()) {
                context.write(&format!("{folder}/{file}"), "a file");
            }
        }
        let is_test = |(name, _): &(String, String)| {
            let ends = [".test.yaml", ".jsonl", "_test.ts"];
            ends.iter().any(|end| name.ends_with(end))
        };
        if !project.tests.iter().any(is_test) {
            context.write("any.test.yaml", TEST);
        }
        let output = context.run(&["validate"]);
        let is_clean = output.code == Some(0) && output.stderr.is_empty();
        assert!(is_clean, "{}:\n{}", project.place, context.show(&output));
        n_projects += 1;
    }
    assert!(n_projects >= 12, "only {n_projects} projects were found");
}

#[test]
fn every_script_in_the_guide_is_served() {
    let mut n_scripts = 0;
    for page in pages() {
        for block in blocks(&read(&root().join(&page))) {
            let first = block.text.lines().next().unwrap_or_default();
            if block.language != "yaml" || !first.ends_with(".script.yaml") {
                continue;
            }
            let context = TestContext::new(ANANKE);
            context.write("agent.script.yaml", &block.text);
            let mut running = context
                .command(&["serve", "agent.script.yaml", "--quiet"])
                .start();
            running.wait_for(|stdout, _| stdout.starts_with("http://"));
            assert_eq!(running.stderr_so_far(), "", "{page}:{}", block.line);
            n_scripts += 1;
        }
    }
    assert!(n_scripts >= 2, "only {n_scripts} scripts were found");
}

#[test]
fn every_json_block_is_json() {
    for page in pages() {
        for block in blocks(&read(&root().join(&page))) {
            if block.language == "json" {
                let value: Result<serde_json::Value, _> = serde_json::from_str(&block.text);
                assert!(value.is_ok(), "{page}:{}: {value:?}", block.line);
            }
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut documents = pages();
    documents.extend(["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(str::to_owned));
    let mut n_links = 0;
    for page in documents {
        let path = root().join(&page);
        for target in links(&read(&path)) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() {
                path.clone()
            } else {
                path.parent().unwrap().join(file)
            };
            assert!(file.exists(), "{page}: there is no {target}");
            assert!(
                anchor.is_empty() || anchors(&read(&file)).contains(anchor),
                "{page}: {target} has no such heading"
            );
            n_links += 1;
        }
    }
    assert!(n_links >= 40, "only {n_links} links were found");
}

/// The targets of links into the repository, outside fenced blocks.
fn links(page: &str) -> Vec<String> {
    let mut is_open = false;
    let mut links = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_open = !is_open;
        }
        if !is_open {
            let targets = line
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split(')').next());
            links.extend(
                targets
                    .filter(|target| !target.contains("://"))
                    .map(str::to_owned),
            );
        }
    }
    links
}

/// The anchors of a page's headings: lower case, blanks as hyphens, other punctuation left out.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut is_open = false;
    let mut anchors = BTreeSet::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_open = !is_open;
        }
        if let Some(title) = line.strip_prefix('#').filter(|_| !is_open) {
            let title = title.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    anchors
}
