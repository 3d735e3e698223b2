//! Runs a program to its end, within a time and an amount of output.

use std::process::ExitStatus;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::group::{Group, Launch};
use super::output::{Head, Shared, keep_head, keep_tail, last_lines};

const STDERR_TAIL: usize = 16 * 1024;
/// How many lines of stderr are told.
const STDERR_LINES: usize = 10;

/// What bounds a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within<'a> {
    pub(crate) timeout: Duration,
    /// What it may print to stdout, in bytes.
    pub(crate) max_stdout: usize,
    pub(crate) cancel: &'a CancellationToken,
}

/// A program that has ended, or that is to be ended. What it left in the background may still be there.
#[derive(Debug)]
pub(super) struct Bounded {
    pub(super) end: End,
    pub(super) group: Group,
    pub(super) readers: JoinSet<()>,
    stdout: Shared<Head>,
    stderr: Shared<Vec<u8>>,
}

/// How the wait for a program ended.
#[derive(Debug)]
pub(super) enum End {
    Exit(std::io::Result<ExitStatus>),
    Flood,
    Timeout,
    Cancelled,
}

impl Bounded {
    /// Starts a program with `input` on its stdin, and waits for its end or for that of what it may do.
    pub(super) async fn run(
        launch: &Launch<'_>,
        input: Option<Vec<u8>>,
        within: Within<'_>,
    ) -> std::io::Result<Self> {
        let mut group = match input {
            Some(_) => Group::start_to_read(launch)?,
            None => Group::start(launch)?,
        };
        let (stdout, stderr): (Shared<Head>, Shared<Vec<u8>>) = (Arc::default(), Arc::default());
        let flood = CancellationToken::new();
        let mut readers = JoinSet::new();
        if let Some(pipe) = group.child.stdout.take() {
            let (head, flood) = (Arc::clone(&stdout), flood.clone());
            readers.spawn(keep_head(pipe, within.max_stdout, head, flood));
        }
        if let Some(pipe) = group.child.stderr.take() {
            readers.spawn(keep_tail(pipe, STDERR_TAIL, Arc::clone(&stderr)));
        }
        if let (Some(mut pipe), Some(input)) = (group.child.stdin.take(), input) {
            // A program need not read to the end, or at all; the pipe closes when all is written.
            readers.spawn(async move {
                pipe.write_all(&input).await.ok();
            });
        }
        let end = tokio::select! {
            () = within.cancel.cancelled() => End::Cancelled,
            () = flood.cancelled() => End::Flood,
            waited = tokio::time::timeout(within.timeout, group.child.wait()) => waited.map_or(End::Timeout, End::Exit),
        };
        Ok(Self {
            end,
            group,
            readers,
            stdout,
            stderr,
        })
    }

    /// Returns what was printed to stdout; nothing if that was too much.
    pub(super) fn stdout(&self) -> Option<Vec<u8>> {
        stdout(&self.stdout)
    }

    /// Takes it apart for those who end the group.
    pub(super) fn into_parts(self) -> (Group, JoinSet<()>, Printed) {
        let printed = Printed {
            stdout: self.stdout,
            stderr: self.stderr,
        };
        (self.group, self.readers, printed)
    }
}

/// What a program has printed, as long as somebody reads it.
#[derive(Debug)]
pub(super) struct Printed {
    stdout: Shared<Head>,
    stderr: Shared<Vec<u8>>,
}

impl Printed {
    /// Returns what was printed to stdout; nothing if that was too much.
    pub(super) fn stdout(&self) -> Option<Vec<u8>> {
        stdout(&self.stdout)
    }

    /// Returns the last lines of stderr.
    pub(super) fn stderr(&self) -> Vec<String> {
        last_lines(&self.stderr, STDERR_LINES)
    }
}

fn stdout(head: &Shared<Head>) -> Option<Vec<u8>> {
    let head = head.lock().unwrap_or_else(PoisonError::into_inner);
    (!head.overflowed).then(|| head.bytes.clone())
}
