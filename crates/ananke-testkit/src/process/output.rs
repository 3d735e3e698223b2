//! What a run brought, and how it is shown.

use std::fmt;
use std::time::Duration;

/// What a run brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutput {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Everything on stdout.
    pub stdout: String,
    /// Everything on stderr.
    pub stderr: String,
    /// From start to end.
    pub elapsed: Duration,
    /// The most memory that the process itself held, where the system tells. It is looked at every 2 ms, so a peak in
    /// the last moment can be missed.
    pub peak_rss_kib: Option<u64>,
    /// Whether something that the process had started still held its output open after the end.
    pub left_processes: bool,
}

impl fmt::Display for RunOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => writeln!(f, "exit code: {code}")?,
            None => writeln!(f, "exit code: none (killed)")?,
        }
        write!(f, "--- stdout\n{}", self.stdout)?;
        if !self.stdout.is_empty() && !self.stdout.ends_with('\n') {
            f.write_str("\n")?;
        }
        write!(f, "--- stderr\n{}", self.stderr)
    }
}
