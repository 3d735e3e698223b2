//! The JSON report (`--json`): one document.

mod convert;
mod format;
mod load_error;
mod report;
#[cfg(test)]
mod tests;

pub use load_error::json_load_error;
pub use report::{JsonReport, ReportInfo};
