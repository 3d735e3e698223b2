//! Helper agents: simulators, judges, generators and reporters are asked one question at a time.

mod ask;
mod helpers;
mod script;
#[cfg(test)]
mod tests;

pub use ask::{Answer, AskError, AskErrorKind, AskOptions, ask_agent};
pub(crate) use ask::{Ask, ask, bounded};
pub(crate) use helpers::Helpers;
pub use script::ask_script;
