//! The page around the data: markup, style, script, policy.

use ananke_model::run_event::{RunInfo, Summary};
use serde::Serialize;

use super::index::Index;
use super::island::island;
use super::policy::{escaped, policy};
use super::report::Chunk;
use crate::count::counts;

/// The markup, with a name in double braces for each part that is put in.
const PAGE: &str = include_str!("assets/page.html");

/// Colors, type and the widgets that any page of ours can use, then what only this page has.
pub(crate) const STYLE: &str = concat!(
    include_str!("assets/style/theme.css"),
    include_str!("assets/style/page.css"),
    include_str!("assets/style/detail.css"),
    include_str!("assets/style/function.css"),
    include_str!("assets/style/timeline.css"),
    include_str!("assets/style/print.css"),
);

/// One script, so that one hash allows it. Its parts share a scope that nothing else sees.
pub(super) const SCRIPT: &str = concat!(
    "\"use strict\";(() => {\n",
    include_str!("assets/script/dom.js"),
    include_str!("assets/script/data.js"),
    include_str!("assets/script/filter.js"),
    include_str!("assets/script/summary.js"),
    include_str!("assets/script/table.js"),
    include_str!("assets/script/json_view.js"),
    include_str!("assets/script/timeline.js"),
    include_str!("assets/script/runs.js"),
    include_str!("assets/script/events.js"),
    include_str!("assets/script/opinions.js"),
    include_str!("assets/script/checks.js"),
    include_str!("assets/script/checkpoints.js"),
    include_str!("assets/script/function.js"),
    include_str!("assets/script/case.js"),
    include_str!("assets/script/task.js"),
    include_str!("assets/script/turn.js"),
    include_str!("assets/script/detail.js"),
    include_str!("assets/script/address.js"),
    include_str!("assets/script/export.js"),
    include_str!("assets/script/keys.js"),
    include_str!("assets/script/main.js"),
    "})();\n",
);

/// What the page needs to know before any test.
#[derive(Debug, Serialize)]
pub(super) struct Head<'a> {
    pub(super) version: u8,
    pub(super) run: &'a RunInfo,
    pub(super) summary: &'a Summary,
    /// How many results there are if some belong to the same test; the summary counts tests.
    #[serde(rename = "results", skip_serializing_if = "Option::is_none")]
    pub(super) n_results: Option<usize>,
    /// Who asks, as names and values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) asking: Vec<(&'static str, String)>,
    /// The connector, if all tests used the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) connector: Option<String>,
    /// What came of `--runs` in all.
    #[serde(rename = "runs", skip_serializing_if = "Option::is_none")]
    pub(super) runs_in_words: Option<String>,
    pub(super) notices: &'a [String],
    pub(super) words: &'a [String],
    /// How many tests each chunk holds.
    pub(super) chunks: Vec<usize>,
    /// Whether details were shortened to keep the page small.
    #[serde(rename = "shortened")]
    pub(super) is_shortened: bool,
}

/// Returns the whole page.
pub(super) fn document(head: &Head<'_>, index: &Index, chunks: &[Chunk]) -> Vec<u8> {
    let mut data = String::new();
    push_island(&mut data, "head", &island(head));
    push_island(&mut data, "index", &island(index));
    let n_bytes: usize = chunks.iter().map(|chunk| chunk.json.len() + 80).sum();
    let mut page = String::with_capacity(n_bytes + data.len() + 200_000);
    let mut rest = PAGE;
    // Each part is put in once and never looked at again: data that holds a name in braces stays data.
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        rest = after;
        match name {
            "policy" => page.push_str(&policy(STYLE, SCRIPT)),
            "title" => page.push_str(&escaped(&title(head))),
            "style" => page.push_str(STYLE),
            "script" => page.push_str(SCRIPT),
            "totals" => page.push_str(&escaped(&totals(head))),
            "data" => {
                page.push_str(&data);
                for (number, chunk) in chunks.iter().enumerate() {
                    push_chunk(&mut page, number, &chunk.json);
                }
            }
            _ => debug_assert!(false, "page.html names a part that there is not: {name}"),
        }
    }
    page.push_str(rest);
    page.into_bytes()
}

fn push_island(page: &mut String, id: &str, json: &str) {
    for part in ["<script type=\"application/json\" id=\"", id, "\">", json] {
        page.push_str(part);
    }
    page.push_str("</script>\n");
}

fn push_chunk(page: &mut String, number: usize, json: &str) {
    let id = format!("chunk-{number}");
    for part in ["<script type=\"application/json\" id=\"", &id, "\">[", json] {
        page.push_str(part);
    }
    page.push_str("]</script>\n");
}

/// Returns what the window is called: what came of the run first.
fn title(head: &Head<'_>) -> String {
    let summary = head.summary;
    let verdict = match summary.failed_in_all() {
        0 if summary.interrupted => "interrupted".to_owned(),
        0 if summary.inconclusive > 0 => format!("{} inconclusive", summary.inconclusive),
        0 => format!("{} passed", summary.passed),
        n => format!("{n} of {} failed", summary.total),
    };
    match head.run.run_id.as_str() {
        "" => format!("{verdict} · ananke"),
        run_id => format!("{verdict} · {run_id} · ananke"),
    }
}

/// Returns the totals in one sentence, for readers without a script.
fn totals(head: &Head<'_>) -> String {
    let summary = head.summary;
    let parts = [
        (summary.passed, "passed"),
        (summary.failed, "failed"),
        (summary.errors, "error"),
        (summary.timeouts, "timeout"),
        (summary.skipped, "skipped"),
        (summary.inconclusive, "inconclusive"),
    ];
    let some = parts.iter().filter(|(n, _)| *n > 0);
    let words: Vec<String> = some.map(|(n, word)| format!("{n} {word}")).collect();
    let n_results = head.n_results.unwrap_or_default();
    let total = counts(&[(summary.total, "test"), (n_results, "result")]);
    match (total.as_str(), words.join(", ")) {
        ("", _) => "no tests".to_owned(),
        (total, words) => format!("{total}: {words}"),
    }
}
