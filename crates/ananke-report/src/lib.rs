//! Turns run events and diagnostics into text: the console report, the JSON report, listings, and the one renderer of
//! diagnostics.
//!
//! Invariant: a report is a fold over what it is given. No I/O, no environment, no clock; the binary decides the
//! [`Style`] and writes the bytes. Text that an agent or a file brought goes through [`escape()`] before it is shown.

mod count;
mod diagnostics;
mod duration;
mod escape;
mod json;
mod listing;
mod page;
mod paint;
mod reasons;
#[cfg(test)]
mod samples;
mod style;
mod terminal;

pub use diagnostics::{diagnostics_json, render_diagnostics};
pub use escape::escape;
pub use json::{JsonReport, ReportInfo, json_load_error};
pub use listing::{dry_run_listing, effective_demands, list_json, list_text};
pub use style::Style;
pub use terminal::{Chunk, Terminal, TerminalOptions};
