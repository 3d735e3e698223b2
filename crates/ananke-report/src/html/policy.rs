//! What the page allows itself: its own style and script, by hash, and nothing else.

use super::sha256::{base64, sha256};
use crate::escape::{escaped as hidden, is_hidden};

/// Returns the Content-Security-Policy of a page with this style and this script, exactly as they stand between their
/// tags. No request of any kind is allowed, and no text can become markup by assignment.
pub(crate) fn policy(style: &str, script: &str) -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        source(style),
        source(script)
    )
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&sha256(text.as_bytes())))
}

/// Returns text for HTML, in an element or in a quoted attribute. What is hidden or turns the text around becomes
/// visible, as on a terminal; `visible` in `assets/script/dom.js` does the same on the page.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied();
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\n' | '\t' => html.push(c),
            '\r' if after == Some('\n') => {}
            '\u{200c}' | '\u{200d}' if before.is_some_and(joins) && after.is_some_and(joins) => {
                html.push(c);
            }
            c => match hidden(c, "") {
                Some(shown) => html.push_str(&shown),
                None => html.push(c),
            },
        }
        before = Some(c);
    }
    html
}

/// Tells whether a joiner beside this character may be part of a word or an emoji: not in Latin scripts.
fn joins(c: char) -> bool {
    c > '\u{24f}' && !is_hidden(c)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        assert_snapshot!(escaped("a\u{202e}b\u{7}\u{0}<\u{200b}\r"), @r"a\u{202e}b\u{7}\u{0}&lt;\u{200b}\r");
        assert_snapshot!(escaped("pass\u{200d}word \u{200c}\u{200d}x"), @r"pass\u{200d}word \u{200c}\u{200d}x");
    }

    #[test]
    fn lines_words_and_emoji_stay() {
        assert_eq!(escaped("a\r\nb\tc"), "a\nb\tc");
        for text in ["می\u{200c}خواهم", "👩\u{200d}🚀", "❤\u{fe0f}\u{200d}🔥"] {
            assert_eq!(escaped(text), text);
        }
    }
}
