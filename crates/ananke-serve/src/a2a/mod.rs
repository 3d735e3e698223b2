//! The agent as an A2A server: versions 1.0 and 0.3 over JSON-RPC, 1.0 over HTTP+JSON.
//!
//! `method` reads what is asked, `face` does it: `timeline` makes the events of a task of an agent's answer, all of them
//! with their times, so a `task` is what of them is due; `play` sends them as they come due, `replay` has recorded ones. Inside everything has the form
//! of 1.0; `old` makes 0.3 of it. `http` stands between, `card` says who this is.

mod card;
mod face;
mod http;
mod method;
mod old;
mod parts;
mod play;
mod replay;
mod task;
#[cfg(test)]
mod tests;
mod timeline;

pub(crate) use face::A2a;
pub(crate) use http::{answer, answer_rpc};
pub(crate) use method::{is_method, place};
pub(crate) use parts::said_in;
