//! The files of a folder as trees, and what is around while they are read.

use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Sources};
use ananke_model::script::{FindFunctions, ScriptFunction};
use ananke_model::variables::Variables;

use crate::discover::shown;
use crate::jsonl::package;
use crate::parse::Found;
use crate::yaml::{Node, read};

/// What is around while a folder is read.
#[derive(Debug)]
pub(crate) struct Around<'a> {
    /// Where paths are shown from.
    pub(crate) cwd: &'a Path,
    /// The environment.
    pub(crate) variables: &'a Variables,
    /// Finds the functions of scripts.
    pub(crate) find_functions: FindFunctions,
    /// Where texts are kept.
    pub(crate) sources: &'a mut Sources,
    /// Where mistakes are gathered.
    pub(crate) found: &'a mut Found,
}

impl Around<'_> {
    /// Returns `path` as messages show it.
    pub(super) fn shown(&self, path: &Path) -> Arc<str> {
        shown(path, self.cwd).into()
    }

    /// Returns the beginning of the file at `path`.
    pub(super) fn place(&self, path: &Path) -> Place {
        Place::file(&self.shown(path))
    }

    /// Reads the text of a file.
    pub(super) fn text(&mut self, path: &Path) -> Option<(Arc<str>, String)> {
        let name = self.shown(path);
        let text = read(path, &name, self.sources, self.found)?;
        Some((name, text))
    }

    /// Reads a file that holds one object.
    pub(super) fn object(&mut self, path: &Path) -> Option<Node> {
        let (name, text) = self.text(path)?;
        package(&name, &text, self.found)
    }

    /// Finds the functions of a script's text. `None` is reported.
    pub(super) fn functions(&mut self, name: &str, text: &str) -> Option<Vec<ScriptFunction>> {
        match (self.find_functions)(name, text) {
            Ok(functions) => Some(functions),
            Err(mistakes) => {
                self.found.extend(mistakes);
                None
            }
        }
    }

    /// Reports an error.
    pub(super) fn refuse(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    /// Tells whether there is an error among what was found after the first `n_before`.
    pub(super) fn has_errors_since(&self, n_before: usize) -> bool {
        let found = self.found.iter().skip(n_before);
        found.into_iter().any(Diagnostic::is_error)
    }
}
