//! Sample runs for looking at the HTML report and for the tests in a browser.

mod cases;
mod corner;
mod dynamic;
mod functions;
mod many;
mod mixed;
mod report;
mod result;
mod script;

pub(crate) use report::{cases, dynamic, functions, many, mixed};

/// 2026-11-15T11:53:53Z.
const STARTED_MS: i64 = 1_794_743_633_000;
