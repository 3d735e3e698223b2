//! From TypeScript to a module of the engine, and from its positions back to the lines that the user wrote. Nothing outside
//! names the compiler that does the work.
//!
//! `source` knows files and places, `nesting` keeps deep files from overflowing the stack, `syntax` parses and refuses, `module`
//! compiles, `marks` tells the engine of places that it would miss, `positions` finds the way back, `coverage` counts, `find_tests`,
//! `find_functions` and `private_fields` only look.

mod coverage;
mod export_names;
mod find_functions;
mod find_tests;
mod imports;
mod json;
mod levels;
mod marks;
mod mistakes;
mod module;
mod nesting;
mod own_failures;
mod positions;
mod private_fields;
mod sites;
mod source;
mod syntax;

#[cfg(test)]
mod tests;

pub use find_functions::find_functions;
pub use find_tests::find_tests;
pub(crate) use imports::imported;
pub(crate) use module::{Compiled, HIDDEN, How, WHOLE, compile, exported_name};
pub(crate) use positions::excerpt;
pub(crate) use private_fields::has_private_fields;
pub(crate) use source::Source;
