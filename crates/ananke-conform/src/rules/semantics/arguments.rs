//! Arguments of calls that are complete are JSON.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};
use serde::de::IgnoredAny;

use super::held::beginning;
use super::story::{End, Step, Story};
use crate::rule::{Findings, Rule};

static ARGUMENTS_JSON: Rule = Rule {
    id: "semantics.arguments-json",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "the arguments of a call, joined, are JSON",
    reason: "The protocol allows any text, but applications parse it, and a call with broken arguments cannot be run.",
    section: "Events, tool calls",
    advice: "Stream the pieces of `delta` as the model made them, each once, and end the call when they are complete.",
    needs: "tool call with arguments in a run that finished",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&ARGUMENTS_JSON];

/// The arguments of a call as far as they came, and the event that ended it last.
#[derive(Default)]
struct Arguments {
    text: String,
    end: Option<usize>,
}

/// Looks at the arguments of calls that ended, when the run is over: until then a call may be opened again and go on. A
/// run that failed or was cancelled may have cut them off.
pub(super) fn look(story: &Story<'_>, found: &mut Findings) {
    for run in &story.runs {
        if !matches!(run.end, Some((_, End::Success { .. } | End::Interrupt))) {
            continue;
        }
        let mut calls: BTreeMap<&str, Arguments> = BTreeMap::new();
        for told in &run.steps {
            match told.step {
                Step::CallPiece { id, delta } => calls.entry(id).or_default().text.push_str(delta),
                Step::CallEnd { id } => calls.entry(id).or_default().end = Some(told.event),
                _ => {}
            }
        }
        for (id, Arguments { text, end }) in &calls {
            // No text at all is how many servers say that there are no arguments.
            let (Some(end), false) = (*end, text.trim().is_empty()) else {
                continue;
            };
            found.saw(&ARGUMENTS_JSON);
            if let Err(error) = serde_json::from_str::<IgnoredAny>(text.trim()) {
                let message = format!(
                    "the arguments of `{id}` are no JSON ({error}): `{}`",
                    beginning(text.trim())
                );
                found.at(&ARGUMENTS_JSON, end, message);
            }
        }
    }
}
