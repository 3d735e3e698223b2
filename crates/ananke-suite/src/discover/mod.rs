//! What the user typed to files: the config, and the tests.

mod belonging;
mod config_file;
mod inputs;
mod shown;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use belonging::discover;
pub(crate) use config_file::{Project, nearest_project};
pub(crate) use shown::SourceFile;
