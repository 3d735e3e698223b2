//! A process under way: watched, signaled, and never left behind.

use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use super::capture::Capture;
use super::group::{group_id, kill_group};
use super::output::RunOutput;

/// How long output may stay open after the process ended: a process that it left behind would hold it.
const OUTPUT_GRACE: Duration = Duration::from_secs(2);
/// How often memory is looked at.
const POLL: Duration = Duration::from_millis(2);

/// A process that was started. Dropping it kills its process group.
#[derive(Debug)]
pub struct Running {
    id: u32,
    started: Instant,
    deadline: Instant,
    exit: Receiver<ExitStatus>,
    stdout: Capture,
    stderr: Capture,
    peak_rss_kib: Option<u64>,
    is_over: bool,
}

impl Running {
    pub(super) fn new(mut child: Child, started: Instant, time_limit: Duration) -> Self {
        let stdout = Capture::of(child.stdout.take().expect("stdout is piped"));
        let stderr = Capture::of(child.stderr.take().expect("stderr is piped"));
        Self {
            id: child.id(),
            started,
            deadline: started + time_limit,
            exit: wait_apart(child),
            stdout,
            stderr,
            peak_rss_kib: None,
            is_over: false,
        }
    }

    /// Returns the id of the process, which is also that of its group.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns what was written to stdout so far.
    pub fn stdout_so_far(&self) -> String {
        self.stdout.text()
    }

    /// Returns what was written to stderr so far.
    pub fn stderr_so_far(&self) -> String {
        self.stderr.text()
    }

    /// Waits until the output so far satisfies `is_enough`. Panics if the process ends first, or takes too long.
    pub fn wait_for(&mut self, is_enough: impl Fn(&str, &str) -> bool) {
        while !is_enough(&self.stdout.text(), &self.stderr.text()) {
            match self.exit.recv_timeout(POLL) {
                Ok(status) => panic!("it ended with {status} before that:\n{}", self.so_far()),
                Err(_) => self.check_deadline(),
            }
        }
    }

    /// Sends SIGINT to the process, as Ctrl-C does.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// Sends SIGTERM to the process.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    fn signal(&self, signal: Signal) {
        match kill_process(group_id(self.id), signal) {
            // It may have ended, and been waited for, just before.
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => panic!("the process takes no signal: {error}"),
        }
    }

    /// Waits for the end. Panics with the output so far if that takes too long.
    pub fn wait(mut self) -> RunOutput {
        let status = loop {
            match self.exit.recv_timeout(POLL) {
                Ok(status) => break status,
                Err(RecvTimeoutError::Timeout) => self.check_deadline(),
                Err(RecvTimeoutError::Disconnected) => panic!("the process was lost"),
            }
        };
        let elapsed = self.started.elapsed();
        self.is_over = true;
        let is_output_closed = self.stdout.is_closed_within(OUTPUT_GRACE)
            && self.stderr.is_closed_within(OUTPUT_GRACE);
        if !is_output_closed {
            kill_group(self.id);
        }
        RunOutput {
            code: status.code(),
            stdout: self.stdout.text(),
            stderr: self.stderr.text(),
            elapsed,
            peak_rss_kib: self.peak_rss_kib,
            left_processes: !is_output_closed,
        }
    }

    fn check_deadline(&mut self) {
        self.peak_rss_kib = self.peak_rss_kib.max(peak_rss_kib(self.id));
        if Instant::now() >= self.deadline {
            kill_group(self.id);
            panic!(
                "it still ran after {:?}:\n{}",
                self.started.elapsed(),
                self.so_far()
            );
        }
    }

    fn so_far(&self) -> String {
        format!(
            "--- stdout\n{}--- stderr\n{}",
            self.stdout.text(),
            self.stderr.text()
        )
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            kill_group(self.id);
        }
    }
}

fn wait_apart(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, exit) = channel();
    std::thread::spawn(move || {
        if let Ok(status) = child.wait() {
            sender.send(status).ok();
        }
    });
    exit
}

/// Reads the peak of the process from the system. Only Linux tells while it runs.
fn peak_rss_kib(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
