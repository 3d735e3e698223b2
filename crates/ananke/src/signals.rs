//! Ctrl-C and SIGTERM: the first finishes reports and ends children, the second ends everything at once.

use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

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

/// Listens for signals as long as it lives.
#[derive(Debug)]
pub(crate) struct Signals {
    /// Cancelled by the first signal.
    pub(crate) cancel: CancellationToken,
    first: Arc<OnceLock<Stop>>,
    _listener: JoinSet<()>,
}

impl Signals {
    /// Begins to listen. Must be called inside the runtime.
    pub(crate) fn listen() -> std::io::Result<Self> {
        let mut interrupts = signal(SignalKind::interrupt())?;
        let mut terminations = signal(SignalKind::terminate())?;
        let cancel = CancellationToken::new();
        let first = Arc::new(OnceLock::new());
        let mut listener = JoinSet::new();
        let (token, seen) = (cancel.clone(), Arc::clone(&first));
        listener.spawn(async move {
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
        });
        Ok(Self {
            cancel,
            first,
            _listener: listener,
        })
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
