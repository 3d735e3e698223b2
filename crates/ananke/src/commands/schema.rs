//! `ananke schema`: the JSON Schema of a file format, for editors and for programs that read what ananke writes.

use ananke_suite::SchemaKind;
use clap::{Args, ValueEnum};

use crate::error::Exit;
use crate::ui::Ui;

/// Print the JSON Schema of a file format
#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// Which format
    #[arg(value_enum)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// ananke.config.yaml
    Config,
    /// *.test.yaml
    Test,
    /// One case of a *.jsonl
    Case,
    /// *.script.yaml, for `ananke serve`
    Script,
    /// The file that --ctx names
    Context,
    /// The JSON report, `--json` and `-o report.json`
    Report,
    /// One line of the JSON Lines report, `-o report.jsonl`
    ReportLine,
    /// The records of a bundle, run.jsonl.zst
    Bundle,
    /// The file that `ananke conform --setup` names
    Conform,
    /// The file that `ananke conform --baseline` names
    ConformBaseline,
}

/// Prints a schema.
pub(crate) fn schema(args: &SchemaArgs, ui: &Ui) -> Exit {
    let schema = match args.format {
        Format::Config => ananke_suite::schema(SchemaKind::Config),
        Format::Test => ananke_suite::schema(SchemaKind::Test),
        Format::Case => ananke_suite::schema(SchemaKind::Case),
        Format::Script => ananke_suite::schema(SchemaKind::Script),
        Format::Context => ananke_suite::schema(SchemaKind::Context),
        Format::Report => ananke_report::report_schema(),
        Format::ReportLine => ananke_report::report_line_schema(),
        Format::Bundle => ananke_store::bundle_schema(),
        Format::Conform => ananke_suite::schema(SchemaKind::Conform),
        Format::ConformBaseline => ananke_suite::schema(SchemaKind::ConformBaseline),
    };
    ui.out(&format!("{schema:#}\n"));
    Exit::Passed
}
