//! Hooks: a command before the first turn whose stdout is one JSON object of variables, or nothing.

use std::time::Duration;

use serde_json::{Map, Value};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::bounded::{Bounded, End, Within};
use super::group::{Group, Launch};
use super::output::drain;
use super::survivors::Survivor;

const MAX_STDOUT: usize = 1 << 20;

/// A hook that succeeded.
#[derive(Debug)]
pub(crate) struct HookRun {
    /// What it printed.
    pub(crate) variables: Map<String, Value>,
    /// Its group, which lives on if the hook left processes in the background; they end with the test.
    pub(crate) group: Group,
    /// Keep the pipes empty, so that what was left in the background can go on writing.
    pub(crate) _readers: JoinSet<()>,
}

/// A hook that did not.
#[derive(Debug)]
pub(crate) struct HookFailure {
    pub(crate) kind: HookFailureKind,
    pub(crate) message: String,
    pub(crate) stderr: Vec<String>,
    /// What had left the hook's process group and was ended too.
    pub(crate) escaped: Vec<Survivor>,
}

/// Why a hook did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookFailureKind {
    /// It failed by itself.
    Failed,
    /// It hit its limit.
    Timeout,
    /// The user stopped the run.
    Cancelled,
}

/// Runs a hook to its end or to its deadline.
pub(crate) async fn run_hook(
    launch: &Launch<'_>,
    timeout: Duration,
    cancel: &CancellationToken,
) -> Result<HookRun, HookFailure> {
    let within = Within {
        timeout,
        max_stdout: MAX_STDOUT,
        cancel,
    };
    let run = Bounded::run(launch, None, within).await;
    let mut run = run.map_err(|error| HookFailure {
        kind: HookFailureKind::Failed,
        message: format!("`{}` cannot be started: {error}", launch.cmd[0]),
        stderr: Vec::new(),
        escaped: Vec::new(),
    })?;
    let (kind, message) = match &run.end {
        End::Exit(Ok(status)) if status.success() => {
            drain(&mut run.readers).await;
            match variables(run.stdout()) {
                Ok(variables) => {
                    return Ok(HookRun {
                        variables,
                        group: run.group,
                        _readers: run.readers,
                    });
                }
                Err(message) => (HookFailureKind::Failed, message),
            }
        }
        End::Exit(Ok(status)) => (HookFailureKind::Failed, status.to_string()),
        End::Exit(Err(error)) => {
            let message = format!("cannot be waited for: {error}");
            (HookFailureKind::Failed, message)
        }
        End::Flood => (HookFailureKind::Failed, too_much()),
        End::Timeout => {
            let limit = timeout.as_millis();
            let message = format!("timeout after {limit}ms; its process group was killed");
            (HookFailureKind::Timeout, message)
        }
        End::Cancelled => (HookFailureKind::Cancelled, "interrupted".to_owned()),
    };
    let (group, mut readers, printed) = run.into_parts();
    // What it wrote last is worth showing, and comes once nobody can write any more.
    let escaped = group.end().await;
    drain(&mut readers).await;
    Err(HookFailure {
        kind,
        message,
        stderr: printed.stderr(),
        escaped,
    })
}

fn too_much() -> String {
    format!("stdout is larger than {MAX_STDOUT} bytes; it must be one JSON object or empty")
}

/// Reads stdout: empty, or exactly one JSON object.
fn variables(stdout: Option<Vec<u8>>) -> Result<Map<String, Value>, String> {
    let stdout = stdout.ok_or_else(too_much)?;
    let text = String::from_utf8_lossy(&stdout);
    let text = text.trim();
    if text.is_empty() {
        return Ok(Map::new());
    }
    let why = match serde_json::from_str(text) {
        Ok(Value::Object(variables)) => return Ok(variables),
        Ok(Value::Array(_)) => "an array".to_owned(),
        Ok(_) => "a single value".to_owned(),
        Err(_) if text.starts_with('\u{feff}') => "it begins with a byte order mark".to_owned(),
        Err(error) => error.to_string(),
    };
    let mut shown: String = text.chars().take(200).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Err(format!(
        "stdout must be one JSON object or empty ({why}), got: {shown}"
    ))
}
