//! The ways in which a value may come back: as it is, escaped as JSON or in a pattern, in base64, in a URL.

use std::fmt::Write as _;

/// Shorter pieces of base64 would be found by chance.
const MIN_ALIGNED_CHARS: usize = 8;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// How a form relates to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// The value itself, or the same with escapes: what reads it sees the value.
    Plain,
    /// Base64 of the value, possibly as a part of something larger.
    Base64,
    /// The value with percent signs.
    Percent,
}

/// Returns the spellings of `value`, the value itself first.
pub(super) fn forms(value: &str) -> Vec<(String, Encoding)> {
    let mut forms = vec![(value.to_owned(), Encoding::Plain)];
    let mut add = |form: String, encoding| {
        if !form.is_empty() && forms.iter().all(|(known, _)| *known != form) {
            forms.push((form, encoding));
        }
    };
    for escape in [json, json_php, json_go, json_dotnet] {
        let once = escape(value);
        // JSON inside a JSON string: the arguments and results of tools in their events.
        add(json(&once), Encoding::Plain);
        add(once, Encoding::Plain);
    }
    add(in_pattern(value), Encoding::Plain);
    for alphabet in [STANDARD, URL_SAFE] {
        add(base64(value.as_bytes(), alphabet), Encoding::Base64);
        for n_before in 0..3 {
            let inner = aligned(value, n_before, alphabet);
            if inner.len() >= MIN_ALIGNED_CHARS {
                add(inner, Encoding::Base64);
            }
        }
    }
    add(percent(value, "", Hex::Upper), Encoding::Percent);
    add(percent(value, "", Hex::Lower), Encoding::Percent);
    add(percent(value, "!'()*", Hex::Upper), Encoding::Percent);
    forms
}

/// Escapes as serializers do that escape no more than they must.
fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

/// Escapes as PHP and, but for the slash, Python do.
fn json_php(text: &str) -> String {
    let slashes = json(text).replace('/', "\\/");
    unicode_escaped(&slashes, Hex::Lower, |c| !c.is_ascii())
}

/// Escapes as Go does, to be safe in HTML.
fn json_go(text: &str) -> String {
    unicode_escaped(&json(text), Hex::Lower, |c| "<>&".contains(c))
}

/// Escapes as .NET does, which spares letters, digits and few signs.
fn json_dotnet(text: &str) -> String {
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
fn in_pattern(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether digits above nine are large or small letters.
#[derive(Clone, Copy)]
enum Hex {
    Upper,
    Lower,
}

fn percent(text: &str, spared: &str, hex: Hex) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let c = char::from(byte);
        let is_plain = c.is_ascii_alphanumeric() || "-_.~".contains(c) || spared.contains(c);
        let written = match hex {
            _ if is_plain => write!(out, "{c}"),
            Hex::Upper => write!(out, "%{byte:02X}"),
            Hex::Lower => write!(out, "%{byte:02x}"),
        };
        written.expect("writing to a string does not fail");
    }
    out
}

/// Returns base64 without padding.
fn base64(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for position in 0..=group.len() {
            let shift = 18 - 6 * position;
            out.push(char::from(alphabet[(bits >> shift & 63) as usize]));
        }
    }
    out
}

/// Returns what base64 shows of `value` when `n_before` other bytes, counted modulo three, stand before it and unknown
/// ones behind it: the characters that nothing but the value decides.
fn aligned(value: &str, n_before: usize, alphabet: &[u8; 64]) -> String {
    let mut bytes = vec![0; n_before];
    bytes.extend_from_slice(value.as_bytes());
    let is_cut = !(bytes.len() * 8).is_multiple_of(6);
    let encoded = base64(&bytes, alphabet);
    let n_first = (n_before * 8).div_ceil(6);
    let n_all = encoded.len().saturating_sub(usize::from(is_cut));
    encoded.get(n_first..n_all).unwrap_or_default().to_owned()
}

/// Decodes base64 with or without padding, in either alphabet; nothing if it is not base64 of text.
pub(super) fn decoded_base64(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut n_bits) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let digit = [STANDARD, URL_SAFE]
            .into_iter()
            .find_map(|alphabet| alphabet.iter().position(|known| *known == byte))?;
        bits = bits << 6 | u32::try_from(digit).ok()?;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((bits >> n_bits & 0xFF).try_into().ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Decodes `%41`; what is no such escape stays.
pub(super) fn decoded_percent(text: &str) -> String {
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
    use insta::assert_snapshot;

    use super::*;

    fn shown(value: &str) -> String {
        let forms = forms(value).into_iter();
        let lines: Vec<String> = forms
            .map(|(form, encoding)| format!("{encoding:?} {form}"))
            .collect();
        lines.join("\n")
    }

    #[test]
    fn a_plain_value_has_few_forms() {
        assert_snapshot!(shown("sk-live-12"), @"
        Plain sk-live-12
        Base64 c2stbGl2ZS0xMg
        Base64 c2stbGl2ZS0xM
        Base64 NrLWxpdmUtMT
        Base64 zay1saXZlLTEy
        ");
    }

    #[test]
    fn signs_are_escaped_in_every_usual_way() {
        assert_snapshot!(shown("a/b+\"é"), @r#"
        Plain a/b+"é
        Plain a/b+\\\"é
        Plain a/b+\"é
        Plain a\\/b+\\\"\\u00e9
        Plain a\/b+\"\u00e9
        Plain a/b\\u002B\\u0022\\u00E9
        Plain a/b\u002B\u0022\u00E9
        Plain a/b\+"é
        Base64 YS9iKyLDqQ
        Base64 YS9iKyLDq
        Base64 EvYisiw6
        Base64 hL2IrIsOp
        Percent a%2Fb%2B%22%C3%A9
        Percent a%2fb%2b%22%c3%a9
        "#);
    }

    #[test]
    fn base64_is_found_at_every_alignment() {
        for before in ["", "u", "us", "user:"] {
            for after in ["", "!", "!!"] {
                let whole = base64(format!("{before}s3cret-token{after}").as_bytes(), STANDARD);
                let found = forms("s3cret-token")
                    .into_iter()
                    .any(|(form, encoding)| encoding == Encoding::Base64 && whole.contains(&form));
                assert!(found, "{before} {after} {whole}");
            }
        }
    }

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a", "ab", "abc", "user:p/ä+?"] {
            assert_eq!(
                decoded_base64(&base64(text.as_bytes(), STANDARD)).unwrap(),
                text
            );
            assert_eq!(
                decoded_base64(&base64(text.as_bytes(), URL_SAFE)).unwrap(),
                text
            );
            assert_eq!(decoded_percent(&percent(text, "", Hex::Lower)), text);
        }
        assert_eq!(decoded_base64("dXNlcjpwdw==").as_deref(), Some("user:pw"));
        assert_eq!(decoded_base64("a b"), None);
        assert_eq!(decoded_percent("100%, %4"), "100%, %4");
    }
}
