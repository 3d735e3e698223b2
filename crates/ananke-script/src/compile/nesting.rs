//! Keeps files that nest deeply from overflowing the stack. The parser and everything after it recurse once per level, so the
//! levels are counted first, never too few: a file of ordinary depth is compiled at once, a deeper one on a thread with a stack
//! to match, and one that nests without end is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ananke_model::diagnostic::Diagnostic;
use oxc::span::Span;

use super::levels::{MAX_BRACKETS, count};
use super::source::{Language, Lines};

/// What one level takes of the stack at most, in the deepest of all passes.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) {
    24 << 10
} else {
    12 << 10
};

/// What the caller's stack surely has left.
const STACK_AT_HAND: usize = 1 << 20;

/// The largest stack that is asked for. Only what is used of it is ever backed by memory.
const MAX_STACK: usize = 4 << 30;

/// Runs `work` with a stack that is deep enough for `lines`, or tells why not.
pub(super) fn with_stack<T: Send>(
    lines: &Lines<'_>,
    work: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> Result<T, Vec<Diagnostic>> {
    let n_levels = match count(&lines.text, Language::of(&lines.shown)) {
        Ok(n_levels) => n_levels,
        Err(offset) => return Err(vec![too_deep(lines, offset)]),
    };
    let work = || catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(vec![broken(lines)]));
    let stack = n_levels.saturating_mul(STACK_PER_LEVEL);
    if stack <= STACK_AT_HAND {
        return work();
    }
    if stack > MAX_STACK {
        return Err(vec![too_deep(lines, 0)]);
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("compile".to_owned())
            .stack_size(stack + STACK_AT_HAND)
            .spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(vec![broken(lines)]),
            Err(error) => Err(vec![
                too_deep(lines, 0).hint(format!("no memory to look at it: {error}")),
            ]),
        }
    })
}

/// The compiler is not ours: a mistake of it must not take the run down.
fn broken(lines: &Lines<'_>) -> Diagnostic {
    let place = lines.place(Span::new(0, 0));
    Diagnostic::error(&place, "the compiler broke down at this script")
        .label("expected TypeScript that it knows")
        .hint("leave out half of the script, and half of that, until it compiles; then report the rest")
}

fn too_deep(lines: &Lines<'_>, offset: usize) -> Diagnostic {
    let start = u32::try_from(offset).unwrap_or(u32::MAX);
    let end = start.saturating_add(u32::from(!lines.text.is_empty()));
    Diagnostic::error(
        &lines.place(Span::new(start, end)),
        "the script is nested too deeply",
    )
    .label(format!(
        "expected at most {MAX_BRACKETS} brackets inside each other"
    ))
    .hint("split the expression, or move the data to a JSON file")
}
