//! What a program prints, read as an answer, and told in events.

use ananke_model::recording::TroubleKind;
use ananke_model::variables::text_form;
use serde_json::{Map, Value, json};

use crate::ids::new_id;

/// How much of what cannot be read is shown, in characters.
const SHOWN: usize = 200;
/// Members that hold the words of an answer, the first that says something counts.
const WORDS: [&str; 4] = ["content", "text", "output", "message"];
/// What else an answer can hold. Any other member is not read, which is said.
const BESIDE: [&str; 7] = ["role", "id", "name", "tool_calls", "usage", "error", "code"];

/// Who answers, in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    /// Who did what.
    did: &'static str,
    /// What it does.
    does: &'static str,
    /// Whose answer it is.
    whose: &'static str,
}

/// A program that prints.
const PROGRAM: Voice = Voice {
    did: "the program printed",
    does: "print",
    whose: "the program's",
};
/// A function that returns.
pub(super) const FUNCTION: Voice = Voice {
    did: "the function returned",
    does: "return",
    whose: "the function's",
};

/// What a program, or a function, said.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    text: String,
    calls: Vec<Call>,
    usage: Vec<Value>,
    /// Message and code of what it says went wrong.
    error: Option<(String, Option<String>)>,
    /// What of the answer was not read.
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, PartialEq)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    result: Option<String>,
}

impl Said {
    /// Reads what was printed. A helper's answer is JSON by contract, in which `message` is a member like any other.
    pub(super) fn read(stdout: &[u8], is_question: bool) -> Result<Self, (TroubleKind, String)> {
        let text = String::from_utf8_lossy(stdout);
        let text = text.trim();
        if text.is_empty() {
            let why = "the program printed nothing: it must print one JSON value";
            return Err((TroubleKind::Empty, why.to_owned()));
        }
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let why = match error {
                _ if text.starts_with('\u{feff}') => "it begins with a byte order mark".to_owned(),
                error => error.to_string(),
            };
            let mut shown: String = text.chars().take(SHOWN).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            let message = format!(
                "what the program printed is not one JSON value ({why}); a text is printed as a JSON string: {shown}"
            );
            (TroubleKind::BadEvent, message)
        })?;
        if value.is_null() {
            let why = "the program printed `null`, which is no answer; a text is printed as a JSON string";
            return Err((TroubleKind::Empty, why.to_owned()));
        }
        Self::of_value(value, is_question, PROGRAM)
    }

    /// Reads a value.
    pub(super) fn of_value(
        value: Value,
        is_question: bool,
        voice: Voice,
    ) -> Result<Self, (TroubleKind, String)> {
        let Voice { did, does, .. } = voice;
        match value {
            Value::Null => {
                let why =
                    format!("{did} nothing: it must {does} a text, or an object with `content`");
                Err((TroubleKind::Empty, why))
            }
            Value::Object(members) if is_completion(&members) => {
                let why = format!(
                    "{did} a whole chat completion: it must {does} the message in it (`choices[0].message`), such as `{{\"content\": \"…\", \"tool_calls\": […]}}`"
                );
                Err((TroubleKind::BadEvent, why))
            }
            Value::Object(members) if is_answer(&members, is_question) => {
                Self::of(members, voice).map_err(|why| (TroubleKind::BadEvent, why))
            }
            other => Ok(Self {
                text: words(&other),
                ..Self::default()
            }),
        }
    }

    fn of(members: Map<String, Value>, voice: Voice) -> Result<Self, String> {
        let words_of = |name: &&&str| members.get(**name).is_some_and(|words| !words.is_null());
        let spoken = WORDS.iter().find(words_of).copied();
        let text = spoken.and_then(|name| members.get(name));
        // A message in the form of a chat endpoint has its calls inside.
        let inner = text.filter(|text| text.get("role").is_some());
        let inner = inner.and_then(|message| message.get("tool_calls"));
        let calls = match members.get("tool_calls").or(inner) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(calls)) => {
                let calls = calls.iter().enumerate();
                calls
                    .map(|(at, call)| Call::of(at, call))
                    .collect::<Result<_, _>>()?
            }
            Some(_) => return Err("`tool_calls` of the answer is not a list".to_owned()),
        };
        let usage = match members.get("usage") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(usage)) => usage.clone(),
            Some(usage) => vec![usage.clone()],
        };
        let error = match members.get("error") {
            None | Some(Value::Null | Value::Bool(false)) => None,
            Some(error) => {
                let message = error.get("message").unwrap_or(error);
                let code = error.get("code").or_else(|| members.get("code"));
                Some((words(message), code.map(words)))
            }
        };
        Ok(Self {
            text: text.map(words).unwrap_or_default(),
            calls,
            usage,
            error,
            warnings: unread(&members, spoken, voice).into_iter().collect(),
        })
    }
}

impl Call {
    fn of(at: usize, call: &Value) -> Result<Self, String> {
        // Either the call itself, or in the form of a chat endpoint.
        let function = call.get("function").unwrap_or(call);
        let name = function["name"].as_str().unwrap_or_default();
        if name.is_empty() {
            return Err(format!("`tool_calls/{at}` of the answer has no `name`"));
        }
        let arguments = match &function["arguments"] {
            Value::Null => "{}".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Ok(Self {
            id: call["id"].as_str().map_or_else(new_id, str::to_owned),
            name: name.to_owned(),
            arguments,
            result: call.get("result").map(words),
        })
    }
}

/// Tells whether an object is an answer with words and calls, and not itself what is said.
fn is_answer(members: &Map<String, Value>, is_question: bool) -> bool {
    let has = |name: &str| members.get(name).is_some_and(|value| !value.is_null());
    let has_calls = members
        .get("tool_calls")
        .is_some_and(|calls| calls.is_array() || calls.is_object());
    let has_error = has("error") && members["error"] != false;
    if has_calls || has_error {
        return true;
    }
    let mut names = members.keys().map(String::as_str);
    let is_plain = names.all(is_known);
    if is_question {
        // What a helper says has members of its own, which may be called like these.
        return is_plain && WORDS.iter().any(|name| *name != "message" && has(name));
    }
    let is_silent = || WORDS.iter().any(|name| members.contains_key(*name));
    WORDS.iter().any(|name| has(name)) || is_plain && is_silent()
}

fn is_known(name: &str) -> bool {
    WORDS.contains(&name) || BESIDE.contains(&name)
}

/// Tells whether an object is all that a chat endpoint sends.
fn is_completion(members: &Map<String, Value>) -> bool {
    let first = members.get("choices").and_then(|choices| choices.get(0));
    first.is_some_and(|choice| {
        ["message", "delta"]
            .iter()
            .any(|name| choice.get(name).is_some())
    })
}

/// Names the members of an answer that were not read, if there are any; `spoken` is the one with the words.
fn unread(members: &Map<String, Value>, spoken: Option<&str>, voice: Voice) -> Option<String> {
    let is_unread = |(name, value): &(&String, &Value)| {
        let is_other = WORDS.contains(&name.as_str()) && spoken != Some(name) && !value.is_null();
        is_other || !is_known(name)
    };
    let names = members.iter().filter(is_unread);
    let names: Vec<String> = names
        .map(|(name, _)| format!("`{}`", name.chars().take(SHOWN).collect::<String>()))
        .collect();
    let known = [&WORDS[..], &BESIDE[..]].concat().join("`, `");
    (!names.is_empty()).then(|| {
        format!(
            "of {} answer {} was not read: an answer has `{known}`",
            voice.whose,
            names.join(", ")
        )
    })
}

/// Returns the words in a value: a text, the text parts of a list, the content of a message, or JSON.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(parts) if !parts.is_empty() && parts.iter().all(is_text) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Object(message) if message.contains_key("role") => {
            message.get("content").map(words).unwrap_or_default()
        }
        other => text_form(other),
    }
}

fn is_text(part: &Value) -> bool {
    part["type"] == "text" && part["text"].is_string()
}

/// Tells an answer in events: calls first, then the words.
pub(super) fn events(said: &Said, thread_id: &str, run_id: &str) -> Vec<Value> {
    let mut events = vec![json!({"type": "RUN_STARTED", "threadId": thread_id, "runId": run_id})];
    for call in &said.calls {
        let id = &call.id;
        events
            .push(json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": call.name}));
        events.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": call.arguments}));
        events.push(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
        if let Some(result) = &call.result {
            events.push(json!({
                "type": "TOOL_CALL_RESULT",
                "messageId": new_id(),
                "toolCallId": id,
                "content": result,
                "role": "tool",
            }));
        }
    }
    if !said.text.is_empty() {
        let id = new_id();
        events.push(json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant"}));
        events.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": said.text}));
        events.push(json!({"type": "TEXT_MESSAGE_END", "messageId": id}));
    }
    let mut end = match &said.error {
        None => json!({"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id}),
        Some((message, code)) => {
            let mut end = json!({"type": "RUN_ERROR", "message": message});
            if let Some(code) = code {
                end["code"] = code.as_str().into();
            }
            end
        }
    };
    if !said.usage.is_empty() {
        end["usage"] = said.usage.clone().into();
    }
    events.push(end);
    events
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::Said;

    fn read(stdout: &str, is_question: bool) -> String {
        match Said::read(stdout.as_bytes(), is_question) {
            Ok(said) => {
                let calls = said.calls.iter().map(|call| {
                    let result = call.result.as_deref().unwrap_or("-");
                    format!(" {}({}) = {result}", call.name, call.arguments)
                });
                let calls: String = calls.collect();
                let error = said
                    .error
                    .map_or_else(String::new, |error| format!(" {error:?}"));
                let usage = said.usage.iter().map(|usage| format!(" {usage}"));
                let warnings = said.warnings.iter().map(|warning| format!(" ⚠ {warning}"));
                let rest: String = usage.chain(warnings).collect();
                format!("{:?}{calls}{error}{rest}", said.text)
            }
            Err((kind, why)) => format!("{kind:?}: {why}"),
        }
    }

    #[test]
    fn answers_have_words_calls_and_usage() {
        let said = |stdout| read(stdout, false);
        assert_snapshot!(said(r#"{"content": "Hi", "usage": {"total_tokens": 3}}"#), @r#""Hi" {"total_tokens":3}"#);
        assert_snapshot!(said(r#"{"text": "Hi"}"#), @r#""Hi""#);
        assert_snapshot!(said(r#"{"output": {"a": 1}}"#), @r#""{\"a\":1}""#);
        assert_snapshot!(said(r#"{"message": {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}"#), @r#""a\nb""#);
        assert_snapshot!(said(r#"{"tool_calls": [{"name": "f", "arguments": {"a": 1}, "result": {"b": 2}}, {"function": {"name": "g", "arguments": "{}"}}, {"name": "h"}]}"#), @r#""" f({"a":1}) = {"b":2} g({}) = - h({}) = -"#);
        assert_snapshot!(said(r#"{"error": {"message": "no stock", "code": "E1"}}"#), @r#""" ("no stock", Some("E1"))"#);
        assert_snapshot!(said(r#"{"error": "no stock"}"#), @r#""" ("no stock", None)"#);
    }

    #[test]
    fn any_other_json_is_its_own_words() {
        let said = |stdout| read(stdout, false);
        assert_snapshot!(said(r#""Hi""#), @r#""Hi""#);
        assert_snapshot!(said("[1, 2]\n"), @r#""[1,2]""#);
        assert_snapshot!(said(r#"{"passed": true, "reason": "ok"}"#), @r#""{\"passed\":true,\"reason\":\"ok\"}""#);
        assert_snapshot!(said(r#"{"message": "Hi", "goal_achieved": false}"#), @r#""Hi" ⚠ of the program's answer `goal_achieved` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
        assert_snapshot!(said(r#"{"message": "Hi"}"#), @r#""Hi""#);
        assert_snapshot!(read(r#"{"message": "Hi"}"#, true), @r#""{\"message\":\"Hi\"}""#);
        assert_snapshot!(read(r#"{"content": "Hi"}"#, true), @r#""Hi""#);
        assert_snapshot!(said("{}"), @r#""{}""#);
    }

    #[test]
    fn members_that_nobody_knows_take_nothing_away() {
        let said = |stdout| read(stdout, false);
        assert_snapshot!(said(r#"{"content": "Hi", "tool_calls": [{"name": "f"}], "latency": 3}"#), @r#""Hi" f({}) = - ⚠ of the program's answer `latency` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
        assert_snapshot!(said(r#"{"tool_calls": [{"name": "f"}], "trace": "x"}"#), @r#""" f({}) = - ⚠ of the program's answer `trace` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
        assert_snapshot!(said(r#"{"error": "no stock", "trace": "x"}"#), @r#""" ("no stock", None) ⚠ of the program's answer `trace` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
        assert_snapshot!(said(r#"{"error": false, "trace": "x"}"#), @r#""{\"error\":false,\"trace\":\"x\"}""#);
        assert_snapshot!(said(r#"{"content": null, "text": "Hi", "output": "Ho"}"#), @r#""Hi" ⚠ of the program's answer `output` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
        assert_snapshot!(said(r#"{"text": null, "items": [1]}"#), @r#""{\"text\":null,\"items\":[1]}""#);
        assert_snapshot!(said(r#"{"content": null}"#), @r#""""#);
        assert_snapshot!(said(r#"{"message": {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "g"}}]}}"#), @r#""" g({}) = -"#);
        assert_snapshot!(read(r#"{"passed": true, "reason": "ok", "output": "x"}"#, true), @r#""{\"passed\":true,\"reason\":\"ok\",\"output\":\"x\"}""#);
        assert_snapshot!(read(r#"{"passed": true, "error": "x"}"#, true), @r#""" ("x", None) ⚠ of the program's answer `passed` was not read: an answer has `content`, `text`, `output`, `message`, `role`, `id`, `name`, `tool_calls`, `usage`, `error`, `code`"#);
    }

    #[test]
    fn what_is_no_json_value_is_refused() {
        let said = |stdout| read(stdout, false);
        assert_snapshot!(said(" \n"), @"Empty: the program printed nothing: it must print one JSON value");
        assert_snapshot!(said("null"), @"Empty: the program printed `null`, which is no answer; a text is printed as a JSON string");
        assert_snapshot!(said(r#"{"id": "x", "choices": [{"message": {"content": "Hi"}}]}"#), @r#"BadEvent: the program printed a whole chat completion: it must print the message in it (`choices[0].message`), such as `{"content": "…", "tool_calls": […]}`"#);
        assert_snapshot!(said(r#"{"choices": ["red", "blue"]}"#), @r#""{\"choices\":[\"red\",\"blue\"]}""#);
        assert_snapshot!(said("Hello there"), @"BadEvent: what the program printed is not one JSON value (expected value at line 1 column 1); a text is printed as a JSON string: Hello there");
        assert_snapshot!(said("{\"a\": 1} {\"b\": 2}"), @r#"BadEvent: what the program printed is not one JSON value (trailing characters at line 1 column 10); a text is printed as a JSON string: {"a": 1} {"b": 2}"#);
        assert_snapshot!(said(r#"{"content": "a", "tool_calls": {}}"#), @"BadEvent: `tool_calls` of the answer is not a list");
        assert_snapshot!(said(r#"{"tool_calls": [{"arguments": {}}]}"#), @"BadEvent: `tool_calls/0` of the answer has no `name`");
    }
}
