//! The HTML report: one file that needs nothing else, for people to look at and to hand on.
//!
//! The page is real `.html`, `.css` and `.js` in `assets/`. What the run brought is JSON beside it, in `<script>` blocks
//! that are never executed: an index of all tests, and their details in chunks that the page reads when one is opened.
//! Invariant: nothing that a run brought is ever markup. It leaves here as JSON without `<`, and the page shows it
//! through text nodes only. The policy of the page allows our script and our style by hash, and no request at all.

mod case;
mod detail;
mod document;
mod dynamic;
mod events;
mod format;
mod function;
mod index;
mod island;
mod policy;
mod report;
mod runs;
mod sha256;
mod task;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_dynamic;
#[cfg(test)]
mod tests_functions;
#[cfg(test)]
mod tests_runs;
#[cfg(test)]
mod tests_task;
mod timing;
mod words;

pub(crate) use policy::{escaped, policy};
pub(crate) use report::HtmlReport;
