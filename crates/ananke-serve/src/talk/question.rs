//! The answer to an interrupt, from what a user says: a form where the client has one, words where it has not.

use serde_json::{Map, Value, json};

use super::memory::Said;

const YES: [&str; 8] = [
    "yes", "y", "ok", "okay", "sure", "approve", "approved", "confirm",
];
const NO: [&str; 6] = ["no", "n", "decline", "declined", "deny", "reject"];
const CANCEL: [&str; 3] = ["cancel", "cancelled", "canceled"];

/// Returns one entry of `resume` for an interrupt: the data that was sent, or what the words mean for its schema.
pub(crate) fn answer_of(interrupt: &Value, said: &Said) -> Value {
    let words = said.text.trim();
    let first = words.split_whitespace().next().unwrap_or_default();
    let first = first
        .trim_matches(|c: char| c.is_ascii_punctuation())
        .to_lowercase();
    let is = |known: &[&str]| known.contains(&first.as_str());
    let (status, payload) = match (&said.data, serde_json::from_str::<Value>(words)) {
        (Some(data), _) => ("resolved", data.clone()),
        (None, Ok(data)) if data.is_object() => ("resolved", data),
        _ if is(&CANCEL) => ("cancelled", Value::Null),
        _ => ("resolved", in_form(interrupt, words, is(&YES), is(&NO))),
    };
    json!({"interruptId": interrupt["id"], "status": status, "payload": payload})
}

/// Fills in the form of an interrupt: a yes or a no where it wants one, the words where it wants text.
fn in_form(interrupt: &Value, words: &str, is_yes: bool, is_no: bool) -> Value {
    let mut form = Map::new();
    let properties = interrupt.pointer("/responseSchema/properties");
    for (name, schema) in properties.and_then(Value::as_object).into_iter().flatten() {
        match schema["type"].as_str() {
            Some("boolean") if is_yes || is_no => {
                form.insert(name.clone(), is_yes.into());
            }
            Some("string") => {
                form.insert(name.clone(), words.into());
            }
            _ => {}
        }
    }
    if form.is_empty() {
        form.insert("text".to_owned(), words.into());
    }
    form.into()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::{Value, json};

    use super::answer_of;
    use crate::talk::Said;

    fn answer(text: &str, data: Option<Value>) -> String {
        let interrupt =
            json!({"id": "i", "responseSchema": {"properties": {"approved": {"type": "boolean"}}}});
        let said = Said {
            text: text.to_owned(),
            data,
            ..Said::default()
        };
        answer_of(&interrupt, &said).to_string()
    }

    #[test]
    fn words_fill_in_the_form() {
        assert_snapshot!(answer("Yes, please", None), @r#"{"interruptId":"i","status":"resolved","payload":{"approved":true}}"#);
        assert_snapshot!(answer("no.", None), @r#"{"interruptId":"i","status":"resolved","payload":{"approved":false}}"#);
        assert_snapshot!(answer("Cancel that", None), @r#"{"interruptId":"i","status":"cancelled","payload":null}"#);
        assert_snapshot!(answer("why?", None), @r#"{"interruptId":"i","status":"resolved","payload":{"text":"why?"}}"#);
        assert_snapshot!(answer("", Some(json!({"approved": true}))), @r#"{"interruptId":"i","status":"resolved","payload":{"approved":true}}"#);
        assert_snapshot!(answer(r#"{"approved": true}"#, None), @r#"{"interruptId":"i","status":"resolved","payload":{"approved":true}}"#);
    }
}
