//! Writes down what a test function does, within limits.

use std::time::Instant;

use ananke_model::result::TestStatus;
use ananke_model::script::{
    FailureKind, LogLevel, ScriptFailure, ScriptLog, ScriptRecord, Subtest,
};

use super::limits::{FAILURES, LINE_BYTES, LOG_BYTES, LOG_LINES, SUBTESTS};

/// What was recorded since the last function began.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    record: ScriptRecord,
    log_bytes: usize,
    /// The subtests that run, by number, and since when. Several may run at once.
    open: Vec<(usize, Instant)>,
    /// The subtests that ended well without an assertion.
    unchecked: Vec<usize>,
}

impl Recorder {
    /// Begins with another function.
    pub(crate) fn begin(&mut self, function: &str) {
        *self = Self::default();
        function.clone_into(&mut self.record.function);
    }

    /// Returns what was recorded.
    pub(crate) fn end(&mut self) -> ScriptRecord {
        let mut ended = std::mem::take(self);
        let is_late = |failure: &ScriptFailure| failure.kind == FailureKind::Timeout;
        for (number, since) in ended.open {
            // It did not end by itself.
            if let Some(subtest) = ended.record.subtests.get_mut(number) {
                subtest.duration_us =
                    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
                if ended.record.failures.iter().any(is_late) {
                    subtest.status = TestStatus::Timeout;
                }
            }
        }
        ended.record
    }

    /// Takes note of the subtests that showed nothing: they are not taken for passed, and neither is what they are part of.
    pub(crate) fn demand_evidence(&mut self) {
        for number in std::mem::take(&mut self.unchecked) {
            let Some(subtest) = self.record.subtests.get_mut(number) else {
                continue;
            };
            subtest.status = TestStatus::Inconclusive;
            if self.record.failures.is_empty() && self.record.skipped.is_none() {
                self.record.failures.push(ScriptFailure {
                    kind: FailureKind::Undecided,
                    message: format!("subtest {} evaluated no assertion", subtest.name),
                    subtest: Some(subtest.name.clone()),
                    ..ScriptFailure::default()
                });
            }
        }
    }

    /// Keeps a line that was logged.
    pub(crate) fn log(&mut self, level: LogLevel, text: &str) {
        let is_full = self.record.logs.len() >= LOG_LINES || self.log_bytes >= LOG_BYTES;
        if is_full {
            self.record.more_logs += 1;
            return;
        }
        let end = text.floor_char_boundary(LINE_BYTES);
        let (kept, rest) = text.split_at(end);
        let mut kept = kept.to_owned();
        if !rest.is_empty() {
            kept.push('…');
        }
        self.log_bytes += kept.len();
        self.record.logs.push(ScriptLog { level, text: kept });
    }

    /// Counts an assertion that was evaluated.
    pub(crate) fn assertion(&mut self) {
        self.record.assertions += 1;
    }

    /// Keeps a failure.
    pub(crate) fn fail(&mut self, mut failure: ScriptFailure) {
        if self.record.failures.len() >= FAILURES {
            self.record.more_failures += 1;
            return;
        }
        // Only what ends everything does not know in which subtest it is.
        let ends = matches!(
            failure.kind,
            FailureKind::Timeout | FailureKind::Memory | FailureKind::Interrupted
        );
        if let (None, true, Some((number, _))) = (&failure.subtest, ends, self.open.last()) {
            let subtest = self.record.subtests.get(*number);
            failure.subtest = subtest.map(|subtest| subtest.name.clone());
        }
        self.record.failures.push(failure);
    }

    /// Tells how many failures there were.
    pub(crate) fn n_failures(&self) -> usize {
        let more = usize::try_from(self.record.more_failures).unwrap_or(usize::MAX);
        self.record.failures.len().saturating_add(more)
    }

    /// Keeps that the function skipped itself.
    pub(crate) fn skip(&mut self, reason: &str) {
        self.record.skipped.get_or_insert_with(|| reason.to_owned());
    }

    /// Begins a subtest; returns its number.
    pub(crate) fn enter(&mut self, name: &str) -> u32 {
        let number = self.record.subtests.len();
        if number < SUBTESTS {
            self.record.subtests.push(Subtest {
                name: name.to_owned(),
                status: TestStatus::Error,
                duration_us: 0,
            });
            self.open.push((number, Instant::now()));
        }
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// Ends the subtest with that number.
    pub(crate) fn leave(&mut self, number: u32, status: TestStatus, has_evidence: bool) {
        let Ok(number) = usize::try_from(number) else {
            return;
        };
        let open = self.open.iter().position(|(open, _)| *open == number);
        if let (Some(at), Some(subtest)) = (open, self.record.subtests.get_mut(number)) {
            let (_, since) = self.open.remove(at);
            subtest.status = status;
            if status == TestStatus::Passed && !has_evidence {
                self.unchecked.push(number);
            }
            subtest.duration_us = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        }
    }
}
