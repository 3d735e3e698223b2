//! `ananke schema`: the JSON Schema of a file format, for editors.

use ananke_suite::SchemaKind;
use clap::{Args, ValueEnum};

use crate::error::Exit;
use crate::ui::Ui;

/// Print the JSON Schema of a file format
#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// Which format: ananke.config.yaml or *.test.yaml
    #[arg(value_enum)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Config,
    Test,
}

/// Prints a schema.
pub(crate) fn schema(args: &SchemaArgs, ui: &Ui) -> Exit {
    let kind = match args.format {
        Format::Config => SchemaKind::Config,
        Format::Test => SchemaKind::Test,
    };
    ui.out(&format!("{:#}\n", ananke_suite::schema(kind)));
    Exit::Passed
}
