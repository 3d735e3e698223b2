//! The files of a new project: all checked first, then written; what is there stays.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::error::{CommandError, Exit};

/// The line for `.gitignore`.
pub(super) const IGNORED: &str = ".ananke/runs/";

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    Written,
    Kept,
    /// It is there and not what would be written today.
    KeptOld,
    /// It needs a line and is not ours to change.
    Left,
}

/// Checks that nothing is in the way of a file.
pub(super) fn check(path: &Path, cwd: &Path) -> Result<(), CommandError> {
    let blocked = |at: &Path, what: &str| {
        let shown = at.strip_prefix(cwd).unwrap_or(at);
        let message = format!("`{}` is {what}", shown.display());
        CommandError::new(Exit::Configuration, message)
            .hint("nothing was written; move it away, or name another folder: `ananke init FOLDER`")
    };
    if path.exists() && !path.is_file() {
        return Err(blocked(path, "not a file"));
    }
    let mut above = path.ancestors().skip(1);
    let nearest = above.find(|folder| folder.symlink_metadata().is_ok());
    match nearest {
        Some(nearest) if !nearest.is_dir() => Err(blocked(nearest, "not a folder")),
        _ => Ok(()),
    }
}

/// Writes a file that is not there; one that is there stays as it is.
pub(super) fn write_new(path: &Path, content: &str) -> Result<Done, CommandError> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_same = std::fs::read(path).is_ok_and(|found| found == content.as_bytes());
            return Ok(if is_same { Done::Kept } else { Done::KeptOld });
        }
        Err(error) => return Err(unwritable(path, &error)),
    };
    let written = file.write_all(content.as_bytes());
    written.map_err(|error| {
        // Half a file would be kept by the next `init`.
        std::fs::remove_file(path).ok();
        unwritable(path, &error)
    })?;
    Ok(Done::Written)
}

/// Adds the line to `.gitignore`, unless it or a wider one is there.
pub(super) fn ignore_runs(path: &Path) -> Result<Done, CommandError> {
    let found = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(unwritable(path, &error)),
    };
    let text = String::from_utf8_lossy(&found);
    let is_there = text.lines().any(|line| {
        let line = line.trim().trim_start_matches('/').trim_end_matches('/');
        line == ".ananke/runs" || line == ".ananke"
    });
    if is_there {
        return Ok(Done::Kept);
    }
    if leads_out(path) {
        return Ok(Done::Left);
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        line_end
    };
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(format!("{before}{IGNORED}{line_end}").as_bytes()))
        .map_err(|error| unwritable(path, &error))?;
    Ok(Done::Written)
}

/// Tells whether a path is a link to somewhere outside of its folder, or to nothing.
fn leads_out(path: &Path) -> bool {
    let is_link = path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let target = path.canonicalize().ok();
    is_link
        && !matches!((folder, target), (Some(folder), Some(target)) if target.starts_with(&folder))
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    let message = format!("`{}` cannot be written: {error}", path.display());
    CommandError::new(Exit::Trouble, message)
}
