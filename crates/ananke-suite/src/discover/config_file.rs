//! The config file: `--config`, or the nearest one in this folder and those above.

use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ananke_model::plan::TestId;

use super::inputs::fixed_folder;
use super::shown::{SourceFile, absolute, shown, slashed};
use crate::load::LoadRequest;
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
    /// Returns the stable name of a test: its path below the root, else as seen from the working directory.
    pub(crate) fn test_id(&self, file: &SourceFile) -> TestId {
        let below = [&self.root, &self.cwd]
            .into_iter()
            .find_map(|folder| file.path.strip_prefix(folder).ok());
        TestId(below.map_or_else(|| file.shown.to_string(), slashed))
    }
}

/// Finds the config file.
pub(crate) fn find_config(request: &LoadRequest<'_>, found: &mut Found) -> Project {
    let cwd = request.cwd;
    let project = |config: Option<PathBuf>, is_broken| Project {
        root: config
            .as_deref()
            .and_then(Path::parent)
            .unwrap_or(cwd)
            .to_owned(),
        config: config.map(|path| SourceFile::new(path, cwd)),
        is_broken,
        cwd: cwd.to_owned(),
    };
    if let Some(path) = request.config {
        let path = absolute(cwd, path);
        if path.is_file() {
            return project(Some(path), false);
        }
        let what = if path.is_dir() {
            "a folder"
        } else {
            "not there"
        };
        let message = format!("the config file `{}` is {what}", shown(&path, cwd));
        found.push(Diagnostic::error_anywhere(message));
        return project(None, true);
    }
    let here = nearest(cwd, cwd, found);
    // An input from elsewhere brings its own project along.
    let elsewhere = request
        .inputs
        .first()
        .map(|input| fixed_folder(cwd, input))
        .filter(|folder| {
            let root = here.as_deref().and_then(Path::parent);
            root.is_none_or(|root| !folder.starts_with(root))
        })
        .and_then(|folder| nearest(&folder, cwd, found));
    project(elsewhere.or(here), false)
}

fn nearest(folder: &Path, cwd: &Path, found: &mut Found) -> Option<PathBuf> {
    folder.ancestors().find_map(|folder| {
        let mut files = CONFIG_NAMES
            .iter()
            .map(|name| folder.join(name))
            .filter(|path| path.is_file());
        let first = files.next()?;
        if let Some(second) = files.next() {
            let message = format!(
                "both `{}` and `{}` are there",
                shown(&first, cwd),
                shown(&second, cwd)
            );
            found.push(
                Diagnostic::error_anywhere(message)
                    .hint("keep one of them, or name one with `--config`"),
            );
        }
        Some(first)
    })
}
