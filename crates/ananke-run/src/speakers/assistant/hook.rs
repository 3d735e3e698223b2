//! Calls hooks within the time of a turn.

use std::time::Duration;

use ananke_model::recording::{Trouble, TroubleKind};
use ananke_model::script::{FailureKind, ScriptCall};
use ananke_script::Argument;
use serde_json::Value;
use tokio::time::Instant;

use crate::script::{Calls, in_one_line};
use crate::speakers::script::told_logs;

/// How far a turn is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    started: Instant,
    limit: Duration,
}

impl Course {
    /// Begins a turn that may take so long.
    pub(super) fn begin(limit: Duration) -> Self {
        Self {
            started: Instant::now(),
            limit,
        }
    }

    /// Returns how long the turn has taken so far.
    pub(super) fn elapsed_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Returns how much time is left.
    pub(super) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.started.elapsed())
    }

    /// Says that the time was up while something was under way.
    pub(super) fn late(&self, what: &str) -> Trouble {
        let limit = self.limit.as_millis();
        trouble(
            TroubleKind::Timeout,
            format!("timeout after {limit}ms (timeout_ms): {what}"),
        )
    }

    /// Puts the limit of the whole turn in the place of that of a part of it.
    pub(super) fn of_whole(&self, part: Duration, trouble: &mut Trouble) {
        if trouble.kind == TroubleKind::Timeout {
            let [part, whole] =
                [part, self.limit].map(|limit| format!("after {}ms", limit.as_millis()));
            trouble.message = trouble.message.replacen(&part, &whole, 1);
        }
    }
}

/// Calls a hook. What it logged is told if it fails.
pub(super) async fn call_hook(
    calls: &Calls,
    function: &ScriptCall,
    arguments: Vec<Argument>,
    course: Course,
    warnings: &mut Vec<String>,
) -> Result<Value, Trouble> {
    let called = calls.answer(function, arguments, course.left()).await;
    if called.result.is_err() {
        warnings.extend(told_logs(&called.logs));
    }
    called.result.map_err(|failure| {
        let hook = &function.reference;
        match failure.kind {
            FailureKind::Timeout => course.late(&format!("the hook `{hook}` had not returned")),
            FailureKind::Interrupted => trouble(TroubleKind::Cancelled, "interrupted"),
            _ => failed(function, &in_one_line(&failure)),
        }
    })
}

/// Says that a hook failed, or returned what cannot be meant.
pub(super) fn failed(function: &ScriptCall, why: &str) -> Trouble {
    let ScriptCall {
        reference, shown, ..
    } = function;
    trouble(
        TroubleKind::Transport,
        format!("the hook `{reference}` of {shown} failed: {why}"),
    )
}

pub(super) fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
