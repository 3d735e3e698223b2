//! The JSON report (`--json`, `.json`), one document, and the JSONL report (`.jsonl`), one line after another.

mod convert;
mod dynamic;
mod format;
mod inert;
mod lines;
mod load_error;
mod report;
mod run;
mod schema;
mod script;
mod stability;
mod task;
#[cfg(test)]
mod tests;

pub(crate) use convert::json_or_text;
pub(crate) use inert::inert;
pub(crate) use lines::JsonlReport;
pub use load_error::json_load_error;
pub(crate) use report::JsonReport;
pub use schema::{report_line_schema, report_schema};
