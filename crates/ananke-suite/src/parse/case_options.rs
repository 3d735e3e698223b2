//! `options` and `metadata` of a case.

use ananke_model::place::Json;

use super::Found;
use super::case_spec::CaseOption;
use super::object::Object;
use super::values::{boolean, json, mismatch, text};
use crate::schema::{OPTIONS, OPTIONS_SKIP};
use crate::yaml::{Kind, Node};

/// Reads `options`. What is unknown or of the wrong type is left out and reported.
pub(super) fn options(node: &Node, found: &mut Found) -> Vec<CaseOption> {
    let Some(object) = Object::open(node, &OPTIONS, found) else {
        return Vec::new();
    };
    let mut options = Vec::new();
    for field in OPTIONS.fields {
        let Some(value) = object.get(field.name) else {
            continue;
        };
        let n_before = found.len();
        match field.name {
            "connector" | "mode" => drop(text(value, found)),
            "metadata" => drop(json_map(value, found)),
            "disable_global_prompts" => drop(boolean(value, found)),
            "skip" => skip(value, found),
            _ => {}
        }
        if found.len() > n_before {
            continue;
        }
        options.extend(json(value, found).map(|value| CaseOption {
            place: object.key_place(field.name),
            name: field.name,
            value,
        }));
    }
    options
}

/// Reads any map as JSON.
pub(super) fn json_map(node: &Node, found: &mut Found) -> Option<Json> {
    if let Kind::Map(_) = node.kind {
        return json(node, found);
    }
    mismatch(node, "a map", found);
    None
}

fn skip(node: &Node, found: &mut Found) {
    let Some(object) = Object::open(node, &OPTIONS_SKIP, found) else {
        return;
    };
    for field in OPTIONS_SKIP.fields {
        if let Some(node) = object.get(field.name) {
            boolean(node, found);
        }
    }
}
