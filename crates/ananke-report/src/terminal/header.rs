//! The head of the console report: which agent, through which connector, which tests, who asks.

use ananke_model::run_event::RunInfo;

use crate::count::{count, some_of};
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;
use crate::totals::Repeats;

/// Writes the head of a run up to where its tests begin.
pub(super) fn header(page: &mut Page, info: &RunInfo, is_dry_run: bool, style: &Style) {
    let title = paint(style, Tone::Strong, "Agent Test").to_string();
    let mark = style.info();
    page.line(format_args!("{}", style.double_ruler()));
    page.line(format_args!("  {title}"));
    page.line(format_args!("{}", style.double_ruler()));
    let agents: Vec<String> = info
        .agents
        .iter()
        .map(|agent| escape(agent).into_owned())
        .collect();
    if !agents.is_empty() {
        page.line(format_args!("{mark} Agent: {}", some_of(&agents, 3)));
    }
    let override_ = info.facts.get("connector");
    if let Some(connector) = override_.or(info.connector.as_ref()) {
        let connector = cut(connector, 200, style.ellipsis());
        let how = if override_.is_some() {
            " (override)"
        } else {
            ""
        };
        page.line(format_args!("{mark} Connector: {connector}{how}"));
    }
    let input = cut(&info.input, 200, style.ellipsis());
    page.line(format_args!("{mark} Input: {input} ({})", n_tests(info)));
    if let Some(identity) = &info.identity {
        let short = |text: &str| cut(text, 100, style.ellipsis());
        let (user, team) = (short(&identity.user_id), short(&identity.team_id));
        page.line(format_args!("{mark} User: {user}, Team: {team}"));
    }
    // A merge of runs may have more of some tests; the analysis at the end counts them.
    if info.runs_per_case > 1 && Repeats::of(info).n_more == 0 {
        let wanted = match info.facts.get("min pass rate") {
            Some(percent) => format!(", at least {}% must pass", escape(percent)),
            None => String::new(),
        };
        let runs = info.runs_per_case;
        page.line(format_args!("{mark} Runs: {runs} of each test{wanted}"));
    }
    for (name, shown) in [("shard", "Shard"), ("seed", "Seed")] {
        if let Some(value) = info.facts.get(name) {
            page.line(format_args!("{mark} {shown}: {}", escape(value)));
        }
    }
    page.gap();
    let section = if is_dry_run {
        "Tests (dry run)"
    } else {
        "Running Tests"
    };
    page.line(format_args!("{}", style.ruler()));
    page.line(format_args!("  {section}"));
    page.line(format_args!("{}", style.ruler()));
    page.gap();
}

/// Returns `2 tests`, or `2 test cases` if all of them are cases.
fn n_tests(info: &RunInfo) -> String {
    let are_cases = !info.tests.is_empty() && info.tests.iter().all(|id| id.short() != id.0);
    let repeats = Repeats::of(info);
    if are_cases && repeats.n_more == 0 {
        return count(info.total, "test case");
    }
    repeats.words(info.total)
}
