//! A recorded conversation as a new test: a YAML test with suggested assertions, or a `messages` case.
//!
//! Suggestions hold for the recording they come from. They leave out what differs from run to run by design.

mod case_messages;
mod error;
mod messages;
mod patterns;
mod pick;
mod quote;
mod sent;
mod suggest;
mod yaml_test;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_dynamic;
#[cfg(test)]
mod tests_sent;

pub use error::HistoryError;
pub use messages::messages_case;
pub use pick::{PickError, pick};
pub use sent::Sent;
pub use yaml_test::{Kept, yaml_test};
