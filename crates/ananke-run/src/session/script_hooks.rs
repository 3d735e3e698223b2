//! `before` and `after` of a case: what they are called with, and what a failed `after` means.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::plan::PlannedTest;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::ScriptCall;
use ananke_script::Argument;
use serde_json::Value;
use tokio::time::Instant;

use super::limit;
use super::run_test::Context;
use crate::script::{self, Within, assistant_id, case_json, context_within, result_json};
use crate::speakers::Call;
use crate::world::World;

/// Returns the `ctx` of a hook: who asks in the case, else in the run; what the agent is told beside the conversation; and
/// which agent that is.
pub(super) fn context_argument(
    world: &Arc<World>,
    test: &PlannedTest,
    case: Option<&Case>,
    chat_id: &str,
) -> Argument {
    let call = Call::of_test(case, world.plan.identity.as_ref());
    Argument::Context(context_within(&call, chat_id, assistant_id(&test.target)))
}

/// Returns what a hook is told of its case.
pub(super) fn case_argument(test: &PlannedTest, case: Option<&Case>) -> Argument {
    Argument::Json(case_json(test, case))
}

/// What `after` is called with beside its case.
pub(super) struct Before {
    /// What `before` handed on.
    pub(super) data: Value,
    pub(super) chat_id: String,
}

/// Calls `after`, which may take as long as the test, and whose time is the test's. If it fails, a test that had passed is an
/// error.
pub(super) async fn after(
    context: &Context,
    test: &PlannedTest,
    hook: &ScriptCall,
    result: &mut TestResult,
    before: Before,
) {
    let world = &context.world;
    let case = result.case.as_deref();
    let arguments = [
        context_argument(world, test, case, &before.chat_id),
        case_argument(test, case),
        Argument::Json(result_json(result)),
    ];
    let limit = limit::of_test(test, context.test_timeout);
    let since = Instant::now();
    let within = Within {
        world,
        limit,
        left: limit,
        logs: &mut result.logs,
    };
    let failed = script::after(within, hook, arguments, before.data).await;
    let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    result.duration_us = result.duration_us.saturating_add(spent);
    let Some(failed) = failed else {
        return;
    };
    if result.status == TestStatus::Passed {
        result.status = TestStatus::Error;
        result.reason = Some(failed.reason);
        result.reason_details = failed.details;
    } else {
        result.warnings.push(failed.reason);
    }
}
