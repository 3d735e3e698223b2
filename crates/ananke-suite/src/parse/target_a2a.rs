//! What an A2A agent is asked with: keys of `a2a` targets.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Text};
use ananke_model::plan::CallRule;

use super::Found;
use super::dotted_path::{dotted_path, pointer_at};
use super::object::Object;
use super::values::{boolean, choice, count, entries, items, json, millis, mismatch, text, texts};
use crate::schema::{A2A_BINDINGS, A2A_TARGET, CALL_RULE};
use crate::yaml::{self, Kind, Node, ScalarKind};

/// Where an A2A agent is, and how it is spoken to. What targets of several types have stands in the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct A2aSpec {
    pub(crate) card_url: Option<Text>,
    pub(crate) card: Option<Json>,
    /// One of [`A2A_BINDINGS`].
    pub(crate) binding: Option<&'static str>,
    pub(crate) tenant: Option<Text>,
    pub(crate) extensions: Option<Vec<Text>>,
    pub(crate) context_id: Option<Text>,
    pub(crate) blocking: Option<bool>,
    pub(crate) stream: Option<Streaming>,
    pub(crate) poll_ms: Option<u64>,
    pub(crate) accepted_output_modes: Option<Vec<Text>>,
    pub(crate) history_length: Option<u64>,
    pub(crate) metadata: Option<Json>,
    pub(crate) tool_calls: Option<Vec<CallRule>>,
    pub(crate) allow_other_origin: Option<bool>,
}

/// Whether answers are streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Streaming {
    /// As the card says.
    Auto,
    /// As the user says.
    Fixed(bool),
}

/// Reads the keys of an A2A agent that the shape of `object` has.
pub(super) fn a2a(object: &Object<'_>, found: &mut Found) -> A2aSpec {
    let mut list = |key| object.find(key).and_then(|node| texts(node, found));
    let extensions = list("extensions");
    let accepted_output_modes = list("acceptedOutputModes");
    let mut flag = |key| object.find(key).and_then(|node| boolean(node, found));
    let blocking = flag("blocking");
    let allow_other_origin = flag("allowOtherOrigin");
    let mut word = |key| object.find(key).and_then(|node| text(node, found));
    let card_url = word("agentCardUrl");
    let tenant = word("tenant");
    let context_id = word("contextId");
    A2aSpec {
        card_url,
        card: object
            .find("agentCard")
            .and_then(|node| json_map(node, found)),
        binding: object
            .find("binding")
            .and_then(|node| choice(node, A2A_BINDINGS, found)),
        tenant,
        extensions,
        context_id,
        blocking,
        stream: streaming(object, found),
        poll_ms: object.find("poll_ms").and_then(|node| millis(node, found)),
        accepted_output_modes,
        history_length: object
            .find("historyLength")
            .and_then(|node| count(node, found)),
        metadata: object
            .find("metadata")
            .and_then(|node| json_map(node, found)),
        tool_calls: object
            .find("toolCalls")
            .and_then(|node| call_rules(node, found)),
        allow_other_origin,
    }
}

/// Reads a map as JSON.
pub(super) fn json_map(node: &Node, found: &mut Found) -> Option<Json> {
    if !matches!(node.kind, Kind::Map(_)) {
        mismatch(node, "a map", found);
        return None;
    }
    json(node, found)
}

/// Reads `stream`. A test that overrides nothing else does not show which type its target has, so `true` and `false` are
/// read for all of them.
fn streaming(object: &Object<'_>, found: &mut Found) -> Option<Streaming> {
    let node = object.find("stream")?;
    let scalar = node.scalar();
    match scalar.map(|scalar| scalar.kind) {
        Some(ScalarKind::Bool(value)) => return Some(Streaming::Fixed(value)),
        Some(ScalarKind::Str) if scalar.is_some_and(|scalar| scalar.text == "auto") => {
            return Some(Streaming::Auto);
        }
        _ => {}
    }
    if object.has_shape(&A2A_TARGET) {
        mismatch(node, "`auto`, `true` or `false`", found);
    }
    None
}

fn call_rules(node: &Node, found: &mut Found) -> Option<Vec<CallRule>> {
    let items = items(node, found)?;
    Some(
        items
            .iter()
            .filter_map(|item| call_rule(item, found))
            .collect(),
    )
}

fn call_rule(node: &Node, found: &mut Found) -> Option<CallRule> {
    let object = Object::open(node, &CALL_RULE, found)?;
    let when = object.get("when").map(|node| when(node, found));
    let mut path = |key| object.get(key).and_then(|node| subject_path(node, found));
    let rule = CallRule {
        when: when.unwrap_or_default(),
        id: path("id"),
        name: path("name"),
        args: path("args"),
        result: path("result"),
        error: path("error"),
    };
    let is_written = |key: &str| node.get(key).is_some();
    if !["name", "result", "error"].into_iter().any(is_written) {
        found.push(
            Diagnostic::error(&node.place, "`name` is missing in a rule of `toolCalls`")
                .label("the rule finds neither a tool nor a result")
                .hint("write `name: data.name`, or `id` and `result` for what ends a call"),
        );
        return None;
    }
    Some(rule)
}

fn when(node: &Node, found: &mut Found) -> Vec<(String, serde_json::Value)> {
    let mut conditions = Vec::new();
    for entry in entries(node, found).unwrap_or_default() {
        let place = pointer_at(&entry.key.text, &entry.key.place, found);
        let place = place.filter(|place| leads_somewhere(place, &entry.key, found));
        conditions.extend(place.zip(yaml::json(&entry.value, found)));
    }
    conditions
}

fn subject_path(node: &Node, found: &mut Found) -> Option<String> {
    let pointer = dotted_path(node, found)?;
    let written = Text {
        text: node.scalar()?.text.clone(),
        place: node.place.clone(),
    };
    leads_somewhere(&pointer, &written, found).then_some(pointer)
}

/// Tells whether a path begins with a member that parts and messages have, and reports it if it does not.
fn leads_somewhere(pointer: &str, written: &Text, found: &mut Found) -> bool {
    let first = pointer.split('/').nth(1).unwrap_or_default();
    let is_known = ["data", "text", "metadata"].contains(&first);
    if !is_known {
        let message = format!("the path `{}` leads nowhere", written.text);
        found.push(
            Diagnostic::error(&written.place, message)
                .label("expected it to begin with `data`, `text` or `metadata`")
                .hint(format!(
                    "write `data.{}`, if it is in a data part",
                    written.text
                )),
        );
    }
    is_known
}
