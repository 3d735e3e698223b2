//! Tests of traps.
