//! `server:` — the app under test, started before the first test and stopped with its whole group afterwards.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use ananke_protocol::http::{HttpClient, without_secrets};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::group::{Group, Launch};
use super::output::{Shared, drain, keep_tail, last_lines};
use super::survivors::names;

const TAIL: usize = 16 * 1024;
const PROBE_EVERY: Duration = Duration::from_millis(50);
/// How long a server that may be dying is waited for.
const LAST_MOMENT: Duration = Duration::from_millis(200);
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// The app under test, running.
#[derive(Debug)]
pub struct Server {
    group: Group,
    output: Shared<Vec<u8>>,
    /// Keeps the pipes empty; ends with the server.
    readers: JoinSet<()>,
}

/// The app under test did not come up, or did not stay.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ServerError {
    /// What happened.
    pub message: String,
    /// The last lines that it printed.
    pub output: Vec<String>,
}

impl Server {
    /// Starts `cmd` in `cwd` and waits until `url` answers anything.
    pub async fn start(
        cmd: &[String],
        env: Vec<(String, String)>,
        cwd: &Path,
        ready: Ready<'_>,
        cancel: &CancellationToken,
    ) -> Result<Self, ServerError> {
        let Ready {
            client,
            url,
            timeout,
        } = ready;
        let place = without_secrets(url);
        if client.answers(url, PROBE_LIMIT).await.is_ok() {
            let message =
                format!("something answers at {place} already: stop it, or leave out `server`");
            return Err(ServerError {
                message,
                output: Vec::new(),
            });
        }
        let mut group = Group::start(&Launch { cmd, cwd, env }).map_err(|error| ServerError {
            message: format!("the server `{}` cannot be started: {error}", cmd[0]),
            output: Vec::new(),
        })?;
        let output: Shared<Vec<u8>> = Arc::default();
        let mut readers = JoinSet::new();
        if let Some(pipe) = group.child.stdout.take() {
            readers.spawn(keep_tail(pipe, TAIL, Arc::clone(&output)));
        }
        if let Some(pipe) = group.child.stderr.take() {
            readers.spawn(keep_tail(pipe, TAIL, Arc::clone(&output)));
        }
        let deadline = Instant::now() + timeout;
        let answer = async {
            let mut probe = tokio::time::interval(PROBE_EVERY);
            probe.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                probe.tick().await;
                if client.answers(url, PROBE_LIMIT).await.is_ok() {
                    return;
                }
            }
        };
        let failure = tokio::select! {
            () = cancel.cancelled() => "interrupted while the server was starting".to_owned(),
            () = tokio::time::sleep_until(deadline) => {
                format!("the server did not answer at {place} within {}ms (server.timeout_ms)", timeout.as_millis())
            }
            status = group.child.wait() => {
                format!("the server ended before it answered at {place}: {}", shown(status))
            }
            () = answer => {
                return Ok(Self { group, output, readers });
            }
        };
        let escaped = group.end().await;
        drain(&mut readers).await;
        let message = if escaped.is_empty() {
            failure
        } else {
            let names = names(&escaped);
            format!(
                "{failure}; it left {names} in the background, which was ended: `server` must stay in the foreground"
            )
        };
        Err(ServerError {
            message,
            output: last_lines(&output, 20),
        })
    }

    /// Stops the server and its whole process group. Returns what was not as it should be.
    ///
    /// After trouble with the agent a dying server gets a moment to be dead: its connections close before it ends.
    pub async fn stop(mut self, had_trouble: bool) -> Vec<ServerError> {
        let mut troubles = Vec::new();
        if had_trouble {
            let ended = self.group.child.wait();
            tokio::time::timeout(LAST_MOMENT, ended).await.ok();
        }
        if let Some(status) = self.group.child.try_wait().transpose() {
            drain(&mut self.readers).await;
            troubles.push(ServerError {
                message: format!("the server ended during the run: {}", shown(status)),
                output: last_lines(&self.output, 20),
            });
        }
        let escaped = self.group.end().await;
        self.readers.abort_all();
        if !escaped.is_empty() {
            troubles.push(ServerError {
                message: format!(
                    "the server left processes in the background, which were ended: {}",
                    names(&escaped)
                ),
                output: Vec::new(),
            });
        }
        troubles
    }
}

fn shown(status: std::io::Result<ExitStatus>) -> String {
    status.map_or_else(|error| error.to_string(), |status| status.to_string())
}

/// How a server shows that it is ready.
#[derive(Clone, Copy, Debug)]
pub struct Ready<'a> {
    /// The client to ask with.
    pub client: &'a HttpClient,
    /// What must answer.
    pub url: &'a str,
    /// How long it may take.
    pub timeout: Duration,
}
