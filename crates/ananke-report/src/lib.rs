//! Turns run events and diagnostics into text: the console report, reports in files, listings, and the one renderer of
//! diagnostics.
//!
//! Invariant: a report is a fold over what it is given. No I/O, no environment, no clock; the binary decides the
//! [`Style`] and writes the bytes. Text that an agent or a file brought goes through [`escape()`] before it is shown.

mod asked;
mod asking;
mod compare;
mod conformance;
mod count;
mod coverage;
mod diagnostics;
mod duration;
mod dynamic;
mod escape;
mod excerpt;
mod facts;
mod github;
mod history;
mod html;
mod json;
mod junit;
mod listing;
mod markdown;
mod naming;
mod opinions;
mod page;
mod paint;
mod question;
mod rate;
mod reasons;
mod report;
#[cfg(test)]
mod samples;
mod script;
mod stability;
mod style;
mod summary;
mod tap;
mod task;
#[cfg(test)]
mod task_tests;
mod terminal;
mod totals;
mod yaml_scalar;

pub use compare::{
    Comparison, Missing, NotAReport, Side, Verdict, compare, comparison_html, comparison_json,
    comparison_markdown, comparison_text,
};
pub use conformance::{
    Telling, conformance_json, conformance_junit, conformance_markdown, conformance_sarif,
    conformance_text, rule_index, rule_list, rule_page, rule_text,
};
pub use coverage::{coverage_html, coverage_json, coverage_lcov, coverage_table};
pub use diagnostics::{diagnostics_json, render_diagnostics};
pub use escape::escape;
pub use history::{HistoryError, Kept, PickError, Sent, messages_case, pick, yaml_test};
pub use json::{json_load_error, report_line_schema, report_schema};
pub use listing::{
    ResolvedPlan, dry_run_listing, effective_demands, list_json, list_text, resolved_plan,
};
pub use report::{Report, ReportFormat};
pub use style::Style;
pub use terminal::{Chunk, Terminal, TerminalOptions};
