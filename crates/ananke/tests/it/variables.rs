//! Tests of variables.
