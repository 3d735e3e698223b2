//! A program that does nothing: the yardstick for how long ananke takes to start.

fn main() {}
