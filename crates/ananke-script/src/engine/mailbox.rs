//! How the thread of an engine tells what happens. Functions may take microseconds: waking somebody for each of them would cost
//! more than running it, so what is told is collected, and taken when there is enough of it or some time has passed. Nothing is
//! lost if the thread never comes back.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::run_tests::Message;

/// How many messages are collected at most, and for how long.
const MOST: usize = 128;
const LONGEST: Duration = Duration::from_millis(10);
/// How long is waited at most for the other side to take note of something.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where one thread puts messages, and another takes them.
#[derive(Debug, Default)]
struct Mailbox {
    inner: Mutex<Inner>,
    /// There is something to take.
    filled: Condvar,
    /// Everything was taken, and dealt with.
    dealt_with: Condvar,
}

#[derive(Debug)]
struct Inner {
    messages: Vec<Message>,
    /// When what runs now began.
    alive: Instant,
    /// When the reader was woken last.
    woken: Instant,
    /// Whether the reader has dealt with everything that it took.
    is_idle: bool,
    has_writer: bool,
    has_reader: bool,
}

impl Default for Inner {
    fn default() -> Self {
        let now = Instant::now();
        Self {
            messages: Vec::new(),
            alive: now,
            woken: now,
            is_idle: false,
            has_writer: true,
            has_reader: true,
        }
    }
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns both ends of a new mailbox.
pub(super) fn mailbox() -> (Writer, Reader) {
    let mailbox = Arc::new(Mailbox::default());
    (Writer(Arc::clone(&mailbox)), Reader(mailbox))
}

/// The end of the thread that runs functions.
#[derive(Debug)]
pub(super) struct Writer(Arc<Mailbox>);

impl Writer {
    /// Says that something begins which has its whole time.
    pub(super) fn alive(&self) {
        self.0.lock().alive = Instant::now();
    }

    /// Puts a message; returns whether anybody reads it.
    pub(super) fn put(&self, message: Message) -> bool {
        let mut inner = self.0.lock();
        inner.messages.push(message);
        let now = Instant::now();
        if inner.messages.len() >= MOST || now - inner.woken >= LONGEST {
            inner.woken = now;
            self.0.filled.notify_one();
        }
        inner.has_reader
    }

    /// Waits until everything was dealt with; returns whether anybody still reads.
    pub(super) fn settle(&self) -> bool {
        let mut inner = self.0.lock();
        let until = Instant::now() + PATIENCE;
        while inner.has_reader && !(inner.is_idle && inner.messages.is_empty()) {
            inner.woken = Instant::now();
            self.0.filled.notify_one();
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                break;
            };
            let waited = self.0.dealt_with.wait_timeout(inner, left);
            (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        inner.has_reader
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.lock().has_writer = false;
        self.0.filled.notify_one();
    }
}

/// The end of the thread that watches.
#[derive(Debug)]
pub(super) struct Reader(Arc<Mailbox>);

/// What a reader finds.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) messages: Vec<Message>,
    /// How long what runs has been running.
    pub(super) running: Duration,
    /// Whether nothing more will come.
    pub(super) is_over: bool,
}

impl Reader {
    /// Takes what there is, after waiting for it for some time. Whatever was taken before has been dealt with.
    pub(super) fn take(&self, wait: Duration) -> Mail {
        let mut inner = self.0.lock();
        inner.is_idle = true;
        self.0.dealt_with.notify_one();
        if inner.messages.is_empty() && inner.has_writer {
            let waited = self.0.filled.wait_timeout(inner, wait);
            (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        let messages = std::mem::take(&mut inner.messages);
        inner.is_idle = messages.is_empty();
        Mail {
            messages,
            running: inner.alive.elapsed(),
            is_over: !inner.has_writer,
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.lock().has_reader = false;
        self.0.dealt_with.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(text: &str) -> Message {
        Message::Failure(Box::new(ananke_model::script::ScriptFailure {
            message: text.to_owned(),
            ..Default::default()
        }))
    }

    #[test]
    fn nothing_is_lost_when_the_writer_is_gone() {
        let (writer, reader) = mailbox();
        assert!(writer.put(warning("a")));
        assert!(writer.put(warning("b")));
        drop(writer);
        let mail = reader.take(Duration::ZERO);
        assert_eq!((mail.messages.len(), mail.is_over), (2, true));
    }

    #[test]
    fn a_writer_can_wait_until_its_messages_are_dealt_with() {
        let (writer, reader) = mailbox();
        let reading = std::thread::spawn(move || {
            let mut n_taken = 0;
            while n_taken < 2 {
                n_taken += reader.take(Duration::from_secs(5)).messages.len();
            }
            // It stops before it asks for more: nobody reads then.
        });
        assert!(writer.put(warning("a")));
        assert!(writer.settle());
        writer.put(warning("b"));
        assert!(!writer.settle());
        reading.join().unwrap();
    }
}
