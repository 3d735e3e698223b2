//! A run of nothing but functions of scripts: a frame for each file, and a line for what came of it.

use std::collections::{BTreeSet, HashMap};

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunInfo, Summary};

use super::reporter::TerminalOptions;
use super::row::{is_troubled, mark};
use crate::count::{count, counts};
use crate::duration::duration;
use crate::escape::{cut, escape};
use crate::facts::facts;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::reasons::trouble;
use crate::script::{Told, failures, function_of, logs, source, subtests};
use crate::style::Style;

/// Width of the rulers; a narrower terminal gets shorter ones.
const RULER: usize = 79;

/// Logs of a function beyond these are counted, and with `-v`.
const MOST_LOGS: [usize; 2] = [50, 1_000];

/// How much of a reason is shown.
const REASON_CHARS: usize = 2_000;

/// The files of a run of functions, and the one that is being told about.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// How many functions of each file will be run.
    n_functions: HashMap<String, usize>,
    open: Option<OpenFile>,
}

/// A file whose frame is not closed.
#[derive(Debug)]
struct OpenFile {
    source: String,
    summary: Summary,
}

impl Files {
    /// Returns the files of a run if it is one of functions only, each file in one piece.
    pub(super) fn of(info: &RunInfo) -> Option<Self> {
        let mut n_functions: HashMap<String, usize> = HashMap::new();
        let mut done: BTreeSet<&str> = BTreeSet::new();
        let mut last = "";
        for id in &info.tests {
            let (file, _) = function_of(id)?;
            if file != last && !done.insert(file) {
                return None;
            }
            last = file;
            *n_functions.entry(file.to_owned()).or_default() += 1;
        }
        (!n_functions.is_empty()).then_some(Self {
            n_functions,
            open: None,
        })
    }

    /// Closes the frame of the file before and opens that of `result`, if it is the first of its file.
    pub(super) fn turn_to(
        &mut self,
        page: &mut Page,
        result: &TestResult,
        run: &RunInfo,
        style: &Style,
    ) {
        let source = source(result);
        if self.open.as_ref().is_some_and(|open| open.source == source) {
            return;
        }
        self.close(page, style);
        let n_functions = self.n_functions.get(source).copied().unwrap_or_default();
        head(page, result, n_functions, run, style);
        self.open = Some(OpenFile {
            source: source.to_owned(),
            summary: Summary::default(),
        });
    }

    /// Counts a function of the file that is open.
    pub(super) fn count(&mut self, result: &TestResult) {
        if let Some(open) = &mut self.open {
            open.summary.count_result(result);
            open.summary.duration_us += result.duration_us;
        }
    }

    /// Tells whether there is one file only.
    pub(super) fn is_one(&self) -> bool {
        self.n_functions.len() == 1
    }

    /// Closes the frame that is open, if more than one file has one.
    pub(super) fn close(&mut self, page: &mut Page, style: &Style) {
        if let Some(open) = self.open.take()
            && self.n_functions.len() > 1
        {
            framed(
                page,
                &[format!("Summary: {}", totals(&open.summary, style))],
                style,
            );
            page.gap();
        }
    }

    /// Writes what came of the run.
    pub(super) fn finish(
        &self,
        page: &mut Page,
        totals_of_run: &Summary,
        run: &RunInfo,
        style: &Style,
    ) {
        let what = match self.n_functions.len() {
            1 => "Summary:".to_owned(),
            n => format!("Summary of {}:", count(n, "file")),
        };
        let mut lines = vec![format!("{what} {}", totals(totals_of_run, style))];
        if let Some(bundle) = &run.bundle {
            lines.push(format!("Bundle: {}", escape(bundle)));
        }
        lines.extend(verdict(totals_of_run, run, style));
        framed(page, &lines, style);
    }
}

fn ruler(line: &str, style: &Style) -> String {
    line.repeat(RULER.min(style.width.max(1)))
}

fn framed(page: &mut Page, lines: &[String], style: &Style) {
    let double = ruler(style.pick("═", "="), style);
    page.line(format_args!("{double}"));
    for line in lines {
        page.line(format_args!("  {line}"));
    }
    page.line(format_args!("{double}"));
}

/// Writes the head of a file: what the user calls it, where it is, how many functions, who asks.
fn head(page: &mut Page, first: &TestResult, n_functions: usize, run: &RunInfo, style: &Style) {
    let short = |text: &str| cut(text, 200, style.ellipsis());
    let record = first.script.as_deref();
    let called = record.map_or("", |record| record.script.as_str());
    let called = if called.is_empty() {
        &first.file
    } else {
        called
    };
    let title = format!("Script Test: {}", short(called));
    framed(
        page,
        &[paint(style, Tone::Strong, title).to_string()],
        style,
    );
    page.line(format_args!("  Script: {}", short(&first.file)));
    page.line(format_args!("  Tests: {}", count(n_functions, "function")));
    if let Some(identity) = &run.identity {
        page.line(format_args!("  User: {}", short(&identity.user_id)));
        page.line(format_args!("  Team: {}", short(&identity.team_id)));
    }
    for (name, shown) in [("shard", "Shard"), ("seed", "Seed")] {
        if let Some(value) = run.facts.get(name) {
            page.line(format_args!("  {shown}: {}", short(value)));
        }
    }
    let single = ruler(style.pick("─", "-"), style);
    page.line(format_args!("{single}\n  Running Tests\n{single}"));
}

/// Returns `2 passed, 1 failed, 0 skipped (35ms)`, with what is rare behind.
fn totals(summary: &Summary, style: &Style) -> String {
    let of_failed = counts(&[(summary.errors, "error"), (summary.timeouts, "timeout")]);
    let of_failed = match of_failed.as_str() {
        "" => String::new(),
        some => format!(" ({some})"),
    };
    let mut words = format!(
        "{} passed, {} failed{of_failed}, {} skipped",
        summary.passed,
        summary.failed_in_all(),
        summary.skipped
    );
    let rare = [
        (summary.inconclusive, "inconclusive"),
        (summary.flaky, "flaky"),
        (summary.unchecked, "without assertions"),
    ];
    for (n, word) in rare.into_iter().filter(|(n, _)| *n > 0) {
        words.extend([", ", &n.to_string(), " ", word]);
    }
    let tone = match summary.failed_in_all() {
        0 if summary.passed == 0 || summary.inconclusive > 0 => Tone::Odd,
        0 => Tone::Good,
        _ => Tone::Bad,
    };
    let time = duration(summary.duration_us, style);
    format!("{} ({time})", paint(style, tone, words))
}

/// Returns what the counts alone do not say.
fn verdict(summary: &Summary, run: &RunInfo, style: &Style) -> Option<String> {
    let n_not_run = run.total.saturating_sub(summary.total);
    let n_run = summary.total.saturating_sub(summary.skipped);
    let words = if summary.interrupted {
        let all = count(summary.total + n_not_run, "test");
        format!("INTERRUPTED: {n_run} of {all} finished")
    } else if n_run == 0 {
        "NO TEST WAS RUN".to_owned()
    } else if n_not_run > 0 {
        format!("NOT ALL TESTS WERE RUN: {n_not_run} left")
    } else {
        return None;
    };
    let words = format!("{} {words}", style.warn());
    Some(paint(style, Tone::Odd, words).to_string())
}

/// Writes a function: `► [TestA] ...`, what came of it, and why.
pub(super) fn function(page: &mut Page, result: &TestResult, options: &TerminalOptions) {
    let style = &options.style;
    // Without the frame around it, its own name does not say where it is.
    let name = if options.quiet {
        &result.id.0
    } else {
        &result.name
    };
    page.line(format_args!("{} [{}] ...", style.play(), escape(name)));
    let mark = mark(result.status, style);
    let word = result.status.word();
    let tone = match result.status {
        TestStatus::Passed if !result.flaky => Tone::Good,
        TestStatus::Passed | TestStatus::Inconclusive => Tone::Odd,
        TestStatus::Skipped => Tone::Faint,
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => Tone::Bad,
    };
    let word = paint(style, tone, word).to_string();
    if result.status == TestStatus::Skipped {
        let reason = result.reason.as_deref().filter(|reason| !reason.is_empty());
        let reason = cut(
            reason.unwrap_or("no reason was given"),
            200,
            style.ellipsis(),
        );
        page.line(format_args!("  {mark} {word}: {reason}"));
    } else {
        page.line(format_args!("  {mark} {word} ({})", facts(result, style)));
    }
    if is_troubled(result.status) {
        why(page, result, "    ", options);
    }
    evidence(page, result, "    ", options);
}

/// Writes why a function did not pass.
pub(super) fn why(page: &mut Page, result: &TestResult, indent: &str, options: &TerminalOptions) {
    let style = &options.style;
    if failures(page, result, &told(indent, options)) {
        return;
    }
    if let Some(reason) = trouble(result) {
        let branch = paint(style, Tone::Bad, style.branch()).to_string();
        let reason = cut(&reason, REASON_CHARS, style.ellipsis());
        page.line(format_args!("{indent}{branch} {reason}"));
    }
}

/// Writes subtests and logs: of functions that did not pass, and with `-v` of everything.
pub(super) fn evidence(
    page: &mut Page,
    result: &TestResult,
    indent: &str,
    options: &TerminalOptions,
) {
    let verbose = if options.quiet { 0 } else { options.verbose };
    let told = told(indent, options);
    let Some(record) = result.script.as_deref() else {
        if verbose > 0 {
            logs(page, result, &told);
        }
        return;
    };
    if verbose == 0 && !is_troubled(result.status) {
        return;
    }
    subtests(page, record, &told);
    logs(page, result, &told);
    if verbose > 0 && result.status != TestStatus::Skipped {
        let line = counts(&[
            (
                usize::try_from(record.assertions).unwrap_or(usize::MAX),
                "assertion",
            ),
            (result.turns.len(), "turn"),
        ]);
        let line = if line.is_empty() {
            "no assertions"
        } else {
            &line
        };
        page.line(format_args!(
            "{indent}{}",
            paint(&options.style, Tone::Faint, line)
        ));
    }
}

fn told<'a>(indent: &'a str, options: &'a TerminalOptions) -> Told<'a> {
    let is_verbose = options.verbose > 0 && !options.quiet;
    Told {
        style: &options.style,
        indent,
        has_stack: is_verbose,
        most_logs: MOST_LOGS[usize::from(is_verbose)],
    }
}
