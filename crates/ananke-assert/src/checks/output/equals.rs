//! `type: equals`: the output is this. Text is compared as text, white space at the ends left out; any other value with the
//! JSON of the output.

use serde_json::Value;

use super::looking::quoted;
use super::{AtPath, Judged, Looking};
use crate::evidence::Evidence;
use crate::shown::{shorten, shorten_to};
use crate::value::{brief, first_difference, json_equal};

/// How many characters are shown from where two texts part.
const CONTEXT_CHARS: usize = 40;

/// Demands a value.
#[derive(Clone, Debug)]
pub(super) struct Equals {
    pub(super) value: Value,
}

impl Equals {
    /// Says what is demanded.
    pub(super) fn expected(&self, looking: &Looking) -> String {
        match (&self.value, looking.path()) {
            (Value::String(text), None) => format!("the text \"{}\"", shorten(text.trim())),
            (value, _) => format!("{}{}", shorten(&value.to_string()), looking.at()),
        }
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self, looking: &Looking) -> String {
        format!("{} should not be {}", looking.named(), brief(&self.value))
    }

    /// Judges the evidence.
    pub(super) fn judge(
        &self,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        if looking.path().is_some() {
            return AtPath::judge_value(&self.value, looking, evidence, is_negated);
        }
        match &self.value {
            Value::String(text) => text_is(text.trim(), &evidence.text),
            value => json_is(value, looking, evidence, is_negated),
        }
    }
}

fn text_is(wanted: &str, text: &str) -> Judged {
    let seen = text.trim();
    if seen == wanted {
        return Judged::holds("the same text");
    }
    let judged = Judged::fails("output does not match expected", quoted(text));
    let same = wanted.chars().zip(seen.chars());
    let n_same = same.take_while(|(wanted, seen)| wanted == seen).count();
    if n_same == 0 || seen.is_empty() {
        return judged;
    }
    let from = |text: &str| -> String {
        let rest: String = text.chars().skip(n_same).collect();
        match rest.is_empty() {
            true => "the end".to_owned(),
            false => format!("\"{}\"", shorten_to(&rest, CONTEXT_CHARS)),
        }
    };
    judged.details([format!(
        "the texts part at character {}: expected {}, got {}",
        n_same + 1,
        from(wanted),
        from(seen)
    )])
}

fn json_is(wanted: &Value, looking: &Looking, evidence: &Evidence<'_>, is_negated: bool) -> Judged {
    let json = match evidence.json() {
        Ok(json) => json,
        // A text without JSON plainly is not this value; JSON that cannot be read may be.
        Err(none) => {
            let said = format!("output does not match expected: {}", none.why);
            let judge = if none.is_certain {
                Judged::fails
            } else {
                Judged::undecided
            };
            return judge(said, quoted(&evidence.text));
        }
    };
    if is_negated {
        let mut values = json.best.iter().chain(&json.beside);
        if values.any(|value| json_equal(wanted, value)) {
            return Judged::holds("the same value");
        }
        let unread = looking.unread(json.unread.as_deref(), evidence);
        return unread.unwrap_or_else(|| {
            Judged::fails("output does not match expected", quoted(&evidence.text))
        });
    }
    // Prose may hold brackets of another kind before the answer, such as a footnote `[1]`.
    let is_alike =
        |value: &&Value| std::mem::discriminant(*value) == std::mem::discriminant(wanted);
    let alike = json.best.iter().find(is_alike);
    let Some(seen) = alike.or_else(|| json.best.first()) else {
        return Judged::fails("output does not match expected", quoted(&evidence.text));
    };
    if json_equal(wanted, seen) {
        return Judged::holds("the same value");
    }
    Judged::fails("output does not match expected", shorten(&seen.to_string()))
        .details(first_difference(wanted, seen, "$"))
}
