//! `ananke init`: a config, a first test, the schemas for editors and a line in `.gitignore`. Never overwrites.

mod command;
mod files;
mod templates;

pub(crate) use command::{InitArgs, init};
