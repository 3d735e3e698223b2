//! Asks a function of a script what it thinks of an output.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::script::{FailureKind, ScriptCall};
use tokio::time::Instant;

use super::gather::{Answered, hide, no_answer};
use super::reply;
use crate::script::{Calls, Judgment, arguments, sample};
use crate::world::World;

/// How long a function may take if its check does not say so.
pub(super) const SCRIPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Calls a function once.
pub(super) async fn by_script(
    world: &Arc<World>,
    function: &ScriptCall,
    judged: Judgment<'_>,
    (limit, deadline): (Duration, Instant),
) -> Answered {
    let own = judged.question.timeout_ms.map(Duration::from_millis);
    let own = own.unwrap_or(SCRIPT_TIMEOUT);
    let since = Instant::now();
    let left = deadline.saturating_duration_since(since);
    let is_whole = left < own;
    let timeout = own.min(left);
    if timeout.is_zero() {
        let sample = reply::none(no_answer(limit, own, is_whole), 0);
        return Answered::new(sample, is_whole);
    }
    let calls = Calls::new(world, 0);
    let mut called = calls.answer(function, arguments(judged), timeout).await;
    let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    let failure = called.result.as_ref().err().map(|failure| failure.kind);
    let is_late = failure == Some(FailureKind::Timeout);
    let modules = std::mem::take(&mut called.modules);
    let digest = std::mem::take(&mut called.digest);
    let mut sample = sample(called, spent);
    if is_late {
        sample.reason = no_answer(limit, own, is_whole);
    }
    hide(world, &mut sample);
    Answered {
        modules,
        digest,
        ..Answered::new(sample, is_late && is_whole)
    }
}
