//! A bundle: the folder `<run-id>/` with one file, `run.jsonl.zst`.
//!
//! The file is a row of zstd frames, each with a checksum. Unpacked it is JSON Lines: a `run` record, `source` records,
//! a `test` record for each test, and an `end` record. A frame holds whole records and is what is handed to the system
//! at once, so a reader takes a frame as a whole or not at all.

mod error;
mod folder;
mod format;
mod frame_log;
mod frames;
mod reader;
mod run_id;
mod schema;
mod whole;
mod writer;

pub use error::StoreError;
pub use folder::{latest, list, prune};
pub use format::{FORMAT, Head, RecordedVariables};
pub use reader::{BundleReader, Ending};
pub use run_id::new_run_id;
pub use schema::bundle_schema;
pub use whole::Bundle;
pub use writer::BundleWriter;

#[cfg(test)]
mod tests;
