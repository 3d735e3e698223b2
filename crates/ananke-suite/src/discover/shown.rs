//! Paths: made absolute without asking the file system, and shown as the user would type them.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ananke_model::diagnostic::did_you_mean;

use crate::scripts::NamedScript;

/// A file that is to be read.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// Where it is, absolute.
    pub(crate) path: PathBuf,
    /// As the user would type it, with forward slashes.
    pub(crate) shown: Arc<str>,
    /// What the user called it, if not by its path.
    pub(crate) script: Option<NamedScript>,
}

impl SourceFile {
    /// Returns the file at `path` as seen from `cwd`.
    pub(super) fn new(path: PathBuf, cwd: &Path) -> Self {
        let shown = shown(&path, cwd).into();
        Self {
            path,
            shown,
            script: None,
        }
    }
}

/// Returns `path` seen from `cwd`, without `.` and `..`.
pub(crate) fn absolute(cwd: &Path, path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    for component in cwd.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                absolute.pop();
            }
            _ => absolute.push(component),
        }
    }
    absolute
}

/// Returns `path` as a user in `cwd` would type it, with forward slashes.
pub(crate) fn shown(path: &Path, cwd: &Path) -> String {
    let (mut from, mut to) = (cwd.components().peekable(), path.components().peekable());
    let mut n_common = 0;
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
        n_common += 1;
    }
    // Paths that share no more than the root are clearer when they are absolute.
    if n_common < 2 {
        return slashed(path);
    }
    let up = from.map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(to).collect();
    if relative.as_os_str().is_empty() {
        return ".".to_owned();
    }
    slashed(&relative)
}

/// Returns `path` with forward slashes.
pub(super) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' {
        text.into_owned()
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/")
    }
}

/// Returns what a user in `cwd` most likely meant who typed `path`, if something with a similar name lies beside it.
pub(crate) fn nearest_sibling(path: &Path, cwd: &Path) -> Option<String> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut siblings: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    siblings.sort();
    let sibling = did_you_mean(&name.to_string_lossy(), siblings.iter().map(String::as_str))?;
    Some(shown(&folder.join(sibling), cwd))
}
