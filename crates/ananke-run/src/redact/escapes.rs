//! Escapes in JSON, in patterns, in HTML and in JSON Pointers, as the usual libraries write them.

use std::fmt::Write as _;

use super::percent::Hex;

/// Escapes as serializers do that escape no more than they must.
pub(super) fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

/// Escapes as PHP and, but for the slash, Python do.
pub(super) fn json_php(text: &str) -> String {
    let slashes = json(text).replace('/', "\\/");
    unicode_escaped(&slashes, Hex::Lower, |c| !c.is_ascii())
}

/// Escapes as Python does.
pub(super) fn json_python(text: &str) -> String {
    unicode_escaped(&json(text), Hex::Lower, |c| !c.is_ascii())
}

/// Escapes as Go does, to be safe in HTML.
pub(super) fn json_go(text: &str) -> String {
    unicode_escaped(&json(text), Hex::Lower, |c| "<>&".contains(c))
}

/// Escapes as .NET does, which spares letters, digits and few signs.
pub(super) fn json_dotnet(text: &str) -> String {
    let quotes = json(text).replace("\\\"", "\"");
    unicode_escaped(&quotes, Hex::Upper, |c| {
        !c.is_ascii() || "\"<>&'+`".contains(c)
    })
}

fn unicode_escaped(text: &str, hex: Hex, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !is_escaped(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let written = match hex {
                Hex::Upper => write!(out, "\\u{unit:04X}"),
                Hex::Lower => write!(out, "\\u{unit:04x}"),
            };
            written.expect("writing to a string does not fail");
        }
    }
    out
}

/// Escapes as checks show a value that stands in a pattern.
pub(super) fn in_pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes as a part of a JSON Pointer: the paths of `STATE_DELTA`.
pub(super) fn in_pointer(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1")
}

/// Returns the ways to write `text` in HTML or XML.
pub(super) fn html(text: &str) -> Vec<String> {
    let mut written = Vec::new();
    if text.contains(['&', '<', '>', '"', '\'']) {
        for quote in ["\"", "&quot;", "&#34;"] {
            for apostrophe in ["'", "&#39;", "&#x27;", "&#039;", "&apos;"] {
                for greater in [">", "&gt;"] {
                    let signs = [('"', quote), ('\'', apostrophe), ('>', greater)];
                    written.push(html_by(text, &signs));
                }
            }
        }
    }
    // The templates of Go, Mustache and Handlebars escape more.
    let go = [
        ('"', "&#34;"),
        ('\'', "&#39;"),
        ('>', "&gt;"),
        ('+', "&#43;"),
    ];
    let handlebars = [
        ('"', "&quot;"),
        ('\'', "&#x27;"),
        ('>', "&gt;"),
        ('`', "&#x60;"),
        ('=', "&#x3D;"),
    ];
    let mustache = [
        ('"', "&quot;"),
        ('\'', "&#39;"),
        ('>', "&gt;"),
        ('`', "&#x60;"),
        ('=', "&#x3D;"),
        ('/', "&#x2F;"),
    ];
    for signs in [go.as_slice(), &handlebars, &mustache] {
        written.push(html_by(text, signs));
    }
    written
}

/// Escapes `&` and `<`, which everybody does, and `signs`.
fn html_by(text: &str, signs: &[(char, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let sign = signs.iter().find(|(sign, _)| *sign == c);
        match (c, sign) {
            ('&', _) => out.push_str("&amp;"),
            ('<', _) => out.push_str("&lt;"),
            (_, Some((_, escaped))) => out.push_str(escaped),
            _ => out.push(c),
        }
    }
    out
}
