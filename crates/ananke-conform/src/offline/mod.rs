//! Streams that were captured before: bytes of an event stream, events line by line, or a bundle of an ananke run.
//!
//! A capture rarely tells its request; where it does not, and none is given, rules that need it have nothing to judge by.

mod bundle;
mod capture;
mod file;
mod lines;
#[cfg(test)]
mod tests;

pub use bundle::from_bundle;
pub use file::from_file;
