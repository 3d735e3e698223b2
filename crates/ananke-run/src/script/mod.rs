//! Scripts of the user in a run: test functions, checks, hooks and agents are called here, and what they ask of the world is
//! answered here.
//!
//! Invariant: a script never runs on a thread of the runtime, and whatever it does ends in time.

mod call;
mod convert;
mod fetch;
mod hooks;
mod host;
mod logs;
mod nowhere;
mod processes;
mod result;
mod shown;
mod stream;
#[cfg(test)]
mod tests;
mod verdict;

pub(crate) use call::{Calls, assistant_id, context_of, context_within};
pub(crate) use convert::{case_json, result_json};
pub(crate) use hooks::{AFTER_FAILED, Hooked, Within, after, before};
pub(crate) use host::{RunHost, Said};
pub(crate) use logs::{Logs, add, by, of_checks};
pub(crate) use nowhere::Nowhere;
pub(crate) use result::{Around, came_out, script_result};
pub(crate) use shown::in_one_line;
pub(crate) use stream::{connector, no_agent, no_connector, target};
pub(crate) use verdict::{Judgment, arguments, sample};
