//! Servers that behave, and servers that do not.

mod answering;
mod bad;
mod calls;
mod fake;
mod http;
mod http_stream;
mod loopback;
mod programs;
mod shapes;
mod sse;
