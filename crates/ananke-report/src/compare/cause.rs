//! Why a test did not pass, without what was measured: the same check that failed by other numbers is the same cause.

use ananke_model::check::Level;
use ananke_model::result::Outcome;
use serde::Deserialize;

/// What numbers of a measurement stand before.
const UNITS: [&str; 11] = [
    "ms", "s", "µs", "us", "min", "event", "events", "byte", "bytes", "KiB", "MiB",
];

/// A check that does not hold, or could not be decided. Where its file has it is no part of it: a line that was added above
/// changes nothing.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct UnmetCheck {
    pub(super) check: String,
    #[serde(default)]
    pub(super) subject: String,
    #[serde(rename = "status")]
    pub(super) outcome: Outcome,
    pub(super) level: Level,
    #[serde(default)]
    pub(super) named: Option<String>,
    /// Counted from 1; `None` for the test's own block.
    #[serde(default)]
    pub(super) turn: Option<usize>,
    /// What is said about it, where that is known.
    #[serde(skip)]
    pub(super) sentence: Option<String>,
}

impl UnmetCheck {
    /// Tells whether `reason` is about this check: it begins with its name, or ends with its sentence.
    fn is_told(&self, reason: &str) -> bool {
        let is_named = reason.starts_with(&format!("{}: ", self.name()));
        let is_said = self.sentence.as_ref().is_some_and(|sentence| {
            let before = reason.strip_suffix(sentence.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with(": "))
        });
        is_named || is_said
    }

    /// Returns block, key and subject, with which the sentence about this check may begin.
    fn name(&self) -> String {
        let block = self
            .turn
            .map_or_else(|| "test".to_owned(), |turn| format!("turn {turn}"));
        let gap = if self.subject.is_empty() { "" } else { " " };
        format!("{block}: {}{gap}{}", self.check, self.subject)
    }
}

/// Returns all causes: `reason` is the first in a sentence, `unmet` are the checks that do not hold.
pub(super) fn causes(reason: Option<&str>, unmet: &[UnmetCheck]) -> Vec<String> {
    let is_told = |reason: &str| unmet.first().is_some_and(|check| check.is_told(reason));
    let trouble = reason.filter(|reason| !is_told(reason)).map(unmeasured);
    let checks = unmet.iter().map(|check| {
        let (name, level, named) = (check.name(), check.level, check.named.as_deref());
        let named = named.unwrap_or_default();
        format!("{name} of {level} {named}: {:?}", check.outcome)
    });
    trouble.into_iter().chain(checks).collect()
}

/// Returns `text` with the numbers before a unit left out.
pub(super) fn unmeasured(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
        if c.is_ascii_digit() && !before.is_alphanumeric() && is_unit(after) {
            out.push_str("<n>");
            rest = after;
        } else if c.is_ascii_digit() {
            out.push_str(number);
            rest = after;
        } else {
            out.push(c);
            rest = rest.strip_prefix(c).unwrap_or_default();
        }
        before = c;
    }
    out
}

/// Tells whether a text begins with a unit.
fn is_unit(text: &str) -> bool {
    let text = text.strip_prefix(' ').unwrap_or(text);
    let word = text.split(|c: char| !c.is_alphanumeric()).next();
    word.is_some_and(|word| UNITS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_a_unit_are_left_out() {
        let texts = [
            "turn 1: timeout after 150ms (timeout_ms): 5 events came before",
            "HTTP 503: after 1.5 s, 12 bytes",
            "order 42s7, v2 ms, 3 apples, 10.",
            "",
        ];
        assert_eq!(
            texts.map(unmeasured),
            [
                "turn 1: timeout after <n>ms (timeout_ms): <n> events came before",
                "HTTP 503: after <n> s, <n> bytes",
                "order 42s7, v2 ms, 3 apples, 10.",
                "",
            ]
        );
    }
}
