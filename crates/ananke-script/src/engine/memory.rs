//! `ctx.memory` that outlives an engine: the hooks and tools of one conversation remember what the others kept.

use std::sync::{Arc, Mutex, PoisonError};

/// How much is kept, as JSON.
const MOST_BYTES: usize = 16 << 20;

/// What scripts kept in `ctx.memory`, as JSON. Clones are the same memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<String>>);

impl Memory {
    /// Returns what was kept; empty if nothing was.
    pub(crate) fn kept(&self) -> String {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Keeps everything that a script holds now. What is too much is not kept.
    pub(crate) fn keep(&self, spaces: String) {
        if spaces.len() <= MOST_BYTES {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = spaces;
        }
    }
}
