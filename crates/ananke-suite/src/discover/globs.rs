//! Globs: patterns of paths.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use globset::GlobBuilder;

use super::inputs::is_config_name;
use super::meaning::{is_glob, is_jsonl_name, is_yaml_name};
use super::shown::absolute;
use super::walk::{is_written_by_a_run, walk};
use crate::parse::Found;
use crate::scripts::is_script_test_name;

/// Returns the test files that a glob matches; none is a mistake.
pub(super) fn glob(cwd: &Path, input: &str, found: &mut Found) -> Result<Vec<PathBuf>, Diagnostic> {
    let (folder, pattern) = split_glob(cwd, input);
    let matcher = GlobBuilder::new(&pattern)
        .literal_separator(true)
        .build()
        .map_err(|error| {
            let message = format!("`{input}` is not a glob: {}", error.kind());
            Diagnostic::error_anywhere(message)
        })?
        .compile_matcher();
    let mut files = Vec::new();
    if folder.is_dir() {
        let is_test = |path: &Path| match is_jsonl_name(path) {
            true => !is_written_by_a_run(&folder.join(path)),
            false => is_script_test_name(path) || (is_yaml_name(path) && !is_config_name(path)),
        };
        let wanted = |path: &Path| matcher.is_match(path) && is_test(path);
        files = walk(&folder, cwd, wanted, found);
    }
    if files.is_empty() {
        let message = format!("no test file matches `{input}`");
        return Err(Diagnostic::error_anywhere(message).hint(
            "hidden folders, `node_modules`, `target`, ignored files and reports are left out",
        ));
    }
    Ok(files)
}

/// Splits a glob into the folder before its first wildcard and the rest.
pub(super) fn split_glob(cwd: &Path, input: &str) -> (PathBuf, String) {
    let parts: Vec<_> = input.split(std::path::is_separator).collect();
    let n_fixed = parts.iter().take_while(|part| !is_glob(part)).count();
    let (fixed, rest) = parts.split_at(n_fixed);
    let mut folder = fixed.join("/");
    if fixed == [""] {
        folder.push('/');
    }
    (absolute(cwd, Path::new(&folder)), rest.join("/"))
}
