//! What all scripts of a run share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ananke_model::script::Grants;

use crate::compile::Compiled;

/// How scripts are run. Compiled modules are kept, so that files which many tests import are compiled once.
#[derive(Debug, Default)]
pub struct Settings {
    /// The folder outside of which nothing is imported, absolute.
    root: PathBuf,
    /// The folder from which files are shown, absolute.
    cwd: PathBuf,
    /// What scripts may touch.
    pub(crate) grants: Grants,
    /// Whether lines and functions are counted.
    pub(crate) coverage: bool,
    modules: Mutex<HashMap<ModuleKey, Arc<Compiled>>>,
}

/// A file, and the module whose names it shares.
type ModuleKey = (PathBuf, Option<PathBuf>);

impl Settings {
    /// Returns settings for scripts below `root`, shown from `cwd`; both absolute.
    pub fn new(root: &Path, cwd: &Path, grants: Grants, coverage: bool) -> Self {
        // Links are followed where imports are resolved, so that they are followed here too.
        let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self {
            root: resolved(root),
            cwd: resolved(cwd),
            grants,
            coverage,
            modules: Mutex::default(),
        }
    }

    /// Returns the folder outside of which nothing is imported.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a file as the user would type it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let below = |folder: &Path| path.strip_prefix(folder).ok().map(Path::to_owned);
        let shown = below(&self.cwd).or_else(|| below(&self.root));
        shown.as_deref().unwrap_or(path).display().to_string()
    }

    /// Returns the path of a file that is shown to the user.
    pub(super) fn path_of(&self, shown: &str) -> PathBuf {
        let path = self.cwd.join(shown);
        match path.is_file() {
            true => path,
            false => self.root.join(shown),
        }
    }

    /// Returns a module that was compiled before.
    pub(super) fn known(&self, key: &ModuleKey) -> Option<Arc<Compiled>> {
        let modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        modules.get(key).cloned()
    }

    /// Keeps a compiled module.
    pub(super) fn keep(&self, key: ModuleKey, compiled: Compiled) -> Arc<Compiled> {
        let compiled = Arc::new(compiled);
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        modules.insert(key, Arc::clone(&compiled));
        compiled
    }
}

/// Stops scripts from outside: when the user presses Ctrl-C, or `--fail-fast` has seen enough.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Stops what runs.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Tells whether scripts are to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
