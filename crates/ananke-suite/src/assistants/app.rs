//! The app that an assistant belongs to, and the folders below it.

use std::path::{Component, Path, PathBuf};

use super::listing::{files, ids};
use crate::discover::{ASSISTANTS, PACKAGE};

/// The files that mark the folder of an app.
const MARKS: [&str; 3] = ["app.yao", "app.json", "app.jsonc"];

/// What a connector file ends with.
pub(super) const CONNECTOR_ENDINGS: [&str; 3] = [".conn.yao", ".conn.jsonc", ".conn.json"];

/// The folder of an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct App {
    /// Where it is, absolute.
    pub(crate) root: PathBuf,
}

/// Returns the app that `from` lies in: the nearest folder that is marked as one, else the nearest that holds assistants.
pub(crate) fn find_app(from: &Path) -> Option<App> {
    let marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).is_file());
    let holds = |folder: &&Path| folder.join(ASSISTANTS).is_dir();
    let root = from
        .ancestors()
        .find(marked)
        .or_else(|| from.ancestors().find(holds))?;
    Some(App {
        root: root.to_owned(),
    })
}

impl App {
    /// Tells whether a file marks the folder as an app.
    pub(crate) fn is_marked(&self) -> bool {
        MARKS.iter().any(|mark| self.root.join(mark).is_file())
    }

    /// Returns the folder of the assistant with this id, if there is one.
    pub(crate) fn assistant(&self, id: &str) -> Option<PathBuf> {
        let words: Vec<&str> = id.split('.').collect();
        assistant_below(&self.root.join(ASSISTANTS), &words)
    }

    /// Returns the ids of all assistants, in order.
    pub(crate) fn assistant_ids(&self) -> Vec<String> {
        let below = files(&self.root.join(ASSISTANTS));
        let folders = below
            .iter()
            .filter(|path| path.file_name().is_some_and(|name| name == PACKAGE))
            .filter_map(|path| path.parent());
        let id = |folder: &Path| {
            let words = folder.iter().map(|word| word.to_string_lossy());
            words.collect::<Vec<_>>().join(".")
        };
        folders.map(id).filter(|id| !id.is_empty()).collect()
    }

    /// Returns the ids of all connectors that have a file, in order.
    pub(crate) fn connector_ids(&self) -> Vec<String> {
        let ids = ids(&self.connectors(), &CONNECTOR_ENDINGS);
        ids.into_keys().collect()
    }

    /// Returns the folder of the connector files.
    pub(super) fn connectors(&self) -> PathBuf {
        self.root.join("connectors")
    }
}

/// Returns the folder of an assistant by the words of its id. Names of folders may hold dots themselves; a folder for each
/// word goes first.
fn assistant_below(folder: &Path, words: &[&str]) -> Option<PathBuf> {
    if words.is_empty() {
        let folder = folder.to_owned();
        return folder.join(PACKAGE).is_file().then_some(folder);
    }
    (1..=words.len()).find_map(|n| {
        let (name, rest) = words.split_at_checked(n)?;
        let name = name.join(".");
        // A word that is more than the name of a folder would lead elsewhere.
        let mut parts = Path::new(&name).components();
        let is_name = match (parts.next(), parts.next()) {
            (Some(Component::Normal(part)), None) => part == name.as_str(),
            _ => false,
        };
        let below = folder.join(&name);
        (is_name && below.is_dir())
            .then(|| assistant_below(&below, rest))
            .flatten()
    })
}
