//! Follows a run and ends with one document.

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo};

use super::section::Section;
use super::stability;
use super::summary::{Totals, environment, summary};
use super::test::Entry;
use crate::asking::Connector;
use crate::count::count;
use crate::page::Page;
use crate::report::Report;
use crate::script::function_of;
use crate::stability::stability;
use crate::totals::{RunsTally, Tally};

/// GitHub shows no step summary of more than 1 MiB; the parts below stay under it together.
const TROUBLED_BYTES: usize = 600_000;
const UNSTEADY_BYTES: usize = 100_000;
const PASSED_BYTES: usize = 150_000;
const SKIPPED_BYTES: usize = 50_000;
const STABILITY_BYTES: usize = 100_000;

/// The Markdown report: one document, failures first, never larger than what GitHub shows.
#[derive(Debug)]
pub(crate) struct MarkdownReport {
    run: RunInfo,
    tally: Tally,
    runs: RunsTally,
    connector: Connector,
    stability: Section,
    troubled: Section,
    unsteady: Section,
    passed: Section,
    skipped: Section,
}

impl Default for MarkdownReport {
    fn default() -> Self {
        Self {
            run: RunInfo::default(),
            tally: Tally::default(),
            runs: RunsTally::default(),
            connector: Connector::default(),
            stability: Section::new(STABILITY_BYTES),
            troubled: Section::new(TROUBLED_BYTES),
            unsteady: Section::new(UNSTEADY_BYTES),
            passed: Section::new(PASSED_BYTES),
            skipped: Section::new(SKIPPED_BYTES),
        }
    }
}

impl MarkdownReport {
    fn test(&mut self, result: &TestResult) {
        self.connector.add(result);
        let stability = stability(result);
        self.runs.add(result, stability.as_ref());
        if let Some(stability) = &stability {
            self.stability.add(&stability::row(result, stability));
        }
        let is_unsteady = result.flaky || stability.as_ref().is_some_and(|one| !one.stable);
        let entry = Entry {
            result,
            stability: stability.as_ref(),
            identity: self.run.identity.as_deref(),
        };
        match result.status {
            TestStatus::Passed if is_unsteady => self.unsteady.add(&entry.in_full()),
            TestStatus::Passed => self.passed.add(&entry.brief()),
            TestStatus::Skipped => self.skipped.add(&entry.brief()),
            TestStatus::Failed
            | TestStatus::Error
            | TestStatus::Timeout
            | TestStatus::Inconclusive => self.troubled.add(&entry.in_full()),
        }
    }

    fn document(&self) -> String {
        let mut page = Page::default();
        let tests = &self.run.tests;
        let is_script = !tests.is_empty() && tests.iter().all(|id| function_of(id).is_some());
        let what = if is_script { "Script" } else { "Agent" };
        page.line(format_args!("# {what} Test Report\n"));
        let totals = Totals {
            run: &self.run,
            summary: &self.tally.summary(),
            runs: &self.runs,
            connector: self.connector.name(),
        };
        summary(&mut page, &totals);
        environment(&mut page, &self.run);
        if self.stability.n_entries() > 0 {
            page.line(format_args!("## Stability\n"));
            page.lines(stability::HEAD);
            entries(&mut page, &self.stability);
            page.gap();
        }
        page.line(format_args!("## Results\n"));
        for section in [&self.troubled, &self.unsteady] {
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
            RunEvent::TestFinished { result, .. } => self.test(result),
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
