//! A server that is a program: started in a process group of its own, and always ended with it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;

/// How long a server may take to leave when its stdin has ended. An interpreter needs half a second for that.
const LEAVING: Duration = Duration::from_millis(if cfg!(test) { 500 } else { 2000 });
/// How long it may take after SIGTERM, and after SIGKILL.
const GRACE: Duration = Duration::from_millis(500);
/// How long the end of a server that closed its pipes is waited for.
const LAST_MOMENT: Duration = Duration::from_millis(200);
const STDERR_TAIL: usize = 16 * 1024;
/// How many lines of stderr are told.
const STDERR_LINES: usize = 10;
/// How much of such a line is told, in characters.
const LINE: usize = 500;

/// Groups that are not yet ended.
static OPEN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn open() -> MutexGuard<'static, BTreeSet<i32>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all servers that were started, at once.
pub fn kill_all() {
    let groups = std::mem::take(&mut *open());
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        // The group may have left by itself in the meantime.
        kill_process_group(group, Signal::KILL).ok();
    }
}

/// A server that runs.
#[derive(Debug)]
pub(super) struct Program {
    name: String,
    child: Child,
    group: Pid,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinSet<()>,
}

impl Program {
    /// Starts a program, with what is added to its environment.
    pub(super) fn start(
        command: &[String],
        cwd: &Path,
        env: &[(String, String)],
    ) -> Result<(Self, ChildStdout, ChildStdin), String> {
        let Some((name, args)) = command.split_first() else {
            return Err("`command` names no program".to_owned());
        };
        if !cwd.is_dir() {
            return Err(format!("`cwd`: there is no folder `{}`", cwd.display()));
        }
        let failed = |why: &dyn std::fmt::Display| format!("`{name}` cannot be started: {why}");
        let mut child = Command::new(name)
            .args(args)
            .current_dir(cwd)
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(&error))?;
        let group = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(group), (Some(stdin), Some(stdout), Some(stderr))) = (group, pipes) else {
            return Err(failed(&"it has no pipes"));
        };
        open().insert(group.as_raw_nonzero().get());
        let tail: Arc<Mutex<Vec<u8>>> = Arc::default();
        let mut stderr_reader = JoinSet::new();
        stderr_reader.spawn(keep_tail(stderr, Arc::clone(&tail)));
        let program = Self {
            name: name.clone(),
            child,
            group,
            stderr: tail,
            stderr_reader,
        };
        Ok((program, stdout, stdin))
    }

    /// Says that the server has ended, if it has or just does.
    pub(super) async fn ending(&mut self) -> Option<String> {
        let status = tokio::time::timeout(LAST_MOMENT, self.child.wait()).await;
        let status = status.ok()?.ok()?;
        // What it said last may still be in the pipe; something in the background may hold that open.
        let end = self.stderr_reader.join_next();
        tokio::time::timeout(LAST_MOMENT, end).await.ok();
        Some(format!("`{}` ended ({status})", self.name))
    }

    /// Returns the last lines of stderr.
    pub(super) fn stderr(&self) -> Vec<String> {
        let tail = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let begin = lines.len().saturating_sub(STDERR_LINES);
        let last = lines[begin..].iter();
        let shortened = |line: &&str| {
            let mut chars = line.chars();
            let mut shown: String = chars.by_ref().take(LINE).collect();
            if chars.next().is_some() {
                shown.push('…');
            }
            shown
        };
        last.map(shortened).collect()
    }

    /// Ends the server and its whole group. Its stdin is closed already, which tells it to leave. Says so if it did not.
    pub(super) async fn end(mut self) -> Option<String> {
        let mut unwilling = None;
        let mut is_gone = self.is_gone_within(LEAVING).await;
        for (signal, shown) in [(Signal::TERM, "SIGTERM"), (Signal::KILL, "SIGKILL")] {
            if is_gone {
                break;
            }
            if matches!(self.child.try_wait(), Ok(None)) {
                unwilling = Some(format!(
                    "`{}` went on after its stdin was closed; it was ended with {shown}",
                    self.name
                ));
            }
            kill_process_group(self.group, signal).ok();
            is_gone = self.is_gone_within(GRACE).await;
        }
        open().remove(&self.group.as_raw_nonzero().get());
        self.stderr_reader.abort_all();
        unwilling
    }

    /// Waits a moment until no process of the group is left, and reaps the leader.
    async fn is_gone_within(&mut self, limit: Duration) -> bool {
        let gone = async {
            self.child.wait().await.ok();
            let mut pause = tokio::time::interval(Duration::from_millis(10));
            while test_kill_process_group(self.group).is_ok() {
                pause.tick().await;
            }
        };
        tokio::time::timeout(limit, gone).await.is_ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Also when a test is cancelled or panics: nobody is left behind.
        if open().remove(&self.group.as_raw_nonzero().get()) {
            kill_process_group(self.group, Signal::KILL).ok();
        }
    }
}

/// Reads a stream to its end, keeping the last bytes.
async fn keep_tail(mut stream: impl AsyncRead + Unpin, tail: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = vec![0; 8192];
    while let Ok(n @ 1..) = stream.read(&mut buffer).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..n]);
        if tail.len() > 2 * STDERR_TAIL {
            let surplus = tail.len() - STDERR_TAIL;
            tail.drain(..surplus);
        }
    }
}
