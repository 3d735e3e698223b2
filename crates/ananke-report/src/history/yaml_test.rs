//! A recorded conversation as a YAML test with suggested assertions.

use ananke_model::check::Level;
use ananke_model::recording::{Turn, TurnStatus};
use ananke_model::result::{CheckResult, TestResult, TestStatus};
use serde_json::Value;

use super::case_messages::case_messages;
use super::error::HistoryError;
use super::patterns::pattern;
use super::quote::{extent, quote_json, quote_literal};
use super::sent::{self, Sent};
use super::suggest::{Suggestions, generous_ms, suggestions};
use crate::duration::duration;
use crate::dynamic::is_dynamic;
use crate::escape::cut;
use crate::excerpt::PLAIN;
use crate::page::Page;
use crate::reasons::first_reason;
use crate::script::is_function;
use crate::yaml_scalar::quote;

/// Comments are cut after this many characters.
const LONGEST: usize = 160;

/// Values that nest deeper than this are not written.
pub(super) const DEEPEST: usize = 50;

/// Longer keys are none that a YAML parser has to know.
pub(super) const LONGEST_KEY: usize = 500;

/// What is taken over from the test file that was recorded.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The target that the run picked, to be named by the test.
    pub target_name: Option<String>,
    /// Keys with their values, as lines of YAML that stand at the root.
    pub keys: Vec<String>,
    /// Sentences about what was kept or left out.
    pub notes: Vec<String>,
    /// The minor version that the keys need: 1 for `"1.1"`.
    pub minor_version: u32,
    /// For each turn the message that it sent, if it sent one with parts of any kind.
    pub sent: Vec<Option<Sent>>,
}

/// Returns the conversation of `result` as a test; `run` is the run that it comes from.
pub fn yaml_test(result: &TestResult, run: &str, kept: &Kept) -> Result<String, HistoryError> {
    if is_function(result) {
        return Err(HistoryError::Script);
    }
    if result.turns.is_empty() {
        return Err(HistoryError::NotRun);
    }
    let mut page = Page::default();
    header(&mut page, result, run, kept);
    let is_narrow = demands_of_turns_differ(result);
    page.line(format_args!("turns:"));
    let mut is_judged = false;
    for (index, judged) in result.turns.iter().enumerate() {
        let turn = &judged.turn;
        let written = match turn.kind.as_str() {
            "messages" if !is_dynamic(result) => case_messages(&mut page, result, turn),
            "a2a:send" => {
                let message = kept.sent.get(index).and_then(Option::as_ref);
                let before = result.turns.iter().take(index);
                let before: Vec<&Turn> = before.map(|judged| &judged.turn).collect();
                sent::message(&mut page, message, &before)
            }
            "mcp:call" | "mcp:list" | "mcp:read" | "mcp:prompt" => sent::asked(&mut page, turn),
            _ => action(&mut page, turn),
        };
        written.map_err(|why| HistoryError::Turn {
            turn: index + 1,
            why,
        })?;
        if let TurnStatus::Broken(trouble) = &turn.status {
            let message = shown(&trouble.message);
            page.line(format_args!("    # nothing is suggested: {message}"));
            continue;
        }
        is_judged |= assertions(&mut page, turn, &suggestions(turn), is_narrow, &from(run));
    }
    if !is_judged {
        // A test needs something to check.
        let limit = generous_ms(result.duration_us);
        page.line(format_args!("assert:"));
        page.line(format_args!("  timing:"));
        page.line(format_args!("    # {}", from(run)));
        page.line(format_args!("    max_duration_ms: {limit}"));
    }
    Ok(page.finish())
}

fn header(page: &mut Page, result: &TestResult, run: &str, kept: &Kept) {
    let (id, target) = (shown(&result.id.0), shown(&result.target));
    let name = match result.name.trim() {
        "" => result.short_id(),
        name => name,
    };
    page.line(format_args!(
        "# Written by `ananke history` from {id} in run {}{}.",
        shown(run),
        if target.is_empty() {
            String::new()
        } else {
            format!(", which talked to {target}")
        }
    ));
    page.line(format_args!(
        "# Assertions are suggestions from what that run showed: keep what must hold, drop the rest."
    ));
    if result.status != TestStatus::Passed {
        let (reason, _) = first_reason(result);
        let word = result.status.word();
        page.line(format_args!(
            "# The test came out as {word} there: {}",
            shown(&reason)
        ));
    }
    if is_dynamic(result) {
        page.line(format_args!(
            "# A simulator led the conversation; the turns say what it said then, whatever the agent answers now."
        ));
    }
    if !result.variables.is_empty() {
        let names: Vec<&str> = result.variables.keys().map(String::as_str).collect();
        page.line(format_args!(
            "# Its hooks gave values for {}; the messages hold them as they were.",
            shown(&names.join(", "))
        ));
    }
    for note in &kept.notes {
        page.line(format_args!("# {}", shown(note)));
    }
    let kinds = result.turns.iter().map(|judged| &judged.turn.kind);
    let needed = kinds.map(|kind| sent::minor_version(kind)).max();
    let minor = needed.unwrap_or_default().max(kept.minor_version);
    page.line(format_args!("version: \"1.{minor}\""));
    // No two tests of a project may have the same name.
    let name = format!("{name} (recorded {run})");
    page.line(format_args!("name: {}", quote_literal(&name)));
    let tags = result.tags.iter().filter(|tag| !tag.trim().is_empty());
    let tags: Vec<String> = tags.map(|tag| quote_literal(tag)).collect();
    if !tags.is_empty() {
        page.line(format_args!("tags: [{}]", tags.join(", ")));
    }
    if let Some(name) = &kept.target_name {
        // References are not looked for in the name of a target.
        page.line(format_args!("target: {}", quote(name)));
    }
    for key in &kept.keys {
        page.lines(key);
    }
}

/// Tells whether the target demands something of the whole conversation that each of several turns would have to fulfill
/// by itself if it inherited that.
fn demands_of_turns_differ(result: &TestResult) -> bool {
    const OF_ALL: [&str; 3] = ["tools.require", "text.must_match", "snapshot"];
    let is_met_once = |check: &CheckResult| {
        check.origin.level == Level::Target && OF_ALL.contains(&check.check.as_str())
    };
    result.turns.len() > 1 && result.all_checks().any(is_met_once)
}

/// Writes what the turn sends.
fn action(page: &mut Page, turn: &Turn) -> Result<(), String> {
    match (turn.kind.as_str(), &turn.user) {
        ("user" | "messages", Some(user)) if user.trim().is_empty() => {
            return Err("its user message is blank".to_owned());
        }
        ("user" | "messages", Some(user)) => {
            page.line(format_args!("  - user: {}", quote_literal(user)));
        }
        ("agui:connect", _) => {
            page.line(format_args!("  - type: agui:connect"));
            if turn.status == TurnStatus::Finished && turn.events.is_empty() {
                page.line(format_args!("    allow_empty: true"));
            }
        }
        ("agui:resume", _) => {
            page.line(format_args!("  - type: agui:resume"));
            let resumed = resumed(turn);
            if resumed.and_then(|entry| entry["status"].as_str()) == Some("cancelled") {
                page.line(format_args!("    status: cancelled"));
            }
            if let Some(payload) = resumed.and_then(|entry| entry.get("payload")) {
                let (depth, longest_key) = extent(payload);
                if depth > DEEPEST || longest_key > LONGEST_KEY {
                    return Err("its payload nests too deep or has too long keys".to_owned());
                }
                page.line(format_args!("    payload: {}", quote_json(payload)));
            }
        }
        (kind, _) => return Err(format!("turns of the kind `{}` are not known", shown(kind))),
    }
    Ok(())
}

/// Returns the answer to the interrupts that the turn sent, whatever envelope it was in.
fn resumed(turn: &Turn) -> Option<&Value> {
    let request = turn.requests.first()?;
    let direct = request.get("resume");
    direct
        .or_else(|| request.get("body")?.get("resume"))?
        .as_array()?
        .first()
}

/// Writes the suggestions; tells whether there are any.
fn assertions(
    page: &mut Page,
    turn: &Turn,
    suggested: &Suggestions,
    is_narrow: bool,
    from: &str,
) -> bool {
    if *suggested == Suggestions::default() {
        return false;
    }
    page.line(format_args!("    assert:"));
    if is_narrow {
        page.line(format_args!(
            "      # what the target demands, the turns fulfill together"
        ));
        page.line(format_args!("      inherit: limits"));
    }
    if let Some(error) = &suggested.error {
        page.line(format_args!(
            "      # {from}: the agent ended the run with this error"
        ));
        page.line(format_args!("      error: {}", quote_literal(error)));
    }
    if !suggested.calls.is_empty() {
        page.line(format_args!("      tools:"));
        page.line(format_args!("        # {from}: these tools were called"));
        page.line(format_args!("        require:"));
    }
    for call in &suggested.calls {
        page.line(format_args!(
            "          - name: {}",
            quote_literal(&call.name)
        ));
        if !call.args.is_empty() {
            page.line(format_args!("            args_match:"));
        }
        for (path, pattern) in &call.args {
            let (path, pattern) = (quote_literal(path), quote_literal(pattern));
            page.line(format_args!("              {path}: {pattern}"));
        }
    }
    if let Some(phrase) = &suggested.phrase {
        page.line(format_args!("      text:"));
        page.line(format_args!("        # {from}: the agent said this"));
        let pattern = quote_literal(&pattern(phrase));
        page.line(format_args!("        must_match: {pattern}"));
    }
    if let Some(limit) = suggested.max_duration_ms {
        let took = duration(turn.timing.total_us, &PLAIN);
        page.line(format_args!("      timing:"));
        page.line(format_args!("        # {from}: it took {took}"));
        page.line(format_args!("        max_duration_ms: {limit}"));
    }
    true
}

fn from(run: &str) -> String {
    format!("suggestion from run {}", shown(run))
}

/// Returns text for a comment.
pub(super) fn shown(text: &str) -> String {
    cut(text, LONGEST, PLAIN.ellipsis())
}
