//! Where a report goes: stdout, a device or a pipe, a file that grows, or a file that appears when it is whole.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tempfile::NamedTempFile;

use crate::ui::Ui;

/// More links than this lead nowhere.
const MOST_LINKS: usize = 16;

/// Where a report goes.
#[derive(Debug)]
pub(super) enum Sink {
    /// Stdout.
    Stdout,
    /// Stderr.
    Stderr,
    /// A device, a pipe, or a file that somebody else opened: written to, never replaced.
    Open { path: PathBuf, file: File },
    /// Grows in place. An earlier file is replaced in one step, when the first line comes.
    Lines {
        path: PathBuf,
        /// Until the first line.
        waiting: Option<NamedTempFile>,
        /// From then on.
        growing: Option<File>,
    },
    /// Gets its name when it is whole; an earlier file stays until then.
    Whole { path: PathBuf, file: NamedTempFile },
}

/// How a file comes into being.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// Line by line.
    Lines,
    /// All at once.
    Whole,
}

impl Sink {
    /// Opens `path`; nothing that is there is changed before the first write.
    pub(super) fn open(path: &Path, growth: Growth) -> io::Result<Self> {
        match path.to_str() {
            Some("/dev/stdout") => return Ok(Self::Stdout),
            Some("/dev/stderr") => return Ok(Self::Stderr),
            _ => {}
        }
        let is_descriptor = path.starts_with("/dev/fd") || path.starts_with("/proc");
        let path = if is_descriptor {
            path.to_owned()
        } else {
            followed(path)?
        };
        let about = path.metadata().ok();
        let is_file = about.as_ref().is_none_or(std::fs::Metadata::is_file);
        if is_descriptor || !is_file {
            let is_pipe = about.is_some_and(|about| about.file_type().is_fifo());
            let file = open_special(&path, is_pipe)?;
            return Ok(Self::Open { path, file });
        }
        let file = beside(&path)?;
        if let Some(about) = about {
            // Who was allowed to read the earlier report may read this one, and nobody else.
            file.as_file().set_permissions(about.permissions())?;
        }
        Ok(match growth {
            Growth::Lines => Self::Lines {
                path,
                waiting: Some(file),
                growing: None,
            },
            Growth::Whole => Self::Whole { path, file },
        })
    }

    /// Returns the file, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout | Self::Stderr => None,
            Self::Open { path, .. } | Self::Lines { path, .. } | Self::Whole { path, .. } => {
                Some(path)
            }
        }
    }

    /// Writes; what goes to stdout and stderr goes through `ui`.
    pub(super) fn write(&mut self, bytes: &[u8], ui: &Ui) -> io::Result<()> {
        match self {
            Self::Stdout => {
                ui.out(&String::from_utf8_lossy(bytes));
                Ok(())
            }
            Self::Stderr => {
                ui.talk(&String::from_utf8_lossy(bytes));
                Ok(())
            }
            Self::Open { file, .. } => file.write_all(bytes),
            Self::Whole { file, .. } => file.write_all(bytes),
            Self::Lines {
                path,
                waiting,
                growing,
            } => {
                if let Some(file) = waiting.take() {
                    *growing = Some(file.persist(path).map_err(|error| error.error)?);
                }
                growing
                    .as_mut()
                    .map_or(Ok(()), |file| file.write_all(bytes))
            }
        }
    }

    /// Ends it: what has been written is on the disk, under its name.
    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Stdout | Self::Stderr | Self::Open { .. } => Ok(()),
            Self::Lines { growing, .. } => growing.map_or(Ok(()), |file| file.sync_all()),
            Self::Whole { path, file } => {
                file.as_file().sync_all()?;
                file.persist(&path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

/// Returns where a path leads: the user made the link, so what it names is what is meant.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = path.read_link() else {
            return Ok(path);
        };
        let folder = path.parent().unwrap_or(Path::new("/"));
        path = folder.join(target);
    }
    Err(io::Error::other("too many links"))
}

/// Opens a device or a pipe. Opening a pipe would wait for a reader, for ever if there is none.
fn open_special(path: &Path, is_pipe: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true);
    if is_pipe {
        options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(|error| {
        if is_pipe && error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) {
            io::Error::other("nobody reads from the pipe")
        } else {
            error
        }
    })?;
    if is_pipe {
        let flags = rustix::fs::fcntl_getfl(&file)?;
        rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    }
    Ok(file)
}

/// Makes a temporary file in the folder of `path`, which is made as needed.
pub(super) fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(|error| {
        let in_the_way = folder.ancestors().find(|part| part.is_file());
        match in_the_way {
            Some(file) => io::Error::other(format!("`{}` is a file, not a folder", file.display())),
            None => error,
        }
    })?;
    temporary(folder)
}

/// Makes a file that goes away unless it gets a name.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".ananke-")
        .suffix(".tmp")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}
