//! `run --dry-run`: what would be run.

use ananke_model::plan::Plan;

use super::facts::{n_checks, name, said};
use crate::count::count;
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Returns one row for each test and a line that says that nothing was run.
pub fn dry_run_listing(plan: &Plan, style: &Style) -> String {
    let mut page = Page::default();
    let (mut n_turns, mut n_all_checks, mut n_skipped, mut n_functions) = (0, 0, 0, 0);
    let mark = paint(style, Tone::Faint, style.circle()).to_string();
    for test in &plan.tests {
        let id = escape(test.short_id());
        // The id of a function ends with its name.
        let name = match test.script {
            Some(_) => String::new(),
            None => format!(" {}", name(test, style)),
        };
        if let Some(skip) = &test.skip {
            n_skipped += 1;
            let reason = cut(&skip.text, 200, style.ellipsis());
            page.line(format_args!("  {mark} [{id}]{name} SKIPPED: {reason}"));
            continue;
        }
        if let Some(script) = &test.script {
            n_functions += 1;
            let line = script.function.place.line;
            page.line(format_args!("  {mark} [{id}] (line {line})"));
            continue;
        }
        let n_checks = n_checks(test);
        let facts = format!("{}, {}", said(test), count(n_checks, "check"));
        page.line(format_args!("  {mark} [{id}]{name} ({facts})"));
        n_turns += test.turns.len();
        n_all_checks += n_checks;
    }
    let n_tests = plan.tests.len() - n_skipped - n_functions;
    let skipped = match n_skipped {
        0 => String::new(),
        n => format!(", {n} skipped"),
    };
    let (tests, turns) = (count(n_tests, "test"), count(n_turns, "turn"));
    let checks = count(n_all_checks, "check");
    page.gap();
    let talks = format!("{tests} with {turns} and {checks}");
    let functions = format!("{} of scripts", count(n_functions, "function"));
    let all = match (n_tests, n_functions) {
        (_, 0) => talks,
        (0, _) => functions,
        _ => format!("{talks}, {functions}"),
    };
    page.line(format_args!("  {all}{skipped}; nothing was run"));
    page.finish()
}
