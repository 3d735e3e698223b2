//! Writes a bundle while the run goes on. A reader finds every test that was flushed, whatever happens next.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use ananke_model::result::TestResult;
use ananke_model::run_event::Summary;
use serde::Serialize;

use super::folder::{self, RUN_FILE};
use super::frame_log::{Disk, FrameLog, MAX_FRAME_BYTES};
use super::run_id::next_run_id;
use super::{Head, StoreError, format};

/// How many names are tried before the folder counts as unusable.
const MAX_TRIES: usize = 1000;

/// A bundle that is being written.
///
/// The file is locked until this is dropped, which tells others that the run is going on. After the first error nothing
/// more is written, and every call returns that error again.
#[derive(Debug)]
pub struct BundleWriter {
    path: PathBuf,
    run_id: String,
    records: Records<File>,
}

impl BundleWriter {
    /// Makes `folder/<run-id>/` with a file that holds `head` and `sources`.
    ///
    /// The run id is that of `head`, or a following one if it is taken: [`Self::run_id`] tells.
    pub fn create(
        folder: &Path,
        head: &Head,
        sources: &[(String, String)],
    ) -> Result<Self, StoreError> {
        let create_error = |error: io::Error| StoreError::Create {
            path: folder.to_owned(),
            source: Arc::new(error),
        };
        folder::make(folder).map_err(create_error)?;
        let (run_id, path, file) = make_run_file(folder, &head.run.run_id).map_err(create_error)?;
        let mut head = head.clone();
        head.run.run_id.clone_from(&run_id);
        let written = Records::new(file, path.join(RUN_FILE), MAX_FRAME_BYTES)
            .map_err(create_error)
            .and_then(|mut records| records.begin(&head, sources).map(|()| records));
        match written {
            Ok(records) => Ok(Self {
                path,
                run_id,
                records,
            }),
            Err(error) => {
                // A bundle without its head is of no use to anybody.
                fs::remove_file(path.join(RUN_FILE)).ok();
                fs::remove_dir(&path).ok();
                Err(error)
            }
        }
    }

    /// Returns the folder of the run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the name of the run, which is the name of its folder.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Adds what is to be run, as one document for people and other programs; comes before the first test.
    pub fn plan(&mut self, plan: &impl Serialize) -> Result<(), StoreError> {
        self.records.plan(plan)
    }

    /// Adds a test. It is handed to the system at the next [`Self::flush`], or when enough has come together.
    pub fn test(&mut self, result: &TestResult) -> Result<(), StoreError> {
        self.records.test(result)
    }

    /// Hands everything so far to the system, and to the disk if half a second has passed since that was last done.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        self.records.flush(Instant::now())
    }

    /// Writes the totals, and waits until everything is on the disk.
    pub fn finish(mut self, summary: &Summary) -> Result<(), StoreError> {
        self.records.finish(summary)
    }
}

impl BundleWriter {
    /// Takes the bundle away, of a run that never began.
    pub fn discard(self) {
        let path = self.path.clone();
        drop(self);
        // What cannot be removed is a bundle of nothing, which every reader says.
        fs::remove_file(path.join(RUN_FILE)).ok();
        fs::remove_dir(&path).ok();
    }
}

impl Drop for BundleWriter {
    fn drop(&mut self) {
        // A run that gave up keeps what it had; there is nobody left to tell about an error.
        self.records.flush(Instant::now()).ok();
    }
}

/// The records of a bundle, and the error that ended them.
#[derive(Debug)]
pub(super) struct Records<D: Disk> {
    log: FrameLog<D>,
    file: PathBuf,
    /// Tests that were added, and those of them that are in whole frames.
    n_tests: usize,
    n_kept: usize,
    failure: Option<StoreError>,
}

impl<D: Disk> Records<D> {
    /// Begins with an empty file; `file` is its name in errors.
    pub(super) fn new(disk: D, file: PathBuf, max_frame_bytes: usize) -> io::Result<Self> {
        Ok(Self {
            log: FrameLog::new(disk, max_frame_bytes)?,
            file,
            n_tests: 0,
            n_kept: 0,
            failure: None,
        })
    }

    /// Writes what stands before the first test.
    pub(super) fn begin(
        &mut self,
        head: &Head,
        sources: &[(String, String)],
    ) -> Result<(), StoreError> {
        self.attempt(|records| {
            format::write_run(&mut records.log, head)?;
            for (file, text) in sources {
                format::write_source(&mut records.log, file, text)?;
                records.end_full_frame()?;
            }
            records.log.end_frame()
        })
    }

    /// Adds the plan.
    pub(super) fn plan(&mut self, plan: &impl Serialize) -> Result<(), StoreError> {
        self.attempt(|records| {
            format::write_plan(&mut records.log, plan)?;
            records.log.end_frame()
        })
    }

    /// Adds a test.
    pub(super) fn test(&mut self, result: &TestResult) -> Result<(), StoreError> {
        self.attempt(|records| {
            format::write_test(&mut records.log, result)?;
            records.n_tests += 1;
            records.end_full_frame()
        })
    }

    /// Ends the frame, and puts it on the disk if that is due.
    pub(super) fn flush(&mut self, now: Instant) -> Result<(), StoreError> {
        self.attempt(|records| {
            records.end_frame()?;
            records.log.sync_if_due(now)
        })
    }

    /// Writes the totals.
    pub(super) fn finish(&mut self, summary: &Summary) -> Result<(), StoreError> {
        self.attempt(|records| {
            format::write_end(&mut records.log, records.n_tests, summary)?;
            records.end_frame()?;
            records.log.sync()
        })
    }

    fn end_full_frame(&mut self) -> io::Result<()> {
        if self.log.is_full() {
            self.end_frame()?;
        }
        Ok(())
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.log.end_frame()?;
        self.n_kept = self.n_tests;
        Ok(())
    }

    fn attempt(
        &mut self,
        step: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        step(self).map_err(|error| {
            let failure = StoreError::Write {
                path: self.file.clone(),
                n_tests: self.n_kept,
                source: Arc::new(error),
            };
            self.failure.insert(failure).clone()
        })
    }
}

/// Makes the folder and the locked file of a run that no other run has.
fn make_run_file(folder: &Path, run_id: &str) -> io::Result<(String, PathBuf, File)> {
    let mut run_id = run_id.to_owned();
    for _ in 0..MAX_TRIES {
        let next = next_run_id(&run_id).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("`{run_id}` is no run id"),
            )
        })?;
        let path = folder.join(&run_id);
        match fs::create_dir(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                run_id = next;
                continue;
            }
            Err(error) => return Err(error),
        }
        let file_path = path.join(RUN_FILE);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&file_path)
            .inspect_err(|_| {
                fs::remove_dir(&path).ok();
            })?;
        // Waits for no longer than another run takes to look at the file. Some network file systems have no locks;
        // runs stay apart there too, only `prune` knows less.
        file.lock().ok();
        // A run that tidied up in between may have deleted the file, and a third one may have taken the name.
        if is_at(&file, &file_path) {
            return Ok((run_id, path, file));
        }
        run_id = next;
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{MAX_TRIES} names like `{run_id}` are taken"),
    ))
}

/// Tells whether `path` still leads to `file`.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(held), Ok(there)) => place(held) == place(there),
            _ => false,
        }
    }
    // Elsewhere a file that is open keeps its name.
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
