//! Follows a run and ends with one document.

use ananke_model::result::TestStatus;
use ananke_model::run_event::{RunEvent, RunInfo};

use super::section::Section;
use super::summary::{environment, summary};
use super::test::{brief, in_full};
use crate::count::count;
use crate::page::Page;
use crate::report::Report;
use crate::totals::Tally;

/// GitHub shows no step summary of more than 1 MiB; the parts below stay under it together.
const TROUBLED_BYTES: usize = 700_000;
const FLAKY_BYTES: usize = 100_000;
const PASSED_BYTES: usize = 150_000;
const SKIPPED_BYTES: usize = 50_000;

/// The Markdown report: one document, failures first, never larger than what GitHub shows.
#[derive(Debug)]
pub(crate) struct MarkdownReport {
    run: RunInfo,
    tally: Tally,
    troubled: Section,
    flaky: Section,
    passed: Section,
    skipped: Section,
}

impl Default for MarkdownReport {
    fn default() -> Self {
        Self {
            run: RunInfo::default(),
            tally: Tally::default(),
            troubled: Section::new(TROUBLED_BYTES),
            flaky: Section::new(FLAKY_BYTES),
            passed: Section::new(PASSED_BYTES),
            skipped: Section::new(SKIPPED_BYTES),
        }
    }
}

impl MarkdownReport {
    fn document(&self) -> String {
        let mut page = Page::default();
        page.line(format_args!("# Agent Test Report\n"));
        summary(&mut page, &self.run, &self.tally.summary());
        environment(&mut page, &self.run);
        page.line(format_args!("## Results\n"));
        for section in [&self.troubled, &self.flaky] {
            entries(&mut page, section);
        }
        for (section, word) in [(&self.passed, "passed"), (&self.skipped, "skipped")] {
            if section.n_entries() > 0 {
                let title = format!("{} {word}", count(section.n_entries(), "test"));
                page.line(format_args!("<details>\n<summary>{title}</summary>\n"));
                entries(&mut page, section);
                page.line(format_args!("</details>\n"));
            }
        }
        let mut text = page.finish();
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

impl Report for MarkdownReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.tally.event(event);
        match event {
            RunEvent::RunStarted(run) => self.run = run.clone(),
            RunEvent::TestFinished { result, .. } => match result.status {
                TestStatus::Passed if result.flaky => self.flaky.add(&in_full(result)),
                TestStatus::Passed => self.passed.add(&brief(result)),
                TestStatus::Skipped => self.skipped.add(&brief(result)),
                TestStatus::Failed
                | TestStatus::Error
                | TestStatus::Timeout
                | TestStatus::Inconclusive => self.troubled.add(&in_full(result)),
            },
            RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_)
            | RunEvent::RunFinished(_) => {}
        }
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.document().into_bytes()
    }
}

fn entries(page: &mut Page, section: &Section) {
    page.lines(section.text());
    if section.n_left_out() > 0 {
        let more = count(section.n_left_out(), "more test");
        page.line(format_args!(
            "**{more} left out**: GitHub shows no larger report. The HTML and JSON reports have them all.\n"
        ));
    }
}
