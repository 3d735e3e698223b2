//! Mistakes in the steps of a script that their shapes cannot tell: what could not be sent, or not as it is written.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};

use super::Found;
use super::target_parts::is_header_name;
use super::values::mismatch;
use crate::yaml::{Entry, Kind, Node, ScalarKind};

/// Checks the steps of one answer. What has the wrong shape is left to those who read it.
pub(super) fn check_steps(reply: &Node, found: &mut Found) {
    steps(reply, &mut Vec::new(), found);
}

/// Goes through steps, in the order in which they are sent; `called` are the tools called so far.
fn steps<'n>(reply: &'n Node, called: &mut Vec<&'n str>, found: &mut Found) {
    let Kind::Seq(items) = &reply.kind else {
        return;
    };
    for entry in items.iter().flat_map(entries) {
        let value = &entry.value;
        match entry.key.text.as_str() {
            "tool" => tool(value, called, found),
            "parallel_tools" => {
                if let Kind::Seq(tools) = &value.kind {
                    tools.iter().for_each(|value| tool(value, called, found));
                }
            }
            "step" => {
                if let Some(reply) = value.get("reply") {
                    steps(reply, called, found);
                }
            }
            "event" => event(value, found),
            "interrupt" => interrupt(value, called, found),
            "http" => {
                if let Some(headers) = value.get("headers") {
                    entries(headers)
                        .iter()
                        .for_each(|entry| header(entry, found));
                }
            }
            _ => {}
        }
    }
}

fn tool<'n>(node: &'n Node, called: &mut Vec<&'n str>, found: &mut Found) {
    called.extend(text(node, "name"));
    let given = |key| entries(node).iter().find(|entry| entry.key.text == key);
    if let (Some(_), Some(error)) = (given("result"), given("error")) {
        let message = "a tool call has both `result` and `error`";
        found.push(
            Diagnostic::error(&error.key.place, message)
                .label("only one of them can be sent")
                .hint("remove one; an error is sent as the result `{\"error\": …}`"),
        );
    }
}

fn event(node: &Node, found: &mut Found) {
    match &node.kind {
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => mismatch(node, "a map", found),
        Kind::Map(_) => match node.get("type") {
            Some(kind) if kind.scalar().is_some_and(|s| s.kind == ScalarKind::Str) => {}
            Some(kind) => mismatch(kind, "text", found),
            None => found.push(
                Diagnostic::error(&node.place, "`type` is missing in an event")
                    .hint("write `type: CUSTOM`; `raw` sends what is no event"),
            ),
        },
    }
}

fn interrupt(node: &Node, called: &[&str], found: &mut Found) {
    let (Some(name), Some(place)) = (text(node, "tool"), node.get("tool").map(|n| &n.place)) else {
        return;
    };
    if called.contains(&name) {
        return;
    }
    let message = format!("no step before this one calls `{name}`");
    let hint = match did_you_mean(name, called.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write `- tool: {{name: {name}}}` before it, or remove `tool`"),
    };
    found.push(Diagnostic::error(place, message).hint(hint));
}

fn header(entry: &Entry, found: &mut Found) {
    let name = &entry.key;
    if !is_header_name(&name.text) {
        let message = format!("`{}` is not a header name", name.text.escape_debug());
        let label = "expected letters, digits and `-`";
        found.push(Diagnostic::error(&name.place, message).label(label));
    }
    let is_bad = |c: char| c.is_ascii_control() && c != '\t';
    let value = entry.value.scalar();
    if let Some(bad) = value.and_then(|value| value.text.chars().find(|c| is_bad(*c))) {
        let message = format!("a header cannot hold `{}`", bad.escape_debug());
        let label = "expected one line without control characters";
        found.push(Diagnostic::error(&entry.value.place, message).label(label));
    }
}

fn entries(node: &Node) -> &[Entry] {
    match &node.kind {
        Kind::Map(entries) => entries,
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => &[],
    }
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    Some(node.get(key)?.scalar()?.text.as_str())
}
