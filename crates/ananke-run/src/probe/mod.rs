//! Targets that are looked at without a test: for `ananke doctor`.

mod agui;
mod other;
mod probed;
mod remote;

pub use agui::Probe;
pub use other::{OtherProbe, Seen};
pub use probed::{Probed, probe};
