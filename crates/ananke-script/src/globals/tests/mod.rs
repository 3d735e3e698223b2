//! Scripts that use what they are given, and what came of it.

mod beside_t;
mod context;
mod memory;
mod network;
mod plain;
mod process;
mod support;
mod timers;
mod values;
mod world;
