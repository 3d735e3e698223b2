//! Makes foreign text harmless on a terminal and in the log of a CI.
//!
//! What is hidden becomes visible (`\u{1b}`), what moves the cursor stands still (`\r`), and what a CI would obey inside a
//! line (`##[group]`, `##vso[…]`, `##teamcity[…]`) is broken up. Commands that count only at the beginning of a line are
//! dealt with where lines are made, in `page.rs`.

use std::borrow::Cow;

/// Returns `text` as one line without control, bidirectional or zero-width characters.
pub fn escape(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| (0x20..0x7f).contains(&byte) && byte != b'#';
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut n_escaped = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match escaped(c, chars.as_str()) {
            Some(shown) => {
                n_escaped += 1;
                out.push_str(&shown);
            }
            None => out.push(c),
        }
    }
    if n_escaped == 0 {
        return Cow::Borrowed(text);
    }
    Cow::Owned(out)
}

/// Returns the escaped beginning of `text` and how many of its characters that is, at most `limit`.
pub(crate) fn preview(text: &str, limit: usize) -> (Cow<'_, str>, usize) {
    match text.char_indices().nth(limit) {
        Some((end, _)) => {
            let (shown, _) = text.split_at(end);
            (escape(shown), limit)
        }
        None => (escape(text), text.chars().count()),
    }
}

/// Returns the escaped text on one line, cut after `limit` characters.
pub(crate) fn cut(text: &str, limit: usize, ellipsis: &str) -> String {
    let (shown, n_chars) = preview(text, limit);
    let is_cut = text.chars().nth(n_chars).is_some();
    format!("{shown}{}", if is_cut { ellipsis } else { "" })
}

/// Returns what is shown in place of `c`, if it cannot be shown as it is; `rest` is what follows it.
pub(crate) fn escaped(c: char, rest: &str) -> Option<String> {
    match c {
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        _ if is_hidden(c) || (c == '#' && opens_command(rest)) => {
            Some(format!("\\u{{{:x}}}", u32::from(c)))
        }
        _ => None,
    }
}

/// Tells whether a `#` before `rest` begins something like `##[error]` or `##vso[task.setvariable …]`.
///
/// GitHub and Azure look for these anywhere in a line.
pub(crate) fn opens_command(rest: &str) -> bool {
    rest.strip_prefix('#').is_some_and(|word| {
        word.trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .starts_with('[')
    })
}

/// Tells whether a terminal would show nothing for `c`, or something else than `c`.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' // soft hyphen
            | '\u{61c}' // Arabic letter mark
            | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
            | '\u{17b4}' | '\u{17b5}' // Khmer inherent vowels
            | '\u{180b}'..='\u{180f}' // Mongolian selectors
            | '\u{200b}'..='\u{200f}' // zero-width characters and marks of direction
            | '\u{2028}'..='\u{202e}' // line separators, embeddings and overrides
            | '\u{2060}'..='\u{206f}' // invisible operators, isolates
            | '\u{feff}' // byte order mark
            | '\u{fff9}'..='\u{fffb}' // interlinear annotations
            | '\u{1d173}'..='\u{1d17a}' // musical controls
            | '\u{e0000}'..='\u{e0fff}' // tags
        )
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::{any, prop_assert, proptest};

    use super::*;

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "",
            "plain",
            "Grüße, 世界 👍",
            "# title ## [x] #[a]",
            r"C:\new\table",
        ] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_snapshot!(escape("\x1b[31mred\x1b[0m \x07\0\x7f\u{9b}2J"), @r"\u{1b}[31mred\u{1b}[0m \u{7}\u{0}\u{7f}\u{9b}2J");
        assert_snapshot!(escape("100\r\n✓ ok\tx"), @r"100\r\n✓ ok\tx");
        assert_snapshot!(escape("a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{2028}f"), @r"a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{2028}f");
    }

    #[test]
    fn commands_for_a_ci_are_broken_up() {
        assert_snapshot!(escape("x ##[error]boom"), @r"x \u{23}#[error]boom");
        assert_snapshot!(escape("###[group]"), @r"#\u{23}#[group]");
        assert_snapshot!(escape("##vso[task.complete] ##teamcity[x]"), @r"\u{23}#vso[task.complete] \u{23}#teamcity[x]");
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(cut("äöü", 3, "…"), "äöü");
        assert_eq!(cut("äöü", 2, "…"), "äö…");
        assert_eq!(cut("", 0, "…"), "");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
            let shown = escape(&text).into_owned();
            prop_assert!(!shown.chars().any(is_hidden));
            prop_assert!(!shown.contains("##["));
            prop_assert!(matches!(escape(&shown), Cow::Borrowed(_)));
        }
    }
}
