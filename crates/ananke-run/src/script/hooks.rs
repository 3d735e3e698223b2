//! Hooks of scripts: `before` and `after` of a case, `--before-all` and `--after-all` of a run.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::result::TestStatus;
use ananke_model::script::{FailureKind, ScriptCall, ScriptFailure};
use ananke_script::Argument;
use serde_json::Value;

use super::shown::{details, in_one_line};
use super::{Calls, case_json, context_of};
use crate::session::Stopped;
use crate::world::World;

/// How long a hook may take.
const HOOK_TIMEOUT: Duration = Duration::from_secs(30);
/// How the words begin that say that `after` failed.
pub(crate) const AFTER_FAILED: &str = "after failed (";

/// Hooks around the whole run.
#[derive(Debug)]
pub(crate) struct Hooked<'a> {
    pub(crate) world: &'a Arc<World>,
}

impl Hooked<'_> {
    /// Calls `--before-all`; returns what it hands on, or why no test is to be run.
    pub(crate) async fn before_all(&self) -> Result<Value, Stopped> {
        let Some(hook) = &self.world.plan.scripts.before_all else {
            return Ok(Value::Null);
        };
        let tests = self.world.plan.tests.iter();
        let cases = tests.map(|test| case_json(test, test.case.as_deref()));
        let cases = cases.collect();
        let calls = Calls::new(self.world, 0);
        let arguments = vec![self.context(), Argument::Json(cases)];
        let called = calls.call(hook, arguments, HOOK_TIMEOUT).await;
        called
            .result
            .map(data_of)
            .map_err(|failure| hook_failed("before_all", hook, &failure))
    }

    /// Calls `--after-all`; returns what went wrong.
    pub(crate) async fn after_all(&self, results: Value, data: Value) -> Option<Stopped> {
        let hook = self.world.plan.scripts.after_all.as_ref()?;
        let mut arguments = vec![self.context(), Argument::Json(results)];
        arguments.extend(some(data).map(Argument::Json));
        let calls = Calls::cleaning(self.world);
        let called = calls.call(hook, arguments, HOOK_TIMEOUT).await;
        let failure = called.result.err()?;
        Some(hook_failed("after_all", hook, &failure))
    }

    fn context(&self) -> Argument {
        Argument::Context(context_of(self.world.plan.identity.as_ref(), ""))
    }
}

/// Calls `before` of a case within `timeout`; returns what it hands on.
pub(crate) async fn before(
    world: &Arc<World>,
    hook: &ScriptCall,
    arguments: [Argument; 2],
    timeout: Duration,
) -> Result<Value, Stopped> {
    let calls = Calls::new(world, 0);
    let timeout = timeout.min(HOOK_TIMEOUT);
    let called = calls.call(hook, arguments.into(), timeout).await;
    called
        .result
        .map(data_of)
        .map_err(|failure| hook_failed("before", hook, &failure))
}

/// Calls `after` of a case, even after the user stopped the run; returns what went wrong.
pub(crate) async fn after(
    world: &Arc<World>,
    hook: &ScriptCall,
    arguments: [Argument; 3],
    data: Value,
) -> Option<Stopped> {
    let mut arguments = Vec::from(arguments);
    arguments.extend(some(data).map(Argument::Json));
    let calls = Calls::cleaning(world);
    let called = calls.call(hook, arguments, HOOK_TIMEOUT).await;
    let failure = called.result.err()?;
    Some(hook_failed("after", hook, &failure))
}

/// Returns what a hook handed on, if it did.
fn some(data: Value) -> Option<Value> {
    Some(data).filter(|data| !data.is_null())
}

/// Returns what a hook hands on: `{data: x}` is x.
fn data_of(returned: Value) -> Value {
    match returned {
        Value::Object(mut members) if members.len() == 1 && members.contains_key("data") => {
            members.remove("data").unwrap_or_default()
        }
        other => other,
    }
}

/// Says that a hook failed; `what` is what the user calls it.
fn hook_failed(what: &str, hook: &ScriptCall, failure: &ScriptFailure) -> Stopped {
    let status = match failure.kind {
        FailureKind::Timeout => TestStatus::Timeout,
        FailureKind::Interrupted => TestStatus::Skipped,
        _ => TestStatus::Error,
    };
    let reason = match status {
        TestStatus::Skipped => format!("{what} ({}): {}", hook.reference, failure.message),
        _ => format!(
            "{what} failed ({}): {}",
            hook.reference,
            in_one_line(failure)
        ),
    };
    Stopped {
        status,
        reason,
        details: details(failure),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn data_is_unwrapped_where_it_is_alone() {
        assert_eq!(data_of(json!({"data": {"id": 1}})), json!({"id": 1}));
        assert_eq!(
            data_of(json!({"data": 1, "more": 2})),
            json!({"data": 1, "more": 2})
        );
        assert_eq!(data_of(json!(5)), json!(5));
    }
}
