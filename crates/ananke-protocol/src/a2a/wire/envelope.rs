//! What is around an event: the envelope of JSON-RPC, and the errors of either binding.

use serde_json::Value;

use crate::agui::tree;

/// How much of a server's words is shown, in characters.
const SHOWN: usize = 500;

/// A server says that it could not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: Option<i64>,
    pub(crate) message: String,
}

impl RpcError {
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    pub(crate) const TASK_NOT_FOUND: i64 = -32001;
    pub(crate) const UNSUPPORTED: i64 = -32004;
    pub(crate) const VERSION: i64 = -32009;

    /// Reads an object that is an error; the reason that its details name goes behind the words.
    pub(crate) fn of(error: &Value) -> Self {
        let words = match (&error["message"], error) {
            (Value::String(text), _) | (_, Value::String(text)) => text.clone(),
            _ => error.to_string(),
        };
        let details = [&error["data"], &error["details"]];
        let details = details.into_iter().filter_map(Value::as_array).flatten();
        let reason = details
            .filter_map(|detail| detail["reason"].as_str())
            .next();
        let data = error["data"].as_str().filter(|data| *data != words);
        let message = match (reason, data) {
            (Some(reason), _) => format!("{words} ({reason})"),
            (None, Some(data)) => format!("{words} ({data})"),
            (None, None) => words,
        };
        // Over HTTP+JSON the code is that of HTTP, and the reason says what is meant.
        let known = reason.and_then(known_reason);
        Self {
            code: known.or_else(|| error["code"].as_i64()),
            message: match message.trim().is_empty() {
                true => "the server gave no reason".to_owned(),
                false => shortened(&message),
            },
        }
    }
}

/// The codes of JSON-RPC by the reasons that HTTP+JSON names.
fn known_reason(reason: &str) -> Option<i64> {
    Some(match reason {
        "TASK_NOT_FOUND" => RpcError::TASK_NOT_FOUND,
        "TASK_NOT_CANCELABLE" => -32002,
        "PUSH_NOTIFICATION_NOT_SUPPORTED" => -32003,
        "UNSUPPORTED_OPERATION" => RpcError::UNSUPPORTED,
        "CONTENT_TYPE_NOT_SUPPORTED" => -32005,
        "INVALID_AGENT_RESPONSE" => -32006,
        "EXTENSION_SUPPORT_REQUIRED" => -32008,
        "VERSION_NOT_SUPPORTED" => RpcError::VERSION,
        _ => return None,
    })
}

/// Takes the envelope off. An error may come without an envelope, and an event too where a server forgets it.
pub(crate) fn unwrap(mut answer: Value) -> Result<Value, RpcError> {
    if answer["error"].is_object() || answer["error"].is_string() {
        return Err(RpcError::of(&answer["error"]));
    }
    let is_envelope = answer.get("jsonrpc").is_some() || answer.get("result").is_some();
    Ok(match answer.get_mut("result") {
        Some(result) if is_envelope => result.take(),
        None if is_envelope => Value::Null,
        _ => answer,
    })
}

/// Reads `HTTP <status>: <body>`: the words of the server in place of its JSON, and the error of the protocol if the body
/// holds one.
pub(crate) fn refusal(message: &str) -> (String, Option<RpcError>) {
    let Some((status, body)) = message.split_once(": ") else {
        return (message.to_owned(), None);
    };
    let Some(answer) = tree(body) else {
        return (format!("{status}: {}", shortened(body)), None);
    };
    let error = match &answer["error"] {
        Value::Null => &answer,
        error => error,
    };
    let words = [&error["message"], &error["detail"], &error["title"], error];
    let words = words.into_iter().find_map(Value::as_str);
    let words = words.map_or_else(|| shortened(body), shortened);
    let is_own = error.is_object() && is_protocols_own(status, &answer, error);
    let error = is_own.then(|| RpcError::of(error));
    (format!("{status}: {words}"), error)
}

/// Tells whether a refusal is one of the protocol, and not of something between.
fn is_protocols_own(status: &str, answer: &Value, error: &Value) -> bool {
    let is_envelope = answer["jsonrpc"].is_string() && answer["error"].is_object();
    let has_code = RpcError::of(error).code.is_some_and(|code| code < -32000);
    // The errors of HTTP+JSON name a status of their own; these may as well come from a gateway.
    let number = status.split(' ').nth(1).unwrap_or_default();
    let is_gateways = matches!(
        number,
        "401" | "403" | "404" | "405" | "429" | "502" | "503" | "504"
    );
    let has_status = error["status"].is_string() && error["code"].is_number();
    is_envelope || has_code || (has_status && !is_gateways)
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_are_found_with_and_without_an_envelope() {
        let shown = |answer: Value| match unwrap(answer) {
            Ok(value) => format!("ok {value}"),
            Err(error) => format!("{:?} {}", error.code, error.message),
        };
        let info = json!([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND"}]);
        assert_eq!(
            shown(
                json!({"jsonrpc": "2.0", "error": {"code": -32001, "message": "none", "data": info}})
            ),
            "Some(-32001) none (TASK_NOT_FOUND)"
        );
        assert_eq!(
            shown(
                json!({"error": {"message": "old", "details": [{"reason": "VERSION_NOT_SUPPORTED"}]}})
            ),
            "Some(-32009) old (VERSION_NOT_SUPPORTED)"
        );
        assert_eq!(shown(json!({"error": "no"})), "None no");
        assert_eq!(
            shown(json!({"jsonrpc": "2.0", "result": {"a": 1}})),
            r#"ok {"a":1}"#
        );
        assert_eq!(shown(json!({"jsonrpc": "2.0"})), "ok null");
        assert_eq!(shown(json!({"task": {}})), r#"ok {"task":{}}"#);
    }

    #[test]
    fn the_words_of_a_refusal_are_shown_instead_of_its_json() {
        let rpc = r#"HTTP 400 Bad Request: {"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"}}"#;
        let (words, error) = refusal(rpc);
        assert_eq!(words, "HTTP 400 Bad Request: not JSON");
        assert_eq!(error.and_then(|error| error.code), Some(-32700));
        let (words, error) = refusal(
            r#"HTTP 400 Bad Request: {"error":{"code":400,"message":"no stream","details":[{"reason":"UNSUPPORTED_OPERATION"}]}}"#,
        );
        assert_eq!(words, "HTTP 400 Bad Request: no stream");
        assert_eq!(
            error.and_then(|error| error.code),
            Some(RpcError::UNSUPPORTED)
        );
        let (_, error) = refusal(r#"HTTP 404 Not Found: {"code":-32001,"message":"no such task"}"#);
        assert_eq!(
            error.and_then(|error| error.code),
            Some(RpcError::TASK_NOT_FOUND)
        );
        let internal = r#"{"error":{"code":500,"status":"INTERNAL","message":"boom"}}"#;
        let error_of = |status: &str| refusal(&format!("HTTP {status}: {internal}")).1;
        let error = error_of("500 Internal Server Error");
        assert_eq!(error.and_then(|error| error.code), Some(500));
        assert_eq!(error_of("503 Service Unavailable"), None);
        let (words, error) = refusal(r#"HTTP 401 Unauthorized: {"detail":"who?"}"#);
        assert_eq!(
            (words.as_str(), error),
            ("HTTP 401 Unauthorized: who?", None)
        );
        assert_eq!(refusal("HTTP 500").0, "HTTP 500");
    }
}
