//! Half a character in JSON, such as `"\ud83d"`: servers that cut text into UTF-16 units send it, JavaScript reads it, and
//! strict readers refuse it.

use serde_json::Value;

/// Reads JSON with each half replaced by U+FFFD, and returns it as text too; `None` if that is not all that is wrong.
pub(crate) fn read(data: &str) -> Option<(String, Value)> {
    let mended = mended(data)?;
    let value = serde_json::from_str(&mended).ok()?;
    Some((mended, value))
}

/// Returns the text without halves; `None` if it has none.
pub(crate) fn mended(data: &str) -> Option<String> {
    let mut mended = String::with_capacity(data.len());
    let mut rest = data;
    let mut n_halves = 0;
    while let Some((before, after)) = rest.split_once('\\') {
        mended.push_str(before);
        let (escape, after) = match (unit(after), after.chars().next()) {
            (Some((first, after)), _) => match unit(after.strip_prefix('\\').unwrap_or_default()) {
                _ if !is_surrogate(first) => (format!("\\u{first:04x}"), after),
                Some((second, after)) if is_high(first) && is_low(second) => {
                    (format!("\\u{first:04x}\\u{second:04x}"), after)
                }
                _ => {
                    n_halves += 1;
                    ("\\ufffd".to_owned(), after)
                }
            },
            (None, Some(escaped)) => (format!("\\{escaped}"), after.get(escaped.len_utf8()..)?),
            (None, None) => return None,
        };
        mended.push_str(&escape);
        rest = after;
    }
    mended.push_str(rest);
    (n_halves > 0).then_some(mended)
}

/// Reads `uXXXX`, and returns what follows.
fn unit(text: &str) -> Option<(u16, &str)> {
    let (digits, rest) = text.strip_prefix('u')?.split_at_checked(4)?;
    let unit = u16::from_str_radix(digits, 16).ok()?;
    Some((unit, rest))
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

fn is_surrogate(unit: u16) -> bool {
    is_high(unit) || is_low(unit)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::rule::{Findings, Profile};

    fn shown(data: &str) -> String {
        read(data).map_or_else(
            || "nothing to mend".to_owned(),
            |(_, value)| value.to_string(),
        )
    }

    #[test]
    fn halves_are_replaced_and_pairs_kept() {
        insta::assert_snapshot!(shown(r#"{"a":"x\ud83dy","b":"\ud83d\ude00","c":"\ude00\ud83d","d":"\\ud83d \u00e9 \""}"#), @r#"{"a":"x�y","b":"😀","c":"��","d":"\\ud83d é \""}"#);
    }

    #[test]
    fn what_is_wrong_otherwise_stays_wrong() {
        insta::assert_snapshot!(shown(r#"{"a":"\ud83d""#), @"nothing to mend");
        insta::assert_snapshot!(shown(r#"{"a":"\uzzzz"}"#), @"nothing to mend");
        insta::assert_snapshot!(shown(r#"{"a":"b"}"#), @"nothing to mend");
        insta::assert_snapshot!(shown("\\"), @"nothing to mend");
    }

    /// Live bodies and captures are read by the same reader.
    #[test]
    fn captures_with_halves_are_judged() {
        let start = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}"#;
        let half = r#"{"type":"CUSTOM","name":"a.b","value":"\ud83d"}"#;
        let end = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
        let broken = |bytes: String| {
            let case = crate::offline::from_file("capture", bytes.as_bytes(), None).unwrap();
            let mut found = Findings::new(Profile::V1);
            crate::rules::look(&case, &mut found);
            let told = found.in_order().into_iter();
            told.map(|found| format!("{:?} {}: {}", found.event, found.rule, found.message))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let stream = [start, half, end].map(|event| format!("data: {event}\n\n"));
        insta::assert_snapshot!(broken(stream.concat()), @r#"Some(1) shape.surrogate: its text holds half a character, such as `\ud83d` without the other half; read as U+FFFD"#);
        insta::assert_snapshot!(broken([start, half, end].join("\n")), @r#"Some(1) shape.surrogate: its text holds half a character, such as `\ud83d` without the other half; read as U+FFFD"#);
        insta::assert_snapshot!(broken(format!("[{start},{half},{end}]")), @r#"Some(1) shape.surrogate: its text holds half a character, such as `\ud83d` without the other half; read as U+FFFD"#);
    }
}
