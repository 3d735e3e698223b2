//! `ananke completions`: what a shell needs to complete commands and flags.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use crate::error::Exit;
use crate::ui::Ui;

/// Print the completion script of a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Where to put it:
  bash        ananke completions bash > ~/.local/share/bash-completion/completions/ananke
  zsh         ananke completions zsh > ~/.zfunc/_ananke    (~/.zfunc in fpath, before compinit)
  fish        ananke completions fish > ~/.config/fish/completions/ananke.fish
  PowerShell  ananke completions powershell >> $PROFILE
  elvish      ananke completions elvish >> ~/.config/elvish/rc.elv")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a completion script.
pub(crate) fn completions(args: &CompletionsArgs, ui: &Ui) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ananke", &mut script);
    ui.out(&String::from_utf8_lossy(&script));
    Exit::Passed
}
