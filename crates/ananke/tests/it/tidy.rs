//! The shape of the project: who may use whom, who owns the heavy crates, and documents that keep up with the folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each crate and the crates of ours that it may use. `ananke` may use all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("ananke-model", &[]),
    ("ananke-suite", &["ananke-model"]),
    ("ananke-protocol", &["ananke-model"]),
    ("ananke-assert", &["ananke-model"]),
    ("ananke-script", &["ananke-model"]),
    ("ananke-serve", &["ananke-model"]),
    ("ananke-store", &["ananke-model"]),
    (
        "ananke-run",
        &[
            "ananke-model",
            "ananke-protocol",
            "ananke-assert",
            "ananke-script",
            "ananke-serve",
            "ananke-store",
        ],
    ),
    (
        "ananke-conform",
        &[
            "ananke-model",
            "ananke-protocol",
            "ananke-assert",
            "ananke-store",
        ],
    ),
    ("ananke-report", &["ananke-model"]),
    ("ananke-testkit", &["ananke-serve"]),
    (
        "ananke",
        &[
            "ananke-model",
            "ananke-suite",
            "ananke-protocol",
            "ananke-assert",
            "ananke-conform",
            "ananke-script",
            "ananke-serve",
            "ananke-run",
            "ananke-report",
            "ananke-store",
        ],
    ),
];

/// Heavy or telling dependencies and the crates that own them.
const OWNERS: &[(&str, &[&str])] = &[
    ("reqwest", &["ananke-protocol"]),
    ("json-patch", &["ananke-protocol", "ananke-serve"]),
    ("rmcp", &["ananke-protocol"]),
    ("sse-stream", &["ananke-protocol"]),
    ("granit-parser", &["ananke-suite"]),
    ("ignore", &["ananke-suite"]),
    ("globset", &["ananke-suite"]),
    ("regex", &["ananke-assert"]),
    ("fancy-regex", &["ananke-assert"]),
    ("serde_json_path", &["ananke-assert"]),
    ("axum", &["ananke-serve"]),
    ("clap", &["ananke"]),
    ("clap_complete", &["ananke"]),
    ("clap_mangen", &["ananke"]),
    ("zstd", &["ananke-store"]),
    ("quick-junit", &["ananke-report"]),
    ("rquickjs", &["ananke-script"]),
    ("oxc", &["ananke-script"]),
    ("oxc_coverage_instrument", &["ananke-script"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn crates() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("crates"))
        .expect("the source tree is readable")
        .map(|entry| {
            entry
                .expect("the source tree is readable")
                .file_name()
                .into_string()
                .expect("the source tree is readable")
        })
        .collect();
    names.sort();
    names
}

/// The names below `[dependencies]`; what tests need is not looked at.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
    let (_, after) = manifest
        .split_once("[dependencies]")
        .expect("the source tree is readable");
    after
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|word| !word.is_empty() && !word.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn crates_use_only_what_their_layer_allows() {
    let listed: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    let mut wrong = Vec::new();
    for name in crates() {
        let Some((_, allowed)) = MAY_USE.iter().find(|(listed, _)| *listed == name) else {
            wrong.push(format!("{name} is not in the list of layers"));
            continue;
        };
        for dependency in dependencies(&name) {
            if listed.contains(&dependency.as_str()) && !allowed.contains(&dependency.as_str()) {
                wrong.push(format!("{name} may not use {dependency}"));
            }
            let owners = OWNERS.iter().find(|(owned, _)| *owned == dependency);
            if owners.is_some_and(|(_, owners)| !owners.contains(&name.as_str())) {
                wrong.push(format!(
                    "{name} may not use {dependency}: it belongs to {:?}",
                    owners.unwrap().1
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_architecture_names_every_crate_and_no_other() {
    let document = read(&root().join("ARCHITECTURE.md"));
    let named: BTreeSet<String> = document
        .lines()
        .filter_map(|line| line.strip_prefix("### crates/"))
        .map(|rest| rest.trim().trim_matches('`').to_owned())
        .collect();
    assert_eq!(named, crates().into_iter().collect());
    assert!(
        document.lines().count() <= 250,
        "ARCHITECTURE.md is longer than 250 lines"
    );
    let contributing = read(&root().join("CONTRIBUTING.md"));
    assert!(
        contributing.lines().count() < 100,
        "CONTRIBUTING.md has 100 lines or more"
    );
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the source tree is readable") {
        let path = entry.expect("the source tree is readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_source_file_is_a_giant() {
    let mut files = Vec::new();
    for name in crates() {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    assert!(files.len() > 50, "only {} files were found", files.len());
    let giants: Vec<String> = files
        .iter()
        .filter(|path| path.file_name().is_some_and(|name| name != "tests.rs"))
        .filter_map(|path| {
            let text = read(path);
            let n_lines = text
                .lines()
                .take_while(|line| *line != "#[cfg(test)]")
                .count();
            (n_lines > 800).then(|| format!("{}: {n_lines} lines", path.display()))
        })
        .collect();
    assert!(giants.is_empty(), "{}", giants.join("\n"));
}

#[test]
fn module_files_hold_no_logic() {
    let mut files = Vec::new();
    for name in crates() {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    let modules = files
        .iter()
        .filter(|path| path.file_name().is_some_and(|name| name == "mod.rs"));
    // The commands' `mod.rs` is the command line itself, and tests keep their few helpers at the top.
    let exempt = |path: &Path| path.ends_with("commands/mod.rs") || path.ends_with("tests/mod.rs");
    let wrong: Vec<String> = modules
        .filter(|path| !exempt(path))
        .filter(|path| {
            read(path)
                .lines()
                .any(|line| line.starts_with("fn ") || line.starts_with("impl "))
        })
        .map(|path| path.display().to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_test_module_is_declared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let main = read(&folder.join("main.rs"));
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_module = path.is_dir() && path.join("mod.rs").exists()
            || path.extension().is_some_and(|extension| extension == "rs") && stem != "main";
        assert!(
            !is_module || main.contains(&format!("mod {stem};")),
            "{stem} is not declared in tests/it/main.rs"
        );
    }
}

#[test]
fn every_crate_states_an_invariant() {
    for name in crates().into_iter().filter(|name| name != "ananke") {
        let head: String = read(&root().join("crates").join(&name).join("src/lib.rs"))
            .lines()
            .take(16)
            .collect();
        assert!(
            head.contains("Invariant"),
            "{name}: lib.rs does not begin with the crate's invariant"
        );
    }
}
