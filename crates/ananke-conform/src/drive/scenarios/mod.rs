//! The scenarios, one file each. Each says whether the agent showed what it is about, and what was seen.

mod abort;
mod backend_tool;
mod error;
mod failing_tool;
mod frontend_tool;
mod hello;
mod interrupt;
mod multi_turn;
mod opening;
mod parallel_tools;
mod state;

pub(super) use abort::abort;
pub(super) use backend_tool::backend_tool;
pub(super) use error::error;
pub(super) use failing_tool::failing_tool;
pub(super) use frontend_tool::frontend_tool;
pub(super) use hello::hello;
pub(super) use interrupt::interrupt;
pub(super) use multi_turn::multi_turn;
pub(super) use parallel_tools::parallel_tools;
pub(super) use state::state;
