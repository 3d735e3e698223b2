//! Tests that share a literal `threadId`, or a server, run one at a time: a server keeps what is said, and two would mix.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Turnstile, OwnedMutexGuard};

/// The threads that tests have asked for.
#[derive(Debug, Default)]
pub(crate) struct Threads(Mutex<HashMap<String, Arc<Turnstile<()>>>>);

impl Threads {
    /// Waits until nobody else uses the thread.
    pub(crate) async fn enter(&self, thread_id: &str) -> OwnedMutexGuard<()> {
        let turnstile = {
            let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(threads.entry(thread_id.to_owned()).or_default())
        };
        turnstile.lock_owned().await
    }
}
