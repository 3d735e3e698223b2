//! What is wrong with something a user wrote. Data only; `ananke-report` renders it.

use serde::{Deserialize, Serialize};

use crate::place::Place;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing runs while one of these stands.
    Error,
    /// Told once, does not change the verdict.
    Warning,
}

/// One mistake, or one thing worth a look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, as a lower-case fragment with literals in backticks.
    pub message: String,
    /// Where, if the mistake has a place in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What was expected there; shown beside the carets. May be empty.
    pub label: String,
    /// The next step, without the word `hint:`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Returns an error at `place`.
    pub fn error(place: &Place, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            place: Some(place.clone()),
            label: String::new(),
            hint: None,
        }
    }

    /// Returns an error that belongs to no place in a file.
    pub fn error_anywhere(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            place: None,
            label: String::new(),
            hint: None,
        }
    }

    /// Returns a warning at `place`.
    pub fn warning(place: &Place, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(place, message)
        }
    }

    /// Adds the words beside the carets.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Tells whether this keeps the run from starting.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// How long a word must be at least to be compared: between shorter ones everything is close.
const MIN_COMPARED: usize = 3;

/// Returns the candidate that `word` most likely meant, if one is close enough to suggest.
pub fn did_you_mean<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| {
            (
                edit_distance(&word.to_lowercase(), &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| {
            let length = candidate.chars().count();
            let is_long = length.min(word.chars().count()) >= MIN_COMPARED;
            *distance == 0 || (is_long && *distance <= 1 + length / 4)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(64).collect();
    let right: Vec<char> = right.chars().take(64).collect();
    let mut rows = vec![vec![0usize; right.len() + 1]; left.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let replace = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_nearest_word_only() {
        assert_eq!(
            did_you_mean("conatins", ["contains", "equals"]),
            Some("contains")
        );
        assert_eq!(did_you_mean("cuont", ["count", "after"]), Some("count"));
        assert_eq!(did_you_mean("zebra", ["count", "after"]), None);
        assert_eq!(
            did_you_mean("asserts", ["assert", "assertions"]),
            Some("assert")
        );
    }

    #[test]
    fn short_words_are_close_to_nothing_but_themselves() {
        assert_eq!(did_you_mean("x", ["a", "ab", "xyz"]), None);
        assert_eq!(did_you_mean("xy", ["xz", "xyz"]), None);
        assert_eq!(did_you_mean("X", ["a", "x"]), Some("x"));
        assert_eq!(did_you_mean("tag", ["tags"]), Some("tags"));
    }
}
