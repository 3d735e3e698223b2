//! The inputs of a command: files, folders, globs and messages.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;

use super::config_file::CONFIG_NAMES;
use super::globs::{glob, split_glob};
use super::meaning::{Given, Meaning, is_glob, is_jsonl_name, is_yaml_name, meaning};
use super::shown::{SourceFile, absolute, nearest_sibling};
use super::spoken::{Spoken, holds_cases, meant_as_tests};
use super::walk::{is_written_by_a_run, walk};
use crate::load::{Input, LoadRequest};
use crate::parse::Found;
use crate::scripts::{NamedScript, is_script_name, is_script_test_name, named_script, script_root};

/// How much of a file is looked at to tell what it is.
const BEGIN_BYTES: u64 = 4096;

/// What the inputs name.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Test files, each of them once: in the order of the inputs, sorted within each.
    pub(super) files: Vec<SourceFile>,
    /// Messages, and what came from standard input.
    pub(super) spoken: Vec<Spoken>,
}

/// Returns what the inputs name. Without inputs everything below `root` counts, or below the working directory when that is
/// deeper.
pub(super) fn find_tests(request: &LoadRequest<'_>, root: &Path, found: &mut Found) -> Named {
    let cwd = request.cwd;
    let mut paths = Vec::new();
    let mut scripts: Vec<NamedScript> = Vec::new();
    let mut spoken = Vec::new();
    if request.inputs.is_empty() {
        let is_deeper = cwd.starts_with(root);
        let folder = if is_deeper { cwd } else { root };
        paths = folder_tests(folder, root, cwd, found);
    }
    for input in request.inputs {
        let result = match input {
            Input::Argument(text) => expand(request, root, text, Given::Argument, found),
            Input::Flag(text) => expand(request, root, text, Given::Flag, found),
            Input::Message(text) => Ok(Expanded::Message(text)),
            Input::Cases { shown, text } => Ok(Expanded::Spoken(Spoken::cases(text, shown, cwd))),
            Input::Stdin(text) => {
                Spoken::stdin(text, n_messages(&spoken) + 1, cwd).map(Expanded::Spoken)
            }
        };
        match result {
            Ok(Expanded::Files(files)) => paths.extend(files),
            Ok(Expanded::Script(script)) => {
                paths.push(script.path.clone());
                scripts.push(script);
            }
            Ok(Expanded::Spoken(said)) => spoken.push(said),
            Ok(Expanded::Message(text))
                if !matches!(input, Input::Message(_)) && meant_as_tests(text).is_some() =>
            {
                found.extend(meant_as_tests(text));
            }
            Ok(Expanded::Message(text)) => {
                spoken.push(Spoken::message(text, n_messages(&spoken) + 1, cwd));
            }
            Err(diagnostic) => found.push(diagnostic),
        }
    }
    // A shell that expands `tests/*.jsonl` also names what earlier runs have left there.
    let is_left = |path: &PathBuf| is_output_name(path) && is_written_by_a_run(path);
    if paths.iter().any(|path| !is_left(path)) {
        paths.retain(|path| !is_left(path));
    }
    let mut known = HashSet::new();
    let files = paths
        .into_iter()
        .filter(|path| known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())))
        .map(|path| {
            let script = scripts.iter().find(|script| script.path == path).cloned();
            let file = SourceFile::new(path, cwd);
            SourceFile { script, ..file }
        })
        .collect();
    Named { files, spoken }
}

/// What an input stands for.
enum Expanded<'a> {
    Files(Vec<PathBuf>),
    Script(NamedScript),
    Message(&'a str),
    Spoken(Spoken),
}

fn n_messages(spoken: &[Spoken]) -> usize {
    use super::spoken::SpokenKind;
    let is_message = |said: &&Spoken| matches!(said.kind, SpokenKind::Message(_));
    spoken.iter().filter(is_message).count()
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

fn expand<'a>(
    request: &LoadRequest<'_>,
    root: &Path,
    input: &'a str,
    given: Given,
    found: &mut Found,
) -> Result<Expanded<'a>, Diagnostic> {
    let cwd = request.cwd;
    if input.trim().is_empty() {
        return Err(Diagnostic::error_anywhere("an input is empty")
            .hint("name a file, a folder or a glob, or write a message"));
    }
    let path = absolute(cwd, Path::new(input));
    if path.is_dir() {
        return Ok(Expanded::Files(folder_tests(&path, root, cwd, found)));
    }
    if path.exists() {
        return named_file(path, input).map(|path| Expanded::Files(vec![path]));
    }
    match meaning(input, given) {
        Meaning::Glob => glob(cwd, input, found).map(Expanded::Files),
        Meaning::GlobOrMessage => Ok(match glob(cwd, input, found) {
            Ok(files) => Expanded::Files(files),
            Err(_) => Expanded::Message(input),
        }),
        Meaning::Missing => Err(missing(&path, cwd, input)),
        Meaning::Message => Ok(Expanded::Message(input)),
        Meaning::Script => named_script(input, &script_root(root), cwd).map(Expanded::Script),
        Meaning::Generator => Err(asks_for_cases(input)),
        Meaning::Mistyped(prefix) => Err(mistyped(input, prefix)),
    }
}

fn asks_for_cases(input: &str) -> Diagnostic {
    let message = format!("`{input}` asks for cases, which is not done here");
    Diagnostic::error_anywhere(message)
}

fn mistyped(input: &str, prefix: &str) -> Diagnostic {
    let (word, rest) = input.split_once(':').unwrap_or((input, ""));
    let message = format!("`{input}`: unknown prefix `{word}:`");
    Diagnostic::error_anywhere(message).hint(format!(
        "did you mean `{prefix}:{rest}`? To send it as a message, pipe it into `ananke run -`"
    ))
}

fn named_file(path: PathBuf, input: &str) -> Result<PathBuf, Diagnostic> {
    if is_config_name(&path) {
        let message = format!("`{input}` is a config file, not a test");
        let hint = format!("pass it with `--config {input}`");
        return Err(Diagnostic::error_anywhere(message).hint(hint));
    }
    if !path.is_file() {
        let message = format!("`{input}` is not a file");
        return Err(Diagnostic::error_anywhere(message));
    }
    if is_yaml_name(&path) || is_jsonl_name(&path) || is_script_test_name(&path) {
        return Ok(path);
    }
    if is_script_name(&path) {
        let message = format!("`{input}` is a script without tests");
        let stem = path.with_extension("");
        let stem = stem.file_name().unwrap_or_default().to_string_lossy();
        return Err(Diagnostic::error_anywhere(message).hint(format!(
            "test functions stand in a file whose name ends in `_test.ts` or `_test.js`, such as `{stem}_test.ts`"
        )));
    }
    // Cases may be in a file of any name.
    if begins_with_an_object(&path) {
        return Ok(path);
    }
    let message = format!(
        "`{input}` is not a test file: expected `.yaml`, `.yml`, `.jsonl`, `_test.ts` or `_test.js`, or cases as JSON objects"
    );
    let hint = format!("to send what it holds as a message, write `ananke run - < {input}`");
    Err(Diagnostic::error_anywhere(message).hint(hint))
}

fn begins_with_an_object(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let mut begin = Vec::new();
    let read = file.take(BEGIN_BYTES).read_to_end(&mut begin);
    read.is_ok() && holds_cases(&String::from_utf8_lossy(&begin))
}

fn missing(path: &Path, cwd: &Path, input: &str) -> Diagnostic {
    let message = format!("no such file or folder: `{input}`");
    let mut hints = Vec::new();
    if let Some(sibling) = nearest_sibling(path, cwd) {
        hints.push(format!("did you mean `{sibling}`?"));
    }
    let has_space = input.contains(char::is_whitespace);
    let is_word = !has_space && !input.contains(std::path::is_separator);
    let is_file = is_yaml_name(path) || is_jsonl_name(path) || is_script_name(path);
    if is_word && !is_file {
        hints.push(format!("to send it as a message, write `-i {input}`"));
    } else if hints.is_empty() && !is_file || has_space {
        hints.push(
            "to send what looks like a path as a message, pipe it into `ananke run -`".to_owned(),
        );
    }
    let diagnostic = Diagnostic::error_anywhere(message);
    if hints.is_empty() {
        return diagnostic;
    }
    diagnostic.hint(hints.join(" "))
}

/// Returns the tests below a folder: `*.test.yaml` and `*_test.ts` everywhere, `*.jsonl` in folders named `tests`.
fn folder_tests(folder: &Path, root: &Path, cwd: &Path, found: &mut Found) -> Vec<PathBuf> {
    // Folders above the project are none of its business; the folder that was named counts in any case.
    let below_root = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let own_name = Path::new(folder.file_name().unwrap_or_default());
    let is_inside = has_tests_folder(below_root) || has_tests_folder(own_name);
    let wanted = |path: &Path| {
        is_test_name(path)
            || (is_jsonl_name(path)
                && (is_inside || path.parent().is_some_and(has_tests_folder))
                && !is_written_by_a_run(&folder.join(path)))
    };
    walk(folder, cwd, wanted, found)
}

fn has_tests_folder(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests")
}

/// Tells whether this is the name of a report that a run leaves beside its cases.
fn is_output_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("output-") && is_jsonl_name(path)
}

fn is_test_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".test.yaml") || name.ends_with(".test.yml") || is_script_test_name(path)
}

/// Tells whether this is the name of a config file.
pub(super) fn is_config_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    CONFIG_NAMES.iter().any(|config| name == *config)
}
