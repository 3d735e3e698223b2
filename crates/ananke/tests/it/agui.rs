//! Tests of agui.
