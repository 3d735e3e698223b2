//! What every report in a file has in common, and which formats there are.

use ananke_model::run_event::RunEvent;

use crate::github::GithubReport;
use crate::html::HtmlReport;
use crate::json::{JsonReport, JsonlReport};
use crate::junit::JunitReport;
use crate::markdown::MarkdownReport;
use crate::summary::SummaryReport;
use crate::tap::TapReport;

/// A report that is written to a file or a stream: give it every event of a run, write what it returns.
///
/// The bytes of all calls, one after another, are the report. A report of one document returns it from
/// [`Report::finish`] and nothing before. A run that never finished (no [`RunEvent::RunFinished`] came) is reported as
/// interrupted, with what is known.
pub trait Report: std::fmt::Debug + Send {
    /// Takes in one event and returns what is to be appended now.
    fn event(&mut self, event: &RunEvent) -> Vec<u8>;

    /// Returns the rest of the report.
    fn finish(self: Box<Self>) -> Vec<u8>;
}

/// The formats that a report can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// One JSON object per line, streamed.
    Jsonl,
    /// One JSON document.
    Json,
    /// For a pull request.
    Markdown,
    /// One page for a browser.
    Html,
    /// JUnit XML, for a CI.
    Junit,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// Workflow commands that annotate files on GitHub.
    Github,
    /// A few lines of plain text.
    Summary,
}

impl ReportFormat {
    /// What [`ReportFormat::from_name`] knows, for messages.
    pub const NAMES: &[&str] = &[
        "jsonl", "json", "markdown", "html", "junit", "tap", "github", "summary",
    ];

    /// What [`ReportFormat::from_extension`] knows, for messages.
    pub const EXTENSIONS: &[&str] = &["jsonl", "json", "md", "html", "xml", "tap", "txt"];

    /// Returns the format that a user names. The built-in ones have the names `report.html` and so on, too.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("report.").unwrap_or(name) {
            "github" => Self::Github,
            "junit" => Self::Junit,
            "markdown" => Self::Markdown,
            "summary" => Self::Summary,
            word => Self::from_extension(word)?,
        })
    }

    /// Returns the format of a file with this extension, in any case.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Self::Jsonl,
            "json" => Self::Json,
            "md" | "markdown" => Self::Markdown,
            "html" | "htm" => Self::Html,
            "xml" => Self::Junit,
            "tap" => Self::Tap,
            "txt" => Self::Summary,
            _ => return None,
        })
    }

    /// Returns a report at the beginning of a run.
    pub fn open(self) -> Box<dyn Report> {
        match self {
            Self::Jsonl => Box::new(JsonlReport::default()),
            Self::Json => Box::new(JsonReport::default()),
            Self::Markdown => Box::new(MarkdownReport::default()),
            Self::Html => Box::new(HtmlReport::default()),
            Self::Junit => Box::new(JunitReport::default()),
            Self::Tap => Box::new(TapReport::default()),
            Self::Github => Box::new(GithubReport::default()),
            Self::Summary => Box::new(SummaryReport::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_lead_to_formats() {
        for name in ReportFormat::NAMES {
            assert!(ReportFormat::from_name(name).is_some(), "{name}");
        }
        for extension in ReportFormat::EXTENSIONS {
            assert!(
                ReportFormat::from_extension(extension).is_some(),
                "{extension}"
            );
        }
        let built_in = [
            ("report.json", ReportFormat::Json),
            ("report.markdown", ReportFormat::Markdown),
            ("report.html", ReportFormat::Html),
            ("report.summary", ReportFormat::Summary),
        ];
        for (name, format) in built_in {
            assert_eq!(ReportFormat::from_name(name), Some(format));
        }
        assert_eq!(
            ReportFormat::from_extension("JSON"),
            Some(ReportFormat::Json)
        );
        assert_eq!(ReportFormat::from_extension("doc"), None);
        assert_eq!(ReportFormat::from_name("junt"), None);
    }
}
