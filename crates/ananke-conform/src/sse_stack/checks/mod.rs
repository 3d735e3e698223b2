//! The fifteen checks. Each looks at what was seen and says what came of it; none talks to a server.

mod auth;
mod check;
mod events;
mod headers;
mod judge;
mod ordering;
mod reconnect;
mod wire;

pub(super) use check::{Check, Outcome, Problem, Step};
pub use judge::catalogue;
pub(super) use judge::judge;
pub(super) use reconnect::plan as plan_reconnect;
