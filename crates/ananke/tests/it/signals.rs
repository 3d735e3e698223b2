//! Tests of signals.
