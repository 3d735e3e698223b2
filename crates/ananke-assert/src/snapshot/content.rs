//! The sections of a snapshot.

use ananke_model::check::SnapshotPart;

use super::ids;
use super::json_lines::JsonLines;
use crate::evidence::{Call, Evidence};
use crate::tasks;

/// The first line of every snapshot. A change of the format changes its number.
pub(crate) const FIRST_LINE: &str = "# ananke snapshot 1";

/// Returns what a snapshot of these parts holds.
pub(crate) fn content(parts: &[SnapshotPart], evidence: &Evidence<'_>) -> String {
    let mut body = String::new();
    for part in parts {
        let (title, section) = match part {
            SnapshotPart::Text => ("text", normalized(&evidence.text)),
            SnapshotPart::Tools => ("tools", tools(evidence)),
            SnapshotPart::State => ("state", state(evidence)),
            SnapshotPart::Artifacts => ("artifacts", artifacts(evidence)),
        };
        body.push_str("\n## ");
        body.push_str(title);
        body.push('\n');
        for line in section.lines() {
            body.push_str(line);
            body.push('\n');
        }
    }
    let body = ids::renamed(&body, &ids::known(evidence.turns));
    format!("{FIRST_LINE}\n{}", harmless(&body))
}

/// Returns a text with one kind of line end and none behind its last line.
fn normalized(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.trim_end_matches('\n').to_owned()
}

fn tools(evidence: &Evidence<'_>) -> String {
    let calls = evidence.calls.iter().filter(|call| call.is_new);
    let lines: Vec<String> = calls.flat_map(call_lines).collect();
    if lines.is_empty() {
        return "(none)".to_owned();
    }
    lines.join("\n")
}

/// Returns `search {"query":"x"}` and, indented, what it gave. No line but the first begins at the margin.
fn call_lines(call: &Call<'_>) -> Vec<String> {
    let name = call.name.replace(['\n', '\r'], " ");
    let mut lines = indented(&format!("{name} "), "  ", call.args);
    if let Some(error) = call.error {
        lines.extend(indented("  -> error: ", "     ", error));
    }
    match call.result {
        Some(result) => lines.extend(indented("  -> ", "     ", result)),
        None if call.error.is_none() => lines.push("  -> (no result)".to_owned()),
        None => {}
    }
    lines
}

fn indented(first: &str, others: &str, text: &str) -> Vec<String> {
    let text = match JsonLines::parse(text) {
        Some(json) => json.short_or_pretty(),
        None => normalized(text),
    };
    let mut margin = first;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        lines.push(format!("{margin}{line}").trim_end().to_owned());
        margin = others;
    }
    lines
}

fn state(evidence: &Evidence<'_>) -> String {
    let state = evidence.turns.last().map(|turn| turn.state.to_string());
    let state = state.unwrap_or_else(|| "null".to_owned());
    match JsonLines::parse(&state) {
        Some(json) => json.pretty(),
        None => state,
    }
}

/// Returns every artifact with its name at the margin and its parts indented: `text`, `data` or whatever it is.
fn artifacts(evidence: &Evidence<'_>) -> String {
    let artifacts = tasks::artifacts(evidence).unwrap_or_default();
    if artifacts.is_empty() {
        return "(none)".to_owned();
    }
    let mut lines = Vec::new();
    for artifact in artifacts {
        let name = artifact.name.as_ref().unwrap_or(&artifact.id);
        lines.push(name.replace(['\n', '\r'], " "));
        for part in &artifact.parts {
            lines.extend(match (part["text"].as_str(), part.get("data")) {
                (Some(text), _) => indented("  text ", "       ", text),
                (None, Some(data)) => indented("  data ", "       ", &data.to_string()),
                (None, None) => indented("  part ", "       ", &part.to_string()),
            });
        }
    }
    lines.join("\n")
}

/// Returns `text` with signs escaped that would move a terminal's cursor or turn the text around.
fn harmless(text: &str) -> String {
    let is_harmful = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_harmful) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}
