//! What can go wrong with a bundle, and the next step.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::format::FORMAT;

/// Why a bundle could not be written, read or deleted.
///
/// Can be cloned, because a writer that failed once says the same at every later call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing is at the path.
    #[error("there is no bundle at `{}`", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// The folder has no run file in it.
    #[error("the folder `{}` holds no bundle", path.display())]
    NoBundle {
        /// The folder as given.
        path: PathBuf,
        /// The newest bundle in a folder below, if the path names the folder of all bundles.
        newest: Option<PathBuf>,
    },
    /// The file is something else.
    #[error("`{}` is not a bundle: {seen}", path.display())]
    NotABundle {
        /// The file.
        path: PathBuf,
        /// What was seen instead.
        seen: String,
    },
    /// The file ends before the record that says what was run.
    #[error("the bundle `{}` ends before its first record", path.display())]
    NoHead {
        /// The file.
        path: PathBuf,
    },
    /// A later ananke wrote the file.
    #[error(
        "the bundle `{}` was written in format {format}; this ananke reads up to format {FORMAT}",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u64,
        /// The version of ananke that wrote it; may be empty.
        version: String,
    },
    /// The file was changed after it was written.
    #[error(
        "the bundle `{}` is damaged at byte {offset}, after {n_tests} test{}: {what}",
        path.display(),
        if *n_tests == 1 { "" } else { "s" }
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged frame begins.
        offset: u64,
        /// How many tests were read before it.
        n_tests: usize,
        /// What is wrong there.
        what: String,
    },
    /// The system refused to read.
    #[error("cannot read the bundle `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// The folder or the file could not be made.
    #[error("cannot create a bundle in `{}`", path.display())]
    Create {
        /// The folder of all bundles.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// The system refused to write.
    #[error("cannot write the bundle `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// How many tests it keeps.
        n_tests: usize,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// An old bundle could not be deleted.
    #[error("cannot delete the old bundle `{}`", path.display())]
    Delete {
        /// The bundle.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: Arc<io::Error>,
    },
}

impl StoreError {
    /// Returns the next step, without the word `hint:`.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotFound { .. } => {
                "name a folder that `ananke run` left, such as `.ananke/runs/<run-id>`".to_owned()
            }
            Self::NoBundle {
                newest: Some(newest),
                ..
            } => format!("the newest bundle in it is `{}`", newest.display()),
            Self::NoBundle { newest: None, .. } | Self::NotABundle { .. } => {
                "a bundle is a folder `<run-id>` with the file `run.jsonl.zst`".to_owned()
            }
            Self::NoHead { .. } => {
                "the run was stopped before it began; nothing can be read from it".to_owned()
            }
            // Builds of one version may differ in their format.
            Self::Newer { version, .. }
                if !version.is_empty() && version != env!("CARGO_PKG_VERSION") =>
            {
                format!("use ananke {version} or later")
            }
            Self::Newer { .. } => "use a later ananke".to_owned(),
            Self::Damaged { .. } => {
                "the file was changed or the disk is failing; take another copy, or run the tests again"
                    .to_owned()
            }
            Self::Create { .. } => {
                "choose another folder for bundles, or run with `--no-bundle`".to_owned()
            }
            Self::Write { n_tests, .. } => format!(
                "it keeps the first {n_tests} test{}; make room, or run with `--no-bundle`",
                if *n_tests == 1 { "" } else { "s" }
            ),
            Self::Read { .. } | Self::Delete { .. } => return None,
        };
        Some(hint)
    }
}
