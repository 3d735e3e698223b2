//! `type: contains` and `type: not_contains`: text is found in the output, with case; other values anywhere in its JSON.

use ananke_model::variables::text_form;
use serde_json::Value;

use super::looking::quoted;
use super::{Judged, Looking};
use crate::evidence::Evidence;
use crate::shown::{shorten, shorten_to};
use crate::value::{brief, holds_value, holds_word};

/// Longer texts are not searched for a second time in another spelling.
const MAX_NEAR: usize = 500;
/// How much of each item is shown in a sentence.
const ITEM_CHARS: usize = 80;

/// Which of several items must be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Each of them: `contains`.
    Each,
    /// None of them: `not_contains`.
    None,
}

/// Demands, or forbids, that something is found.
#[derive(Clone, Debug)]
pub(super) struct Contains {
    pub(super) mode: Mode,
    /// What is looked for.
    pub(super) items: Vec<Value>,
}

impl Contains {
    /// Returns the check for a value as written: of a list, the items are looked for.
    pub(super) fn new(mode: Mode, value: &Value) -> Self {
        let items = match value {
            Value::Array(items) => items.clone(),
            other => vec![other.clone()],
        };
        Self { mode, items }
    }

    /// Says what is demanded, or what is not if it is negated.
    pub(super) fn expected(&self, looking: &Looking, is_negated: bool) -> String {
        let (no, joint) = match (self.mode, is_negated) {
            (Mode::Each, false) => ("", " and "),
            (Mode::Each, true) => ("no ", " and "),
            (Mode::None, false) => ("no ", " or "),
            (Mode::None, true) => ("", " or "),
        };
        let items: Vec<_> = self.items.iter().map(brief).collect();
        format!("{no}text containing {}{}", items.join(joint), looking.at())
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self, looking: &Looking) -> String {
        match self.mode {
            Mode::Each => format!(
                "{} should not contain {}",
                looking.named(),
                self.named(" and ")
            ),
            Mode::None => format!(
                "{} does not contain {}",
                looking.named(),
                self.named(" or ")
            ),
        }
    }

    fn named(&self, joint: &str) -> String {
        self.items.iter().map(named).collect::<Vec<_>>().join(joint)
    }

    /// Judges the evidence. An item is found if it stands in any of the values that the path leads to.
    pub(super) fn judge(
        &self,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        let is_forbidden = is_negated != (self.mode == Mode::None);
        let seen = match looking.texts(evidence, is_forbidden) {
            Ok(seen) => seen,
            Err(judged) => return judged,
        };
        let has_path = looking.path().is_some();
        let (values, unread) = values(looking, evidence, is_forbidden);
        let is_found = |item: &&Value| {
            seen.texts.iter().any(|text| is_in_text(item, text))
                || (!item.is_string() && values.iter().any(|value| holds_value(value, item)))
        };
        let (found, missing): (Vec<&Value>, Vec<&Value>) = self.items.iter().partition(is_found);
        // What was not read may hold it; but text without a path was searched as a whole.
        let is_certain = |item: &&Value| unread.is_none() || (item.is_string() && !has_path);
        let (gone, doubtful): (Vec<&Value>, Vec<&Value>) =
            missing.into_iter().partition(is_certain);
        let all = seen.texts.join("\n");
        let of = looking.named();
        let shown = |items: &[&Value]| -> String {
            let items: Vec<_> = items.iter().map(|item| named(item)).collect();
            items.join(", ")
        };
        let is_decided = match self.mode {
            Mode::Each => !gone.is_empty(),
            Mode::None => !found.is_empty(),
        };
        if !is_decided && !doubtful.is_empty() {
            let why = unread.unwrap_or_default();
            let said = format!("{of} may contain {}: {why}", shown(&doubtful));
            return Judged::undecided(said, quoted(&all));
        }
        match (self.mode, is_decided) {
            (Mode::Each, false) => Judged::holds("found"),
            (Mode::Each, true) => {
                let said = format!("{of} does not contain {}", shown(&gone));
                let near = gone.iter().filter_map(|item| near_miss(item, &all));
                Judged::fails(said, quoted(&all)).details(near)
            }
            (Mode::None, false) => Judged::holds("not found"),
            (Mode::None, true) => {
                let said = format!("{of} should not contain {}", shown(&found));
                Judged::fails(said, quoted(&all))
            }
        }
    }
}

/// Returns the JSON that is searched, and why there may be more.
fn values<'e>(
    looking: &Looking,
    evidence: &'e Evidence<'_>,
    is_forbidden: bool,
) -> (Vec<&'e Value>, Option<&'e str>) {
    match looking.nodes(evidence, is_forbidden) {
        Ok(seen) if looking.path().is_some() || is_forbidden => {
            (seen.nodes().collect(), seen.unread)
        }
        _ => match evidence.json() {
            Ok(json) => (json.best.iter().collect(), None),
            Err(none) => (Vec::new(), (!none.is_certain).then_some(none.why.as_str())),
        },
    }
}

/// Tells whether an item stands in a text. Numbers, `true`, `false` and `null` count as whole words only.
fn is_in_text(item: &Value, text: &str) -> bool {
    let wanted = text_form(item);
    match item {
        Value::String(_) | Value::Array(_) | Value::Object(_) => text.contains(&wanted),
        Value::Null | Value::Bool(_) | Value::Number(_) => holds_word(text, &wanted),
    }
}

/// Returns an item as it stands in a sentence: `'text'`.
fn named(item: &Value) -> String {
    format!("'{}'", shorten_to(&text_form(item), ITEM_CHARS))
}

/// Returns where the text differs from what was looked for in no more than case and white space.
fn near_miss(item: &Value, text: &str) -> Option<String> {
    let wanted = item.as_str().filter(|wanted| wanted.len() <= MAX_NEAR)?;
    let words: Vec<_> = wanted.split_whitespace().map(regex::escape).collect();
    if words.is_empty() {
        return None;
    }
    let near = regex::Regex::new(&format!("(?i){}", words.join(r"\s+"))).ok()?;
    let found = near.find(text)?.as_str();
    Some(format!(
        "\"{}\" is there: case and white space count",
        shorten(found)
    ))
}
