//! Values for the tests of this crate.

mod dynamic;
mod plans;
mod results;
mod scripts;
mod tasks;

pub(crate) use dynamic::{dynamic, dynamic_failed, hostile_dynamic, with_opinion};
pub(crate) use plans::{demand, judged_by_agent, plan, planned, planned_case, planned_dynamic};
pub(crate) use results::{
    HOSTILE, NOON, ascii, broken, call, case, check, contains, finding, flaky, hostile, judged,
    message, messages_case, mostly_stable, passed, place, plain, rendered, repeated, result, run,
    stable, summary_mut, text, turn, with_identity,
};
pub(crate) use scripts::{
    SCRIPT_FILE, coverage, function, function_failed, function_hostile, function_passed,
    function_skipped, function_thrown, function_timeout, function_unsure, function_with_subtests,
    script_run, three_functions, with_logs,
};
pub(crate) use tasks::{hostile_task, invoiced, listed};
