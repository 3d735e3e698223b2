//! Talks to a server: scenarios and probes, one request after the other, each within its time. Nothing here judges.

mod course;
mod defaults;
mod driver;
mod probes;
mod scenarios;
mod seen;
mod talk;
mod target;
#[cfg(test)]
mod tests;
mod thread;

pub use course::drive;
pub use defaults::SCENARIOS;
pub use target::{DriveError, Target};
