//! `before` and `after` of a case: what they are called with, and what a failed `after` means.

use std::sync::Arc;

use ananke_model::case::Case;
use ananke_model::plan::PlannedTest;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::ScriptCall;
use ananke_script::Argument;
use serde_json::Value;

use super::run_test::Context;
use crate::script::{self, case_json, context_of, result_json};
use crate::world::World;

/// Returns the `ctx` of a hook: who asks in the case, else in the run.
pub(super) fn context_argument(world: &Arc<World>, case: Option<&Case>) -> Argument {
    let identity = case.map(|case| &case.identity);
    let identity = identity.or(world.plan.identity.as_ref());
    Argument::Context(context_of(identity, ""))
}

/// Returns what a hook is told of its case.
pub(super) fn case_argument(test: &PlannedTest, case: Option<&Case>) -> Argument {
    Argument::Json(case_json(test, case))
}

/// Calls `after`. If it fails, a test that had passed is an error.
pub(super) async fn after(
    context: &Context,
    test: &PlannedTest,
    hook: &ScriptCall,
    result: &mut TestResult,
    data: Value,
) {
    let world = &context.world;
    let case = result.case.as_deref();
    let arguments = [
        context_argument(world, case),
        case_argument(test, case),
        Argument::Json(result_json(result)),
    ];
    let Some(failed) = script::after(world, hook, arguments, data).await else {
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
