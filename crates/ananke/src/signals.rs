//! Ctrl-C and SIGTERM: the first finishes reports and ends children, the second ends everything at once.

use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Sent when a file grows past the limit on file sizes. The number is the same on all systems that are supported.
const SIGXFSZ: i32 = 25;

/// What stopped the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// SIGINT.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

impl Stop {
    /// Returns 128 plus the signal's number, as shells do.
    pub(crate) fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }
}

/// Listens for signals until the process ends.
#[derive(Debug)]
pub(crate) struct Signals {
    /// Cancelled by the first signal.
    pub(crate) cancel: CancellationToken,
    first: Arc<OnceLock<Stop>>,
}

impl Signals {
    /// Begins to listen, on a thread of its own: the second signal must be heard even if everything else waits for a
    /// terminal that nobody reads.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (mut interrupts, mut terminations, too_large) = {
            let _inside = runtime.enter();
            (
                signal(SignalKind::interrupt())?,
                signal(SignalKind::terminate())?,
                signal(SignalKind::from_raw(SIGXFSZ))?,
            )
        };
        let cancel = CancellationToken::new();
        let first = Arc::new(OnceLock::new());
        let (token, seen) = (cancel.clone(), Arc::clone(&first));
        let listener = async move {
            // A file that grows past the limit of the system is an error of the write that grew it, not a reason to die.
            let _too_large = too_large;
            loop {
                let stop = tokio::select! {
                    _ = interrupts.recv() => Stop::Interrupt,
                    _ = terminations.recv() => Stop::Terminate,
                };
                if seen.set(stop).is_err() {
                    ananke_run::kill_all();
                    quit(stop);
                }
                token.cancel();
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || runtime.block_on(listener))?;
        Ok(Self { cancel, first })
    }

    /// Returns the first signal, if one came.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.first.get().copied()
    }
}

#[expect(
    clippy::exit,
    reason = "the user asked twice: no report is worth the wait"
)]
fn quit(stop: Stop) {
    std::process::exit(i32::from(stop.exit_code()));
}
