//! Waits for the groups: workers for tests, sessions for turns.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ananke_model::plan::PlannedTest;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::groups::{Begin, Groups};

/// The pace of a run, shared by its workers.
#[derive(Debug)]
pub(crate) struct Pace {
    groups: Mutex<Groups>,
    of_test: Vec<usize>,
    /// Wakes a worker when another test may begin.
    tests: Notify,
    /// Wakes a session of each group when another turn may be sent.
    turns: Vec<Notify>,
}

impl Pace {
    pub(crate) fn new<'a>(
        tests: impl IntoIterator<Item = &'a PlannedTest>,
        parallel: usize,
    ) -> Self {
        let (groups, of_test) = Groups::new(tests, parallel);
        let n_groups = of_test.iter().max().map_or(0, |last| last + 1);
        Self {
            groups: Mutex::new(groups),
            of_test,
            tests: Notify::new(),
            turns: std::iter::repeat_with(Notify::new).take(n_groups).collect(),
        }
    }

    /// Returns the group of a test.
    pub(crate) fn group_of(&self, index: usize) -> usize {
        self.of_test[index]
    }

    /// Waits for the next test that may begin, in plan order; `None` once all have begun. After [`Self::close`], and
    /// once `cancel` is, the rest is handed out at once.
    pub(crate) async fn next_test(&self, cancel: &CancellationToken) -> Option<Running<'_>> {
        loop {
            // Made before looking, so that no wake-up in between is lost.
            let woken = self.tests.notified();
            if cancel.is_cancelled() {
                self.lock().close();
            }
            let begin = self.lock().begin_test(Instant::now());
            let until = match begin {
                Begin::Now(index) => {
                    // There may be room for one more.
                    if self.lock().has_ready() {
                        self.tests.notify_one();
                    }
                    return Some(Running { pace: self, index });
                }
                Begin::Never => {
                    // Whoever waits for a test that somebody else took has nothing to wait for.
                    self.tests.notify_one();
                    return None;
                }
                Begin::Later(until) => until,
            };
            tokio::select! {
                () = woken => {}
                () = cancel.cancelled() => {}
                () = sleep_until(until) => {}
            }
        }
    }

    /// Hands out the rest at once: none of it is to be run.
    pub(crate) fn close(&self) {
        self.lock().close();
        self.tests.notify_one();
    }

    /// Waits until a test of the group may send a turn; `None` if the run was interrupted.
    pub(crate) async fn enter(
        &self,
        group: usize,
        cancel: &CancellationToken,
    ) -> Option<Sending<'_>> {
        loop {
            let woken = self.turns[group].notified();
            let begin = self.lock().begin_turn(group, Instant::now());
            let Begin::Later(until) = begin else {
                return Some(Sending { pace: self, group });
            };
            tokio::select! {
                () = woken => {}
                () = cancel.cancelled() => return None,
                () = sleep_until(until) => {}
            }
        }
    }

    /// Takes note that the agent of a group is busy and asks to wait.
    pub(crate) fn refused(&self, group: usize, wait: Duration) {
        self.lock().refused(group, Instant::now(), wait);
    }

    /// Takes note that a turn went well.
    pub(crate) fn succeeded(&self, group: usize) {
        if self.lock().succeeded(group) {
            self.turns[group].notify_one();
            self.tests.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Groups> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A test that has begun; dropping it makes room for another.
#[derive(Debug)]
pub(crate) struct Running<'a> {
    pace: &'a Pace,
    pub(crate) index: usize,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.pace.lock().end_test(self.pace.of_test[self.index]);
        self.pace.tests.notify_one();
    }
}

/// A turn that is being sent; dropping it makes room for another.
#[derive(Debug)]
pub(crate) struct Sending<'a> {
    pace: &'a Pace,
    group: usize,
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.pace.lock().end_turn(self.group);
        self.pace.turns[self.group].notify_one();
    }
}

/// Waits for a moment, or for ever.
async fn sleep_until(until: Option<Instant>) {
    match until {
        Some(until) => tokio::time::sleep_until(until).await,
        None => std::future::pending().await,
    }
}
