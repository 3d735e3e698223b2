//! What is asked of an agent, one file for each scenario.

mod continued;
mod hello;
mod probes;
mod prompt;
mod reached;
mod stream;

pub(super) use continued::continued;
pub(super) use hello::hello;
pub(super) use probes::probes;
pub(super) use stream::stream;
