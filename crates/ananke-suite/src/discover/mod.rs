//! What the user typed to files: the config, and the tests.

mod config_file;
mod inputs;
mod shown;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use config_file::{Project, find_config};
pub(crate) use inputs::find_tests;
pub(crate) use shown::SourceFile;
