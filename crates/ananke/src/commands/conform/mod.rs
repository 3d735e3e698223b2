//! `ananke conform`: is this agent server correct?
//!
//! `args` is what the user types. `command` decides what is judged: a server (`live`), a file (`file`), or the profile with
//! its own way to ask (`stack`). `catalogue` shows the rules themselves, `output` writes reports and decides the exit code.

mod args;
mod capabilities;
mod catalogue;
mod command;
mod file;
mod live;
mod output;
mod stack;

pub(crate) use args::ConformArgs;
pub(crate) use command::conform;
