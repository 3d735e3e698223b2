//! Writing snapshot files that a run updated.

use std::io;
use std::path::Path;

use ananke_model::check::SnapshotUpdate;
use ananke_model::result::{SnapshotWrite, TestResult};
use clap::{Args, ValueEnum};

use crate::error::{CommandError, Exit};
use crate::settings::Environment;

/// Snapshots.
#[derive(Args, Debug)]
pub(crate) struct SnapshotArgs {
    /// Which snapshot files to write, never in CI; `changed` writes missing ones too
    #[arg(
        long,
        value_enum,
        value_name = "WHICH",
        default_value = "none",
        num_args = 0..=1,
        default_missing_value = "changed",
        require_equals = true,
        env = "ANANKE_UPDATE_SNAPSHOTS"
    )]
    pub(crate) update_snapshots: UpdateSnapshots,
}

/// When snapshot files are written: every one; those that differ or are missing; those that are missing; never, so that a
/// difference and a missing file fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpdateSnapshots {
    All,
    Changed,
    Missing,
    #[default]
    None,
}

impl UpdateSnapshots {
    /// Returns the model's word for it; in CI only `none` is allowed.
    pub(crate) fn checked(self, environment: &Environment) -> Result<SnapshotUpdate, CommandError> {
        let is_ci = environment
            .get("CI")
            .is_some_and(|value| value != "false" && value != "0");
        if is_ci && self != Self::None {
            let error = CommandError::new(
                Exit::Configuration,
                "snapshots are never written in CI, where a missing or different one is a failure",
            );
            return Err(error.hint("update them where you can look at them, and commit the files"));
        }
        Ok(match self {
            Self::All => SnapshotUpdate::All,
            Self::Changed => SnapshotUpdate::Changed,
            Self::Missing => SnapshotUpdate::Missing,
            Self::None => SnapshotUpdate::None,
        })
    }
}

/// Writes what `result` asks for below `root`; returns what could not be written.
pub(crate) fn write_snapshots(root: &Path, result: &TestResult) -> Vec<CommandError> {
    let writes = result
        .all_checks()
        .filter_map(|check| check.snapshot.as_deref());
    let failed = |write: &SnapshotWrite| {
        let error = write_snapshot(&root.join(&write.path), &write.content).err()?;
        let message = format!("the snapshot `{}` cannot be written: {error}", write.path);
        Some(CommandError::new(Exit::Trouble, message))
    };
    writes.filter_map(failed).collect()
}

fn write_snapshot(path: &Path, content: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    // The file is replaced by a rename, so that a link in its place is never followed.
    let file = super::sink::temporary(folder)?;
    std::fs::write(file.path(), content)?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}
