//! Reads what a process writes.

use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How much output is kept of each stream.
const MAX_OUTPUT: usize = 64 << 20;

/// A stream that is read by a thread of its own, so that the process never waits for us.
#[derive(Debug)]
pub(super) struct Capture {
    bytes: Arc<Mutex<Vec<u8>>>,
    closed: Receiver<()>,
}

impl Capture {
    pub(super) fn of(mut stream: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, closed) = channel();
        let kept = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = MAX_OUTPUT.saturating_sub(kept.len());
                kept.extend(buffer.iter().take(n.min(room)));
            }
            // Nobody may be waiting any more.
            sender.send(()).ok();
        });
        Self { bytes, closed }
    }

    pub(super) fn text(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(super) fn is_closed_within(&self, time: Duration) -> bool {
        self.closed.recv_timeout(time).is_ok()
    }
}
