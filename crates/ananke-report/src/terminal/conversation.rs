//! What `-vv` shows: every turn with its texts, calls, times and oddities.

use ananke_model::agent::{Opinion, Simulated};
use ananke_model::recording::{ToolCall, Turn, TurnStatus};
use ananke_model::result::TestResult;
use serde_json::Value;

use super::task::task;
use crate::count::count;
use crate::duration::duration;
use crate::escape::{cut, escape};
use crate::opinions::{criteria, judge, kind, majority, word};
use crate::page::{Excerpt, Page};
use crate::paint::{Tone, paint};
use crate::question::question;
use crate::style::Style;

/// How much of one text is shown; the JSON report has it all.
const TEXT: Excerpt = Excerpt {
    lines: 100,
    chars: 8_000,
};

/// How much of arguments or a result is shown.
const VALUE_CHARS: usize = 400;

/// Writes all turns of a test, then what is odd about the test itself.
pub(crate) fn turns(page: &mut Page, result: &TestResult, style: &Style) {
    for (index, judged) in result.turns.iter().enumerate() {
        turn(page, &judged.turn, index + 1, style);
    }
    for warning in &result.warnings {
        odd(page, "  ", warning, style);
    }
}

fn turn(page: &mut Page, turn: &Turn, number: usize, style: &Style) {
    let dot = style.dot();
    let mut facts = vec![
        escape(&turn.kind).into_owned(),
        duration(turn.timing.total_us, style),
        count(turn.events.len(), "event"),
    ];
    let moments = [
        ("first text", turn.timing.first_text_us),
        ("first tool", turn.timing.first_tool_us),
    ];
    for (name, moment) in moments {
        facts.extend(moment.map(|us| format!("{name} after {}", duration(us, style))));
    }
    let line = format!("turn {number} {dot} {}", facts.join(&format!(" {dot} ")));
    page.line(format_args!("  {}", paint(style, Tone::Strong, line)));
    if let Some(user) = &turn.user {
        let who = match turn.simulated {
            Some(_) => "user (simulator)",
            None => "user",
        };
        page.line(format_args!("    {who}"));
        page.block(style, "    ", user, TEXT);
    }
    if let Some(simulated) = &turn.simulated {
        thoughts(page, simulated, style);
    }
    asked(page, turn, style);
    for entry in resumed(turn) {
        let value = cut(&entry.to_string(), VALUE_CHARS, style.ellipsis());
        page.line(format_args!("    resume {value}"));
    }
    for late in &turn.late_results {
        let id = cut(&late.id, 100, style.ellipsis());
        let value = cut(&late.result, VALUE_CHARS, style.ellipsis());
        page.line(format_args!(
            "    result of an earlier call, {id} {} {value}",
            style.arrow()
        ));
    }
    if !turn.reasoning.is_empty() {
        page.line(format_args!("    reasoning"));
        page.block(style, "    ", &turn.reasoning, TEXT);
    }
    for call in &turn.tool_calls {
        tool_call(page, call, style);
    }
    if !turn.text.is_empty() {
        page.line(format_args!("    assistant"));
        page.block(style, "    ", &turn.text, TEXT);
    }
    // Where a tool was called, its result says the same.
    if !turn.data.is_null() && turn.tool_calls.is_empty() {
        let value = cut(&turn.data.to_string(), VALUE_CHARS, style.ellipsis());
        page.line(format_args!("    data {value}"));
    }
    if let Some(of_turn) = &turn.task {
        task(page, of_turn, style);
    }
    for interrupt in &turn.interrupts {
        let value = cut(&interrupt.to_string(), VALUE_CHARS, style.ellipsis());
        page.line(format_args!("    interrupt {value}"));
    }
    for opinion in &turn.opinions {
        judged(page, opinion, style);
    }
    if let TurnStatus::RunError { message, code } = &turn.status {
        let code = code.as_deref().map(|code| format!(" ({code})"));
        let line = format!("run error: {message}{}", code.unwrap_or_default());
        odd(page, "    ", &line, style);
    }
    if let TurnStatus::Broken(trouble) = &turn.status {
        odd(page, "    ", &trouble.message, style);
    }
    for finding in &turn.findings {
        let line = format!(
            "{} at event {}: {}",
            finding.rule, finding.event, finding.message
        );
        odd(page, "    ", &line, style);
    }
    for warning in &turn.warnings {
        odd(page, "    ", warning, style);
    }
}

/// Writes what was asked of a server, unless the call of the tool says the same.
fn asked(page: &mut Page, turn: &Turn, style: &Style) {
    let keys = question(turn).unwrap_or_default();
    let is_called = turn.kind == "mcp:call"
        && keys
            .first()
            .is_some_and(|(_, tool)| turn.tool_calls.iter().any(|call| *tool == call.name));
    if is_called {
        return;
    }
    for (name, value) in keys {
        let value = match value {
            Value::String(text) => cut(&text, VALUE_CHARS, style.ellipsis()),
            other => cut(&other.to_string(), VALUE_CHARS, style.ellipsis()),
        };
        page.line(format_args!("    {name} {value}"));
    }
}

/// Writes what the simulator thought when it wrote the user's message.
fn thoughts(page: &mut Page, simulated: &Simulated, style: &Style) {
    let reasoning = simulated.reasoning.as_deref().unwrap_or_default();
    let reasoning = cut(reasoning, VALUE_CHARS, style.ellipsis());
    match (simulated.goal_achieved, reasoning.as_str()) {
        (true, "") => page.line(format_args!("    simulator: goal achieved")),
        (true, why) => page.line(format_args!("    simulator: goal achieved, {why}")),
        (false, "") => {}
        (false, why) => page.line(format_args!("    simulator: {why}")),
    }
}

/// Writes what a judge said, answer by answer.
fn judged(page: &mut Page, opinion: &Opinion, style: &Style) {
    let ellipsis = style.ellipsis();
    let agent = cut(judge(opinion), 100, ellipsis);
    let majority = majority(&opinion.samples);
    let about = criteria(opinion).map(|criteria| cut(&criteria, VALUE_CHARS, ellipsis));
    let about = about.map(|about| format!(", {about}")).unwrap_or_default();
    let kind = kind(opinion);
    page.line(format_args!("    {kind} {agent}: {majority}{about}"));
    for sample in &opinion.samples {
        let (word, reason) = (word(sample), cut(&sample.reason, VALUE_CHARS, ellipsis));
        page.line(format_args!("      {word}: {reason}"));
    }
}

/// Returns the answers to interrupts that the turn sent, whatever envelope they were in.
fn resumed(turn: &Turn) -> impl Iterator<Item = &Value> {
    let first = turn.requests.first().into_iter();
    let entries = first.filter_map(|body| {
        let direct = body.get("resume");
        direct
            .or_else(|| body.get("body")?.get("resume"))?
            .as_array()
    });
    entries.flatten()
}

fn tool_call(page: &mut Page, call: &ToolCall, style: &Style) {
    let value = |text: &str| cut(text, VALUE_CHARS, style.ellipsis());
    let took = call.ended_us().saturating_sub(call.started_us);
    let came = match (&call.error, &call.result) {
        (Some(error), _) => format!("error: {}", value(error)),
        (None, Some(result)) => value(result),
        (None, None) => "no result".to_owned(),
    };
    let (name, args) = (
        cut(&call.name, 100, style.ellipsis()),
        value(&call.args_text),
    );
    page.line(format_args!(
        "    tool {name} {args} {} {came} ({})",
        style.arrow(),
        duration(took, style)
    ));
    if let Some(error) = &call.args_error {
        odd(
            page,
            "    ",
            &format!("arguments are not JSON: {error}"),
            style,
        );
    }
}

fn odd(page: &mut Page, indent: &str, text: &str, style: &Style) {
    let mark = paint(style, Tone::Odd, style.warn());
    let text = cut(text, VALUE_CHARS, style.ellipsis());
    page.line(format_args!("{indent}{mark} {text}"));
}
