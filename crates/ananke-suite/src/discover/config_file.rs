//! The config file: `--config`, or the nearest one in a folder and those above.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::TestId;

use super::shown::{SourceFile, absolute, shown, slashed};
use crate::parse::Found;

/// The names that a config file may have.
pub(super) const CONFIG_NAMES: [&str; 2] = ["ananke.config.yaml", "ananke.config.yml"];

/// The config file, and the folder that test ids and hooks are relative to.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    /// The config file, if there is one.
    pub(crate) config: Option<SourceFile>,
    /// Its folder, or the working directory.
    pub(crate) root: PathBuf,
    /// Tells whether a config was asked for and is not there; a diagnostic says so.
    pub(crate) is_broken: bool,
    cwd: PathBuf,
}

impl Project {
    /// Returns the project of a config, or the one without.
    pub(super) fn new(config: Option<&Path>, cwd: &Path) -> Self {
        Self {
            root: config.and_then(Path::parent).unwrap_or(cwd).to_owned(),
            config: config.map(|path| SourceFile::new(path.to_owned(), cwd)),
            is_broken: false,
            cwd: cwd.to_owned(),
        }
    }

    /// Returns the project of the config that `--config` names.
    pub(super) fn named(path: &Path, cwd: &Path, found: &mut Found) -> Self {
        let path = absolute(cwd, path);
        if path.is_file() {
            return Self::new(Some(&path), cwd);
        }
        let what = if path.is_dir() {
            "a folder"
        } else {
            "not there"
        };
        let message = format!("the config file `{}` is {what}", shown(&path, cwd));
        found.push(Diagnostic::error_anywhere(message));
        Self {
            is_broken: true,
            ..Self::new(None, cwd)
        }
    }

    /// Returns the stable name of a test: its path below the root, else as seen from the working directory.
    pub(crate) fn test_id(&self, file: &SourceFile) -> TestId {
        let below = [&self.root, &self.cwd]
            .into_iter()
            .find_map(|folder| file.path.strip_prefix(folder).ok());
        TestId(below.map_or_else(|| file.shown.to_string(), slashed))
    }
}

/// Returns the project of `--config`, or of the nearest config in `cwd` and the folders above.
pub(crate) fn nearest_project(cwd: &Path, named: Option<&Path>, found: &mut Found) -> Project {
    match named {
        Some(path) => Project::named(path, cwd, found),
        None => Project::new(Configs::new(cwd).nearest(cwd, found).as_deref(), cwd),
    }
}

/// Looks for config files upward. Each folder is looked into once, however many tests it holds.
#[derive(Debug)]
pub(super) struct Configs<'a> {
    cwd: &'a Path,
    known: HashMap<PathBuf, Option<Arc<Path>>>,
}

impl<'a> Configs<'a> {
    /// Returns a finder that knows nothing yet.
    pub(super) fn new(cwd: &'a Path) -> Self {
        Self {
            cwd,
            known: HashMap::new(),
        }
    }

    /// Returns the config of `folder` or of the nearest folder above that has one.
    pub(super) fn nearest(&mut self, folder: &Path, found: &mut Found) -> Option<Arc<Path>> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let mut config = self.inside(folder, found);
        if config.is_none() {
            config = folder.parent().and_then(|above| self.nearest(above, found));
        }
        self.known.insert(folder.to_owned(), config.clone());
        config
    }

    fn inside(&self, folder: &Path, found: &mut Found) -> Option<Arc<Path>> {
        let mut files = CONFIG_NAMES
            .iter()
            .map(|name| folder.join(name))
            .filter(|path| path.is_file());
        let first = files.next()?;
        if let Some(second) = files.next() {
            let message = format!(
                "both `{}` and `{}` are there",
                shown(&first, self.cwd),
                shown(&second, self.cwd)
            );
            found.push(
                Diagnostic::error_anywhere(message)
                    .hint("keep one of them, or name one with `--config`"),
            );
        }
        Some(first.into())
    }
}
