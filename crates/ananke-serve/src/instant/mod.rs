//! An agent for benchmarks, as close to no work as a server can be: HTTP/1.1 by hand on a TCP socket.
//!
//! A framework would cost more than the answer, and the benchmark would measure the framework. So requests are scanned,
//! not parsed, and the answers are bytes prepared once. Do not use it for anything else: it believes what it is sent.
//!
//! Routes (GET or POST): `/stream?mib=64` is one long message; `/drip?events=20&every_ms=100` sends one event after
//! another; any other path is a small run.

mod answer;
mod request;
mod server;
#[cfg(test)]
mod tests;

pub use server::serve_instant;
