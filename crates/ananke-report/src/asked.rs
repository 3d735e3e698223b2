//! What a case asked, message by message, for people to read. A file that goes with a message is named, with its type; its
//! content never is.

use serde::Serialize;
use serde_json::Value;

use crate::escape::cut;
use crate::excerpt::PLAIN;
use crate::style::Style;

/// How much of a name of a file is shown.
const NAME_CHARS: usize = 200;

/// A message of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Asked {
    /// Who says it: `user`, `assistant`, `system`, `tool`.
    #[serde(rename = "r")]
    pub(crate) role: String,
    /// The text, and what an assistant called, as written.
    #[serde(rename = "t", skip_serializing_if = "String::is_empty")]
    pub(crate) text: String,
    /// Files and other things that are no text, each in a few words.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    pub(crate) attachments: Vec<String>,
}

/// Returns the messages of `input` or `messages` as written: a text, one message, or several.
pub(crate) fn asked(input: &Value) -> Vec<Asked> {
    match input {
        Value::Null => Vec::new(),
        Value::Array(messages) if messages.iter().all(is_message) => {
            messages.iter().map(message).collect()
        }
        other => vec![message(other)],
    }
}

/// Returns what the users among the messages said, as one line for a table or a heading.
pub(crate) fn preview(input: &Value, limit: usize) -> String {
    preview_in(input, limit, &PLAIN)
}

/// Returns the same as [`preview`], as `style` has it.
pub(crate) fn preview_in(input: &Value, limit: usize, style: &Style) -> String {
    let messages = asked(input);
    let last = messages.iter().rev().find(|asked| asked.role == "user");
    let Some(last) = last.or(messages.last()) else {
        return String::new();
    };
    let words: Vec<&str> = last.text.split_whitespace().collect();
    let attachments = last.attachments.iter().map(|name| format!("[{name}]"));
    let parts: Vec<String> = std::iter::once(words.join(" "))
        .filter(|text| !text.is_empty())
        .chain(attachments)
        .collect();
    cut(&parts.join(" "), limit, style.ellipsis())
}

/// Returns every message on lines of its own: `user: Hello`.
pub(crate) fn lines(input: &Value) -> String {
    let mut lines = Vec::new();
    for asked in asked(input) {
        let attachments = asked.attachments.iter().map(|name| format!("[{name}]"));
        let text = std::iter::once(asked.text).filter(|text| !text.is_empty());
        let parts: Vec<String> = text.chain(attachments).collect();
        lines.push(format!("{}: {}", asked.role, parts.join(" ")));
    }
    lines.join("\n")
}

fn is_message(value: &Value) -> bool {
    value.is_string() || value.get("role").is_some() || value.get("content").is_some()
}

fn message(value: &Value) -> Asked {
    let mut asked = Asked {
        role: value["role"].as_str().unwrap_or("user").to_owned(),
        ..Asked::default()
    };
    let mut texts: Vec<String> = Vec::new();
    let content = match value {
        Value::Object(members) if is_message(value) => {
            members.get("content").unwrap_or(&Value::Null)
        }
        other => other,
    };
    match content {
        Value::Null => {}
        Value::String(text) => texts.push(text.clone()),
        Value::Array(parts) => {
            for part in parts {
                match part_text(part) {
                    Some(text) => texts.push(text),
                    None => asked.attachments.push(attachment(part)),
                }
            }
        }
        other => texts.push(other.to_string()),
    }
    let calls = ["tool_calls", "toolCalls"]
        .iter()
        .find_map(|key| value.get(key));
    for call in calls.and_then(Value::as_array).into_iter().flatten() {
        let function = call.get("function").unwrap_or(call);
        let name = function["name"].as_str().unwrap_or("a tool");
        let arguments = match &function["arguments"] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        texts.push(format!("calls {name}({arguments})"));
    }
    asked.text = texts.join("\n");
    asked
}

fn part_text(part: &Value) -> Option<String> {
    if let Some(text) = part.as_str() {
        return Some(text.to_owned());
    }
    let is_text = part.get("type").is_none_or(|kind| kind == "text");
    let text = part["text"].as_str().filter(|_| is_text)?;
    Some(text.to_owned())
}

/// Returns an attachment in a few words: `image file://cat.png`, `audio (wav)`, `document data, application/pdf`.
fn attachment(part: &Value) -> String {
    let kind = part["type"].as_str().unwrap_or("part");
    // A part has its members itself, or below `source` or a key of its own name.
    let below = [Some(part), part.get("source"), part.get(kind)];
    let found = |keys: &[&str]| {
        let holders = below.iter().flatten();
        holders
            .flat_map(|holder| keys.iter().filter_map(|key| holder.get(key)?.as_str()))
            .next()
    };
    let mut words = kind
        .trim_start_matches("input_")
        .trim_end_matches("_url")
        .to_owned();
    let name = found(&["filename", "name", "url", "source", "path"])
        .or_else(|| found(&["value", "image_url"]).filter(|text| text.contains("://")));
    let inline = found(&["url", "source", "value", "data", "image_url"])
        .and_then(|text| text.strip_prefix("data:"))
        .and_then(|text| text.split([';', ',']).next());
    match name.filter(|name| !name.starts_with("data:")) {
        Some(name) => words = format!("{words} {}", cut(name, NAME_CHARS, PLAIN.ellipsis())),
        None if inline.is_some() => words.push_str(" data"),
        None => {}
    }
    let media_type = found(&["mimeType", "mime_type", "media_type", "format"]).or(inline);
    match media_type.filter(|media_type| !media_type.is_empty()) {
        Some(media_type) => format!("{words} ({})", cut(media_type, 100, PLAIN.ellipsis())),
        None => words,
    }
}

/// Returns JSON without the content of files in it: what is long and encoded is counted.
pub(crate) fn without_contents(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_contents).collect(),
        Value::Object(members) => {
            let is_inline = ["mimeType", "mime_type", "media_type", "format"]
                .iter()
                .any(|key| members.contains_key(*key));
            let shown = members.iter().map(|(key, value)| {
                let may_hold = is_inline && matches!(key.as_str(), "value" | "data");
                let shown = match value {
                    Value::String(text) => without_content(text, may_hold),
                    other => without_contents(other),
                };
                (key.clone(), shown)
            });
            Value::Object(shown.collect())
        }
        Value::String(text) => without_content(text, false),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn without_content(text: &str, may_hold: bool) -> Value {
    /// Shorter texts show what they are.
    const LONGEST: usize = 200;
    let is_data_url = text.starts_with("data:") && text.contains(";base64,");
    if text.len() <= LONGEST || !(is_data_url || (may_hold && !text.contains("://"))) {
        return text.into();
    }
    let head = match text.split_once(',') {
        Some((head, _)) if is_data_url => format!("{head}, "),
        _ => String::new(),
    };
    format!("{head}{} characters", text.chars().count()).into()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::{
        Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest,
    };
    use serde_json::json;

    use super::*;

    #[test]
    fn every_form_of_input_is_messages() {
        let inputs = [
            json!("Hello"),
            json!({"role": "user", "content": "Hi"}),
            json!([{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": {"q": 1}}}]},
                {"role": "tool", "content": {"hits": 2}, "tool_call_id": "1"}]),
            json!(["a", "b"]),
            json!({"q": 1}),
            json!(7),
            Value::Null,
        ];
        let shown: Vec<String> = inputs.iter().map(lines).collect();
        assert_snapshot!(shown.join("\n---\n"), @r#"
        user: Hello
        ---
        user: Hi
        ---
        system: Be brief
        user: Hi
        assistant: calls search({"q":1})
        tool: {"hits":2}
        ---
        user: a
        user: b
        ---
        user: {"q":1}
        ---
        user: 7
        ---
        "#);
        assert_eq!(preview(&inputs[2], 50), "Hi");
        assert_eq!(preview(&json!("  a\n\n b   cd"), 5), "a b c…");
    }

    #[test]
    fn attachments_are_named_and_never_shown() {
        let content = "QUJD".repeat(100);
        let parts = json!([{"role": "user", "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image", "source": "file://cat.png"},
            {"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{content}")}},
            {"type": "image_url", "image_url": {"url": "https://example.com/cat.png", "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": content, "format": "wav"}},
            {"type": "document", "source": {"type": "data", "value": content, "mimeType": "application/pdf"}},
            {"type": "image", "source": {"type": "url", "value": "https://example.com/dog.png", "mimeType": "image/png"}},
            {"type": "file", "file": {"filename": "a.csv", "file_data": content}},
        ]}]);
        assert_snapshot!(asked(&parts)[0].attachments.join("\n"), @"
        image file://cat.png
        image data (image/png)
        image https://example.com/cat.png
        audio (wav)
        document (application/pdf)
        image https://example.com/dog.png (image/png)
        file a.csv
        ");
        assert!(!lines(&parts).contains(&content));
        let request = without_contents(&json!({"messages": parts, "note": content}));
        assert_eq!(
            request.to_string().matches(&content).count(),
            2,
            "only what is marked as content: {request}"
        );
        assert!(
            request
                .to_string()
                .contains("data:image/png;base64, 422 characters")
        );
    }

    #[test]
    fn what_is_no_text_is_left_as_it_is() {
        for value in [json!(1), json!(true), Value::Null] {
            assert_eq!(without_contents(&value), value);
            let request = json!({"a": value, "data": value, "format": value, "list": [value]});
            assert_eq!(without_contents(&request), request);
        }
    }

    #[test]
    fn depth_is_no_harm() {
        for is_list in [true, false] {
            let mut deep = json!(1);
            for _ in 0..512 {
                deep = if is_list {
                    json!([deep])
                } else {
                    json!({"content": deep})
                };
            }
            assert_eq!(without_contents(&deep), deep);
            assert_eq!(asked(&deep).len(), 1);
            assert!(preview(&deep, 50).chars().count() <= 51);
        }
    }

    /// Returns any JSON, with the keys that mean something here.
    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
            Just(Value::from(format!(
                "data:image/png;base64,{}",
                "QUJD".repeat(100)
            ))),
        ];
        let key = "role|content|type|text|source|data|value|format|mimeType|tool_calls|function|x";
        leaf.prop_recursive(6, 40, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::vec((key, inner), 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_request_is_shown_without_contents(value in any_json()) {
            let shown = without_contents(&value);
            prop_assert!(!shown.to_string().contains("QUJDQUJD"));
            prop_assert_eq!(without_contents(&shown), shown);
            asked(&value);
            lines(&value);
            prop_assert!(!preview(&value, 20).contains(char::is_control));
        }
    }
}
