//! Tests of json.
