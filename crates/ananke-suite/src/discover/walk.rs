//! Walks folders. Ignore files are respected; hidden folders, `node_modules` and `target` are left out.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ananke_model::diagnostic::Diagnostic;
use ignore::{DirEntry, WalkBuilder};

use super::shown::shown;
use crate::jsonl::is_report;
use crate::parse::Found;

/// Folders that hold other people's files.
const SKIPPED: [&str; 2] = ["node_modules", "target"];

/// How much of a file tells whether it is a report.
const HEAD_BYTES: u64 = 64 * 1024;

/// Returns the files below `folder` whose path relative to it is `wanted`, sorted.
pub(crate) fn walk(
    folder: &Path,
    cwd: &Path,
    wanted: impl Fn(&Path) -> bool,
    found: &mut Found,
) -> Vec<PathBuf> {
    let walk = WalkBuilder::new(folder)
        // What a user's own git settings ignore must not change which tests there are.
        .git_global(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(is_walked)
        .build();
    let mut files = Vec::new();
    for entry in walk {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let message = format!("cannot look into `{}`: {error}", shown(folder, cwd));
                found.push(Diagnostic::error_anywhere(message));
                continue;
            }
        };
        let Ok(relative) = entry.path().strip_prefix(folder) else {
            continue;
        };
        if wanted(relative) && is_file_inside(&entry, folder) {
            files.push(entry.into_path());
        }
    }
    files.sort();
    files
}

fn is_walked(entry: &DirEntry) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    let name = entry.file_name();
    // A folder that was named is walked, whatever its name.
    entry.depth() == 0 || !is_folder || !SKIPPED.iter().any(|skipped| name == *skipped)
}

/// Tells whether this is a file, or a link to a file that is inside the folder too.
fn is_file_inside(entry: &DirEntry, folder: &Path) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_file() => true,
        Some(kind) if kind.is_symlink() => {
            let inside = || {
                let target = entry.path().canonicalize().ok()?;
                let folder = folder.canonicalize().ok()?;
                Some(target.is_file() && target.starts_with(folder))
            };
            inside().unwrap_or(false)
        }
        _ => false,
    }
}

/// Tells whether a JSONL file holds what came of a run, by its name or by its first line.
pub(super) fn is_written_by_a_run(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with("output-") {
        return true;
    }
    let mut head = Vec::new();
    // What cannot be read is reported when it is read whole.
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.is_ok() && is_report(&String::from_utf8_lossy(&head))
}
