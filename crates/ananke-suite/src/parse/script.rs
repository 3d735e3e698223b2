//! The script of an agent: checked by its shapes, and handed on as JSON. Its texts are sent as they are, so `${…}` is
//! nothing special in them.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Place;
use serde_json::{Map, Value};

use super::Found;
use super::object::{Object, word_list};
use super::script_steps::check_steps;
use super::values::{boolean, entries, items, mismatch, whole};
use super::version::version;
use crate::schema::{FieldKind, INLINE_SCRIPT, NAMED_STEPS, SCRIPT, STEP, STEP_WORDS, Shape};
use crate::yaml::{self, Kind, Node, ScalarKind};

const SAY: &str = "write `- text: …` to send a message";

/// Reads a script as the JSON that an agent is made from. Not to be used while there is an error.
pub(crate) fn script(node: &Node, found: &mut Found) -> Option<Value> {
    let mut script = object(node, &SCRIPT, found)?;
    if let Some(node) = node.get("version") {
        version(node, found);
    }
    script.remove("version");
    check_rules(node, found);
    Some(Value::Object(script))
}

/// Reads a script that stands in another file.
pub(super) fn inline_script(node: &Node, found: &mut Found) -> Option<Value> {
    let script = object(node, &INLINE_SCRIPT, found)?;
    check_rules(node, found);
    Some(Value::Object(script))
}

fn check_rules(node: &Node, found: &mut Found) {
    if let Some(Kind::Seq(rules)) = node.get("rules").map(|node| &node.kind) {
        check_order(rules, found);
        for reply in rules.iter().filter_map(|rule| rule.get("reply")) {
            check_steps(reply, found);
        }
    }
    if let Some(fallback) = node.get("fallback") {
        check_steps(fallback, found);
    }
}

fn object(node: &Node, shape: &'static Shape, found: &mut Found) -> Option<Map<String, Value>> {
    let object = Object::open(node, shape, found)?;
    let mut members = Map::new();
    for field in shape.fields {
        let Some(node) = object.get(field.name) else {
            continue;
        };
        let is_nested = std::ptr::eq(shape, &raw const NAMED_STEPS);
        let read = match &field.kind {
            FieldKind::Steps(_) => steps(node, is_nested, found),
            kind => value(node, kind, found),
        };
        members.extend(read.map(|value| (field.name.to_owned(), value)));
    }
    Some(members)
}

fn value(node: &Node, kind: &'static FieldKind, found: &mut Found) -> Option<Value> {
    match kind {
        FieldKind::Object(shape) => object(node, shape, found).map(Value::Object),
        FieldKind::Objects(shape) => {
            let objects = items(node, found)?
                .iter()
                .filter_map(|item| object(item, shape, found));
            Some(objects.map(Value::Object).collect())
        }
        FieldKind::Text => {
            let text = text(node, found)?;
            if text.trim().is_empty() {
                found.push(Diagnostic::error(&node.place, "the text is empty"));
                return None;
            }
            Some(text.into())
        }
        FieldKind::AnyText => text(node, found).map(Value::from),
        FieldKind::AnyTextList => {
            let texts = items(node, found)?
                .iter()
                .filter_map(|item| text(item, found));
            Some(texts.collect())
        }
        FieldKind::ScalarMap => {
            let entries = entries(node, found)?.iter();
            let texts = entries
                .filter_map(|entry| Some((entry.key.text.clone(), text(&entry.value, found)?)));
            Some(Value::Object(
                texts.map(|(name, text)| (name, text.into())).collect(),
            ))
        }
        FieldKind::Whole(min, max) => whole(node, *min, *max, found).map(Value::from),
        FieldKind::Bool => boolean(node, found).map(Value::from),
        FieldKind::JsonList => {
            items(node, found)?;
            yaml::json(node, found)
        }
        // The version is looked at by itself; no other kind is in the shapes of a script.
        _ => yaml::json(node, found),
    }
}

/// Reads any scalar but `null`, in the form in which it was written.
fn text(node: &Node, found: &mut Found) -> Option<String> {
    match node.scalar() {
        Some(scalar) if scalar.kind != ScalarKind::Null => Some(scalar.text.clone()),
        _ => {
            mismatch(node, "text", found);
            None
        }
    }
}

/// Reads the steps of an answer: maps with one key, and words.
fn steps(node: &Node, is_nested: bool, found: &mut Found) -> Option<Value> {
    let items = items(node, found)?;
    let mut steps = Vec::new();
    // What was sent, and what ended it.
    let (mut has_sent, mut ended): (bool, Option<&str>) = (is_nested, None);
    for item in items {
        if let Some(word) = ended {
            let message = format!("nothing is sent after `{word}`");
            found.push(Diagnostic::warning(&item.place, message));
            ended = None;
        }
        let Some((name, step)) = step(item, found) else {
            continue;
        };
        if name == "http" && has_sent {
            found.push(
                Diagnostic::error(&item.place, "`http` comes too late: the stream has begun").hint(
                    "make it the first step of the reply; only `delay_ms` can come before it",
                ),
            );
        }
        has_sent |= name != "delay_ms";
        let last_words = STEP_WORDS.iter().chain(&["http"]);
        ended = last_words.copied().find(|word| *word == name);
        steps.push(step);
    }
    Some(Value::Array(steps))
}

/// Reads one step; also returns its name.
fn step<'n>(node: &'n Node, found: &mut Found) -> Option<(&'n str, Value)> {
    if let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) {
        return word(&scalar.text, &node.place, found);
    }
    let read = object(node, &STEP, found)?;
    let Kind::Map(entries) = &node.kind else {
        return None;
    };
    let names: Vec<&str> = entries
        .iter()
        .map(|entry| entry.key.text.as_str())
        .collect();
    match names.as_slice() {
        [name] => Some((name, Value::Object(read))),
        [] => {
            found.push(Diagnostic::error(&node.place, "the step is empty").hint(SAY));
            None
        }
        [_, second, ..] => {
            let place = entries.get(1).map_or(&node.place, |entry| &entry.key.place);
            let message = format!("a step has one key, found {}", names.len());
            let hint = format!("write `- {second}: …` as the next step");
            found.push(Diagnostic::error(place, message).hint(hint));
            None
        }
    }
}

fn word<'n>(text: &'n str, place: &Place, found: &mut Found) -> Option<(&'n str, Value)> {
    if STEP_WORDS.contains(&text) {
        return Some((text, text.into()));
    }
    let message = format!(
        "`{}` is not a step",
        text.chars().take(40).collect::<String>()
    );
    let label = format!("expected a map with one key, {}", word_list(STEP_WORDS));
    let hint = match did_you_mean(text, STEP_WORDS.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => SAY.to_owned(),
    };
    found.push(Diagnostic::error(place, message).label(label).hint(hint));
    None
}

/// Warns of rules that come after one that answers everything.
fn check_order(rules: &[Node], found: &mut Found) {
    let answers_all = |rule: &&Node| {
        let is_free = match rule.get("when").map(|when| &when.kind) {
            None => true,
            Some(Kind::Map(conditions)) => conditions.is_empty(),
            Some(_) => false,
        };
        let is_limited = ["times", "every"].iter().any(|key| rule.get(key).is_some());
        is_free && !is_limited && matches!(rule.kind, Kind::Map(_))
    };
    let Some(first) = rules.iter().position(|rule| answers_all(&rule)) else {
        return;
    };
    if let (Some(all), Some(next)) = (rules.get(first), rules.get(first + 1)) {
        let message = format!(
            "this rule never answers: the one in line {} answers everything",
            all.place.line
        );
        found.push(
            Diagnostic::warning(&next.place, message)
                .hint("move the rule without `when` to the end"),
        );
    }
}
