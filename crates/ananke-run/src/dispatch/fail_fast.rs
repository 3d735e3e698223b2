//! `--fail-fast`: whether any more is to be begun.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ananke_model::result::TestStatus;

use super::repeat::Repeat;

/// Knows whether a test has failed for good.
#[derive(Debug)]
pub(super) struct FailFast {
    is_wanted: bool,
    repeat: Repeat,
    has_failed: AtomicBool,
    /// For each test with a run that did not pass: how many there are, and whether one of them failed.
    not_passed: Mutex<BTreeMap<usize, (u32, bool)>>,
}

impl FailFast {
    pub(super) fn new(is_wanted: bool, repeat: Repeat) -> Self {
        Self {
            is_wanted,
            repeat,
            has_failed: AtomicBool::new(false),
            not_passed: Mutex::default(),
        }
    }

    /// Tells whether nothing more is to be begun.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Tells whether it was asked for.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Tells whether [`Self::stops`] would say so, without taking note.
    pub(super) fn would_stop(&self, test: usize, status: TestStatus) -> bool {
        if !self.is_wanted || !status.is_failure() {
            return false;
        }
        let not_passed = self
            .not_passed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let n = not_passed.get(&test).map_or(0, |(n, _)| *n);
        self.repeat.is_lost(n + 1)
    }

    /// Takes note of a run of a test. Tells whether it is what stops the others: the test has failed, whatever comes of
    /// the runs that are left.
    pub(super) fn stops(&self, test: usize, status: TestStatus) -> bool {
        if !self.is_wanted || matches!(status, TestStatus::Passed | TestStatus::Skipped) {
            return false;
        }
        let mut not_passed = self
            .not_passed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (n, has_failure) = not_passed.entry(test).or_default();
        *n += 1;
        *has_failure |= status.is_failure();
        let stops = *has_failure && self.repeat.is_lost(*n);
        if stops {
            self.has_failed.store(true, Ordering::Relaxed);
        }
        stops
    }
}
