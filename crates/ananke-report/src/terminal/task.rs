//! What `-vv` shows of a turn's task: the states, who was spoken to and how, and every artifact with its first line.

use ananke_model::recording::TaskRecord;

use crate::count::count;
use crate::escape::cut;
use crate::page::Page;
use crate::style::Style;
use crate::task::{first_line, ids, name, path, size, spoken};

/// How many artifacts are shown; the JSON report has them all.
const MOST_ARTIFACTS: usize = 50;

/// How much of one line is shown.
const LINE_CHARS: usize = 400;

/// Writes a task.
pub(super) fn task(page: &mut Page, task: &TaskRecord, style: &Style) {
    let short = |text: &str| cut(text, LINE_CHARS, style.ellipsis());
    page.line(format_args!(
        "    task {}",
        short(&path(task, style.arrow()))
    ));
    if let Some(ids) = ids(task) {
        page.line(format_args!("      {}", short(&ids)));
    }
    if let Some(how) = &task.spoken {
        page.line(format_args!("      spoken to as {}", short(&spoken(how))));
    }
    for artifact in task.artifacts.iter().take(MOST_ARTIFACTS) {
        let line = first_line(artifact).map(|line| format!(": {}", short(&line)));
        page.line(format_args!(
            "      artifact {}, {}{}",
            cut(name(artifact), 100, style.ellipsis()),
            size(artifact),
            line.unwrap_or_default()
        ));
    }
    if task.artifacts.len() > MOST_ARTIFACTS {
        let more = count(task.artifacts.len() - MOST_ARTIFACTS, "more artifact");
        page.line(format_args!("      {more}"));
    }
    if let Some(why) = &task.no_calls_because {
        page.line(format_args!("      tool calls: {}", short(why)));
    }
}
