//! Servers that behave, and servers that do not.

mod answering;
mod bad;
mod calls;
mod fake;
mod http;
mod loopback;
mod programs;
mod sse;
