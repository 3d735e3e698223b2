//! Messages from the command line, and what came from standard input.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;

/// What was said, and not written into a file.
#[derive(Clone, Debug)]
pub(crate) struct Spoken {
    /// What it is.
    pub(crate) kind: SpokenKind,
    /// Its words, or the cases as JSONL.
    pub(crate) text: String,
    /// What reports call the file that it does not have: `message` or `stdin`.
    pub(crate) shown: Arc<str>,
    /// Where such a file would lie, absolute: in the working directory.
    pub(crate) path: PathBuf,
}

/// What was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpokenKind {
    /// A message for the agent, and the how-manieth it is, counted from 1.
    Message(usize),
    /// Cases.
    Cases,
}

impl Spoken {
    /// Returns a message from an argument.
    pub(super) fn message(text: &str, number: usize, cwd: &Path) -> Self {
        Self::new(SpokenKind::Message(number), text, "message", cwd)
    }

    /// Returns what came from standard input: cases if the first thing in it is an object, else a message.
    pub(super) fn stdin(text: &str, number: usize, cwd: &Path) -> Result<Self, Diagnostic> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            let message = "standard input is empty";
            return Err(Diagnostic::error_anywhere(message)
                .hint("pipe a message or JSONL cases into it: `ananke run - < cases.jsonl`"));
        }
        if holds_cases(text) {
            return Ok(Self::new(SpokenKind::Cases, text, "stdin", cwd));
        }
        if let Some(diagnostic) = meant_as_tests(text) {
            return Err(diagnostic);
        }
        let kind = SpokenKind::Message(number);
        Ok(Self::new(kind, text.trim_end(), "stdin", cwd))
    }

    /// Returns cases that are in no file.
    pub(super) fn cases(text: &str, shown: &str, cwd: &Path) -> Self {
        Self::new(SpokenKind::Cases, text, shown, cwd)
    }

    fn new(kind: SpokenKind, text: &str, shown: &str, cwd: &Path) -> Self {
        Self {
            kind,
            text: text.to_owned(),
            shown: shown.into(),
            path: cwd.join(shown),
        }
    }
}

/// Refuses what was surely not meant as words for an agent: the agent would answer, and nothing would be checked.
pub(super) fn meant_as_tests(text: &str) -> Option<Diagnostic> {
    let text = text.trim_start();
    let is_list = text
        .strip_prefix('[')
        .is_some_and(|rest| rest.trim_start().starts_with('{'));
    let has_key = |key: &str| text.contains(&format!("\"{key}\""));
    let is_case =
        text.starts_with('{') && has_key("id") && (has_key("input") || has_key("messages"));
    let has_line = |start: &str| text.lines().any(|line| line.starts_with(start));
    let is_yaml = has_line("version:") && (has_line("turns:") || has_line("target"));
    let (what, hint) = if is_list {
        (
            "a list of cases",
            "write one object after another, without brackets and commas",
        )
    } else if is_case {
        (
            "a case",
            "pipe it into `ananke run -`, or put it into a file",
        )
    } else if is_yaml {
        ("a test or config in YAML", "name its file instead")
    } else {
        return None;
    };
    let message = format!("this looks like {what}, not like a message");
    Some(Diagnostic::error_anywhere(message).hint(hint))
}

/// Tells whether what stands behind blank lines and comments is an object.
pub(super) fn holds_cases(text: &str) -> bool {
    let is_comment = |line: &&str| line.starts_with("//") || line.starts_with('#');
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !is_comment(line));
    first.is_some_and(|line| line.starts_with('{'))
}
