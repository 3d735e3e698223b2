//! Files that a command writes: whole or not at all, and never over an input.

use std::io::{self, Write as _};
use std::path::Path;

use super::sink::{Growth, Sink, beside};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// What to do about a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It is replaced in one step.
    Replace,
    /// It stays, and that is an error.
    Keep,
}

/// Checks that a file can be meant by `path`, before anything is done.
pub(crate) fn check_path(path: &Path, environment: &Environment) -> Result<(), CommandError> {
    if environment.cwd.join(path).is_dir() {
        let message = format!("`{}` is a folder, not a file to write", path.display());
        return Err(CommandError::new(Exit::Configuration, message).hint("name a file in it"));
    }
    Ok(())
}

/// Writes `text` to `path`.
pub(crate) fn write_file(
    path: &Path,
    text: &str,
    existing: Existing,
    environment: &Environment,
    ui: &Ui,
) -> Result<(), CommandError> {
    check_path(path, environment)?;
    let target = environment.cwd.join(path);
    if existing == Existing::Keep && target.symlink_metadata().is_ok() {
        return Err(exists(path));
    }
    write(&target, text, existing, ui).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists if existing == Existing::Keep => exists(path),
        _ => CommandError::new(
            Exit::Trouble,
            format!("`{}` cannot be written: {error}", path.display()),
        ),
    })
}

fn write(target: &Path, text: &str, existing: Existing, ui: &Ui) -> io::Result<()> {
    match existing {
        Existing::Replace => {
            let mut sink = Sink::open(target, Growth::Whole)?;
            sink.write(text.as_bytes(), ui)?;
            sink.finish()
        }
        Existing::Keep => {
            let mut file = beside(target)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            let written = file.persist_noclobber(target);
            written.map(drop).map_err(|error| error.error)
        }
    }
}

fn exists(path: &Path) -> CommandError {
    let message = format!("`{}` exists already and was left as it is", path.display());
    CommandError::new(Exit::Configuration, message)
        .hint("name another file, or replace it with `--force`")
}
