//! Processes that outlive what started them, also those that left its process group: a mark in their environment tells
//! them. Linux only; elsewhere none is found, and the process group is all that is ended.

use std::fmt;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// The environment variable that holds the mark.
pub(super) const MARK: &str = "ANANKE_PROCESS";

/// A process that carries a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Survivor {
    /// The mark.
    pub(crate) mark: String,
    pid: Pid,
    name: String,
}

impl fmt::Display for Survivor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (pid {})", self.name, self.pid.as_raw_nonzero())
    }
}

impl Survivor {
    /// Sends a signal, unless the process is gone and its id somebody else's.
    fn signal(&self, signal: Signal) {
        if self.is_alive() {
            // It may leave just now.
            kill_process(self.pid, signal).ok();
        }
    }

    fn is_alive(&self) -> bool {
        mark_of(self.pid).is_some_and(|mark| mark == self.mark)
    }
}

/// Returns the names of processes, in one line.
pub(crate) fn names<'a>(survivors: impl IntoIterator<Item = &'a Survivor>) -> String {
    let names: Vec<String> = survivors.into_iter().map(ToString::to_string).collect();
    names.join(", ")
}

/// Finds the living processes that carry one of `marks`, in the order of their ids.
pub(crate) async fn find_survivors(marks: Vec<String>) -> Vec<Survivor> {
    // Hundreds of small files are read: not on the threads that talk to agents.
    let found = tokio::task::spawn_blocking(move || find_now(&marks));
    found.await.unwrap_or_default()
}

/// Ends processes: SIGTERM, a moment of grace, SIGKILL.
pub(crate) async fn end_survivors(survivors: &[Survivor], grace: Duration) {
    for signal in [Signal::TERM, Signal::KILL] {
        for survivor in survivors {
            survivor.signal(signal);
        }
        let gone = async {
            let mut pause = tokio::time::interval(Duration::from_millis(10));
            while survivors.iter().any(Survivor::is_alive) {
                pause.tick().await;
            }
        };
        // Also after SIGKILL: a process that is just being killed may still hold a port.
        if tokio::time::timeout(grace, gone).await.is_ok() {
            return;
        }
    }
}

/// Kills the processes that carry one of `marks` at once.
pub(super) fn kill_survivors(marks: &[String]) {
    for survivor in find_now(marks) {
        survivor.signal(Signal::KILL);
    }
}

fn find_now(marks: &[String]) -> Vec<Survivor> {
    // Only Linux has such a folder.
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let ids = processes.filter_map(|entry| {
        let id: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        Pid::from_raw(id)
    });
    let mut survivors: Vec<Survivor> = ids
        .filter_map(|pid| {
            let mark = mark_of(pid).filter(|mark| marks.contains(mark))?;
            let name = std::fs::read_to_string(format!("/proc/{}/comm", pid.as_raw_nonzero()));
            let name = name.map_or_else(|_| "a process".to_owned(), |name| name.trim().to_owned());
            Some(Survivor { mark, pid, name })
        })
        .collect();
    survivors.sort_unstable_by_key(|survivor| survivor.pid.as_raw_nonzero());
    survivors
}

/// Returns the mark of a process. One that is dead, or somebody else's, has none.
fn mark_of(pid: Pid) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
    let mut variables = environment.split(|byte| *byte == 0);
    let mark = variables.find_map(|variable| {
        variable
            .strip_prefix(MARK.as_bytes())?
            .strip_prefix(b"=".as_slice())
    })?;
    String::from_utf8(mark.to_vec()).ok()
}
