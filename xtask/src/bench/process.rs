//! Timing processes: wall-clock time, peak memory, and servers that run beside them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What one run of a program cost.
pub struct Cost {
    pub peak_kib: u64,
    pub stdout: String,
}

/// Runs a program to its end; panics if it fails, for a benchmark of a failure means nothing.
pub fn run(program: &str, args: &[&str], folder: &str) -> Cost {
    let child = Command::new(program)
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let (peak, done) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let watcher = watch(child.id(), Arc::clone(&peak), Arc::clone(&done));
    let output = child
        .wait_with_output()
        .expect("the child was started here");
    done.store(true, Ordering::Relaxed);
    watcher.join().expect("the watcher does not panic");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {args:?}: {}\n{stderr}",
        output.status
    );
    Cost {
        peak_kib: peak.load(Ordering::Relaxed),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

/// Runs a program that prints nothing of interest, as bare as possible: for the shortest times.
pub fn time(program: &str, args: &[&str], folder: &str) -> Duration {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let started = Instant::now();
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let time = started.elapsed();
    assert!(status.success(), "{program} {args:?}: {status}");
    time
}

/// Follows the high-water mark of a process's memory.
fn watch(id: u32, peak: Arc<AtomicU64>, done: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        while !done.load(Ordering::Relaxed) {
            let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = mark.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok());
            peak.fetch_max(kib.unwrap_or(0), Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
        }
    })
}

/// A server that says where it listens and stops when its stdin ends.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    pub address: String,
}

impl Server {
    pub fn start(program: &str) -> Self {
        Self::start_with(program, &[])
    }

    pub fn start_with(program: &str, args: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        let stdin = child.stdin.take();
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("the server says where it listens");
        let address = line
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .trim_start_matches("http://")
            .trim_end_matches('/');
        Self {
            address: address.to_owned(),
            child,
            stdin,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stdin.take());
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
