//! Sentences in Markdown that may quote a server: our words as they are, quoted names as code.

use crate::escape::cut;
use crate::excerpt::PLAIN;
use crate::markdown::{cell, code};

/// Returns a sentence as Markdown on one line, cut after `limit` characters.
pub(super) fn prose(text: &str, limit: usize) -> String {
    written(text, limit, code)
}

/// Returns a sentence for a cell of a table.
pub(super) fn prose_cell(text: &str, limit: usize) -> String {
    written(text, limit, cell)
}

/// Writes what stands in backticks as code, and all else as code too unless it is surely nothing but words.
fn written(text: &str, limit: usize, quoted: fn(&str, usize) -> String) -> String {
    let text = cut(text, limit, PLAIN.ellipsis());
    let is_long_fence = text.contains("``");
    if is_long_fence {
        return quoted(&text, usize::MAX);
    }
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(number, part)| match number % 2 {
        _ if part.is_empty() => String::new(),
        0 if is_words(part) => part.to_owned(),
        // Blanks around it belong to the sentence.
        0 => {
            let inner = part.trim_matches(' ');
            let (before, after) = part.split_once(inner).unwrap_or_default();
            format!("{before}{}{after}", quoted(inner, usize::MAX))
        }
        _ => quoted(part, usize::MAX),
    });
    parts.collect()
}

/// Tells whether Markdown and GitHub read a text as it is written: no markup, no HTML, no link, no mention.
fn is_words(text: &str) -> bool {
    let is_tame = |c: char| c.is_alphanumeric() || " .,;:'\"()-/?!%+=·…–→".contains(c);
    let mut before = ' ';
    let mut is_inside = text.chars().peekable();
    while let Some(c) = is_inside.next() {
        // Within a name it means nothing.
        let after = is_inside.peek().copied().unwrap_or(' ');
        let is_joint = c == '_' && before.is_alphanumeric() && after.is_alphanumeric();
        if !is_tame(c) && !is_joint {
            return false;
        }
        before = c;
    }
    let lower = text.to_lowercase();
    !lower.contains("://") && !lower.contains("www.") && !lower.contains("](")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn only_what_is_quoted_is_code() {
        let cases = [
            "the agent answered in words; the run ended",
            "no call of `confirm`",
            "hello · run · event 0 RUN_FINISHED: message `m0` is still open",
            "`a|b` broke",
            "an odd ` one",
        ];
        assert_snapshot!(cases.map(|text| prose_cell(text, 100)).join("\n"), @"
        the agent answered in words; the run ended
        no call of `confirm`
        hello · run · event 0 RUN_FINISHED: message `m0` is still open
        <code>a&#124;b</code> broke
        an odd `  one `
        ");
    }

    #[test]
    fn markup_and_mentions_are_code() {
        let cases = [
            "see <img src=x> @ada #12 please",
            "`a``b` [x](http://y) **c**",
            "`open *a",
            "go to https://example.com or www.example.com",
            "_a_ b_c",
            "",
            "`",
        ];
        assert_snapshot!(cases.map(|text| prose(text, 100)).join("\n"), @"
        `see <img src=x> @ada #12 please`
        ``` `a``b` [x](http://y) **c** ```
        `open *a`
        `go to https://example.com or www.example.com`
        `_a_ b_c`
        ");
    }
}
