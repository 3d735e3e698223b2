//! A script that references name: its text is read, and its functions are looked up, once.

use std::path::Path;
use std::sync::Arc;

use ananke_model::diagnostic::did_you_mean;
use ananke_model::place::Sources;
use ananke_model::script::{FindFunctions, ScriptFunction, digest};

use crate::discover::shown;
use crate::parse::Found;
use crate::yaml::read;

/// A script that could be read.
#[derive(Clone, Debug)]
pub(super) struct FoundFile {
    /// As the user would type it.
    pub(super) shown: Arc<str>,
    /// A digest of its text.
    pub(super) digest: String,
    functions: Vec<ScriptFunction>,
}

/// Which function of a file is meant, or why none is: what to say, and a hint.
pub(super) type Meant = Result<Option<String>, (String, String)>;

impl FoundFile {
    /// Reads the script at `path`. `None` if it cannot be read or understood, which is then reported.
    pub(super) fn read(
        path: &Path,
        cwd: &Path,
        find_functions: FindFunctions,
        sources: &mut Sources,
        found: &mut Found,
    ) -> Option<Self> {
        let name = shown(path, cwd);
        let text = read(path, &name, sources, found)?;
        match find_functions(&name, &text) {
            Ok(functions) => Some(Self {
                shown: name.into(),
                digest: digest(&text),
                functions,
            }),
            Err(mistakes) => {
                found.extend(mistakes);
                None
            }
        }
    }

    /// Tells whether it has a function of this name.
    pub(super) fn has(&self, function: &str) -> bool {
        self.names().any(|name| name == function)
    }

    /// Returns the names of its functions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.functions.iter().map(|known| known.name.as_str())
    }

    /// Returns the function that is meant: the one of this name, else the default export, else the only one exported.
    pub(super) fn meant(&self, function: Option<&str>) -> Meant {
        let Some(function) = function else {
            return self.only();
        };
        if self.has(function) {
            return Ok(Some(function.to_owned()));
        }
        let message = format!("`{}` has no function `{function}`", self.shown);
        let names = self.names();
        let hint = match did_you_mean(function, names.clone()) {
            Some(name) => format!("did you mean `{name}`?"),
            None if self.functions.is_empty() => "the file has no functions".to_owned(),
            None => format!("there is `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        Err((message, hint))
    }

    fn only(&self) -> Meant {
        if self.functions.iter().any(|known| known.is_default) {
            return Ok(None);
        }
        let exported: Vec<&str> = self
            .functions
            .iter()
            .filter(|known| known.is_exported)
            .map(|known| known.name.as_str())
            .collect();
        match exported.as_slice() {
            [one] => Ok(Some((*one).to_owned())),
            [] => Err((
                format!("`{}` exports no function", self.shown),
                "write `export default` before the function that is meant, or name it".to_owned(),
            )),
            several => Err((
                format!("`{}` exports several functions", self.shown),
                format!("name one of them: `{}`", several.join("`, `")),
            )),
        }
    }
}
