//! `list`: the tests that were found, as a table or as JSON.

use ananke_model::agent::Dynamic;
use ananke_model::plan::{Plan, PlannedTest};
use serde::Serialize;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use super::facts::{n_checks, name, target};
use super::functions::functions;
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// What the documents of this version are called.
const SCHEMA: &str = "ananke.list/1";

/// Columns of the table; a column that no test fills is left out.
const TITLES: [&str; 6] = ["ID", "NAME", "FILE", "TAGS", "TARGET", "SKIPPED"];

/// Returns an aligned table of the tests, then the functions of scripts below their files; empty if there is neither.
pub fn list_text(plan: &Plan, style: &Style) -> String {
    let rows: Vec<[String; 6]> = plan
        .tests
        .iter()
        .filter(|test| test.script.is_none())
        .map(|test| {
            let short = |text: &str| cut(text, 200, style.ellipsis());
            let skip = test.skip.as_ref();
            let case = test.case.as_ref();
            [
                escape(test.short_id()).into_owned(),
                name(test, style),
                // The id of any other test names its file already.
                case.map(|_| short(&test.file)).unwrap_or_default(),
                short(&test.tags.join(", ")),
                short(target(&test.target)),
                skip.map(|skip| short(&skip.text)).unwrap_or_default(),
            ]
        })
        .collect();
    let mut page = Page::default();
    if rows.is_empty() {
        functions(&mut page, plan, style);
        return page.finish();
    }
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    for (width, title) in widths.iter_mut().zip(TITLES) {
        if *width > 0 {
            *width = title.width().max(*width);
        }
    }
    let titles = TITLES.map(str::to_owned);
    let head = paint(style, Tone::Strong, aligned(&titles, &widths));
    page.line(format_args!("{head}"));
    for row in &rows {
        page.line(format_args!("{}", aligned(row, &widths)));
    }
    if rows.len() < plan.tests.len() {
        page.gap();
        functions(&mut page, plan, style);
    }
    page.finish()
}

fn aligned(row: &[String; 6], widths: &[usize; 6]) -> String {
    let mut line = String::new();
    for (cell, width) in row.iter().zip(widths) {
        if *width > 0 {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// One test as it is written.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    /// The id of a case, else the stable name.
    id: &'a str,
    /// The stable name of a case.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_id: Option<&'a str>,
    name: &'a str,
    file: &'a str,
    /// What the user calls the script of a function, and the line at which the function stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// What a case has as `input` or `messages`.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a Value>,
    tags: &'a [String],
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_count: Option<usize>,
    /// Who leads the conversation, and what has to happen on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulator: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoints: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_turns: Option<u32>,
    turns: usize,
    checks: usize,
}

/// The whole document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_file: Option<&'a str>,
    total: usize,
    tests: Vec<Entry<'a>>,
}

fn dynamic(test: &PlannedTest) -> Option<&Dynamic> {
    test.dynamic.as_deref()
}

/// Returns the tests as one JSON document.
pub fn list_json(plan: &Plan) -> Value {
    let entries = plan.tests.iter().map(|test| Entry {
        id: test.short_id(),
        test_id: test.case.as_ref().map(|_| test.id.0.as_str()),
        name: &test.name.text,
        file: &test.file,
        script: test.script.as_ref().map(|script| script.file.id.as_str()),
        line: test
            .script
            .as_ref()
            .map(|script| script.function.place.line),
        input: test
            .case
            .as_ref()
            .map(|case| &case.input)
            .filter(|input| !(test.dynamic.is_some() && input.is_null())),
        tags: &test.tags,
        target: target(&test.target),
        skip: test.skip.as_ref().map(|skip| skip.text.as_str()),
        messages_count: match &test.dynamic {
            Some(_) => None,
            None => test.case.as_ref().map(|case| case.n_messages),
        },
        simulator: dynamic(test).map(|dynamic| dynamic.simulator.agent.as_str()),
        checkpoints: dynamic(test).map(|dynamic| {
            let checkpoints = dynamic.checkpoints.iter();
            checkpoints.map(|one| one.id.as_str()).collect()
        }),
        max_turns: dynamic(test).map(|dynamic| dynamic.max_turns),
        turns: test.turns.len(),
        checks: n_checks(test),
    });
    let document = Document {
        schema: SCHEMA,
        config_file: plan.config_file.as_deref(),
        total: plan.tests.len(),
        tests: entries.collect(),
    };
    serde_json::to_value(document).expect("strings and numbers are JSON")
}
