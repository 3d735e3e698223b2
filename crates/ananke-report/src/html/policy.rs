//! What the page allows itself: its own style and script, by hash, and nothing else.

use super::sha256::{base64, sha256};

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

/// Returns text for HTML, in an element or in a quoted attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => html.push('\u{fffd}'),
            c => html.push(c),
        }
    }
    html
}
