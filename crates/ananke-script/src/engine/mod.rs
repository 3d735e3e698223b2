//! Runs modules within limits. Each file, and each call, has an engine of its own on a thread of its own; a watchdog on the
//! thread that waits for it ends what does not come back.

mod call;
mod digest;
mod drive;
mod failure;
mod limits;
mod load;
mod mailbox;
mod memory;
mod modules;
mod no_json;
mod on_thread;
mod record;
mod resolve;
mod run_file;
mod run_tests;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod values;
mod vm;
mod waiting;
mod words;

pub use call::{Argument, Called, Calling, call};
pub use digest::digest_of;
pub(crate) use failure::{failure_of, thrown};
pub use memory::Memory;
pub use run_tests::{FileOutcome, FileRun, Told, run_tests};
pub use settings::{Settings, Stop};
pub(crate) use state::{Completion, State};
pub(crate) use values::{from_json, to_json};
