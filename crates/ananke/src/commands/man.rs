//! `ananke man`: manual pages, from the same words as the help.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use clap_mangen::Man;

use super::Cli;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

/// Print the manual page, or write one page for each command
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ananke man | man -l -
  ananke man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write ananke.1 and one page for each command into this folder
    #[arg(long, value_name = "FOLDER", env = "ANANKE_DIR")]
    dir: Option<PathBuf>,
}

/// Prints the main page, or writes all pages.
pub(crate) fn man(
    args: &ManArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(dir) = &args.dir else {
        ui.out(&rendered(&page(command)));
        return Ok(Exit::Passed);
    };
    let folder = environment.cwd.join(dir);
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    for command in std::iter::once(command).chain(subcommands) {
        let page = page(command);
        let file = folder.join(page.get_filename());
        std::fs::write(&file, rendered(&page)).map_err(|error| unwritable(&file, &error))?;
        let shown = dir.join(page.get_filename()).display().to_string();
        ui.out(&format!("{}\n", ananke_report::escape(&shown)));
    }
    Ok(Exit::Passed)
}

fn page(command: clap::Command) -> Man {
    let source = format!("ananke {}", env!("CARGO_PKG_VERSION"));
    Man::new(command).source(source).manual("ananke")
}

fn rendered(page: &Man) -> String {
    let mut text = Vec::new();
    let written = page.render(&mut text);
    written.expect("writing to memory does not fail");
    String::from_utf8_lossy(&text).into_owned()
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    let message = format!("`{}` cannot be written: {error}", path.display());
    CommandError::new(Exit::Trouble, message)
}
