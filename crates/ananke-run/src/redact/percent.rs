//! Percent signs in URLs: which characters are spared depends on who writes the URL.

use std::fmt::Write as _;

/// Whether digits above nine are large or small letters.
#[derive(Clone, Copy)]
pub(super) enum Hex {
    Upper,
    Lower,
}

/// The signs that are left as they are, beside letters, digits and `-_.`; each with whether a space becomes `+`.
const SPARED: [(&str, bool); 11] = [
    // RFC 3986; quote of Python with nothing safe
    ("~", false),
    // quote of Python
    ("~/", false),
    // encodeURIComponent
    ("~!'()*", false),
    // encodeURI
    ("~!'()*;,/?:@&=+$#", false),
    // url.PathEscape of Go
    ("~$&+=:@", false),
    // urlencode of PHP
    ("", true),
    // URLSearchParams, URLEncoder of Java
    ("*", true),
    // url.QueryEscape of Go, quote_plus of Python
    ("~", true),
    // the query and the path of URL in browsers, which leave percent signs alone
    ("~!$%&()*+,/:;=?@[\\]^`{|}", false),
    ("~!$%&'()*+,/:;=@[\\]|", false),
    // requests of Python
    ("~!#$%&'()*+,/:;=?@[]", false),
];

/// Returns the ways to write `text` in a URL.
pub(super) fn encoded(text: &str) -> impl Iterator<Item = String> {
    SPARED.into_iter().flat_map(move |(spared, plus)| {
        [Hex::Upper, Hex::Lower]
            .into_iter()
            .map(move |hex| percent(text, spared, plus, hex))
    })
}

fn percent(text: &str, spared: &str, has_plus: bool, hex: Hex) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let c = char::from(byte);
        let is_plain = c.is_ascii_alphanumeric() || "-_.".contains(c) || spared.contains(c);
        let written = match hex {
            _ if is_plain => write!(out, "{c}"),
            _ if has_plus && c == ' ' => write!(out, "+"),
            Hex::Upper => write!(out, "%{byte:02X}"),
            Hex::Lower => write!(out, "%{byte:02x}"),
        };
        written.expect("writing to a string does not fail");
    }
    out
}

/// Decodes `%41`; what is no such escape stays.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a", "user:p/ä+?"] {
            assert_eq!(decoded(&percent(text, "~", false, Hex::Upper)), text);
        }
        assert_eq!(decoded("100% %4"), "100% %4");
    }
}
