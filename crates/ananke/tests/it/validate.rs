//! Tests of validate.
