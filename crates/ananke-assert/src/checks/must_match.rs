//! `text.must_match`: the pattern is found in the assistant's text.

use ananke_model::place::Text;

use crate::evidence::Evidence;
use crate::resolver::{Needle, Resolver};
use crate::shown::shorten;
use crate::verdict::Verdict;

/// Requires a pattern.
#[derive(Clone, Debug)]
pub(crate) struct MustMatch {
    /// The pattern.
    pub(crate) needle: Needle,
}

impl MustMatch {
    /// Compiles the check; nothing if there is a mistake in it.
    pub(crate) fn compile(pattern: &Text, resolver: &mut Resolver<'_>) -> Option<Self> {
        Some(Self {
            needle: resolver.pattern(pattern)?,
        })
    }

    /// Says what is demanded.
    pub(crate) fn expected(&self) -> String {
        format!("text matching {}", self.needle.shown)
    }

    /// Judges the evidence.
    pub(crate) fn judge(&self, evidence: &Evidence<'_>) -> Verdict {
        match self.needle.is_match(&evidence.text) {
            Ok(true) => Verdict::passed("found"),
            Ok(false) if evidence.text.is_empty() => Verdict::failed("no text at all"),
            Ok(false) => Verdict::failed(format!("\"{}\"", shorten(&evidence.text))),
            Err(_) => Verdict::gave_up(&self.needle.shown),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use crate::testing::{judge_test, judge_turn, must_match};

    #[test]
    fn the_pattern_is_searched_for_anywhere() {
        assert_snapshot!(judge_turn(must_match("w.rld"), "say hello world!"), @"
        Passed text.must_match /w.rld/
        expected text matching /w.rld/
        actual found
        ");
    }

    #[test]
    fn case_counts_unless_a_flag_says_otherwise() {
        assert_snapshot!(judge_turn(must_match("Hello"), "say hello"), @r#"
        Failed text.must_match /Hello/
        expected text matching /Hello/
        actual "hello"
        "#);
        assert_snapshot!(judge_turn(must_match("/Hello/i"), "say hello"), @"
        Passed text.must_match /Hello/i
        expected text matching /Hello/i
        actual found
        ");
    }

    #[test]
    fn no_text_is_said_to_be_none() {
        assert_snapshot!(judge_turn(must_match("."), ""), @"
        Failed text.must_match /./
        expected text matching /./
        actual no text at all
        ");
    }

    #[test]
    fn long_text_is_cut() {
        let text = format!("say {}", "é".repeat(300));
        assert_snapshot!(judge_turn(must_match("x"), &text), @r#"
        Failed text.must_match /x/
        expected text matching /x/
        actual "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…"
        "#);
    }

    #[test]
    fn test_text_is_the_texts_of_the_turns_joined_with_line_feeds() {
        let turns = "
            turn
            say first
            turn
            turn
            say third
        ";
        assert_snapshot!(judge_test(must_match(r"^first\nthird$"), turns), @r"
        Passed text.must_match /^first\nthird$/
        expected text matching /^first\nthird$/
        actual found
        ");
    }

    #[test]
    fn values_of_variables_match_themselves_only() {
        assert_snapshot!(judge_turn(must_match("^${DOTS}$"), "say a.c"), @r"
        Passed text.must_match /^a\.c$/
        expected text matching /^a\.c$/
        actual found
        ");
        assert_snapshot!(judge_turn(must_match("^${DOTS}$"), "say abc"), @r#"
        Failed text.must_match /^a\.c$/
        expected text matching /^a\.c$/
        actual "abc"
        "#);
        assert_snapshot!(judge_turn(must_match("/${SLASHES}/"), "say is it /a/i?"), @"
        Passed text.must_match //a/i/
        expected text matching //a/i/
        actual found
        ");
    }

    #[test]
    fn a_search_that_is_given_up_is_never_a_pass() {
        let text = format!("say {}!", "a".repeat(40));
        assert_snapshot!(judge_turn(must_match("^(?:a+|(?!x)a)+(?=b)"), &text), @"
        Failed text.must_match /^(?:a+|(?!x)a)+(?=b)/
        expected text matching /^(?:a+|(?!x)a)+(?=b)/
        actual the pattern took too many steps
        - /^(?:a+|(?!x)a)+(?=b)/ needs backtracking on this text; write it without look-around, back-references or nested repetitions
        ");
    }
}
