//! The work that one turn's patches and snapshots may cause: a few bytes can ask for the copying of millions of values, and
//! nothing looks at the clock inside an event.

use tokio::time::Instant;

/// Values that one turn may copy. That takes seconds.
const MAX_WORK: usize = 20_000_000;
/// How much is done before the clock is looked at again.
const BETWEEN_LOOKS: usize = 100_000;
/// Looking at this many values, or moving them over, costs as much as copying one.
const LOOKS_PER_COPY: usize = 8;

/// What is left to be done in a turn.
#[derive(Debug)]
pub(crate) struct Work {
    left: usize,
    look_at: usize,
    deadline: Option<Instant>,
}

impl Default for Work {
    fn default() -> Self {
        Self::new(MAX_WORK)
    }
}

impl Work {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            left: limit,
            look_at: limit.saturating_sub(BETWEEN_LOOKS),
            deadline: None,
        }
    }

    /// Nothing more is to be done after `deadline`.
    pub(crate) fn until(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }

    /// Asks for copying `n` values, and says why not.
    pub(crate) fn copy(&mut self, n: usize) -> Result<(), String> {
        self.left = self.left.saturating_sub(n);
        if self.left < self.look_at {
            self.look_at = self.left.saturating_sub(BETWEEN_LOOKS);
            if self.deadline.is_some_and(|at| Instant::now() >= at) {
                self.left = 0;
            }
        }
        if self.is_spent() {
            Err(spent())
        } else {
            Ok(())
        }
    }

    /// Asks for looking at `n` values, and says why not.
    pub(crate) fn look(&mut self, n: usize) -> Result<(), String> {
        self.copy(n / LOOKS_PER_COPY)
    }

    /// Tells whether the turn may do no more.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// Says what a turn has passed.
pub(crate) fn spent() -> String {
    format!("the turn's patches and snapshots make more than {MAX_WORK} copies of values")
}
