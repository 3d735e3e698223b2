//! A child in its own process group: started without a shell, ended as a group.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::{Child, Command};

/// How long a group may take to leave after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);

/// Groups that are alive, so that a second Ctrl-C can end them at once.
static ALIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Ends every process group that ananke started, at once.
pub fn kill_all() {
    let alive = std::mem::take(&mut *ALIVE.lock().unwrap_or_else(PoisonError::into_inner));
    for group in alive.into_iter().filter_map(Pid::from_raw) {
        // The group may have left by itself in the meantime.
        kill_process_group(group, Signal::KILL).ok();
    }
}

/// What is started, and where.
#[derive(Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) cmd: &'a [String],
    pub(crate) cwd: &'a Path,
    pub(crate) env: Vec<(String, String)>,
}

/// A process group with its leader.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) child: Child,
    id: Pid,
}

impl Group {
    /// Starts the command, with nothing on stdin and pipes on stdout and stderr.
    pub(crate) fn start(launch: &Launch<'_>) -> std::io::Result<Self> {
        let (program, args) = launch
            .cmd
            .split_first()
            .expect("`plan` refuses an empty command");
        let child = Command::new(program)
            .args(args)
            .current_dir(launch.cwd)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let id = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        let id = id.expect("a child that was just started has an id");
        ALIVE
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.as_raw_nonzero().get());
        Ok(Self { child, id })
    }

    /// Tells whether a process of the group is alive.
    pub(crate) fn is_alive(&self) -> bool {
        test_kill_process_group(self.id).is_ok()
    }

    /// Ends the group: SIGTERM, a moment of grace, SIGKILL. Reaps the leader.
    pub(crate) async fn end(mut self) {
        if self.is_alive() {
            kill_process_group(self.id, Signal::TERM).ok();
            let left = async {
                let mut pause = tokio::time::interval(Duration::from_millis(10));
                while self.is_alive() {
                    pause.tick().await;
                    self.child.try_wait().ok();
                }
            };
            tokio::time::timeout(GRACE, left).await.ok();
        }
        kill_process_group(self.id, Signal::KILL).ok();
        tokio::time::timeout(GRACE, self.child.wait()).await.ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Also when a test is cancelled or panics: nobody is left behind.
        if ALIVE
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.id.as_raw_nonzero().get())
        {
            kill_process_group(self.id, Signal::KILL).ok();
        }
    }
}
