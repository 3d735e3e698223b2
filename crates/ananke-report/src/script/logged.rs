//! What scripts logged in a test: those around it, those that judged, and the function itself.

use ananke_model::result::TestResult;

use super::words::log_line;

/// What was logged, in lines that are not escaped.
#[derive(Debug, Default)]
pub(crate) struct Logged {
    pub(crate) lines: Vec<String>,
    /// How many were not recorded.
    pub(crate) n_left_out: u64,
}

impl Logged {
    /// Tells whether nothing was logged.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.n_left_out == 0
    }
}

/// Returns everything that was logged in a test.
pub(crate) fn logged(result: &TestResult) -> Logged {
    let record = result.script.as_deref();
    let own = record.map(|record| record.logs.as_slice());
    let logs = result.logs.iter().chain(own.unwrap_or_default());
    Logged {
        lines: logs.map(|log| log_line(log).into_owned()).collect(),
        n_left_out: record.map_or(0, |record| record.more_logs),
    }
}
