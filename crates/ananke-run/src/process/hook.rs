//! Hooks: a command before the first turn whose stdout is one JSON object of variables, or nothing.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::group::{Group, Launch};
use super::output::{Head, Shared, keep_head, keep_tail, last_lines};

const MAX_STDOUT: usize = 1 << 20;
const STDERR_TAIL: usize = 16 * 1024;
/// How long a hook's background processes may keep its stdout open after it ended.
const DRAIN: Duration = Duration::from_millis(200);

/// A hook that succeeded.
#[derive(Debug)]
pub(crate) struct HookRun {
    /// What it printed.
    pub(crate) variables: Map<String, Value>,
    /// Its group, which lives on if the hook left processes in the background; they end with the test.
    pub(crate) group: Group,
}

/// A hook that did not.
#[derive(Debug)]
pub(crate) struct HookFailure {
    pub(crate) message: String,
    pub(crate) stderr: Vec<String>,
    pub(crate) is_timeout: bool,
}

/// Runs a hook to its end or to its deadline.
pub(crate) async fn run_hook(
    launch: &Launch<'_>,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Result<HookRun, HookFailure> {
    let fail = |message: String| HookFailure {
        message,
        stderr: Vec::new(),
        is_timeout: false,
    };
    let mut group = Group::start(launch)
        .map_err(|error| fail(format!("`{}` cannot be started: {error}", launch.cmd[0])))?;
    let (stdout, stderr): (Shared<Head>, Shared<Vec<u8>>) = (Arc::default(), Arc::default());
    let mut readers = JoinSet::new();
    if let Some(pipe) = group.child.stdout.take() {
        readers.spawn(keep_head(pipe, MAX_STDOUT, Arc::clone(&stdout)));
    }
    if let Some(pipe) = group.child.stderr.take() {
        readers.spawn(keep_tail(pipe, STDERR_TAIL, Arc::clone(&stderr)));
    }
    let waited = tokio::select! {
        () = cancel.cancelled() => None,
        waited = tokio::time::timeout(timeout, group.child.wait()) => Some(waited),
    };
    tokio::time::timeout(DRAIN, async {
        while readers.join_next().await.is_some() {}
    })
    .await
    .ok();
    let with_stderr = |message: String, is_timeout| HookFailure {
        message,
        stderr: last_lines(&stderr, 10),
        is_timeout,
    };
    let failure = match waited {
        None => with_stderr("interrupted".to_owned(), false),
        Some(Err(_)) => with_stderr(
            format!(
                "timeout after {}ms; its process group was killed",
                timeout.as_millis()
            ),
            true,
        ),
        Some(Ok(Err(error))) => with_stderr(format!("cannot be waited for: {error}"), false),
        Some(Ok(Ok(status))) if !status.success() => with_stderr(status.to_string(), false),
        Some(Ok(Ok(_))) => match variables(&stdout) {
            Ok(variables) => return Ok(HookRun { variables, group }),
            Err(message) => with_stderr(message, false),
        },
    };
    group.end().await;
    Err(failure)
}

/// Reads stdout: empty, or exactly one JSON object.
fn variables(stdout: &Shared<Head>) -> Result<Map<String, Value>, String> {
    let head = stdout.lock().unwrap_or_else(PoisonError::into_inner);
    if head.overflowed {
        return Err(format!("stdout is larger than {MAX_STDOUT} bytes"));
    }
    let text = String::from_utf8_lossy(&head.bytes);
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let shown: String = text.trim().chars().take(200).collect();
    match serde_json::from_str(text.trim_start_matches('\u{feff}').trim()) {
        Ok(Value::Object(variables)) => Ok(variables),
        Ok(_) => Err(format!(
            "stdout must be one JSON object or empty, got: {shown}"
        )),
        Err(error) => Err(format!(
            "stdout must be one JSON object or empty ({error}), got: {shown}"
        )),
    }
}
