//! A run that finishes has nothing open.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};

use super::reading::Reading;
use crate::rule::{Findings, Profile, Rule};

static OPEN_AT_FINISH: Rule = Rule {
    id: "sequence.open-at-finish",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "nothing is open at `RUN_FINISHED`",
    reason: "A message or call that never ends looks as if it were cut off, and clients refuse the end of such a run.",
    section: "Events, run lifecycle",
    advice: "End every message, call, step, span and subagent before `RUN_FINISHED`; `RUN_ERROR` alone may leave them open.",
    needs: "RUN_FINISHED",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&OPEN_AT_FINISH];

/// Looks at the ends of runs.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    if reading.has(&["RUN_FINISHED"]) {
        found.saw(&OPEN_AT_FINISH);
    }
    let mut open: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let all = reading.broken().iter();
    for broken in all.filter(|broken| broken.code == "V18") {
        let item = open_item(&broken.told);
        // Clients before 1.0 do not follow reasoning.
        let is_followed = found.profile == Profile::V1 || !item.starts_with("reasoning");
        if is_followed {
            open.entry(broken.event).or_default().push(item);
        }
    }
    for (event, items) in open {
        let message = format!("`RUN_FINISHED` while this is open: {}", items.join(", "));
        found.at(&OPEN_AT_FINISH, event, message);
    }
}

/// Cuts what is open out of a sentence like `RUN_FINISHED while tool call 'c' is open`.
fn open_item(told: &str) -> String {
    let item = told
        .strip_prefix("RUN_FINISHED while ")
        .and_then(|rest| rest.strip_suffix("' is open"))
        .and_then(|item| item.split_once(" '"));
    item.map_or_else(|| told.to_owned(), |(what, id)| format!("{what} `{id}`"))
}
