//! Tests of server.
