//! Whether an agent server is correct: a table for the console, JSON, JUnit, SARIF and Markdown, and the page of a rule.
//!
//! Rules speak with our words; everything that a server said, and its name, is foreign text and escaped as its format
//! demands.

mod alike;
mod json;
mod junit;
mod markdown;
mod prose;
mod rule_list;
mod rule_page;
mod sarif;
mod sarif_result;
mod sheet;
mod terminal;
mod terminal_rules;
#[cfg(test)]
mod tests;
mod words;

pub use json::conformance_json;
pub use junit::conformance_junit;
pub use markdown::conformance_markdown;
pub use rule_list::{rule_index, rule_list};
pub use rule_page::{rule_page, rule_text};
pub use sarif::conformance_sarif;
pub use terminal::{Telling, conformance_text};
