//! Follows a run and says what to write where.

use std::collections::BTreeMap;

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use super::attempts::attempts;
use super::failure::failure;
use super::not_run::NotRun;
use super::rerun::Rerun;
use super::row::row;
use super::summary::{Troubled, failures, summary};
use super::{conversation, row};
use crate::count::some_of;
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::reasons::first_reason;
use crate::style::Style;
use crate::totals::Repeats;

/// From this many tests on, failures have left the screen when the run ends.
const SCREEN: usize = 20;

/// More failures than this are only listed at the end, not repeated.
const MOST_REPEATED: usize = 50;

/// How the console report is written.
#[derive(Clone, Debug)]
pub struct TerminalOptions {
    /// What the terminal can show.
    pub style: Style,
    /// How often `-v` was given: 1 adds counts and warnings to each test, 2 the conversations.
    pub verbose: u8,
    /// Whether only failures and the summary are written.
    pub quiet: bool,
    /// The words of the command that runs the failed tests again, without the files.
    pub rerun: Vec<String>,
    /// Whether nothing is run: only the header is written, [`crate::dry_run_listing`] gives the rest.
    pub dry_run: bool,
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
    pub(super) started_at_ms: i64,
    pub(super) n_planned: usize,
    /// Whether tests have several results.
    repeats: Repeats,
    pub(super) n_finished: usize,
    pub(super) n_troubled: usize,
    /// Escaped names of the tests that were started, by position in the plan.
    pub(super) running: BTreeMap<usize, String>,
    pub(super) is_live: bool,
    troubled: Vec<Troubled>,
    not_run: NotRun,
    /// Where the bundle is, escaped.
    bundle: Option<String>,
    rerun: Rerun,
}

impl Terminal {
    /// Returns a report at the beginning of a run.
    pub fn new(options: TerminalOptions) -> Self {
        Self {
            rerun: Rerun::new(&options.rerun),
            options,
            started_at_ms: 0,
            n_planned: 0,
            repeats: Repeats::default(),
            n_finished: 0,
            n_troubled: 0,
            running: BTreeMap::new(),
            is_live: false,
            troubled: Vec::new(),
            not_run: NotRun::default(),
            bundle: None,
        }
    }

    /// Takes in one event and returns what is to be written now.
    pub fn event(&mut self, event: &RunEvent) -> Chunk {
        let (mut out, mut err) = (Page::default(), Page::default());
        match event {
            RunEvent::RunStarted(info) => self.run_started(&mut out, info),
            RunEvent::TestStarted { index, id } => {
                self.running.insert(*index, escape(&id.0).into_owned());
            }
            RunEvent::TestSlow { index, elapsed_ms } => {
                self.test_slow(&mut err, *index, *elapsed_ms);
            }
            RunEvent::TestFinished { index, result } => {
                self.running.remove(index);
                self.test_finished(&mut out, result);
            }
            RunEvent::Notice(notice) => {
                let mark = paint(&self.options.style, Tone::Odd, self.options.style.info());
                err.line(format_args!("{mark} {}", escape(notice)));
            }
            RunEvent::RunFinished(summary) => {
                self.is_live = false;
                self.run_finished(&mut out, summary);
            }
        }
        Chunk {
            stdout: out.finish(),
            stderr: err.finish(),
        }
    }

    fn run_started(&mut self, out: &mut Page, info: &RunInfo) {
        self.started_at_ms = info.started_at_ms;
        self.n_planned = info.total;
        self.repeats = Repeats::of(info);
        self.bundle = info.bundle.as_deref().map(|path| escape(path).into_owned());
        self.is_live = !self.options.dry_run;
        if self.options.quiet {
            return;
        }
        let style = &self.options.style;
        let title = paint(style, Tone::Strong, "Agent Test").to_string();
        let mark = style.info();
        out.line(format_args!("{}", style.double_ruler()));
        out.line(format_args!("  {title}"));
        out.line(format_args!("{}", style.double_ruler()));
        let agents: Vec<String> = info
            .agents
            .iter()
            .map(|agent| escape(agent).into_owned())
            .collect();
        if !agents.is_empty() {
            out.line(format_args!("{mark} Agent: {}", some_of(&agents, 3)));
        }
        let input = cut(&info.input, 200, style.ellipsis());
        let n_tests = self.repeats.words(info.total);
        out.line(format_args!("{mark} Input: {input} ({n_tests})"));
        for (name, shown) in [("shard", "Shard"), ("seed", "Seed")] {
            if let Some(value) = info.facts.get(name) {
                out.line(format_args!("{mark} {shown}: {}", escape(value)));
            }
        }
        out.gap();
        let section = if self.options.dry_run {
            "Tests (dry run)"
        } else {
            "Running Tests"
        };
        out.line(format_args!("{}", style.ruler()));
        out.line(format_args!("  {section}"));
        out.line(format_args!("{}", style.ruler()));
        out.gap();
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
        self.n_finished += 1;
        if *verbose == 0 && self.not_run.takes(result) {
            return;
        }
        let mut block = Page::default();
        if is_troubled || !quiet {
            row(&mut block, result, style);
        }
        if is_troubled {
            failure(&mut block, result, style);
        }
        if !quiet && *verbose > 0 {
            attempts(&mut block, result, style);
            row::counts(&mut block, result, style);
        }
        if !quiet && *verbose > 1 {
            conversation::turns(&mut block, result, style);
        } else if is_troubled || (!quiet && *verbose > 0) {
            row::warnings(&mut block, result, style);
        }
        if !quiet && *verbose > 0 {
            block.gap();
        }
        let block = block.finish();
        out.lines(&block);
        if is_troubled {
            self.n_troubled += 1;
            self.rerun.add(&result.file);
            let (reason, n_reasons) = first_reason(result);
            let repeats = !quiet && self.n_planned > SCREEN && self.n_troubled <= MOST_REPEATED;
            self.troubled.push(Troubled {
                id: escape(&result.id.0).into_owned(),
                status: result.status,
                reason: cut(&reason, 200, style.ellipsis()),
                n_reasons,
                block: if repeats { block } else { String::new() },
            });
        }
    }

    fn run_finished(&self, out: &mut Page, totals: &Summary) {
        if self.options.dry_run {
            return;
        }
        let style = &self.options.style;
        if !self.options.quiet {
            self.not_run.lines(out, style);
        }
        // With `-v` each test ends with an empty line of its own.
        let is_apart = !self.options.quiet && self.options.verbose > 0 && totals.total > 0;
        if !is_apart {
            out.gap();
        }
        if !self.troubled.is_empty() {
            let repeats = !self.options.quiet
                && self.n_planned > SCREEN
                && self.troubled.len() <= MOST_REPEATED;
            failures(out, &self.troubled, repeats, style);
            if let Some(command) = self.rerun.command() {
                out.gap();
                out.line(format_args!("Rerun: {command}"));
            }
            out.gap();
        }
        let bundle = self.bundle.as_deref();
        summary(out, totals, self.n_planned, self.repeats, bundle, style);
    }
}
