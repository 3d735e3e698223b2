//! Foreign text in Markdown: code spans, table cells and fenced blocks.

use std::fmt::Write as _;

use crate::escape::cut;
use crate::excerpt::PLAIN;

/// Returns the text as a code span on one line, cut after `limit` characters.
pub(crate) fn code(text: &str, limit: usize) -> String {
    let shown = cut(text, limit, PLAIN.ellipsis());
    if shown.trim().is_empty() {
        // A code span cannot be empty.
        return "*(empty)*".to_owned();
    }
    let fence = "`".repeat(longest_run(&shown) + 1);
    let touches = |c: Option<char>| matches!(c, Some('`' | ' '));
    // One blank on each side is not part of the code.
    let pad = if touches(shown.chars().next()) || touches(shown.chars().next_back()) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{shown}{pad}{fence}")
}

/// Returns the text as code in a cell of a table, cut after `limit` characters.
pub(crate) fn cell(text: &str, limit: usize) -> String {
    if !text.contains('|') {
        return code(text, limit);
    }
    // A bar would end the cell, and the many readers of tables do not agree on what a backslash before it means.
    let mut html = "<code>".to_owned();
    for c in cut(text, limit, PLAIN.ellipsis()).chars() {
        if c.is_ascii_punctuation() {
            write!(html, "&#{};", u32::from(c)).expect("writing to a string cannot fail");
        } else {
            html.push(c);
        }
    }
    html + "</code>"
}

/// Returns lines that are escaped already as a fenced block.
pub(crate) fn fenced(lines: &str) -> String {
    let fence = "`".repeat((longest_run(lines) + 1).max(3));
    format!("{fence}text\n{lines}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`');
    runs.map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn code_cannot_be_left() {
        let cases = [
            "plain",
            "a`b",
            "`a``",
            "```",
            " x ",
            "",
            "<img src=x onerror=alert(1)>",
            "@ada #12 ![x](http://a)",
            "two\nlines\x1b",
        ];
        assert_snapshot!(cases.map(|text| code(text, 100)).join("\n"), @r"
        `plain`
        ``a`b``
        ``` `a`` ```
        ```` ``` ````
        `  x  `
        *(empty)*
        `<img src=x onerror=alert(1)>`
        `@ada #12 ![x](http://a)`
        `two\nlines\u{1b}`
        ");
    }

    #[test]
    fn cells_hold_bars() {
        assert_snapshot!(cell("a|b", 10), @"<code>a&#124;b</code>");
        assert_snapshot!(cell(r"\| `x` | <b>", 20), @"<code>&#92;&#124; &#96;x&#96; &#124; &#60;b&#62;</code>");
        assert_snapshot!(cell("a-b", 10), @"`a-b`");
    }

    #[test]
    fn fences_are_longer_than_what_they_hold() {
        assert_snapshot!(fenced("a\n````\nb"), @"
        `````text
        a
        ````
        b
        `````
        ");
        assert_snapshot!(fenced("~~~"), @"
        ```text
        ~~~
        ```
        ");
    }
}
