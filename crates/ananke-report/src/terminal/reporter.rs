//! Follows a run and says what to write where.

use std::collections::BTreeMap;

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use super::answer::{answer, is_message, may_be_messages};
use super::header::header;
use super::not_run::NotRun;
use super::rerun::Rerun;
use super::row;
use super::script::Files;
use super::stability::analysis;
use super::summary::{Known, Troubled, failures, summary};
use super::told::{told, told_in_frame};
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::reasons::first_reason;
use crate::script::{function_of, is_function};
use crate::stability::stability;
use crate::style::Style;
use crate::totals::{Repeats, RunsTally};

/// From this many tests on, failures have left the screen when the run ends.
const SCREEN: usize = 20;

/// More failures than this are only listed at the end, not repeated.
const MOST_REPEATED: usize = 50;

/// How the console report is written.
#[derive(Clone, Debug)]
pub struct TerminalOptions {
    /// What the terminal can show.
    pub style: Style,
    /// How often `-v` was given: 1 adds counts and findings to each test, 2 the conversations.
    pub verbose: u8,
    /// Whether only failures and the summary are written.
    pub quiet: bool,
    /// The words of the command that runs the failed tests again, without the files.
    pub rerun: Vec<String>,
    /// Whether nothing is run: only the header is written, [`crate::dry_run_listing`] gives the rest.
    pub dry_run: bool,
    /// Whether a CI reads what is written and obeys lines that begin with `::`.
    pub is_ci: bool,
}

/// Text to be written after an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunk {
    /// Goes to stdout.
    pub stdout: String,
    /// Goes to stderr.
    pub stderr: String,
}

/// The console report: give it every event, write what it returns.
#[derive(Debug)]
pub struct Terminal {
    pub(super) options: TerminalOptions,
    /// How the run began.
    pub(super) info: RunInfo,
    /// The head of a run that may be one of messages only: it is not shown as long as nothing speaks against it.
    held: Option<String>,
    /// The files, if all tests are functions of scripts.
    files: Option<Files>,
    /// Whether tests have several results.
    repeats: Repeats,
    pub(super) n_finished: usize,
    pub(super) n_troubled: usize,
    /// What a person calls the tests that were started, escaped, by position in the plan.
    pub(super) running: BTreeMap<usize, String>,
    pub(super) is_live: bool,
    troubled: Vec<Troubled>,
    not_run: NotRun,
    /// What came of tests that were run several times.
    runs: RunsTally,
    has_cases: bool,
    has_answered: bool,
    /// Whether an empty line was written last.
    ends_apart: bool,
    rerun: Rerun,
}

impl Terminal {
    /// Returns a report at the beginning of a run.
    pub fn new(options: TerminalOptions) -> Self {
        Self {
            rerun: Rerun::new(&options.rerun),
            options,
            info: RunInfo::default(),
            held: None,
            files: None,
            repeats: Repeats::default(),
            n_finished: 0,
            n_troubled: 0,
            running: BTreeMap::new(),
            is_live: false,
            troubled: Vec::new(),
            not_run: NotRun::default(),
            runs: RunsTally::default(),
            has_cases: false,
            has_answered: false,
            ends_apart: false,
        }
    }

    /// Takes in one event and returns what is to be written now.
    pub fn event(&mut self, event: &RunEvent) -> Chunk {
        let (mut out, mut err) = (Page::default(), Page::default());
        match event {
            RunEvent::RunStarted(info) => self.run_started(&mut out, info),
            RunEvent::TestStarted { index, id } => {
                self.running.insert(*index, escape(id.short()).into_owned());
            }
            RunEvent::TestSlow { index, elapsed_ms } => {
                self.test_slow(&mut err, *index, *elapsed_ms);
            }
            RunEvent::TestFinished { index, result } => {
                self.running.remove(index);
                self.n_finished += 1;
                if self.held.is_some() && is_message(result) {
                    self.answered(&mut out, &mut err, result);
                } else {
                    out.lines(&self.held.take().unwrap_or_default());
                    self.test_finished(&mut out, result);
                }
            }
            RunEvent::Notice(notice) => {
                let mark = paint(&self.options.style, Tone::Odd, self.options.style.info());
                err.line(format_args!("{mark} {}", escape(notice)));
            }
            RunEvent::RunFinished(summary) => {
                self.is_live = false;
                // Answers speak for themselves.
                if self.held.is_none() || self.n_finished == 0 {
                    out.lines(&self.held.take().unwrap_or_default());
                    self.run_finished(&mut out, summary);
                }
            }
        }
        Chunk {
            stdout: out.finish(),
            stderr: err.finish(),
        }
    }

    fn run_started(&mut self, out: &mut Page, info: &RunInfo) {
        self.info = info.clone();
        self.repeats = Repeats::of(info);
        self.is_live = !self.options.dry_run;
        let TerminalOptions {
            style,
            verbose,
            quiet,
            dry_run,
            ..
        } = &self.options;
        self.files = Files::of(info).filter(|_| !dry_run);
        let mut head = Page::default();
        if !quiet && self.files.is_none() {
            header(&mut head, info, *dry_run, style);
        }
        let head = head.finish();
        if *verbose == 0 && !dry_run && may_be_messages(info) {
            self.held = Some(head);
        } else {
            out.lines(&head);
        }
    }

    /// Writes the answer to a message, apart from the one before.
    fn answered(&mut self, out: &mut Page, err: &mut Page, result: &TestResult) {
        let mut said = Page::default();
        answer(&mut said, err, result, &self.options);
        let said = said.finish();
        if self.has_answered && !said.is_empty() {
            out.gap();
        }
        self.has_answered |= !said.is_empty();
        out.lines(&said);
        self.n_troubled += usize::from(row::is_troubled(result.status));
    }

    fn test_slow(&self, err: &mut Page, index: usize, elapsed_ms: u64) {
        if self.options.quiet {
            return;
        }
        let style = &self.options.style;
        let Some(id) = self.running.get(&index) else {
            return;
        };
        let mark = paint(style, Tone::Odd, style.warn());
        err.line(format_args!(
            "{mark} slow: [{id}] has been running for {}s",
            elapsed_ms / 1000
        ));
    }

    fn test_finished(&mut self, out: &mut Page, result: &TestResult) {
        let TerminalOptions {
            style,
            verbose,
            quiet,
            ..
        } = &self.options;
        let is_troubled = row::is_troubled(result.status);
        self.has_cases |= result.case.is_some();
        let stability = stability(result);
        self.runs.add(result, stability.as_ref());
        if *verbose == 0 && self.not_run.takes(result) {
            return;
        }
        let block = match &mut self.files {
            Some(files) => {
                if !quiet {
                    files.turn_to(out, result, &self.info, style);
                    files.count(result);
                }
                told_in_frame(result, stability.as_ref(), &self.options)
            }
            None => told(result, stability.as_ref(), &self.options),
        };
        if !block.is_empty() {
            self.ends_apart = block.ends_with("\n\n");
        }
        out.lines(&block);
        if is_troubled {
            self.n_troubled += 1;
            if !is_message(result) && result.file != "stdin" {
                let case = result.case.as_ref().map(|case| case.id.as_str());
                // What a file holds that could not be understood is not known.
                let named = function_of(&result.id).is_none_or(|(_, name)| name == result.name);
                let function = || (is_function(result) && named).then_some(result.name.as_str());
                self.rerun.add(&result.file, case.or_else(function));
            }
            let (reason, n_reasons) = first_reason(result);
            let repeats = !quiet && self.info.total > SCREEN && self.n_troubled <= MOST_REPEATED;
            self.troubled.push(Troubled {
                id: escape(result.short_id()).into_owned(),
                status: result.status,
                reason: cut(&reason, 200, style.ellipsis()),
                n_reasons,
                block: if repeats { block } else { String::new() },
            });
        }
    }

    fn run_finished(&mut self, out: &mut Page, totals: &Summary) {
        if self.options.dry_run {
            return;
        }
        let style = &self.options.style;
        let is_quiet = self.options.quiet;
        if let Some(files) = self.files.as_mut().filter(|_| !is_quiet) {
            files.close(out, style);
        }
        let mut not_run = Page::default();
        if !self.options.quiet {
            self.not_run.lines(&mut not_run, style);
        }
        let not_run = not_run.finish();
        out.lines(&not_run);
        // With `-v`, and for cases with messages, a test ends with an empty line of its own.
        if !self.ends_apart || !not_run.is_empty() {
            out.gap();
        }
        if !self.troubled.is_empty() {
            let repeats = !self.options.quiet
                && self.info.total > SCREEN
                && self.troubled.len() <= MOST_REPEATED;
            // One file that fits on a screen has told it all just before.
            let is_told = self.files.as_ref().is_some_and(Files::is_one);
            if !is_told || self.info.total > SCREEN {
                failures(out, &self.troubled, repeats, style);
                out.gap();
            }
            if let Some(command) = self.rerun.command() {
                out.line(format_args!("Rerun: {command}"));
                out.gap();
            }
        }
        if let Some(files) = &self.files {
            analysis(out, &self.runs, style);
            files.finish(out, totals, &self.info, style);
            return;
        }
        let known = Known {
            info: &self.info,
            repeats: self.repeats,
            runs: &self.runs,
            has_cases: self.has_cases,
        };
        summary(out, totals, &known, style);
    }
}
