//! Run bundles: what a run did, on disk, so that it can be judged, rendered, served and compared again.
//!
//! Invariant: a bundle is append-only and valid up to its last complete record, whatever stopped the writer.
