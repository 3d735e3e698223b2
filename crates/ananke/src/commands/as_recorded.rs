//! The tests as a bundle recorded them, laid out in a temporary folder: a bundle can be judged where its project is not.

use std::path::{Component, Path};

use ananke_store::Bundle;
use tempfile::TempDir;

use crate::error::{CommandError, Exit};

/// Writes the files of `bundle` into a new folder.
pub(crate) fn write(bundle: &Bundle) -> Result<TempDir, CommandError> {
    let trouble = |message: String| CommandError::new(Exit::Trouble, message);
    let folder = tempfile::Builder::new().prefix("ananke-judge-").tempdir();
    let folder = folder.map_err(|error| trouble(format!("no temporary folder: {error}")))?;
    for (path, text) in &bundle.sources {
        if !is_inside(path) {
            let message =
                format!("the bundle names the file `{path}`, which lies outside of its project");
            return Err(CommandError::new(Exit::Configuration, message)
                .hint("such tests can be judged where their files are, without `--as-recorded`"));
        }
        let path = folder.path().join(path);
        let parent = path.parent().unwrap_or(folder.path());
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| trouble(format!("`{}` cannot be written: {error}", path.display())))?;
    }
    Ok(folder)
}

/// Returns the config file of the recorded run, as it is called in that folder.
pub(crate) fn config(bundle: &Bundle) -> Option<&Path> {
    let file = bundle.head.run.config_file.as_deref()?;
    Path::new(file).file_name().map(Path::new)
}

/// A bundle may come from anybody: its paths stay below the folder.
fn is_inside(path: &str) -> bool {
    let mut components = Path::new(path).components().peekable();
    components.peek().is_some() && components.all(|part| matches!(part, Component::Normal(_)))
}
