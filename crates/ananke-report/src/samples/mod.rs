//! Values for the tests of this crate.

mod dynamic;
mod plans;
mod results;

pub(crate) use dynamic::{dynamic, dynamic_failed, hostile_dynamic, with_opinion};
pub(crate) use plans::{demand, judged_by_agent, plan, planned, planned_case, planned_dynamic};
pub(crate) use results::{
    HOSTILE, NOON, ascii, broken, call, case, check, contains, finding, flaky, hostile, judged,
    message, messages_case, mostly_stable, passed, place, plain, rendered, repeated, result, run,
    stable, summary_mut, text, turn, with_identity,
};
