//! Messages with parts of any kind, and questions to servers, as turns of a YAML test.

use ananke_model::recording::Turn;
use serde_json::Value;

use super::quote::{extent, quote_json};
use super::yaml_test::{DEEPEST, LONGEST_KEY};
use crate::page::Page;
use crate::question::question;

/// A longer message makes a file that nobody reads, and soon one that is too large to be a test.
const LONGEST_MESSAGE: usize = 1 << 20;

/// A message that an `a2a:send` turn sent, without the ids that were made for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sent {
    /// Objects with `text`, `data`, `url` or `raw`.
    pub parts: Vec<Value>,
    /// What went with the message; `null` if nothing did.
    pub metadata: Value,
    /// The task that it went on with; `null` if it began one.
    pub task_id: Value,
    /// The conversation; `null` if there was none yet.
    pub context_id: Value,
}

/// Returns the minor version that a file with turns of this kind needs.
pub(super) fn minor_version(kind: &str) -> u32 {
    match kind {
        "a2a:send" => 1,
        "mcp:call" | "mcp:list" | "mcp:read" | "mcp:prompt" => 2,
        _ => 0,
    }
}

/// Writes a turn that sent a message; `before` are the turns that came before it.
pub(super) fn message(
    page: &mut Page,
    sent: Option<&Sent>,
    before: &[&Turn],
) -> Result<(), String> {
    let Some(sent) = sent else {
        return Err("its message never left, so nothing says what it holds".to_owned());
    };
    let mut parts = sent.parts.as_slice();
    page.line(format_args!("  - type: a2a:send"));
    if let Some((first, rest)) = parts.split_first()
        && let Some(text) = plain_text(first)
    {
        key(page, "text", text)?;
        parts = rest;
    }
    if !parts.is_empty() {
        page.line(format_args!("    parts:"));
    }
    for part in parts {
        page.line(format_args!("      - {}", value("parts", part)?));
    }
    if !sent.metadata.is_null() {
        key(page, "metadata", &sent.metadata)?;
    }
    ids(page, sent, before)
}

/// Writes the ids that do not come of the conversation itself: those are others each time.
fn ids(page: &mut Page, sent: &Sent, before: &[&Turn]) -> Result<(), String> {
    let mut tasks = before.iter().filter_map(|turn| turn.task.as_deref());
    let seen = |id: &Value, known: Option<&String>| {
        known.is_some_and(|known| id.as_str() == Some(known.as_str()))
    };
    let last = tasks.clone().next_back();
    let waiting = last.filter(|task| {
        let state = task.state.as_deref();
        state.is_some_and(|state| matches!(state, "input-required" | "auth-required"))
    });
    if sent.task_id.is_null() {
        if waiting.is_some() {
            page.line(format_args!("    newTask: true"));
        }
    } else if !waiting.is_some_and(|task| seen(&sent.task_id, task.id.as_ref())) {
        if tasks
            .clone()
            .any(|task| seen(&sent.task_id, task.id.as_ref()))
        {
            page.line(format_args!(
                "    # the task of an earlier turn, whose id is another one each time"
            ));
        }
        key(page, "taskId", &sent.task_id)?;
    }
    let is_known = tasks.any(|task| seen(&sent.context_id, task.context_id.as_ref()));
    if !sent.context_id.is_null() && !is_known {
        key(page, "contextId", &sent.context_id)?;
    }
    Ok(())
}

/// Writes a turn that asked a server something.
pub(super) fn asked(page: &mut Page, turn: &Turn) -> Result<(), String> {
    let Some(keys) = question(turn) else {
        return Err("what it asked of the server was not recorded".to_owned());
    };
    page.line(format_args!("  - type: {}", turn.kind));
    for (name, value) in keys {
        key(page, name, &value)?;
    }
    Ok(())
}

fn key(page: &mut Page, name: &str, held: &Value) -> Result<(), String> {
    page.line(format_args!("    {name}: {}", value(name, held)?));
    Ok(())
}

fn value(name: &str, held: &Value) -> Result<String, String> {
    let (depth, longest_key) = extent(held);
    if depth > DEEPEST || longest_key > LONGEST_KEY {
        return Err(format!("`{name}` nests too deep or has too long keys"));
    }
    let written = quote_json(held);
    if written.len() > LONGEST_MESSAGE {
        return Err(format!(
            "`{name}` holds more than 1 MiB; write the turn by hand, with `file` if that is a file"
        ));
    }
    Ok(written)
}

/// Returns the text of a part that is nothing but text.
fn plain_text(part: &Value) -> Option<&Value> {
    let members = part.as_object().filter(|members| members.len() == 1)?;
    let text = members.get("text")?;
    let is_blank = text.as_str().is_none_or(|text| text.trim().is_empty());
    (!is_blank).then_some(text)
}
