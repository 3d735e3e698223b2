//! What stands in brackets behind a status: how long it took, and how many attempts.

use ananke_model::result::TestResult;

use crate::duration::duration;
use crate::style::Style;

/// Returns `1.2s`, `3 attempts, 1.2s` or `flaky, attempt 2, 1.2s`.
pub(crate) fn facts(result: &TestResult, style: &Style) -> String {
    let time = duration(result.duration_us, style);
    match result.earlier.len() + 1 {
        1 => time,
        n if result.flaky => format!("flaky, attempt {n}, {time}"),
        n => format!("{n} attempts, {time}"),
    }
}
