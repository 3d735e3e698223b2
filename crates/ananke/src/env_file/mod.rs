//! `--env-file`: variables from a file, for `${ENV.NAME}`, hooks and `server`.
//!
//! One `NAME=VALUE` a line, as other tools read them: `export` before it, comments, single quotes for text as it is,
//! double quotes with escapes and over several lines. Nothing in a value is replaced. What the environment itself has wins.

mod args;
mod parse;

pub(crate) use args::EnvFileArgs;
