//! Two runs side by side: which tests broke, which were fixed, which behave otherwise, and where they part.
//!
//! [`Side`] is what is known of a run, be it from a bundle or from a JSON report. [`compare`] is pure; the renderers only
//! show what it found. Ids and times that differ from run to run by design are no difference.

mod behavior;
mod calls;
mod cause;
mod checkpoints;
mod comparison;
mod events;
mod first;
mod generated;
mod html;
mod json;
mod markdown;
mod matching;
mod measure;
mod read_report;
mod renamer;
mod side;
mod terminal;
mod texts;
mod timing;
mod values;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use comparison::ValueChange;
pub use comparison::{Comparison, Missing, Verdict};
pub(crate) use generated::{is_generated, names_a_moment};
pub use html::comparison_html;
pub use json::comparison_json;
pub use markdown::comparison_markdown;
pub use matching::compare;
pub use read_report::NotAReport;
pub(crate) use renamer::Renamer;
pub use side::Side;
pub use terminal::comparison_text;
pub(crate) use texts::text_difference;
pub(crate) use values::{changes as value_changes, shorten};
