//! Looking into arguments and results without changing them: numbers keep their spelling, nothing recurses.

mod arg_path;
mod raw_json;

#[cfg(test)]
mod tests;

pub(crate) use arg_path::ArgPath;
pub(crate) use raw_json::{Leaf, RawJson};
