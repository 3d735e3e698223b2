//! The folder that holds bundles, one folder for each run: what is there, what is newest, what can go.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;
use super::run_id::is_run_id;

/// The one file of a bundle.
pub(super) const RUN_FILE: &str = "run.jsonl.zst";

/// How the folder ends that is used unless somebody names another.
const DEFAULT: &str = ".ananke/runs";

/// Makes the folder of all bundles, out of sight of version control.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        // A folder with a name of its own may be the user's, who may want to commit it.
        return if folder.ends_with(DEFAULT) {
            ignore(folder)
        } else {
            Ok(())
        };
    }
    let in_the_way = folder.ancestors().find_map(|part| {
        let is_link = fs::symlink_metadata(part).ok()?.is_symlink();
        match part.metadata() {
            Err(_) if is_link => Some((part, "a link that leads nowhere")),
            Ok(metadata) if metadata.is_file() => Some((part, "a file")),
            _ => None,
        }
    });
    if let Some((part, what)) = in_the_way {
        let which = if part == folder {
            "it".to_owned()
        } else {
            format!("`{}`", part.display())
        };
        let message = format!("{which} is {what}, not a folder");
        return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
    }
    fs::create_dir_all(folder)?;
    ignore(folder).inspect_err(|_| {
        // Made anew, and then hidden, by the next run.
        fs::remove_dir(folder).ok();
    })
}

/// Writes a `.gitignore` for everything in `folder`, unless it has one.
fn ignore(folder: &Path) -> io::Result<()> {
    let path = folder.join(".gitignore");
    let file = File::create_new(&path);
    let mut file = match file {
        Ok(file) => file,
        // It is the user's, or that of another first run.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(error),
    };
    file.write_all(b"*\n").inspect_err(|_| {
        fs::remove_file(&path).ok();
    })
}

/// Returns the folders of all runs in `folder`, newest first; none if the folder is not there.
pub fn list(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        // The type of the entry itself: a link to a folder is none.
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_run_id(name))
        .collect();
    names.sort_unstable_by(|left, right| right.cmp(left));
    names
        .into_iter()
        .map(|name| folder.join(name))
        .filter(|run| {
            let metadata = fs::symlink_metadata(run.join(RUN_FILE));
            metadata.is_ok_and(|metadata| metadata.is_file())
        })
        .collect()
}

/// Returns the folder of the newest run in `folder` that has begun and is no longer going on.
pub fn latest(folder: &Path) -> Option<PathBuf> {
    list(folder).into_iter().find(|run| {
        let file = run.join(RUN_FILE);
        file.metadata().is_ok_and(|metadata| metadata.len() > 0) && !is_running(&file)
    })
}

/// Deletes the oldest runs in `folder` so that `keep` are left, and returns what was deleted. 0 keeps all.
///
/// Runs that are going on stay. Only the run file and then the empty folder are deleted: a folder in which somebody put
/// something else stays with that. One that cannot be deleted does not keep the others.
pub fn prune(folder: &Path, keep: usize) -> Result<Vec<PathBuf>, StoreError> {
    if keep == 0 {
        return Ok(Vec::new());
    }
    let mut deleted = Vec::new();
    let mut failure = None;
    for run in list(folder).into_iter().skip(keep) {
        match delete(&run) {
            Ok(true) => deleted.push(run),
            Ok(false) => {}
            Err(error) => {
                failure.get_or_insert(StoreError::Delete {
                    path: run,
                    source: Arc::new(error),
                });
            }
        }
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(deleted),
    }
}

/// Tells whether a writer is at work on the file.
pub(super) fn is_running(file: &Path) -> bool {
    File::open(file)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

fn delete(run: &Path) -> io::Result<bool> {
    let path = run.join(RUN_FILE);
    let file = match File::open(&path) {
        Ok(file) => file,
        // Another run is tidying up too.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // Held while deleting, so that a writer which has just made the file notices that it is gone.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Ok(false);
    }
    if let Err(error) = fs::remove_file(&path) {
        return gone_or(error);
    }
    match fs::remove_dir(run) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(true),
        Err(error) => gone_or(error),
        Ok(()) => Ok(true),
    }
}

fn gone_or(error: io::Error) -> io::Result<bool> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(false),
        _ => Err(error),
    }
}
