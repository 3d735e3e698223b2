//! Loads the files: read, compose, parse, put values in place of references.

use std::path::Path;

use ananke_model::conformance::{Baseline, ConformSetup};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::sensitive::Sensitive;
use ananke_model::variables::Variables;

use super::resolve::{resolve, sensitive};
use crate::parse::{Found, conform, conform_baseline};
use crate::yaml::{Node, compose, read};

/// A setup that was read.
#[derive(Clone, Debug)]
pub struct LoadedConformSetup {
    /// The setup, every reference replaced by its value; `None` if the file has mistakes.
    pub setup: Option<ConformSetup>,
    /// Texts of the file that may hold secrets, with their references.
    pub sensitive: Vec<Sensitive>,
    /// Everything that is wrong or worth a look, from top to bottom.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the file.
    pub sources: Sources,
}

/// A baseline that was read.
#[derive(Clone, Debug)]
pub struct LoadedConformBaseline {
    /// The baseline; `None` if the file has mistakes.
    pub baseline: Option<Baseline>,
    /// Everything that is wrong or worth a look, from top to bottom.
    pub diagnostics: Vec<Diagnostic>,
    /// The text of the file.
    pub sources: Sources,
}

/// Reads the setup at `path`, which messages call `shown`; `known_rules` are the ids that there are.
pub fn load_conform_setup(
    path: &Path,
    shown: &str,
    known_rules: &[&str],
    variables: &Variables,
) -> LoadedConformSetup {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let spec = tree(path, shown, &mut sources, &mut found)
        .and_then(|node| conform(&node, known_rules, &mut found));
    let folder = path.parent().unwrap_or(Path::new(""));
    let setup = spec
        .as_ref()
        .map(|spec| resolve(spec, folder, variables, &mut found));
    let has_errors = in_order(&mut found);
    LoadedConformSetup {
        setup: setup.filter(|_| !has_errors),
        sensitive: spec.as_ref().map(sensitive).unwrap_or_default(),
        diagnostics: found,
        sources,
    }
}

/// Reads the baseline at `path`, which messages call `shown`; `known_rules` are the ids that there are.
pub fn load_conform_baseline(
    path: &Path,
    shown: &str,
    known_rules: &[&str],
) -> LoadedConformBaseline {
    let mut found = Found::new();
    let mut sources = Sources::default();
    let baseline = tree(path, shown, &mut sources, &mut found)
        .and_then(|node| conform_baseline(&node, known_rules, &mut found));
    let has_errors = in_order(&mut found);
    LoadedConformBaseline {
        baseline: baseline.filter(|_| !has_errors),
        diagnostics: found,
        sources,
    }
}

fn tree(path: &Path, shown: &str, sources: &mut Sources, found: &mut Found) -> Option<Node> {
    let text = read(path, shown, sources, found)?;
    compose(&shown.into(), &text, found)
}

/// Sorts from top to bottom; tells whether there is an error.
fn in_order(found: &mut Found) -> bool {
    found.sort_by_key(|diagnostic| diagnostic.place.as_ref().map(|place| place.start));
    found.iter().any(Diagnostic::is_error)
}
