//! The profile `sse-stack`: fifteen checks of a server that is watched with GET, by the ids under which they are known.
//!
//! The stack is what such servers agree on: headers that keep proxies from buffering, `event:` fields, numbered events,
//! `?since=N` after a lost connection, bearer tokens. AG-UI itself demands little of it, so it is a profile of its own.
//!
//! [`run`] asks (one stream, at most three probes, and one for bound tokens), `checks` judge what was seen without talking
//! to anyone, [`StackReport`] is what comes of it.

mod address;
mod ask;
mod checks;
mod event;
mod frames;
mod members;
mod numbers;
mod options;
mod read;
mod report;
mod seen;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use ask::run;
pub use checks::catalogue;
pub use options::{
    DEFAULT_MAX_FRAMES, DEFAULT_STREAM_PATH, DEFAULT_TIMEOUT_MS, DEFAULT_WRITE_PROBE_PATH,
    StackError, StackOptions,
};
pub use report::{PROFILE, StackCheck, StackReport, StackStatus};
pub use vocabulary::Vocabulary;
