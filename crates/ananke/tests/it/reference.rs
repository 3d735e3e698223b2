//! Tests of reference.
