//! What a script may use at most.

use std::time::Duration;

/// Memory of one engine.
pub(super) const MEMORY: usize = 256 << 20;
/// How much memory is used before cycles are looked for: most files never get there.
pub(super) const GC_EVERY: usize = 16 << 20;
/// Stack of the engine. The thread has more, for what the engine calls.
pub(super) const STACK: usize = 1 << 20;
/// Stack of a thread that runs an engine.
pub(super) const THREAD_STACK: usize = 8 << 20;
/// How long a thread may be late before it is given up: the engine asks for the time often, but not inside all of its own
/// functions.
pub(super) const GRACE: Duration = Duration::from_millis(500);
/// Logs that are kept of one function, in bytes.
pub(super) const LOG_BYTES: usize = 1 << 20;
/// Log lines that are kept of one function.
pub(super) const LOG_LINES: usize = 10_000;
/// One log line.
pub(super) const LINE_BYTES: usize = 64 << 10;
/// Failures that are kept of one function.
pub(super) const FAILURES: usize = 20;
/// Subtests that are kept of one function.
pub(super) const SUBTESTS: usize = 10_000;
/// Frames that are kept of one failure.
pub(super) const FRAMES: usize = 16;
/// How deep a value may be nested that leaves the engine, and how many values it may hold.
pub(super) const DEPTH: usize = 128;
pub(super) const NODES: usize = 200_000;
/// Text of one value that leaves the engine, in bytes.
pub(super) const TEXT: usize = 16 << 20;
