//! Looking into arguments, results and outputs. Arguments stay as they were sent where patterns look at them: numbers keep
//! their spelling, nothing recurses.

mod arg_path;
mod at_path;
mod json_equal;
mod json_in_prose;
mod json_in_text;
mod json_path;
mod path_stem;
mod raw_json;
mod reply;
#[cfg(test)]
mod tests;
mod wanted;
mod word;

pub(crate) use arg_path::ArgPath;
pub use at_path::at_path;
pub(crate) use json_equal::{brief, first_difference, holds_value, json_equal};
pub(crate) use json_in_text::{JsonInText, NoJson, json_in_text, without_fence};
pub use json_in_text::{json_of, jsons_of};
pub(crate) use json_path::JsonPath;
pub(crate) use raw_json::{Leaf, RawJson};
pub use reply::{NoReplyObject, ReplyObject};
pub(crate) use wanted::{Texts, Wanted};
pub(crate) use word::holds_word;
