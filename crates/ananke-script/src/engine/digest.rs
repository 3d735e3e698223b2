//! What the files were that a function was run from: a verdict on other texts is no verdict on these.

use std::fs;
use std::path::Path;

use ananke_model::script::digest;

use super::state::State;

/// Returns a digest over the texts of files, in their order; their names are relative to `root`. Nothing if one cannot be read.
pub fn digest_of(root: &Path, modules: &[String]) -> Option<String> {
    let mut digests = String::new();
    for module in modules {
        let text = fs::read(root.join(module)).ok()?;
        digests.push_str(&digest(&String::from_utf8_lossy(&text)));
    }
    Some(digest(&digests))
}

impl State {
    /// Returns the names of the files that are loaded, below the root and sorted, and a digest over their texts.
    pub(super) fn loaded(&self) -> (Vec<String>, String) {
        let is_known = self.loaded.borrow().0.len() == self.modules.borrow().len();
        if !is_known {
            self.note_modules();
        }
        self.loaded.borrow().clone()
    }

    /// Keeps which files are loaded.
    pub(super) fn note_modules(&self) {
        let root = self.settings.root();
        let modules = self.modules.borrow();
        let named = modules.iter().map(|(name, compiled)| {
            let path = Path::new(name);
            let below = path.strip_prefix(root).unwrap_or(path);
            (below.display().to_string(), compiled.digest.as_str())
        });
        let mut named: Vec<(String, &str)> = named.collect();
        named.sort();
        let digests: String = named.iter().map(|(_, digest)| *digest).collect();
        let names = named.into_iter().map(|(name, _)| name).collect();
        *self.loaded.borrow_mut() = (names, digest(&digests));
    }
}
