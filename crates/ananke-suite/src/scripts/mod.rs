//! Scripts that users wrote: where they lie, what they are called, and which function a reference means.
//!
//! `names` knows how files are named, `home` where they belong, `test_ids` follows `scripts.expense.setup` to a test file,
//! `reference` reads how a function is named, `functions` finds it, and `hooks` finds the ones of cases. What stands in a
//! script is told by two functions that the caller hands in: nothing here reads TypeScript.

mod found_file;
mod functions;
mod home;
mod hooks;
mod names;
mod public;
mod reference;
mod test_ids;
#[cfg(test)]
mod tests;

pub(crate) use functions::ScriptFunctions;
pub(crate) use home::{assistant_around, home, script_root};
pub(crate) use names::{is_script_name, is_script_test_name, module_of};
pub use public::{RefusedScript, script_reference};
pub(crate) use reference::Asker;
pub(crate) use test_ids::{NamedScript, named_script};
