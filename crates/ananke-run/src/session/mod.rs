//! One test: hooks, variables, turns, verdict; again if it failed and retries are left.

mod attachments;
mod attempts;
mod backoff;
mod case;
#[cfg(test)]
mod case_tests;
mod hooks;
mod judging;
mod led;
mod leftovers;
mod limit;
mod not_run;
mod resolved;
mod resolver;
mod run_test;
mod script_hooks;
mod shown;
mod stopped;
#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod tests;
mod threads;
mod turn;

pub(crate) use attachments::{Attachments, read, shorten, shorten_parts};
pub use attempts::FlakyResult;
pub(crate) use attempts::{pause, run_attempts, settle};
pub(crate) use backoff::{Backoff, Decision, refusal};
pub(crate) use case::resolved_case;
pub(crate) use judging::{Judging, Next, Verdict};
pub(crate) use limit::{of_test as limit_of, shown as shown_time};
pub(crate) use not_run::{not_run, panicked};
pub(crate) use resolved::{Resolved, resolve};
pub(crate) use resolver::Resolver;
pub(crate) use run_test::Context;
pub use shown::agents;
pub(crate) use shown::shown_target;
pub(crate) use stopped::Stopped;
pub(crate) use threads::Threads;
