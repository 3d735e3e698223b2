//! `validate -v`: what each test is judged by after inheritance, and where each demand came from.

use ananke_model::agent::{AgentCheck, Dynamic};
use ananke_model::check::{ArgPattern, Block, CallFilter, Check, Count, Origin, OutputCheck};
use ananke_model::place::Text;
use ananke_model::plan::Plan;
use ananke_model::task_check::TaskCheck;

use super::facts::{name, said};
use crate::count::count;
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Returns the demands of every test, block by block, each with its level and place.
pub fn effective_demands(plan: &Plan, style: &Style) -> String {
    let mut page = Page::default();
    for (index, test) in plan.tests.iter().enumerate() {
        if index > 0 {
            page.gap();
        }
        let title = format!("[{}] {}", escape(test.short_id()), name(test, style));
        page.line(format_args!("{}", paint(style, Tone::Strong, title)));
        if let Some(dynamic) = &test.dynamic {
            led(&mut page, dynamic, style);
            if !test.block.demands.is_empty() {
                demands(&mut page, "whole conversation", &test.block, style);
            }
            continue;
        }
        if test.case.is_some() {
            // A case has one turn, and everything is demanded of the whole.
            demands(&mut page, &said(test), &test.block, style);
            continue;
        }
        for (index, turn) in test.turns.iter().enumerate() {
            let number = index + 1;
            match &turn.block {
                Some(block) => demands(&mut page, &format!("turn {number}"), block, style),
                None => page.line(format_args!("  turn {number}: no `assert`, not judged")),
            }
        }
        demands(&mut page, "test", &test.block, style);
    }
    page.finish()
}

/// Writes who leads the conversation, and what each checkpoint waits for.
fn led(page: &mut Page, dynamic: &Dynamic, style: &Style) {
    let short = |text: &str| cut(text, 200, style.ellipsis());
    let simulator = short(&dynamic.simulator.key());
    let turns = count(dynamic.max_turns as usize, "turn");
    page.line(format_args!("  simulator {simulator}, at most {turns}"));
    for checkpoint in &dynamic.checkpoints {
        let mut facts = Vec::new();
        if !checkpoint.required {
            facts.push("optional".to_owned());
        }
        if !checkpoint.after.is_empty() {
            facts.push(format!("after {}", short(&checkpoint.after.join(", "))));
        }
        let facts = match facts.is_empty() {
            true => String::new(),
            false => format!(" ({})", facts.join(", ")),
        };
        let title = format!("checkpoint {}{facts}", short(&checkpoint.id));
        demands(page, &title, &checkpoint.block, style);
    }
}

fn demands(page: &mut Page, title: &str, block: &Block, style: &Style) {
    if block.demands.is_empty() {
        page.line(format_args!("  {title}: nothing is demanded"));
        return;
    }
    page.line(format_args!("  {title}"));
    for demand in &block.demands {
        let check = cut(&described(&demand.check), 400, style.ellipsis());
        let origin = paint(style, Tone::Faint, origin(&demand.origin));
        page.line(format_args!("    {check}  {origin}"));
    }
}

fn origin(origin: &Origin) -> String {
    let through = match &origin.named {
        Some(named) => format!(", through `{}`", escape(named)),
        None => String::new(),
    };
    let Origin { level, place, .. } = origin;
    let file = escape(&place.file);
    format!(
        "({level} level{through}, {file}:{}:{})",
        place.line, place.column
    )
}

/// Returns a check in one line: the key a user writes, then what it says.
pub(super) fn described(check: &Check) -> String {
    let key = check.key();
    match check {
        Check::Forbid(text)
        | Check::MustMatch(text)
        | Check::MustNotMatch(text)
        | Check::Error(text) => {
            format!("{key} {}", text.text)
        }
        Check::Require(require) => {
            let Count { min, max } = require.count;
            let noun = if max.unwrap_or(min) == 1 {
                "call"
            } else {
                "calls"
            };
            let mut parts = vec![format!("{} {noun}", require.count)];
            parts.extend(conditions(&require.filter));
            let after = require.after.as_ref();
            parts.extend(after.map(|after| format!("after {}", after.text)));
            format!("{key} {}: {}", require.filter.name.text, parts.join(", "))
        }
        Check::ForbidCall(filter) => {
            let parts = conditions(filter);
            let name = &filter.name.text;
            if parts.is_empty() {
                return format!("{key} {name}");
            }
            format!("{key} {name}: {}", parts.join(", "))
        }
        Check::MaxDuration(limit) | Check::MaxIdle(limit) => format!("{key} {limit}"),
        Check::ProtocolStrict => format!("{key} strict"),
        Check::Snapshot(snapshot) => format!("{key} {}", snapshot.name.text),
        Check::Output(check) => output(key, check),
        Check::Agent(check) => judged(key, check),
        Check::Script(check) => format!("{key} {}", check.call.reference),
        Check::Task(check) => tasks(key, check),
    }
}

/// Returns a check on a task, on artifacts or on a card: `task.state completed or input-required`.
fn tasks(key: &str, check: &TaskCheck) -> String {
    let what = match check {
        TaskCheck::State(states) => states.join(" or "),
        TaskCheck::States(states) => states.join(", then "),
        TaskCheck::Artifacts(count) => count.to_string(),
        TaskCheck::Artifact(artifact) => {
            let matches =
                |what: &'static str| move |text: &Text| format!("{what} matches {}", text.text);
            let mut parts = vec![artifact.count.to_string()];
            parts.extend(artifact.name.as_ref().map(matches("name")));
            parts.extend(artifact.text_match.as_ref().map(matches("text")));
            let data = artifact.data_match.iter();
            parts.extend(data.map(|at| format!("{} matches {}", at.path.text, at.pattern.text)));
            parts.join(", ")
        }
        TaskCheck::Skill(name) | TaskCheck::Security(name) => name.text.clone(),
        TaskCheck::Capability(capability) => {
            format!("{}: {}", capability.name, capability.wanted)
        }
        TaskCheck::Card(at) => format!("{} matches {}", at.path.text, at.pattern.text),
    };
    format!("{key} {what}")
}

/// Returns a check that another agent decides: `agent tone "polite", most of 3 answers, said as "be polite"`.
fn judged(key: &str, check: &AgentCheck) -> String {
    let agent = check.call.key();
    let mut words = if check.negate {
        format!("not {key} {agent}")
    } else {
        format!("{key} {agent}")
    };
    let in_metadata = || check.call.metadata.as_ref()?.value.get("criteria");
    let criteria = check.criteria.as_ref().map(|criteria| &criteria.value);
    if let Some(criteria) = criteria.or_else(in_metadata) {
        words = format!("{words} {criteria}");
    }
    if check.samples > 1 {
        words = format!("{words}, most of {} answers", check.samples);
    }
    if let Some(message) = &check.message {
        words = format!("{words}, said as {:?}", message.text);
    }
    words
}

/// Returns a check on the output: `not contains "x" at $.a, said as "no x"`.
fn output(key: &str, check: &OutputCheck) -> String {
    let mut words = if check.negate {
        format!("not {key}")
    } else {
        key.to_owned()
    };
    if let Some(value) = &check.value {
        words = format!("{words} {}", value.value);
    }
    if let Some(path) = &check.path {
        words = format!("{words} at {}", path.text);
    }
    if let Some(message) = &check.message {
        words = format!("{words}, said as {:?}", message.text);
    }
    words
}

fn conditions(filter: &CallFilter) -> Vec<String> {
    let arg = |word: &'static str| {
        move |arg: &ArgPattern| format!("{} {word} {}", arg.path.text, arg.pattern.text)
    };
    let result = |text: &Option<Text>, word| {
        text.as_ref()
            .map(|text| format!("result {word} {}", text.text))
    };
    let mut parts: Vec<String> = filter.args_match.iter().map(arg("matches")).collect();
    parts.extend(filter.args_not_match.iter().map(arg("does not match")));
    parts.extend(result(&filter.result_match, "matches"));
    parts.extend(result(&filter.result_not_match, "does not match"));
    parts
}
