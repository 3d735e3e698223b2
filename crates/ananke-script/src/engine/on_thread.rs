//! Threads for engines. An engine that does not come back is left behind on its thread: the process ends without waiting for it.

use std::io;
use std::thread::Builder;

use super::limits::THREAD_STACK;

/// Does `body` on a thread of its own, with a stack that an engine has room on.
pub(super) fn on_thread(body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let builder = Builder::new().name("script".to_owned());
    builder.stack_size(THREAD_STACK).spawn(body).map(drop)
}
