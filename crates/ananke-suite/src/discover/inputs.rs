//! The inputs of a command: files, folders and globs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use globset::GlobBuilder;

use super::config_file::CONFIG_NAMES;
use super::shown::{SourceFile, absolute, shown};
use super::walk::walk;
use crate::load::LoadRequest;
use crate::parse::Found;

/// Returns the test files that the inputs name, each of them once: in the order of the inputs, sorted within each.
/// Without inputs everything below `root` counts, or below the working directory when that is deeper.
pub(super) fn find_tests(
    request: &LoadRequest<'_>,
    root: &Path,
    found: &mut Found,
) -> Vec<SourceFile> {
    let cwd = request.cwd;
    let paths: Vec<_> = if request.inputs.is_empty() {
        let is_deeper = cwd.starts_with(root);
        let folder = if is_deeper { cwd } else { root };
        walk(folder, cwd, is_test_name, found)
    } else {
        let files = |input: &String| expand(cwd, input, found);
        request.inputs.iter().flat_map(files).collect()
    };
    let mut known = HashSet::new();
    paths
        .into_iter()
        .filter(|path| known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())))
        .map(|path| SourceFile::new(path, cwd))
        .collect()
}

/// Returns the folder that an input certainly lies in: itself, its parent, or what stands before its first wildcard.
pub(super) fn fixed_folder(cwd: &Path, input: &str) -> PathBuf {
    let path = absolute(cwd, Path::new(input));
    if path.is_dir() {
        return path;
    }
    if is_glob(input) && !path.exists() {
        return split_glob(cwd, input).0;
    }
    path.parent().unwrap_or(cwd).to_owned()
}

fn expand(cwd: &Path, input: &str, found: &mut Found) -> Vec<PathBuf> {
    let path = absolute(cwd, Path::new(input));
    let result = if path.is_dir() {
        return walk(&path, cwd, is_test_name, found);
    } else if path.exists() {
        named_file(path, input)
    } else if let Some(kind) = unsupported(input) {
        let message = format!("`{input}`: {kind} are not supported by this version");
        Err(Diagnostic::error_anywhere(message))
    } else if is_glob(input) {
        glob(cwd, input, found)
    } else {
        Err(missing(&path, cwd, input))
    };
    result.unwrap_or_else(|diagnostic| {
        found.push(diagnostic);
        Vec::new()
    })
}

fn named_file(path: PathBuf, input: &str) -> Result<Vec<PathBuf>, Diagnostic> {
    let message = if is_config_name(&path) {
        let message = format!("`{input}` is a config file, not a test");
        return Err(
            Diagnostic::error_anywhere(message).hint(format!("pass it with `--config {input}`"))
        );
    } else if !path.is_file() {
        format!("`{input}` is not a file")
    } else if is_yaml_name(&path) {
        return Ok(vec![path]);
    } else if let Some(kind) = unsupported(input) {
        format!("`{input}`: {kind} are not supported by this version")
    } else {
        format!("`{input}` is not a test file: expected `.yaml` or `.yml`")
    };
    Err(Diagnostic::error_anywhere(message))
}

/// Returns what kind of input this is, if a later version is to understand it.
fn unsupported(input: &str) -> Option<&'static str> {
    let ends = |end: &str| input.ends_with(end);
    if input == "-" {
        Some("tests from standard input")
    } else if ends(".jsonl") {
        Some("JSONL cases")
    } else if ends("_test.ts") || ends("_test.js") {
        Some("script tests")
    } else if input.starts_with("agents:") {
        Some("agent inputs")
    } else if input.starts_with("scripts:") || is_script_id(input) {
        Some("script inputs")
    } else if input.contains(char::is_whitespace) && !is_yaml_name(Path::new(input)) {
        Some("plain messages")
    } else {
        None
    }
}

fn is_script_id(input: &str) -> bool {
    let id = input.strip_prefix("scripts.");
    id.is_some_and(|id| !id.contains(['/', '\\']) && !is_yaml_name(Path::new(id)))
}

fn glob(cwd: &Path, input: &str, found: &mut Found) -> Result<Vec<PathBuf>, Diagnostic> {
    let (folder, pattern) = split_glob(cwd, input);
    let matcher = GlobBuilder::new(&pattern)
        .literal_separator(true)
        .build()
        .map_err(|error| {
            let message = format!("`{input}` is not a glob: {}", error.kind());
            Diagnostic::error_anywhere(message)
        })?
        .compile_matcher();
    let files = if folder.is_dir() {
        let wanted =
            |path: &Path| is_yaml_name(path) && !is_config_name(path) && matcher.is_match(path);
        walk(&folder, cwd, wanted, found)
    } else {
        Vec::new()
    };
    if files.is_empty() {
        let message = format!("no test file matches `{input}`");
        return Err(Diagnostic::error_anywhere(message)
            .hint("hidden folders, `node_modules`, `target` and ignored files are left out"));
    }
    Ok(files)
}

/// Splits a glob into the folder before its first wildcard and the rest.
fn split_glob(cwd: &Path, input: &str) -> (PathBuf, String) {
    let parts: Vec<_> = input.split(std::path::is_separator).collect();
    let n_fixed = parts.iter().take_while(|part| !is_glob(part)).count();
    let (fixed, rest) = parts.split_at(n_fixed);
    let mut folder = fixed.join("/");
    if fixed == [""] {
        folder.push('/');
    }
    (absolute(cwd, Path::new(&folder)), rest.join("/"))
}

fn missing(path: &Path, cwd: &Path, input: &str) -> Diagnostic {
    let message = format!("no such file or folder: `{input}`");
    let diagnostic = Diagnostic::error_anywhere(message);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return diagnostic;
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut siblings: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    siblings.sort();
    let name = name.to_string_lossy();
    match did_you_mean(&name, siblings.iter().map(String::as_str)) {
        Some(sibling) => {
            let sibling = shown(&folder.join(sibling), cwd);
            diagnostic.hint(format!("did you mean `{sibling}`?"))
        }
        None => diagnostic,
    }
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

fn is_test_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".test.yaml") || name.ends_with(".test.yml")
}

fn is_yaml_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension == "yaml" || extension == "yml"
}

fn is_config_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    CONFIG_NAMES.iter().any(|config| name == *config)
}
