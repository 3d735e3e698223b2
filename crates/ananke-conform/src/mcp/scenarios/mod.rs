//! What is asked of a server, one file for each scenario.

mod call;
mod list;
mod probes;

pub(super) use call::call;
pub(super) use list::list;
pub(super) use probes::probes;
