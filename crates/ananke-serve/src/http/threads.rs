//! Remembers the runs of a thread, so that a client can attach to it. Bounded in threads and bytes.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::engine::Action;

/// How many threads are remembered; the oldest is forgotten first.
const MAX_THREADS: usize = 1024;
/// How much of one thread is remembered; later runs of a longer one are not.
const MAX_THREAD_BYTES: usize = 4 << 20;

#[derive(Debug, Default)]
pub(super) struct Threads(Mutex<VecDeque<Thread>>);

#[derive(Debug)]
struct Thread {
    id: String,
    sent: Vec<Bytes>,
    n_bytes: usize,
}

impl Threads {
    /// Adds what a run sends.
    pub(super) fn remember(&self, id: &str, actions: &[Action]) {
        let sent: Vec<Bytes> = actions
            .iter()
            .filter_map(|action| match action {
                Action::Send(bytes) => Some(bytes.clone()),
                Action::Wait(_) | Action::Reset | Action::Close | Action::Stall => None,
            })
            .collect();
        let n_bytes: usize = sent.iter().map(Bytes::len).sum();
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = threads.iter_mut().find(|thread| thread.id == id) {
            if thread.n_bytes + n_bytes <= MAX_THREAD_BYTES {
                thread.sent.extend(sent);
                thread.n_bytes += n_bytes;
            }
            return;
        }
        if threads.len() == MAX_THREADS {
            threads.pop_front();
        }
        threads.push_back(Thread {
            id: id.to_owned(),
            sent,
            n_bytes,
        });
    }

    /// Returns what earlier runs of the thread sent, without their pauses and faults. Unknown threads have no runs.
    pub(super) fn replay(&self, id: &str) -> Vec<Action> {
        let threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let thread = threads.iter().find(|thread| thread.id == id);
        thread.map_or_else(Vec::new, |thread| {
            thread.sent.iter().cloned().map(Action::Send).collect()
        })
    }
}
