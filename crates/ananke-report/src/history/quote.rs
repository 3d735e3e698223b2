//! Recorded values in a YAML test: texts that are no references, and JSON in flow style.

use serde_json::Value;

use crate::yaml_scalar::quote;

/// Returns `text` in double quotes with its `${` kept from being references.
pub(super) fn quote_literal(text: &str) -> String {
    quote(&literal(text))
}

/// Returns JSON in flow style with its `${` kept from being references.
pub(super) fn quote_json(value: &Value) -> String {
    match value {
        Value::String(text) => quote_literal(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(quote_json).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter();
            let members =
                members.map(|(key, item)| format!("{}: {}", quote(key), quote_json(item)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Tells how deep lists and maps stand in one another, and how long the longest key is.
pub(super) fn extent(value: &Value) -> (usize, usize) {
    let join =
        |(depth, length): (usize, usize), (d, l): (usize, usize)| (depth.max(d), length.max(l));
    match value {
        Value::Array(items) => {
            let (depth, length) = items.iter().map(extent).fold((0, 0), join);
            (depth + 1, length)
        }
        Value::Object(members) => {
            let inner = members.iter().map(|(key, item)| {
                let (depth, length) = extent(item);
                (depth, length.max(key.chars().count()))
            });
            let (depth, length) = inner.fold((0, 0), join);
            (depth + 1, length)
        }
        _ => (0, 0),
    }
}

/// Writes `${` as `$${`, which stands for itself in a test file.
fn literal(text: &str) -> String {
    text.replace("${", "$${")
}

#[cfg(test)]
mod tests {
    use granit_parser::{Event, Parser};
    use insta::assert_snapshot;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;

    #[test]
    fn everything_that_yaml_or_an_eye_could_misread_is_spelt_out() {
        let texts = [
            "plain",
            "",
            "yes: #no - 'x' \"y\" \\z",
            "two\nlines\r\n\tand a tab ",
            "Grüße 世界 👍",
            "\u{0}\u{1b}[2J\u{7f}\u{85}\u{a0}\u{200b}\u{2028}\u{feff}\u{ffff}\u{10ffff}",
            "##[error]x #[y]",
            "costs ${PRICE} or $${PRICE}",
        ];
        assert_snapshot!(texts.map(quote_literal).join("\n"), @r#"
        "plain"
        ""
        "yes: #no - 'x' \"y\" \\z"
        "two\nlines\r\n\tand a tab "
        "Grüße 世界 👍"
        "\x00\x1b[2J\x7f\x85 \u200b\u2028\ufeff\uffff\U0010ffff"
        "\x23#[error]x #[y]"
        "costs $${PRICE} or $$${PRICE}"
        "#);
    }

    #[test]
    fn json_stands_in_flow_style() {
        let value = json!({"a b": [1, 2.5, null, true, "x: ${Y}"], "": {}, "n": []});
        assert_snapshot!(quote_json(&value), @r#"{"a b": [1, 2.5, null, true, "x: $${Y}"], "": {}, "n": []}"#);
        assert_eq!(extent(&value), (2, 3));
    }

    /// Returns the scalars that the parser of the suite finds.
    fn scalars(yaml: &str) -> Vec<String> {
        let events = Parser::new_from_str(yaml).map(|event| match event {
            Ok((Event::Scalar(text, ..), _)) => Some(text.into_owned()),
            Ok(_) => None,
            Err(error) => Some(format!("{error} in {yaml}")),
        });
        events.flatten().collect()
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(text in any::<String>(), odd in "[\\PC\u{0}-\u{a0}\u{2028}\u{2029}\u{d7ff}\u{e000}\u{feff}\u{fffd}-\u{10ffff}]{0,8}") {
            let yaml = format!("- {}\n- {{{}: [{}]}}\n", quote(&text), quote(&odd), quote(&text));
            prop_assert_eq!(scalars(&yaml), [text.clone(), odd, text]);
        }
    }
}
