//! How much of the user's scripts was run: a table for the console, LCOV for tools, one page for a browser, and JSON.
//!
//! Files and functions are named by the user, and lines of source are foreign text: everything is escaped as its format
//! demands.

mod html;
mod json;
mod lcov;
mod ranges;
mod table;

pub use html::coverage_html;
pub use json::coverage_json;
pub use lcov::coverage_lcov;
pub use table::coverage_table;
