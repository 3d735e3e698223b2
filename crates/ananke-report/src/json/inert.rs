//! JSON that can be printed anywhere: what a terminal or a CI would obey is spelt so that only a JSON parser sees it.

use std::fmt::Write as _;

use crate::escape::{is_hidden, opens_command};

/// Returns the same JSON without hidden characters and without anything like `##[command]`.
///
/// Outside of strings JSON has neither, and inside of them neither is ever part of an escape: both can be escaped wherever
/// they stand. Commands that count only at the beginning of a line need no care, since no line begins with foreign text.
pub(crate) fn inert(json: String) -> String {
    if json.bytes().all(|byte| byte < 0x7f) && !json.contains("##") {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        let is_command = c == '#' && opens_command(chars.as_str());
        // ASCII control characters are line ends of ours; those of others are escaped already.
        if is_command || (c >= '\u{7f}' && is_hidden(c)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("writing to a string cannot fail");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn only_commands_are_spelt_differently() {
        let inert = |text: &str| inert(serde_json::to_string(text).unwrap());
        assert_eq!(inert("## Title #1 ##"), r###""## Title #1 ##""###);
        assert_eq!(inert("x ##[error]y"), r##""x \u0023#[error]y""##);
        assert_eq!(inert(r"\##vso[x]"), r##""\\\u0023#vso[x]""##);
        assert_eq!(inert("###[group]"), r##""#\u0023#[group]""##);
    }

    #[test]
    fn hidden_characters_are_escaped() {
        let inert = |text: &str| inert(serde_json::to_string(text).unwrap());
        assert_eq!(inert("Grüße, 世界 👍\n"), r#""Grüße, 世界 👍\n""#);
        assert_eq!(
            inert("\x1b \u{7f} \u{9b}2J \u{202e} \u{e0001}"),
            r#""\u001b \u007f \u009b2J \u202e \udb40\udc01""#
        );
    }

    proptest! {
        #[test]
        fn the_value_stays_the_same(text in r#"[#a\[\\" \x00-\x{a0}\x{2028}\x{e0001}]{0,20}"#) {
            let json = inert(serde_json::to_string(&text).unwrap());
            prop_assert!(!json.contains("##[") && !json.contains(char::is_control));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
