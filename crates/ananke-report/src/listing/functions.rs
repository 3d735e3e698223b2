//! Functions of scripts in listings: below their files.

use ananke_model::plan::{Plan, PlannedTest};
use ananke_model::script::ScriptTest;

use crate::count::count;
use crate::escape::cut;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Writes every function below its file: where it is, and why it is skipped if it is.
pub(super) fn functions(page: &mut Page, plan: &Plan, style: &Style) {
    let short = |text: &str| cut(text, 200, style.ellipsis());
    let all: Vec<(&PlannedTest, &ScriptTest)> = plan
        .tests
        .iter()
        .filter_map(|test| Some((test, test.script.as_deref()?)))
        .collect();
    for file in
        all.chunk_by(|(_, a), (_, b)| a.file.path == b.file.path && a.file.shown == b.file.shown)
    {
        let Some((_, first)) = file.first() else {
            continue;
        };
        let shown = short(&first.file.shown);
        let called = match first.file.id.as_str() {
            id if id == &*first.file.shown || id.is_empty() => String::new(),
            id => format!("{}, ", short(id)),
        };
        let n_functions = count(file.len(), "function");
        let title = paint(style, Tone::Strong, &shown).to_string();
        page.line(format_args!("{title} ({called}{n_functions})"));
        for (test, script) in file {
            let name = short(&test.name.text);
            let line = script.function.place.line;
            let place = paint(style, Tone::Faint, format_args!("line {line}")).to_string();
            let tags = match test.tags.as_slice() {
                [] => String::new(),
                tags => format!(", {}", short(&tags.join(", "))),
            };
            let skip = match &test.skip {
                Some(skip) => format!(" SKIPPED: {}", short(&skip.text)),
                None => String::new(),
            };
            page.line(format_args!("  {name} ({place}{tags}){skip}"));
        }
    }
}
