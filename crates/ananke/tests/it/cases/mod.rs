//! Cases in JSONL files, messages from the command line and from standard input, and tests that are run again and again.

mod asked;
mod inputs;
mod recorded;
mod stability;
mod traps;
mod workflow;
