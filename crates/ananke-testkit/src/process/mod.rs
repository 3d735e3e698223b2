//! Runs a binary with a clean environment and a hard limit on time, and measures it. Unix only, like the tests that use it.

mod capture;
mod group;
mod invocation;
mod output;
mod running;
#[cfg(test)]
mod tests;

pub use invocation::Invocation;
pub use output::RunOutput;
pub use running::Running;
