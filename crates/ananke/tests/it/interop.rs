//! Tests of interop.
