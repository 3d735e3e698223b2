//! Hooks of scripts: `before` and `after` of a case, `--before-all` and `--after-all` of a run.

use std::sync::Arc;
use std::time::Duration;

use ananke_model::result::TestStatus;
use ananke_model::script::{FailureKind, ScriptCall, ScriptFailure, ScriptLog};
use ananke_script::Argument;
use serde_json::Value;

use super::shown::{details, in_one_line};
use super::{Calls, add, by, case_json, context_of};
use crate::session::{Stopped, shown_time};
use crate::world::World;

/// How long a hook may take, if the test or the run has no shorter limit.
const HOOK_TIMEOUT: Duration = Duration::from_secs(30);
/// How the words begin that say that `after` failed.
pub(crate) const AFTER_FAILED: &str = "after failed (";

/// Hooks around the whole run.
#[derive(Debug)]
pub(crate) struct Hooked<'a> {
    pub(crate) world: &'a Arc<World>,
    /// How long a test may take; a hook may not take longer.
    pub(crate) limit: Duration,
}

/// What came of a hook around the whole run.
#[derive(Debug, Default)]
pub(crate) struct Said<T> {
    pub(crate) result: T,
    pub(crate) logs: Vec<ScriptLog>,
}

impl Hooked<'_> {
    /// Calls `--before-all`; returns what it hands on, or why no test is to be run.
    pub(crate) async fn before_all(&self) -> Said<Result<Value, Stopped>> {
        let Some(hook) = &self.world.plan.scripts.before_all else {
            return Said {
                result: Ok(Value::Null),
                logs: Vec::new(),
            };
        };
        let tests = self.world.plan.tests.iter();
        let cases = tests.map(|test| case_json(test, test.case.as_deref()));
        let cases = cases.collect();
        let calls = Calls::new(self.world, 0);
        let arguments = vec![self.context(), Argument::Json(cases)];
        let called = calls.answer(hook, arguments, self.timeout()).await;
        Said {
            logs: by("--before-all", &called.logs).collect(),
            result: called
                .result
                .map(data_of)
                .map_err(|failure| hook_failed("--before-all", hook, &failure)),
        }
    }

    /// Calls `--after-all`; returns what went wrong.
    pub(crate) async fn after_all(&self, results: Value, data: Value) -> Said<Option<Stopped>> {
        let Some(hook) = &self.world.plan.scripts.after_all else {
            return Said::default();
        };
        let mut arguments = vec![self.context(), Argument::Json(results)];
        arguments.extend(some(data).map(Argument::Json));
        let calls = Calls::cleaning(self.world);
        let called = calls.call(hook, arguments, self.timeout()).await;
        let failure = called.result.err();
        Said {
            result: failure.map(|failure| hook_failed("--after-all", hook, &failure)),
            logs: by("--after-all", &called.logs).collect(),
        }
    }

    fn timeout(&self) -> Duration {
        HOOK_TIMEOUT.min(self.limit)
    }

    fn context(&self) -> Argument {
        Argument::Context(context_of(self.world.plan.identity.as_ref(), ""))
    }
}

/// What a hook of a case is called within.
pub(crate) struct Within<'a> {
    pub(crate) world: &'a Arc<World>,
    /// How long the whole case may take.
    pub(crate) limit: Duration,
    /// How much of that is left.
    pub(crate) left: Duration,
    /// Where it is kept what the hook logged.
    pub(crate) logs: &'a mut Vec<ScriptLog>,
}

impl Within<'_> {
    async fn call(
        self,
        calls: Calls,
        what: &str,
        hook: &ScriptCall,
        arguments: Vec<Argument>,
    ) -> Result<Value, Stopped> {
        let timeout = self.left.min(HOOK_TIMEOUT);
        let called = match what {
            // Nobody looks at what it returns.
            "after" => calls.call(hook, arguments, timeout).await,
            _ => calls.answer(hook, arguments, timeout).await,
        };
        add(self.logs, by(what, &called.logs));
        called.result.map_err(|mut failure| {
            if failure.kind == FailureKind::Timeout && self.left < HOOK_TIMEOUT {
                // The time of the case was over, however much of it was left.
                failure.message = format!("timeout after {}", shown_time(self.limit));
            }
            hook_failed(what, hook, &failure)
        })
    }
}

/// Calls `before` of a case; returns what it hands on.
pub(crate) async fn before(
    within: Within<'_>,
    hook: &ScriptCall,
    arguments: [Argument; 2],
) -> Result<Value, Stopped> {
    let calls = Calls::new(within.world, 0);
    let returned = within.call(calls, "before", hook, arguments.into()).await;
    returned.map(data_of)
}

/// Calls `after` of a case, even after the user stopped the run; returns what went wrong.
pub(crate) async fn after(
    within: Within<'_>,
    hook: &ScriptCall,
    arguments: [Argument; 3],
    data: Value,
) -> Option<Stopped> {
    let mut arguments = Vec::from(arguments);
    arguments.extend(some(data).map(Argument::Json));
    let calls = Calls::cleaning(within.world);
    within.call(calls, "after", hook, arguments).await.err()
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
