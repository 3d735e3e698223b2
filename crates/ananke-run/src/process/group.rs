//! A child in its own process group: started without a shell, ended as a group, and with what left the group.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::{Child, Command};

use super::survivors::{self, Survivor, end_survivors, find_survivors, kill_survivors};

/// How long a group may take to leave after SIGTERM.
const GRACE: Duration = Duration::from_millis(500);

/// Groups that are not yet ended, by their marks, so that a second Ctrl-C can end them at once.
static OPEN: Mutex<BTreeMap<String, i32>> = Mutex::new(BTreeMap::new());

fn open() -> MutexGuard<'static, BTreeMap<String, i32>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends everything that ananke started, at once.
pub fn kill_all() {
    ananke_protocol::mcp::kill_all();
    let open = std::mem::take(&mut *open());
    for group in open.values().copied().filter_map(Pid::from_raw) {
        // The group may have left by itself in the meantime.
        kill_process_group(group, Signal::KILL).ok();
    }
    if !open.is_empty() {
        kill_survivors(&open.into_keys().collect::<Vec<_>>());
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
    /// Carried by every process of the group, and by those that leave it.
    mark: String,
}

impl Group {
    /// Starts the command, with nothing on stdin and pipes on stdout and stderr.
    pub(crate) fn start(launch: &Launch<'_>) -> std::io::Result<Self> {
        Self::start_with(launch, Stdio::null())
    }

    /// Starts the command with pipes on stdin, stdout and stderr.
    pub(crate) fn start_to_read(launch: &Launch<'_>) -> std::io::Result<Self> {
        Self::start_with(launch, Stdio::piped())
    }

    fn start_with(launch: &Launch<'_>, stdin: Stdio) -> std::io::Result<Self> {
        let (program, args) = launch
            .cmd
            .split_first()
            .expect("`plan` refuses an empty command");
        let mark = uuid::Uuid::new_v4().to_string();
        let child = Command::new(program)
            .args(args)
            .current_dir(launch.cwd)
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .env(survivors::MARK, &mark)
            .stdin(stdin)
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
        open().insert(mark.clone(), id.as_raw_nonzero().get());
        Ok(Self { child, id, mark })
    }

    /// Returns what tells the processes of this group from all others.
    pub(crate) fn mark(&self) -> &str {
        &self.mark
    }

    /// Tells whether a process of the group is alive.
    pub(crate) fn is_alive(&self) -> bool {
        test_kill_process_group(self.id).is_ok()
    }

    /// Ends the group: SIGTERM, a moment of grace, SIGKILL. Reaps the leader. Then ends what had left the group, and
    /// returns that.
    pub(crate) async fn end(mut self) -> Vec<Survivor> {
        self.end_group().await;
        let left = find_survivors(vec![self.mark.clone()]).await;
        end_survivors(&left, GRACE).await;
        open().remove(&self.mark);
        left
    }

    /// Ends the group, and `left`, which the caller has found to be all that is left.
    pub(crate) async fn end_with(mut self, left: &[Survivor]) {
        self.end_group().await;
        end_survivors(left, GRACE).await;
        open().remove(&self.mark);
    }

    async fn end_group(&mut self) {
        for signal in [Signal::TERM, Signal::KILL] {
            if !self.is_alive() {
                break;
            }
            kill_process_group(self.id, signal).ok();
            let gone = async {
                let mut pause = tokio::time::interval(Duration::from_millis(10));
                while self.is_alive() {
                    pause.tick().await;
                    self.child.try_wait().ok();
                }
            };
            // Also after SIGKILL: a process that is just being killed may still hold a port.
            tokio::time::timeout(GRACE, gone).await.ok();
        }
        tokio::time::timeout(GRACE, self.child.wait()).await.ok();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Also when a test is cancelled or panics: nobody is left behind.
        if open().remove(&self.mark).is_some() {
            kill_process_group(self.id, Signal::KILL).ok();
            kill_survivors(std::slice::from_ref(&self.mark));
        }
    }
}
