//! `text.must_not_match`: the pattern is not found in the assistant's text.

use std::ops::Range;

use ananke_model::place::Text;

use crate::evidence::Evidence;
use crate::resolver::{Needle, Resolver};
use crate::shown::{shorten, shorten_to};
use crate::verdict::Verdict;

/// How many characters are shown on either side of a match.
const CONTEXT_CHARS: usize = 60;

/// Forbids a pattern.
#[derive(Clone, Debug)]
pub(crate) struct MustNotMatch {
    /// The pattern.
    pub(crate) needle: Needle,
}

impl MustNotMatch {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(pattern: &Text, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            needle: resolver.pattern(pattern)?,
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("no text matching {}", self.needle.shown)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        match self.needle.find(&evidence.text) {
            Ok(None) => Verdict::passed("not found"),
            Ok(Some(found)) => {
                let (turn, range) = evidence.turn_at(found.start);
                let turn = match turn {
                    Some(turn) => format!("turn {turn}: "),
                    None => String::new(),
                };
                let matched = evidence.text.get(found.clone()).unwrap_or("");
                Verdict::failed(format!("\"{}\"", shorten(matched))).details([format!(
                    "{turn}{}",
                    in_context(&evidence.text, &found, &range)
                )])
            }
            Err(_) => Verdict::gave_up(&self.needle.shown),
        }
    }
}

/// Returns a match with some text on either side, as far as the turn's text in `range` goes.
fn in_context(text: &str, found: &Range<usize>, range: &Range<usize>) -> String {
    let before = text.get(range.start..found.start).unwrap_or("");
    let cut = before
        .char_indices()
        .rev()
        .nth(CONTEXT_CHARS)
        .map(|(at, c)| at + c.len_utf8());
    let (ellipsis, lead) = match cut {
        Some(cut) => ("…", before.get(cut..).unwrap_or("")),
        None => ("", before),
    };
    let matched = text.get(found.clone()).unwrap_or("");
    let after = text.get(found.end..range.end).unwrap_or("");
    format!(
        "{ellipsis}{lead}{}{}",
        shorten(matched),
        shorten_to(after, CONTEXT_CHARS)
    )
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{judge_test, judge_turn, must_not_match};

    #[test]
    fn text_without_the_pattern_passes() {
        assert_snapshot!(judge_turn(must_not_match("error"), "say fine"), @"
        Passed text.must_not_match /error/
        expected no text matching /error/
        actual not found
        ");
        assert_snapshot!(judge_turn(must_not_match("error"), ""), @"
        Passed text.must_not_match /error/
        expected no text matching /error/
        actual not found
        ");
    }

    #[test]
    fn the_match_is_shown_in_its_context() {
        let text = format!("say {} a fatal error {}", "é".repeat(80), "ü".repeat(80));
        assert_snapshot!(judge_turn(must_not_match(r"fatal \w+"), &text), @r#"
        Failed text.must_not_match /fatal \w+/
        expected no text matching /fatal \w+/
        actual "fatal error"
        - …ééééééééééééééééééééééééééééééééééééééééééééééééééééééééé a fatal error üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü…
        "#);
    }

    #[test]
    fn at_test_level_the_turn_is_named() {
        let turns = "
            turn
            say fine
            turn
            turn
            say an error
        ";
        assert_snapshot!(judge_test(must_not_match("error"), turns), @r#"
        Failed text.must_not_match /error/
        expected no text matching /error/
        actual "error"
        - turn 3: an error
        "#);
        assert_snapshot!(judge_test(must_not_match("fine"), turns), @r#"
        Failed text.must_not_match /fine/
        expected no text matching /fine/
        actual "fine"
        - turn 1: fine
        "#);
    }

    #[test]
    fn a_search_that_is_given_up_is_never_a_pass() {
        let text = format!("say {}!", "a".repeat(40));
        assert_snapshot!(judge_turn(must_not_match("^(?:a+|(?!x)a)+(?=b)"), &text), @"
        Failed text.must_not_match /^(?:a+|(?!x)a)+(?=b)/
        expected no text matching /^(?:a+|(?!x)a)+(?=b)/
        actual the pattern took too many steps
        - /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
        ");
    }
}
