//! Threads for engines. An engine that does not come back is left behind on its thread: the process ends without waiting for it.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use super::limits::THREAD_STACK;

/// Does `body` on a thread of its own; what it tells can be received until it ends.
pub(super) fn on_thread<M: Send + 'static>(
    body: impl FnOnce(Sender<M>) + Send + 'static,
) -> io::Result<Receiver<M>> {
    let (sender, receiver) = channel();
    Builder::new()
        .name("script".to_owned())
        .stack_size(THREAD_STACK)
        .spawn(move || body(sender))?;
    Ok(receiver)
}
