//! The files below a folder, and the ids that follow from their paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How deep folders are looked into.
const MAX_DEPTH: usize = 16;
/// How many entries are looked at: links can make a small folder endless.
const MAX_ENTRIES: usize = 20_000;

/// Returns the paths of the files below `folder`, from there, in order. Hidden ones are left out.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut n_left = MAX_ENTRIES;
    collect(folder, Path::new(""), MAX_DEPTH, &mut n_left, &mut paths);
    paths.sort();
    paths
}

fn collect(
    folder: &Path,
    below: &Path,
    depth: usize,
    n_left: &mut usize,
    paths: &mut Vec<PathBuf>,
) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if *n_left == 0 {
            return;
        }
        *n_left -= 1;
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.');
        if is_hidden || name == "node_modules" {
            continue;
        }
        let path = entry.path();
        let below = below.join(&name);
        if path.is_dir() {
            if depth > 0 {
                collect(&path, &below, depth - 1, n_left, paths);
            }
        } else {
            paths.push(below);
        }
    }
}

/// Returns the ids of the files below `folder` with one of these endings: the path without it, joined by dots. Dots inside
/// of a name become `_`. Of two files with one id the first counts.
pub(super) fn ids(folder: &Path, endings: &[&str]) -> BTreeMap<String, PathBuf> {
    let mut ids = BTreeMap::new();
    for path in files(folder) {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let Some(name) = endings.iter().find_map(|ending| name.strip_suffix(ending)) else {
            continue;
        };
        let folders = path.parent().into_iter().flat_map(Path::iter);
        let mut words: Vec<_> = folders
            .map(|word| word.to_string_lossy().replace('.', "_"))
            .collect();
        words.push(name.replace('.', "_"));
        ids.entry(words.join(".")).or_insert(path);
    }
    ids
}
