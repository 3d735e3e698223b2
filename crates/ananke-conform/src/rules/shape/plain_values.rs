//! Values that hold no others: words, numbers, pointers.

use serde_json::Value;

use super::catalogue::{ENUM, INTEGER, POINTER};
use super::described::either;
use super::patch::is_pointer;
use super::spelling::quoted;
use super::walk::Walk;
use crate::rule::Profile;

impl Walk {
    /// Looks at a word of a fixed set.
    pub(super) fn word(&mut self, words: &'static [&'static str], text: &str) {
        self.saw(&ENUM);
        if !words.contains(&text) {
            let expected = either(words.iter().copied());
            let message = format!("expected {expected}, saw {}", quoted(text));
            self.report(&ENUM, &message);
        }
    }

    /// Looks at a number.
    pub(super) fn integer(&mut self, min: i64, max: i64, value: &Value) {
        self.saw(&INTEGER);
        // JSON knows one kind of number: `5.0` is an integer too.
        let whole =
            |number: f64| number.fract() == 0.0 && number.abs() < 9_223_372_036_854_775_808.0;
        #[expect(clippy::cast_possible_truncation, reason = "`whole` is true")]
        let float = || {
            value
                .as_f64()
                .filter(|number| whole(*number))
                .map(|number| number as i64)
        };
        let number = value.as_i64().or_else(float);
        let is_old = self.profile == Profile::Old;
        // Readers before 1.0 take whole numbers of any size.
        let is_large = || {
            value
                .as_f64()
                .is_some_and(|number| number.fract() == 0.0 && number > 0.0)
        };
        let is_ok = match number {
            Some(number) => number >= min && (is_old || number <= max),
            None => is_old && is_large(),
        };
        if !is_ok {
            let range = if is_old {
                format!("from {min}")
            } else {
                format!("from {min} to {max}")
            };
            let message = format!("expected an integer {range}, saw {value}");
            self.report(&INTEGER, &message);
        }
    }

    /// Looks at a JSON pointer.
    pub(super) fn pointer(&mut self, text: &str) {
        self.saw(&POINTER);
        if !is_pointer(text) {
            let message = format!(
                "expected a JSON pointer such as `/items/0`, saw {}",
                quoted(text)
            );
            self.report(&POINTER, &message);
        }
    }
}
