//! `type: contains` and `type: not_contains`: text is found in the output, with case; other values anywhere in its JSON.

use ananke_model::variables::text_form;
use serde_json::Value;

use super::looking::quoted;
use super::{Judged, Looking};
use crate::evidence::Evidence;
use crate::shown::{shorten, shorten_to};
use crate::value::{brief, holds_value};

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

    /// Judges the evidence.
    pub(super) fn judge(&self, looking: &Looking, evidence: &Evidence<'_>) -> Judged {
        let texts = match looking.texts(evidence) {
            Ok(texts) => texts,
            Err(judged) => return judged,
        };
        let values: Vec<&Value> = match looking.path() {
            Some(_) => looking.nodes(evidence).unwrap_or_default(),
            None => evidence.json().unwrap_or_default().iter().collect(),
        };
        let is_found = |item: &&Value| {
            let text = text_form(item);
            texts.iter().any(|seen| seen.contains(&text))
                || (!item.is_string() && values.iter().any(|value| holds_value(value, item)))
        };
        let is_unread =
            looking.path().is_none() && evidence.json().is_err_and(|none| !none.is_certain);
        let (found, missing): (Vec<&Value>, Vec<&Value>) = self.items.iter().partition(is_found);
        let all = texts.join("\n");
        let of = looking.named();
        if is_unread && missing.iter().any(|item| !item.is_string()) {
            let said = format!("{of} holds JSON that cannot be searched");
            return Judged::undecided(said, quoted(&all));
        }
        match (self.mode, missing.first(), found.first()) {
            (Mode::Each, None, _) => Judged::holds("found"),
            (Mode::Each, Some(_), _) => {
                let shown: Vec<_> = missing.iter().map(|item| named(item)).collect();
                let said = format!("{of} does not contain {}", shown.join(", "));
                let near = missing.iter().filter_map(|item| near_miss(item, &all));
                Judged::fails(said, quoted(&all)).details(near)
            }
            (Mode::None, _, None) => Judged::holds("not found"),
            (Mode::None, _, Some(_)) => {
                let shown: Vec<_> = found.iter().map(|item| named(item)).collect();
                let said = format!("{of} should not contain {}", shown.join(", "));
                Judged::fails(said, quoted(&all))
            }
        }
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
