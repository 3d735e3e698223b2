//! Run bundles: what a run did, on disk, so that it can be judged, rendered, served and compared again.
//!
//! Invariant: a bundle is append-only and valid up to its last complete record, whatever stopped the writer.
#![warn(missing_docs)]

mod bundle;

pub use bundle::{
    Bundle, BundleReader, BundleWriter, Ending, FORMAT, Head, RecordedVariables, StoreError,
    bundle_schema, latest, list, new_run_id, prune,
};
