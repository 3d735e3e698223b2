//! What the user typed to what is to be run: the config, test files, and what was said on the command line.

mod belonging;
mod config_file;
mod globs;
mod inputs;
mod meaning;
mod package;
mod shown;
mod spoken;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_inputs;
mod walk;

pub(crate) use belonging::{Discovered, discover};
pub(crate) use config_file::{Project, nearest_project};
pub(crate) use meaning::is_yaml_name;
pub(crate) use package::{ASSISTANTS, PACKAGE, PackageFolder, Packages, assistant_id};
pub(crate) use shown::{SourceFile, absolute, nearest_sibling, shown};
pub(crate) use spoken::{Spoken, SpokenKind};
pub(crate) use walk::walk;
