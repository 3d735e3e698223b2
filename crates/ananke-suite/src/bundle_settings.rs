//! What a project says about its bundles, without loading its tests: for commands that read a bundle first.

use std::path::{Path, PathBuf};

use ananke_model::place::Sources;
use ananke_model::plan::BundleSettings;

use crate::discover::nearest_project;
use crate::load::tree;
use crate::parse::{Found, config};

/// Returns the folder of the project and its settings for bundles. Mistakes in the config are for those to tell who load
/// the tests.
pub fn bundle_settings(cwd: &Path, named: Option<&Path>) -> (PathBuf, BundleSettings) {
    let mut found = Found::new();
    let project = nearest_project(cwd, named, &mut found);
    let settings = project.config.as_ref().and_then(|file| {
        let node = tree(file, &mut Sources::default(), &mut found)?;
        Some(config(&node, &mut found)?.bundle)
    });
    (project.root, settings.unwrap_or_default())
}
