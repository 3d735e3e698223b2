//! Looking into arguments, results and outputs. Arguments stay as they were sent where patterns look at them: numbers keep
//! their spelling, nothing recurses.

mod arg_path;
mod json_equal;
mod json_in_text;
mod json_path;
mod raw_json;
#[cfg(test)]
mod tests;
mod wanted;

pub(crate) use arg_path::ArgPath;
pub(crate) use json_equal::{brief, first_difference, holds_value, json_equal};
pub use json_in_text::json_of;
pub(crate) use json_in_text::{NoJson, json_in_text, without_fence};
pub(crate) use json_path::JsonPath;
pub(crate) use raw_json::{Leaf, RawJson};
pub(crate) use wanted::{Texts, Wanted};
