//! Reads a bundle, one test after another. Memory is bounded by the largest frame.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ananke_model::result::TestResult;
use ananke_model::run_event::Summary;

use super::StoreError;
use super::folder::{self, RUN_FILE};
use super::format::{self, FORMAT, Head, Record};
use super::frame_log::MAX_FRAME_BYTES;
use super::frames::{Frame, Frames};

/// The first bytes of a zstd frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A frame may be larger than what the writer aims at by the last piece it took in.
const MAX_READ_BYTES: usize = MAX_FRAME_BYTES + (1 << 20);

/// Room for text that is kept from one frame to the next.
const KEPT_BYTES: usize = 1 << 24;

/// How a bundle ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the totals of the run.
    Complete(Summary),
    /// Before the run was over: a crash, a full disk, or the run is still going on.
    Cut {
        /// What was seen, as a fragment about the file.
        reason: String,
    },
}

/// A bundle that is being read.
#[derive(Debug)]
pub struct BundleReader {
    file: PathBuf,
    frames: Frames<File>,
    /// Text of whole frames; lines before `cursor` were read.
    text: Vec<u8>,
    cursor: usize,
    head: Head,
    sources: Vec<(String, String)>,
    /// A test that was met while looking for sources.
    waiting: Option<Box<TestResult>>,
    n_tests: usize,
    ending: Option<Ending>,
}

enum Line {
    /// A whole line, as a range of `text`.
    At(std::ops::Range<usize>),
    /// There are no more; why.
    Cut(String),
}

impl BundleReader {
    /// Opens the bundle at `path`, the folder of a run or its file, and reads what stands before the first test.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = run_file(path)?;
        let input = open_bundle(&file)?;
        let frames =
            Frames::new(input, MAX_READ_BYTES).map_err(|error| read_error(&file, error))?;
        let mut reader = Self {
            file,
            frames,
            text: Vec::new(),
            cursor: 0,
            head: Head::default(),
            sources: Vec::new(),
            waiting: None,
            n_tests: 0,
            ending: None,
        };
        reader.read_head()?;
        reader.head.run.bundle = Some(shown(&reader.folder()));
        reader.waiting = reader.read_test()?;
        Ok(reader)
    }

    /// Returns the folder of the run.
    pub fn folder(&self) -> PathBuf {
        match self.file.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// Returns what was known when the run began.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Returns the files that the tests were read from: name and text.
    pub fn sources(&self) -> &[(String, String)] {
        &self.sources
    }

    /// Returns the next test, or `None` after the last one; [`Self::ending`] then tells whether it is the last of the run.
    pub fn next_test(&mut self) -> Result<Option<TestResult>, StoreError> {
        let next = match self.waiting.take() {
            Some(waiting) => Some(waiting),
            None => self.read_test()?,
        };
        Ok(next.map(|result| *result))
    }

    /// Returns how the bundle ends, once there is no next test.
    pub fn ending(&self) -> Option<&Ending> {
        match self.waiting {
            Some(_) => None,
            None => self.ending.as_ref(),
        }
    }

    /// Gives up reading and hands over what was read besides tests.
    pub(super) fn into_parts(self) -> (Head, Vec<(String, String)>, Option<Ending>) {
        (self.head, self.sources, self.ending)
    }

    fn read_head(&mut self) -> Result<(), StoreError> {
        let line = match self.next_line()? {
            Line::At(line) => &self.text[line],
            Line::Cut(_) => {
                return Err(StoreError::NoHead {
                    path: self.file.clone(),
                });
            }
        };
        let not_a_bundle = |seen: String| StoreError::NotABundle {
            path: self.file.clone(),
            seen,
        };
        let first = format::read_first(line)
            .map_err(|what| not_a_bundle(format!("its first line is no record: {what}")))?;
        if first.record != "run" || first.format == 0 {
            return Err(not_a_bundle(
                "its first line is no `run` record with a `format`".to_owned(),
            ));
        }
        if first.format > FORMAT {
            return Err(StoreError::Newer {
                path: self.file.clone(),
                format: first.format,
                version: first.version,
            });
        }
        self.head = format::read_run(line)
            .map_err(|what| self.damaged(format!("the `run` record: {what}")))?;
        Ok(())
    }

    /// Reads up to the next test or the end.
    fn read_test(&mut self) -> Result<Option<Box<TestResult>>, StoreError> {
        while self.ending.is_none() {
            let line = match self.next_line()? {
                Line::At(line) => line,
                Line::Cut(reason) => {
                    self.ending = Some(Ending::Cut { reason });
                    break;
                }
            };
            let record = format::read_record(&self.text[line])
                .map_err(|what| self.damaged(format!("a record cannot be read: {what}")))?;
            match record {
                Record::Test(result) => {
                    self.n_tests += 1;
                    return Ok(Some(result));
                }
                Record::Source(file, text) => self.sources.push((file, text)),
                Record::End(n_tests, summary) if n_tests == self.n_tests => {
                    self.ending = Some(Ending::Complete(summary));
                }
                Record::End(n_tests, _) => {
                    return Err(self.damaged(format!("{n_tests} tests were written")));
                }
                Record::Run => return Err(self.damaged("a second run begins here".to_owned())),
                Record::Unknown => {}
            }
        }
        Ok(None)
    }

    fn next_line(&mut self) -> Result<Line, StoreError> {
        loop {
            let unread = &self.text[self.cursor..];
            if let Some(len) = memchr::memchr(b'\n', unread) {
                let line = self.cursor..self.cursor + len;
                self.cursor = line.end + 1;
                return Ok(Line::At(line));
            }
            self.text.drain(..self.cursor);
            self.cursor = 0;
            if self.text.is_empty() && self.text.capacity() > KEPT_BYTES {
                self.text = Vec::new();
            }
            if self.text.len() > MAX_READ_BYTES {
                return Err(self.damaged("one line is larger than 1 GiB".to_owned()));
            }
            let frame = self
                .frames
                .read(&mut self.text)
                .map_err(|error| read_error(&self.file, error))?;
            match frame {
                Frame::Whole => {}
                Frame::None if self.text.is_empty() => {
                    return Ok(self.cut("it has no `end` record".to_owned()));
                }
                Frame::None => return Ok(self.cut("its last line is incomplete".to_owned())),
                Frame::Torn(n_bytes) => {
                    let reason = format!("its last {n_bytes} bytes are an incomplete frame");
                    return Ok(self.cut(reason));
                }
                Frame::Damaged(_) if self.ends_in_zeros() => {
                    return Ok(self.cut("it ends in zeros, as after a power failure".to_owned()));
                }
                Frame::Damaged(what) => return Err(self.damaged(what)),
            }
        }
    }

    fn cut(&self, reason: String) -> Line {
        if folder::is_running(&self.file) {
            return Line::Cut("its run is still going on".to_owned());
        }
        Line::Cut(reason)
    }

    /// Tells whether the last bytes were never written. They would be the checksum of the last frame.
    fn ends_in_zeros(&mut self) -> bool {
        let mut tail = [1_u8; 8];
        let input = self.frames.input_mut();
        let read = input
            .seek(SeekFrom::End(-8))
            .and_then(|_| input.read_exact(&mut tail));
        read.is_ok() && tail == [0; 8]
    }

    fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged {
            path: self.file.clone(),
            offset: self.frames.frame_start(),
            n_tests: self.n_tests,
            what,
        }
    }
}

/// Returns the run file that `path` means.
fn run_file(path: &Path) -> Result<PathBuf, StoreError> {
    let metadata = path.metadata().map_err(|error| not_there(path, error))?;
    if !metadata.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join(RUN_FILE);
    match file.metadata() {
        Ok(_) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreError::NoBundle {
            path: path.to_owned(),
            newest: folder::latest(path),
        }),
        Err(error) => Err(read_error(&file, error)),
    }
}

/// Opens the file and looks at its first bytes.
fn open_bundle(file: &Path) -> Result<File, StoreError> {
    let mut input = File::open(file).map_err(|error| not_there(file, error))?;
    // A pipe or a device would hang or never end.
    if !input.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err(StoreError::NotABundle {
            path: file.to_owned(),
            seen: "it is no regular file".to_owned(),
        });
    }
    let mut magic = Vec::with_capacity(MAGIC.len());
    (&mut input)
        .take(MAGIC.len() as u64)
        .read_to_end(&mut magic)
        .and_then(|_| input.rewind())
        .map_err(|error| read_error(file, error))?;
    if MAGIC.starts_with(&magic) {
        return Ok(input);
    }
    Err(StoreError::NotABundle {
        path: file.to_owned(),
        seen: "it does not begin like a file of zstd".to_owned(),
    })
}

fn not_there(path: &Path, error: io::Error) -> StoreError {
    if error.kind() == io::ErrorKind::NotFound {
        return StoreError::NotFound {
            path: path.to_owned(),
        };
    }
    read_error(path, error)
}

fn read_error(path: &Path, error: io::Error) -> StoreError {
    StoreError::Read {
        path: path.to_owned(),
        source: Arc::new(error),
    }
}

/// Writes a path as a user would type it.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) {
        return text.replace('\\', "/");
    }
    text.into_owned()
}
