//! Tests of transport.
