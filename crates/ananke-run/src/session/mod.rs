//! One test: hooks, variables, turns, verdict; again if it failed and retries are left.

mod attachments;
mod attempts;
mod backoff;
mod case;
#[cfg(test)]
mod case_tests;
mod hooks;
mod judging;
mod leftovers;
mod limit;
mod not_run;
mod prepare;
mod resolved;
mod run_test;
mod shown;
mod stopped;
#[cfg(test)]
mod tests;
mod threads;
mod turn;

pub(crate) use attachments::{Attachments, read, shortened};
pub use attempts::FlakyResult;
pub(crate) use attempts::{run_attempts, settle};
pub(crate) use case::resolved_case;
pub(crate) use judging::{Judging, Next, Verdict};
pub(crate) use not_run::{not_run, panicked};
pub(crate) use prepare::{
    Prepared, Resolver, agent_id, context, forwarded_props, new_id, prepare, state, thread_id,
    tools,
};
pub(crate) use resolved::{Resolved, resolve};
pub(crate) use run_test::Context;
pub use shown::agents;
pub(crate) use shown::shown_target;
pub(crate) use stopped::Stopped;
pub(crate) use threads::Threads;
