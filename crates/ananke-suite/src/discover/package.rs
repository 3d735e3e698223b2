//! Which assistant a folder belongs to: the nearest folder above that holds `package.yao`.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The file that makes a folder an assistant.
pub(crate) const PACKAGE: &str = "package.yao";

/// The folder below which assistants lie.
pub(crate) const ASSISTANTS: &str = "assistants";

/// A folder that is an assistant.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PackageFolder {
    /// Its `package.yao`, absolute.
    pub(crate) file: PathBuf,
    /// Its id: the path after `assistants`, with dots; else the name of the folder.
    pub(crate) id: String,
}

/// Looks for assistants upward. Each folder is looked into once, however many cases it holds.
#[derive(Debug)]
pub(crate) struct Packages {
    root: PathBuf,
    known: HashMap<PathBuf, Option<Arc<PackageFolder>>>,
}

impl Packages {
    /// Returns a finder that does not look above `root`.
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            known: HashMap::new(),
        }
    }

    /// Returns the assistant that `folder` belongs to.
    pub(crate) fn nearest(&mut self, folder: &Path) -> Option<Arc<PackageFolder>> {
        if let Some(known) = self.known.get(folder) {
            return known.clone();
        }
        let file = folder.join(PACKAGE);
        let package = if file.is_file() {
            let id = assistant_id(folder);
            Some(Arc::new(PackageFolder { file, id }))
        } else if folder == self.root {
            None
        } else {
            folder.parent().and_then(|above| self.nearest(above))
        };
        self.known.insert(folder.to_owned(), package.clone());
        package
    }
}

/// Returns the id of an assistant: the path after `assistants`, with dots; else the name of the folder.
pub(crate) fn assistant_id(folder: &Path) -> String {
    let words: Vec<_> = folder
        .components()
        .filter_map(|part| match part {
            Component::Normal(word) => Some(word.to_string_lossy()),
            _ => None,
        })
        .collect();
    let below = words.iter().rposition(|word| word == ASSISTANTS);
    let below = below.and_then(|at| words.get(at + 1..));
    match below {
        Some(below) if !below.is_empty() => below.join("."),
        _ => words.last().map(ToString::to_string).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_path_below_assistants() {
        let id = |folder: &str| assistant_id(Path::new(folder));
        assert_eq!(id("/app/assistants/workers/keyword"), "workers.keyword");
        assert_eq!(id("/assistants/app/assistants/a"), "a");
        assert_eq!(id("/app/refund"), "refund");
        assert_eq!(id("/app/assistants"), "assistants");
        assert_eq!(id("/"), "");
    }
}
