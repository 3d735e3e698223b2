//! The ways in which a value may come back: as it is, escaped, in base64, in a URL, in HTML, misread; and each in JSON.

use std::collections::HashSet;

use super::base64::{STANDARD, URL_SAFE, aligned, base64};
use super::escapes::{
    html, in_pattern, in_pointer, json, json_dotnet, json_go, json_php, json_python,
};
use super::misread::misread;
use super::percent;

/// Shorter pieces of base64 would be found by chance.
const MIN_ALIGNED_CHARS: usize = 8;

/// How a form relates to the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// The value itself, or the same with escapes: what reads it sees the value.
    Plain,
    /// Base64 of the value, possibly as a part of something larger.
    Base64,
    /// The value with percent signs.
    Percent,
    /// The value with HTML entities.
    Html,
    /// The value with its bytes taken for characters.
    Misread,
}

impl Encoding {
    /// All of them.
    pub(super) const ALL: [Self; 5] = [
        Self::Plain,
        Self::Base64,
        Self::Percent,
        Self::Html,
        Self::Misread,
    ];

    /// Returns what is said of it behind the name of a secret. What a check would not take for the value must not look
    /// like the value in a bundle.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Base64 => " as base64",
            Self::Percent => " percent-encoded",
            Self::Html => " as HTML",
            Self::Misread => " misread",
        }
    }
}

/// Returns the spellings of `value`, the value itself first.
pub(super) fn forms(value: &str) -> Vec<(String, Encoding)> {
    let mut forms = Forms::default();
    forms.spell(value, Encoding::Plain);
    for misread in misread(value) {
        forms.spell(&misread, Encoding::Misread);
    }
    forms.list
}

#[derive(Default)]
struct Forms {
    list: Vec<(String, Encoding)>,
    known: HashSet<String>,
}

impl Forms {
    fn spell(&mut self, value: &str, encoding: Encoding) {
        self.with_json(value, encoding);
        self.add(in_pattern(value), encoding);
        self.with_json(&in_pointer(value), encoding);
        for alphabet in [STANDARD, URL_SAFE] {
            self.with_json(&base64(value.as_bytes(), alphabet), Encoding::Base64);
            for n_before in 0..3 {
                let inner = aligned(value, n_before, alphabet);
                if inner.len() >= MIN_ALIGNED_CHARS {
                    self.with_json(&inner, Encoding::Base64);
                }
            }
        }
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if value.bytes().all(is_word) {
            return; // neither URLs nor HTML write it otherwise
        }
        for written in percent::encoded(value) {
            self.with_json(&written, Encoding::Percent);
        }
        for written in html(value) {
            self.with_json(&written, Encoding::Html);
        }
    }

    /// Adds a form, and how JSON writes it.
    fn with_json(&mut self, form: &str, encoding: Encoding) {
        let is_escaped =
            |byte: u8| !(b' '..=b'~').contains(&byte) || b"\"\\/<>&'+`".contains(&byte);
        if !self.add(form.to_owned(), encoding) || !form.bytes().any(is_escaped) {
            return;
        }
        for escape in [json, json_php, json_python, json_go, json_dotnet] {
            let once = escape(form);
            // JSON inside a JSON string: the arguments and results of tools in their events.
            self.add(json(&once), encoding);
            self.add(once, encoding);
        }
    }

    /// Adds a form; tells whether it is new.
    fn add(&mut self, form: String, encoding: Encoding) -> bool {
        let is_new = !form.is_empty() && self.known.insert(form.clone());
        if is_new {
            self.list.push((form, encoding));
        }
        is_new
    }
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
        assert_snapshot!(shown("open/sesame"), @r"
        Plain open/sesame
        Plain open\\/sesame
        Plain open\/sesame
        Plain open~1sesame
        Base64 b3Blbi9zZXNhbWU
        Base64 b3Blbi9zZXNhbW
        Base64 9wZW4vc2VzYW1l
        Base64 vcGVuL3Nlc2FtZ
        Percent open%2Fsesame
        Percent open%2fsesame
        Html open&#x2F;sesame
        Html open\\u0026#x2F;sesame
        Html open\u0026#x2F;sesame
        ");
    }

    #[test]
    fn forms_that_libraries_write_are_known() {
        let value = "k/+= ~'\"&<é";
        let forms = forms(value);
        for written in [
            // Python: quote, quote_plus, html.escape, json.dumps
            "k/%2B%3D%20~%27%22%26%3C%C3%A9",
            "k%2F%2B%3D+~%27%22%26%3C%C3%A9",
            "k/+= ~&#x27;&quot;&amp;&lt;é",
            "k/+= ~'\\\"&<\\u00e9",
            // JavaScript: encodeURIComponent, encodeURI, URLSearchParams
            "k%2F%2B%3D%20~'%22%26%3C%C3%A9",
            "k/+=%20~'%22&%3C%C3%A9",
            "k%2F%2B%3D+%7E%27%22%26%3C%C3%A9",
            // Go: url.PathEscape, html.EscapeString
            "k%2F+=%20~%27%22&%3C%C3%A9",
            "k/+= ~&#39;&#34;&amp;&lt;é",
            // JSON Pointer
            "k~1+= ~0'\"&<é",
            // a header that was read as Latin-1
            "k/+= ~'\"&<Ã©",
        ] {
            assert!(forms.iter().any(|(form, _)| form == written), "{written}");
        }
    }

    #[test]
    fn base64_has_its_slashes_escaped_by_php() {
        let forms = forms("open??>sesame");
        for written in [
            r"b3Blbj8\/PnNlc2FtZQ",
            r"b3Blbj8\\/PnNlc2FtZQ",
            "b3Blbj8_PnNlc2FtZQ",
        ] {
            assert!(forms.iter().any(|(form, _)| form == written), "{written}");
        }
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
}
